import type { SampleSink } from '../aggregate/sample-sink.ts';
import type { Chosen } from '../facts/choice.ts';
import type { ProfileDecoder } from './decoder.ts';

/** Bytes of an input from `offset` on, fewer at its end; borrowed until the next call. */
export type Peek = (offset: number, length: number) => Uint8Array;

/**
 * Reads a large input in byte ranges, in parallel: each range has its own decoder in its own thread. The results are
 * then appended in order. The combined profile equals, row by row, that of one decoder for the complete input:
 *
 *   input     │ first range │ second range │ third range │
 *   decoders  │ A ────────▶│ B ─────────▶│ C ────────▶│
 *   A takes     B's state and profile, if B began where A stands; then C's, if C began where A stands now: `appendRange`
 *
 * So the start of a range may be a guess: if A does not end there, the range is discarded and A reads its bytes itself.
 */
export interface ByteRanges {
  /**
   * Decoding speed relative to the slowest format, an integer. A file must be larger by this factor to be worth another
   * thread, because starting a thread and compiling its code takes the same time for every format.
   */
  readonly pace: number;
  /**
   * Offsets at which ranges may begin, ascending, above 0: usually one near each wanted offset, none where no start is
   * found. Must be quick and read little.
   */
  findStarts(peek: Peek, inputBytes: number, wanted: readonly number[]): readonly number[];
  /** Reads from byte `start` of the input on. */
  createDecoder(sink: SampleSink, chosen: Chosen, start: number): ProfileDecoder & RangeDecoder;
}

/** The decoder of a range that is not the first. */
export interface RangeDecoder {
  /** The state of the decoder except what its sink received. Call without `settle`; append nothing afterwards. */
  detach(): RangeState;
}

export interface RangeState {
  /** Structured-cloneable, to be sent to another thread. */
  readonly state: unknown;
  /** Buffers of the state, transferred instead of copied. */
  readonly buffers: readonly ArrayBuffer[];
}
