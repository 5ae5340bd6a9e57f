import type { RangeProfile } from '../../shared/aggregate/range-profile.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import type { FormatId } from '../../shared/facts/format-id.ts';

/** What a range thread has to read: the only message that it receives. */
export interface RangeTask {
  /**
   * The descriptor by which the complete file is read. All threads share a process's descriptors, while the path may
   * name another file by now.
   */
  readonly file: number;
  readonly start: number;
  readonly end: number;
  readonly format: FormatId;
  readonly chosen: Chosen;
  /** [0]: how much is read, in units of PROGRESS_BYTES. Shared, so that other threads can read it. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

export const PROGRESS_BYTES = 1 << 17;

/** The only answer of a range thread. */
export interface ReadRange {
  /** The state that its decoder returned from `detach`. */
  readonly state: unknown;
  readonly range: RangeProfile;
  /** Where it stopped: at the range's end, or before it if the file has become shorter. */
  readonly end: number;
}
