/** What frames of one row have in common. Names as on the command line (specs: Honest Profiler FrameGrouping). */
export type FrameGrouping = 'fqmn' | 'line' | 'bci' | 'method-id';
/** What threads of one root have in common (specs: Honest Profiler ThreadGrouping); `pool`: their name but for its number. */
export type ThreadGrouping = 'name' | 'id' | 'pool' | 'all';

export interface TreeGrouping {
  readonly threads: ThreadGrouping;
  readonly frames: FrameGrouping;
}

/**
 * How often a sample counts for a method that is on its stack several times. `once`: once, so that no total exceeds the
 * number of samples. `per-level`: once per occurrence, as Honest Profiler does.
 */
export type Recursion = 'once' | 'per-level';

export const FRAME_GROUPINGS: readonly FrameGrouping[] = ['fqmn', 'line', 'bci', 'method-id'];
export const THREAD_GROUPINGS: readonly ThreadGrouping[] = ['name', 'id', 'pool', 'all'];
