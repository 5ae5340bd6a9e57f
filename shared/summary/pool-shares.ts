import type { ProfileView } from '../engine/profile-view.ts';
import type { FrameKeys } from '../engine/trees/grouping.ts';
import type { SummableRows } from '../engine/trees/row-tree.ts';
import { poolOf } from '../text/thread-pools.ts';
import type { Metric } from '../engine/values/metric.ts';
import { keysOfNodes } from '../engine/views/row-times.ts';
import { NONE } from '../profile/columns.ts';
import { SELF_THREADS } from '../engine/profile-steps.ts';

/** A pool of threads in which a method is on the stack. */
export interface PoolShare {
  /** Empty for threads without a name. */
  readonly pool: string;
  /** The number of its threads that have the method on their stack. */
  readonly threads: number;
  /** Its part of the samples with the method, a fraction. */
  readonly share: number;
}

/** Pools that are told of a method. */
const MOST_POOLS = 3;

/** The heaviest pools of each of at most 32 keys. O(call nodes + values). */
export function poolsOfKeys(
  view: ProfileView,
  frames: FrameKeys,
  keys: readonly number[],
  metric: Metric,
): readonly (readonly PoolShare[])[] {
  const { values } = view;
  const { node, length, count, time } = values;
  const weight = metric === 'samples' ? count : time.ns;
  const bits = keysOfNodes(view.chains(frames), view.keys(frames), keys, node, length);
  const threadOf = threadsOfValues(view);
  const sums = keys.map(() => new Map<number, number>());
  for (let row = 0; row < length; row++) {
    if (bits[row] === 0 || !(weight[row] > 0)) continue;
    const thread = threadOf[row];
    for (const [at, each] of sums.entries())
      if ((bits[row] & (1 << at)) !== 0) each.set(thread, (each.get(thread) ?? 0) + weight[row]);
  }
  return sums.map((ofThread) => heaviestPools(view, ofThread));
}

/** `ofThread`: thread -> its weight. */
function heaviestPools(
  { profile }: Pick<ProfileView, 'profile'>,
  ofThread: ReadonlyMap<number, number>,
): readonly PoolShare[] {
  const pools = new Map<string, { names: Set<string>; sum: number }>();
  let all = 0;
  for (const [thread, sum] of ofThread) {
    const name = profile.threads.name[thread] ?? '';
    const pool = pools.get(poolOf(name)) ?? { names: new Set(), sum: 0 };
    pools.set(poolOf(name), pool);
    pool.names.add(name === '' ? `${thread}` : name);
    pool.sum += sum;
    all += sum;
  }
  return Array.from(pools, ([pool, { names, sum }]) => ({ pool, threads: names.size, share: sum / all }))
    .sort((a, b) => b.share - a.share || (a.pool < b.pool ? -1 : 1))
    .slice(0, MOST_POOLS);
}

/** The heaviest pools of the samples that end at or below a row of a tree. O(call nodes + rows of the tree + values). */
export function poolsOfRow(
  view: ProfileView,
  tree: SummableRows,
  row: number,
  metric: Metric,
): readonly PoolShare[] {
  const { values } = view;
  const { length, count, time } = values;
  const weight = metric === 'samples' ? count : time.ns;
  const isBelow = new Uint8Array(tree.length);
  isBelow[row] = 1;
  for (let each = row + 1; each < tree.length; each++)
    if (tree.parent[each] !== NONE) isBelow[each] = isBelow[tree.parent[each]];
  const rows = tree.rowsOfValues(values);
  const threadOf = threadsOfValues(view);
  const sums = new Map<number, number>();
  for (let value = 0; value < length; value++) {
    if (isBelow[rows[value]] === 0 || !(weight[value] > 0)) continue;
    const thread = threadOf[value];
    sums.set(thread, (sums.get(thread) ?? 0) + weight[value]);
  }
  return heaviestPools(view, sums);
}

/** Row of the values of a view -> its thread. */
function threadsOfValues({ steps, structure, values }: ProfileView): Int32Array {
  return steps.get(SELF_THREADS, structure).of(values);
}
