import { byPool } from '../../text/thread-pools.ts';
import { compareKeys } from '../trees/keys.ts';
import type { Metric } from '../values/metric.ts';
import type { ThreadColumns } from '../values/self-threads.ts';

/** A thread of the list, or a pool of at least two. */
export interface ThreadRow {
  /** Tells rows apart: a pool and a thread may have the same label. */
  readonly key: string;
  readonly label: string;
  /** The names that it stands for. */
  readonly names: readonly string[];
  readonly isPool: boolean;
  /** A pool whose threads follow. */
  readonly isOpen: boolean;
  /** 1 below a pool. */
  readonly depth: 0 | 1;
  /** The number of threads that it stands for: several can have one name. */
  readonly threads: number;
  readonly samples: number;
  readonly time: number;
}

/** A row of the list with its place among its siblings, from 1, and their number: a part of the list is in the page. */
export interface ListedThread extends ThreadRow {
  readonly position: number;
  readonly siblings: number;
}

export interface ThreadListView {
  /** Threads of one pool are one row, which can be opened. */
  readonly groupsPools: boolean;
  /** Keys of the pools that are open. */
  readonly open: ReadonlySet<string>;
  /** undefined: all. A pool shows its threads that match, and is open. */
  readonly matches: ((name: string) => boolean) | undefined;
}

interface ThreadOrder {
  readonly by: 'weight' | 'name';
  readonly metric: Metric;
}

/** Rows of the list in the order of `order`, which gives the place of each key; see `threadOrder`. */
export function threadRows(
  columns: ThreadColumns,
  view: ThreadListView,
  order: ReadonlyMap<string, number>,
): readonly ListedThread[] {
  const { matches, open } = view;
  const singles = threadsOf(columns).filter(({ label }) => matches?.(label) ?? true);
  const byPlace = (a: ThreadRow, b: ThreadRow): number => placeOf(a, order) - placeOf(b, order);
  const tops = view.groupsPools ? withPools(singles) : singles.map((row) => ({ row, members: [] }));
  return tops
    .toSorted((a, b) => byPlace(a.row, b.row))
    .flatMap(({ row, members }, at): readonly ListedThread[] => {
      const place = { position: at + 1, siblings: tops.length };
      if (!row.isPool || !(matches !== undefined || open.has(row.key))) return [{ ...row, ...place }];
      return [
        { ...row, ...place, isOpen: true },
        ...members.toSorted(byPlace).map((member, below) => ({
          ...member,
          depth: 1 as const,
          position: below + 1,
          siblings: members.length,
        })),
      ];
    });
}

/**
 * The place of each row. Rows of `before` keep theirs, so that nothing moves while the log grows; new ones follow. Without
 * `before` all are sorted. Returns `before` itself if it has all rows.
 */
export function threadOrder(
  columns: ThreadColumns,
  { by, metric }: ThreadOrder,
  before: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  const singles = threadsOf(columns);
  const pools = withPools(singles).flatMap(({ row }) => (row.isPool ? [row] : []));
  const added = [...singles, ...pools].filter(({ key }) => !before.has(key));
  if (added.length === 0) return before;
  const weightOf = (row: ThreadRow): number => (metric === 'time' ? row.time : row.samples);
  added.sort(
    (a, b) =>
      (by === 'weight' ? weightOf(b) - weightOf(a) : 0) ||
      a.label.localeCompare(b.label, 'en', { numeric: true }) ||
      compareKeys(a.key, b.key),
  );
  const order = new Map(before);
  for (const { key } of added) order.set(key, order.size);
  return order;
}

function placeOf({ key }: ThreadRow, order: ReadonlyMap<string, number>): number {
  return order.get(key) ?? order.size;
}

function threadsOf({ names, threads, samples, time }: ThreadColumns): readonly ThreadRow[] {
  return names.map((name, at) => ({
    key: `thread ${name}`,
    label: name,
    names: [name],
    isPool: false,
    isOpen: false,
    depth: 0,
    threads: threads[at],
    samples: samples[at],
    time: time[at],
  }));
}

interface Top {
  readonly row: ThreadRow;
  readonly members: readonly ThreadRow[];
}

/** A pool in the place of its threads; a thread that is alone in its pool stays. */
function withPools(singles: readonly ThreadRow[]): readonly Top[] {
  const rowOf = new Map(singles.map((row) => [row.label, row]));
  return [...byPool(singles.map(({ label }) => label))].map(([pool, names]): Top => {
    const rows = names.flatMap((name) => rowOf.get(name) ?? []);
    if (rows.length === 1) return { row: rows[0], members: [] };
    const sum = (of: (row: ThreadRow) => number): number => rows.reduce((whole, row) => whole + of(row), 0);
    return {
      row: {
        key: `pool ${pool}`,
        label: pool,
        names,
        isPool: true,
        isOpen: false,
        depth: 0,
        threads: sum(({ threads }) => threads),
        samples: sum(({ samples }) => samples),
        time: sum(({ time }) => time),
      },
      members: rows,
    };
  });
}
