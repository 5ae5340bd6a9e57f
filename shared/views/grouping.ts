import type { ProfileUnits } from '../profile/profile-units.ts';

/** What makes two frames one row. Names as on the command line (specs: Honest Profiler FrameGrouping). */
export type FrameGrouping = 'fqmn' | 'line' | 'bci' | 'method-id';
/** What makes two threads one root (specs: Honest Profiler ThreadGrouping). */
export type ThreadGrouping = 'name' | 'id' | 'all';
/** What a row weighs. Time is what the log charges to a sample: see the README, "What time means". */
export type Metric = 'samples' | 'time';

export const FRAME_GROUPINGS: readonly FrameGrouping[] = ['fqmn', 'line', 'bci', 'method-id'];
export const THREAD_GROUPINGS: readonly ThreadGrouping[] = ['name', 'id', 'all'];
export const METRICS: readonly Metric[] = ['samples', 'time'];

/** What shares and widths go by: `samples`, `time`. */
export function weightName(metric: Metric, { counted, value }: ProfileUnits): string {
  return metric === 'time' && value !== undefined ? value.name.toLowerCase() : counted.many;
}
