import type { SampleSink } from '../aggregate/sample-sink.ts';
import type { Chosen } from '../facts/choice.ts';
import type { ProfileDecoder } from './decoder.ts';

/** Bytes of an input from `offset` on, fewer at its end; borrowed until the next call. */
export type Peek = (offset: number, length: number) => Uint8Array;

/**
 * Reading a large input in parts, each by a decoder of its own in a thread of its own, all at the same time. The parts
 * are then put one behind the other, and the result is what one decoder would have made of the whole, row by row:
 *
 *   input     │ first part │ second part │ third part │
 *   decoders  │ A ────────▶│ B ─────────▶│ C ────────▶│
 *   A takes     B's state and profile, if B began where A stands; then C's, if C began where A stands now: `takeOver`
 *
 * Where a part begins may thus be a guess: a part that began elsewhere is not taken, and A reads its bytes itself.
 */
export interface FormatParts {
  /**
   * How much faster than the slowest of the formats it is read, in whole numbers: a file must be so many times larger to
   * be worth another thread, which starts and compiles in the same time whatever it reads.
   */
  readonly pace: number;
  /**
   * Where parts may begin, ascending, above 0: mostly one near each wanted offset, none where that cannot be told. To
   * be quick: it reads what it must.
   */
  findStarts(peek: Peek, inputBytes: number, wanted: readonly number[]): readonly number[];
  /** Reads from byte `start` of the input on. */
  createDecoder(sink: SampleSink, chosen: Chosen, start: number): ProfileDecoder & PartDecoder;
}

/** The decoder of a part that is not the first. */
export interface PartDecoder {
  /** All it knows beside what its sink got; nothing may be appended afterwards, and it is not settled. */
  handOver(): PartState;
}

export interface PartState {
  /** Plain, to be sent. */
  readonly state: unknown;
  /** Of the state, and not copied: transferred with it. */
  readonly buffers: readonly ArrayBuffer[];
}
