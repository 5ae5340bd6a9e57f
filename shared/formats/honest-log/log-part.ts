import type { Damage } from '../../facts/damage.ts';
import type { HonestLogCounts } from './log-counts.ts';
import type { PartClock } from './trace-clock.ts';

/** State of a decoder at the end of a byte range, structured-cloneable. */
export interface HonestLogPart {
  /** Offset of the part's first byte in the log; a trace starts there. */
  readonly start: number;
  readonly accepted: number;
  readonly skipped: number;
  /** The part ends with so many zeros, and with so much of a record. */
  readonly zeros: number;
  readonly cut: Uint8Array<ArrayBuffer>;
  readonly records: number;
  /** Its record is counted from the part's first. */
  readonly damage: Damage | undefined;
  readonly counts: HonestLogCounts;
  readonly clock: PartClock;
  /** The trace that is open: its thread, a row of the part's profile, and what it announced and has. */
  readonly thread: number;
  readonly declaredDepth: number;
  readonly stack: Int32Array;
}
