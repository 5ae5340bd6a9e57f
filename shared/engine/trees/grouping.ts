/** The common property of the frames of one row. Names as on the command line (specs: Honest Profiler FrameGrouping). */
export type FrameGrouping = 'fqmn' | 'line' | 'bci' | 'method-id';
/**
 * The common property of the threads of one root (specs: Honest Profiler ThreadGrouping); `pool`: their name but for its
 * number; `group`: the log that they were in, where several are merged. `context:KEY`: the value that an attribute of
 * their context had when a sample was taken, as `context:operation`; the query names the attribute, too.
 */
export type ThreadGrouping = NamedThreadGrouping | `context:${string}`;
type NamedThreadGrouping = 'name' | 'id' | 'pool' | 'group' | 'all';

const OF_CONTEXT = 'context:';

export function groupingByContext(key: string): ThreadGrouping {
  return `${OF_CONTEXT}${key}`;
}

/** The attribute of contexts by which threads are grouped; undefined for any other grouping, and for parts of the time. */
export function attributeOf(threads: ThreadGrouping | 'time' | undefined): string | undefined {
  return threads?.startsWith(OF_CONTEXT) === true ? threads.slice(OF_CONTEXT.length) : undefined;
}

/** Reads the name of a grouping, as on the command line; undefined for another text. */
export function parseThreadGrouping(text: string): ThreadGrouping | undefined {
  const named = THREAD_GROUPINGS.find((each) => each === text);
  if (named !== undefined || !text.startsWith(OF_CONTEXT) || text.length === OF_CONTEXT.length) return named;
  return groupingByContext(text.slice(OF_CONTEXT.length));
}

/** A method whose frames are told apart by line or BCI, although frames are grouped by method. */
export interface SplitMethod {
  /** Its key in the grouping by method. */
  readonly key: string;
  readonly by: 'line' | 'bci';
}

/** A grouping with exceptions: methods that are split, where it is one by method, and errors that are one row. */
interface MixedGrouping {
  readonly rest: FrameGrouping;
  readonly split: readonly SplitMethod[];
  /** All AsyncGetCallTrace errors have one key, `NO_STACK`. */
  readonly joinsErrors?: boolean;
}

/** The grouping that makes the keys of frames. */
export type FrameKeys = FrameGrouping | MixedGrouping;

/** The label of all samples without a stack, where their errors are one row. */
export const NO_STACK = 'No stack';

/** The parts of a grouping, whether it has exceptions or none. */
export function partsOf(frames: FrameKeys): MixedGrouping {
  return typeof frames === 'string' ? { rest: frames, split: [] } : frames;
}

/** Keys for people: errors are one row. */
export function withErrorsJoined(frames: FrameKeys): FrameKeys {
  return { ...partsOf(frames), joinsErrors: true };
}

/** Keys for exact formats and for scopes: each error has a key of its own. */
export function withErrorsApart(frames: FrameKeys): FrameKeys {
  const { rest, split } = partsOf(frames);
  return split.length === 0 ? rest : { rest, split };
}

/** The grouping of threads in trees; `each`: none, where a scope or a comparison needs all of them apart. */
export type TreeThreads = ThreadGrouping | 'each';

export interface TreeGrouping {
  readonly threads: TreeThreads;
  readonly frames: FrameKeys;
}

/** The keys of rows. `split`: methods that are split where frames are grouped by method. */
export function rowKeys(frames: FrameGrouping, split: readonly SplitMethod[]): FrameKeys {
  const isByMethod = frames === 'fqmn' || frames === 'method-id';
  return withErrorsApart({ rest: frames, split: isByMethod ? split : [] });
}

/** Whether frames that have one key by `fine` always have one key by `coarse`; neither joins errors. */
export function refines(fine: FrameKeys, coarse: FrameKeys): boolean {
  if (coarse === 'fqmn' || frameKeysName(fine) === frameKeysName(coarse)) return true;
  if (typeof fine !== 'string') return fine.rest === coarse;
  return typeof coarse !== 'string' && coarse.rest === 'fqmn' && coarse.split.every(({ by }) => by === fine);
}

/** A text that is equal for equal keys only. */
export function frameKeysName(frames: FrameKeys): string {
  return typeof frames === 'string' ? frames : JSON.stringify(frames);
}

/**
 * The number of times that a sample counts for a method that is on its stack several times. `once`: once, so that no
 * total exceeds the number of samples. `per-level`: once per occurrence, as Honest Profiler does.
 */
export type Recursion = 'once' | 'per-level';

export const FRAME_GROUPINGS: readonly FrameGrouping[] = ['fqmn', 'line', 'bci', 'method-id'];
export const THREAD_GROUPINGS: readonly NamedThreadGrouping[] = ['name', 'id', 'pool', 'group', 'all'];

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
