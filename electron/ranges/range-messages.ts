import type { RangeProfile } from '../../shared/aggregate/range-profile.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import type { FormatId } from '../../shared/facts/format-id.ts';

/** What a thread that has started is asked to read: the one message that it gets. */
export interface RangeTask {
  /**
   * The descriptor that the whole file is read by: a process's descriptors are all its threads', and the path may name
   * another file by now.
   */
  readonly file: number;
  readonly start: number;
  readonly end: number;
  readonly format: FormatId;
  readonly chosen: Chosen;
  /** How far it is, in units of PROGRESS_BYTES, for everybody to see: [0]. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

export const PROGRESS_BYTES = 1 << 17;

/** Its one answer. */
export interface ReadRange {
  /** What its decoder handed over. */
  readonly state: unknown;
  readonly range: RangeProfile;
  /** Where it stopped: at the range's end, or before, where the file ends by now. */
  readonly end: number;
}
