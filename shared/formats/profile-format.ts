import type { SampleSink } from '../aggregate/sample-sink.ts';
import type { FormatId } from '../facts/format-id.ts';
import type { Chosen } from '../facts/choice.ts';
import type { ProfileDecoder } from './decoder.ts';
import type { DecoderCode } from './decoder-code.ts';
import type { ByteRanges } from './byte-ranges.ts';

/**
 * What the beginning of an input says about whether it has a format.
 *
 *   is        it has: 'it begins with …'
 *   possible  it may, but the bytes so far do not tell; with no more to come it has not
 *   no        it has not. `likeness` orders what was nearest: 0 nothing in common, 1 all but one thing
 */
export type Recognition =
  | { readonly verdict: 'is'; readonly evidence: string }
  | { readonly verdict: 'possible' | 'no'; readonly likeness: number; readonly because: string };

/** One input format: how it is told, what it can say, and what reads it. A row of `FORMATS`. */
export interface ProfileFormat {
  readonly id: FormatId;
  /** For people: 'Honest Profiler log'. */
  readonly name: string;
  /** What such files are called, '.hpl'; for file dialogs only, never to tell what a file is. */
  readonly extensions: readonly string[];
  /** A file that is still written can be followed. Else it is read once, as it is. */
  readonly follows: boolean;
  /** Several files, one behind the other, are one input: dumps that were taken one after the other. */
  readonly joinsFiles?: boolean;
  /** What cannot be known from such a file, a clause each. */
  readonly cannotTell: readonly string[];
  /** `head` is the first DETECTION_BYTES of an unpacked input, or all of it. Pure, and quick. */
  recognise(head: Uint8Array): Recognition;
  /** What `createDecoder` needs: to be loaded first. */
  readonly code: DecoderCode<unknown>;
  createDecoder(sink: SampleSink, chosen: Chosen): ProfileDecoder;
  /** How large files are read by several threads, where they can be. */
  readonly byteRanges?: ByteRanges;
}

export function is(evidence: string): Recognition {
  return { verdict: 'is', evidence };
}

export function isNot(likeness: number, because: string): Recognition {
  return { verdict: 'no', likeness, because };
}

export function isPossible(likeness: number, because: string): Recognition {
  return { verdict: 'possible', likeness, because };
}
