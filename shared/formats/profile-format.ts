import type { SampleSink } from '../aggregate/sample-sink.ts';
import type { FormatId } from '../facts/format-list.ts';
import type { Chosen } from '../facts/choice.ts';
import type { ProfileDecoder } from './decoder.ts';

/**
 * Whether the first bytes of an input match a format.
 *
 *   is        it matches: 'it begins with …'
 *   possible  undecided, more bytes are needed; at the end of the input it does not match
 *   no        it does not match. `likeness` orders the formats: 0 nothing in common, 1 one difference
 */
export type Recognition =
  | { readonly verdict: 'is'; readonly evidence: string }
  | { readonly verdict: 'possible' | 'no'; readonly likeness: number; readonly because: string };

/** In the order of the start page. */
export const FORMAT_GROUP_TITLES = ['JVM profilers', 'Exchange formats', 'Traces and dumps'] as const;
type FormatGroupTitle = (typeof FORMAT_GROUP_TITLES)[number];

/** One input format: its recognition, its properties and its decoder. A row of `FORMATS`. */
export interface ProfileFormat {
  readonly id: FormatId;
  /** Shown to users: 'Honest Profiler log'. */
  readonly name: string;
  /** Where the start page lists it. Formats with the same entry are listed once. */
  readonly listed: { readonly group: FormatGroupTitle; readonly entry: string };
  /**
   * File extensions, such as '.hpl', the usual one first. They are shown and offered by file dialogs; the format is
   * recognised by content.
   */
  readonly extensions: readonly string[];
  /** True when a growing file can be followed. Otherwise it is read once. */
  readonly follows: boolean;
  /** True if it may stand anywhere in a text, as a thread dump in the output of a server. */
  readonly beginsAnywhere?: boolean;
  /** True when several files form one input, such as consecutive thread dumps. */
  readonly joinsFiles?: boolean;
  /** Set if several entries of an archive form one profile: each on a new line, byte after byte, or each by itself. */
  readonly joinsEntries?: 'lines' | 'bytes' | 'files';
  /** Information that the format does not record, one clause each. */
  readonly notRecorded: readonly string[];
  /** `head` is the first DETECTION_BYTES of an unpacked input, or all of it. Pure, and quick. */
  recognise(head: Uint8Array): Recognition;
  createDecoder(sink: SampleSink, chosen: Chosen): ProfileDecoder;
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
