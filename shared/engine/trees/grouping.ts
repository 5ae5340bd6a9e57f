/** What frames of one row have in common. Names as on the command line (specs: Honest Profiler FrameGrouping). */
export type FrameGrouping = 'fqmn' | 'line' | 'bci' | 'method-id';
/**
 * What threads of one root have in common (specs: Honest Profiler ThreadGrouping); `pool`: their name but for its number;
 * `group`: the log that they were in, where several are merged.
 */
export type ThreadGrouping = 'name' | 'id' | 'pool' | 'group' | 'all';

/** A method whose frames are told apart by line or BCI, although frames are grouped by method. */
export interface SplitMethod {
  /** Its key in the grouping by method. */
  readonly key: string;
  readonly by: 'line' | 'bci';
}

/** A grouping by method but for some methods, at least one. */
export interface SplitGrouping {
  readonly rest: 'fqmn' | 'method-id';
  readonly split: readonly SplitMethod[];
}

/** What the keys of frames are made of. */
export type FrameKeys = FrameGrouping | SplitGrouping;

export interface TreeGrouping {
  readonly threads: ThreadGrouping;
  readonly frames: FrameKeys;
}

/** Whether frames that have one key by `fine` always have one key by `coarse`. */
export function refines(fine: FrameKeys, coarse: FrameKeys): boolean {
  if (coarse === 'fqmn' || frameKeysName(fine) === frameKeysName(coarse)) return true;
  if (typeof fine !== 'string') return fine.rest === coarse;
  return typeof coarse !== 'string' && coarse.rest === 'fqmn' && coarse.split.every(({ by }) => by === fine);
}

/** The same text for the same keys. */
export function frameKeysName(frames: FrameKeys): string {
  return typeof frames === 'string' ? frames : JSON.stringify(frames);
}

/**
 * How often a sample counts for a method that is on its stack several times. `once`: once, so that no total exceeds the
 * number of samples. `per-level`: once per occurrence, as Honest Profiler does.
 */
export type Recursion = 'once' | 'per-level';

export const FRAME_GROUPINGS: readonly FrameGrouping[] = ['fqmn', 'line', 'bci', 'method-id'];
export const THREAD_GROUPINGS: readonly ThreadGrouping[] = ['name', 'id', 'pool', 'group', 'all'];

/** `:42`, `:bci 17`, or `:?` for frames without either. */
const POSITION = /^:(?:\d+|bci \d+|\?)$/;

/**
 * The label of a line of a split method. A frame without a line has its BCI, if that is known: old logs have no lines.
 *
 *   by line   Shop.parse:42   Shop.parse:bci 17   Shop.parse:?
 *   by BCI    Shop.parse:bci 17                   Shop.parse:?
 */
export function lineLabel(method: string, line: number, bci: number, by: SplitMethod['by']): string {
  if (by === 'line' && line > 0) return `${method}:${line}`;
  return bci >= 0 ? `${method}:bci ${bci}` : `${method}:?`;
}

/** The split method of which a label is a line, or which it is itself; undefined for any other label. */
export function splitMethodOf(label: string, split: readonly SplitMethod[]): SplitMethod | undefined {
  return split.find(
    ({ key }) => label === key || (label.startsWith(key) && POSITION.test(label.slice(key.length))),
  );
}
