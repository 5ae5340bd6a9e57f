import type { SampleSink } from '../aggregate/sample-sink.ts';
import type { Chosen } from '../facts/choice.ts';
import type { ProfileDecoder } from './decoder.ts';

/** Bytes of an input from `offset` on, fewer at its end; borrowed until the next call. */
export type Peek = (offset: number, length: number) => Uint8Array;

/**
 * Reading a large input in byte ranges, each by a decoder of its own in a thread of its own, all at the same time. The ranges
 * are then put one behind the other, and the result is what one decoder would have made of the whole, row by row:
 *
 *   input     │ first range │ second range │ third range │
 *   decoders  │ A ────────▶│ B ─────────▶│ C ────────▶│
 *   A takes     B's state and profile, if B began where A stands; then C's, if C began where A stands now: `appendRange`
 *
 * Where a range begins may thus be a guess: a range that began elsewhere is not taken, and A reads its bytes itself.
 */
export interface ByteRanges {
  /**
   * How much faster than the slowest of the formats it is read, in whole numbers: a file must be so many times larger to
   * be worth another thread, which starts and compiles in the same time whatever it reads.
   */
  readonly pace: number;
  /**
   * Where ranges may begin, ascending, above 0: mostly one near each wanted offset, none where that cannot be told. To
   * be quick: it reads what it must.
   */
  findStarts(peek: Peek, inputBytes: number, wanted: readonly number[]): readonly number[];
  /** Reads from byte `start` of the input on. */
  createDecoder(sink: SampleSink, chosen: Chosen, start: number): ProfileDecoder & RangeDecoder;
}

/** The decoder of a range that is not the first. */
export interface RangeDecoder {
  /** All its state beside what its sink received. Nothing may be appended afterwards; it is not settled before. */
  detach(): RangeState;
}

export interface RangeState {
  /** Plain, to be sent. */
  readonly state: unknown;
  /** Of the state, and not copied: transferred with it. */
  readonly buffers: readonly ArrayBuffer[];
}
