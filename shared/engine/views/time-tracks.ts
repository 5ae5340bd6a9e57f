import { NONE, release } from '../../profile/columns.ts';
import type { SampleTable } from '../../profile/sample-table.ts';
import type { SampleBlocks } from './timeline-counts.ts';
import { compareKeys, poolOfThreadKey } from '../trees/keys.ts';
import { SAMPLE_KINDS } from './self-groups.ts';
import { placesInTime, type TimelineColumns } from './timeline-columns.ts';

/** The tracks on screen, [from, from + count), and the pools whose threads have tracks of their own. */
export interface TracksView {
  readonly open: readonly string[];
  readonly from: number;
  readonly count: number;
  /** Tracks keep their order, and new ones come after them: the log grows. */
  readonly holds: boolean;
}

/** Tracks by label, in the order in which they were shown last. */
export type TrackOrder = Map<string, number>;

/** A pool of threads, a thread of an open pool, or all threads without a name. */
export interface TimeTrack {
  readonly kind: 'pool' | 'thread' | 'nameless';
  /** `http-worker-*`, `main`, `http-worker-3 <17>` where several threads have a name. */
  readonly label: string;
  /** Names of its threads. */
  readonly names: readonly string[];
  /** Number of its threads: those of a pool with one cannot be unfolded. */
  readonly threads: number;
  readonly isOpen: boolean;
}

/** Threads over time: samples of each track in each bucket of the timeline. */
export interface TimeTracks {
  /** Number of tracks, on screen or not. */
  readonly total: number;
  readonly from: number;
  /** The tracks on screen. */
  readonly tracks: readonly TimeTrack[];
  readonly buckets: number;
  /** (track * kinds + kind) * buckets + bucket -> samples, by the kinds of SAMPLE_KINDS. The last track is of all threads. */
  readonly kinds: Float64Array;
  /** track * buckets + bucket -> samples with the selected method. */
  readonly selected: Float64Array;
  /** track * buckets + bucket -> where a sample ended, by its place in `methods`; NONE without samples. */
  readonly leaf: Int32Array;
  readonly methods: readonly string[];
}

/** The samples of which tracks are made. */
export interface TrackSamples {
  readonly table: SampleTable;
  /** Row of the SelfTable -> its thread, the kind of its samples, and the method where they end: see `SelfGroups`. */
  readonly threads: Int32Array;
  readonly kinds: Int32Array;
  readonly methods: Int32Array;
  readonly methodLabel: (method: number) => string;
  /** Thread -> its name, and its name with its id: see `threadKey`. */
  readonly names: readonly string[];
  readonly ids: readonly string[];
  readonly isOutside: Uint8Array | undefined;
  readonly isSelected: Uint8Array | undefined;
}

const NAMELESS = 'JVM threads';

/**
 * The tracks of the threads with samples in scope, at whatever time: pools by their samples, the most first, or as they were in `order`; below an open
 * pool its threads; threads without a name last, as one. O(samples), whatever the number of threads.
 */
export function timeTracks(
  samples: TrackSamples,
  columns: Pick<TimelineColumns, 'first' | 'from' | 'bucketNs' | 'samples'>,
  { open, from, count, holds }: TracksView,
  blocks?: SampleBlocks,
  order: TrackOrder = new Map(),
): TimeTracks {
  const { table, threads, names, isOutside, isSelected } = samples;
  const { length, self } = table;
  const isIn = (row: number): boolean => self[row] < threads.length && isOutside?.[self[row]] !== 1;
  const counted = new Float64Array(names.length);
  for (let row = 0; row < length; row++) if (isIn(row)) counted[threads[self[row]]]++;
  if (!holds) order.clear();
  const all = allTracks(samples, counted, new Set(open), order);
  for (const { track } of all) if (!order.has(track.label)) order.set(track.label, order.size);
  const shown = all.slice(from, from + count);
  const trackOf = new Int32Array(names.length).fill(NONE);
  for (const [at, { members, track }] of shown.entries())
    if (!track.isOpen) for (const thread of members) trackOf[thread] = at;
  // A pool that is open has its threads in tracks of their own, too.
  const poolOf = new Int32Array(names.length).fill(NONE);
  for (const [at, { members, track }] of shown.entries())
    if (track.isOpen) for (const thread of members) poolOf[thread] = at;
  const buckets = columns.samples.length;
  const cells = (shown.length + 1) * buckets;
  const kinds = new Float64Array(cells * SAMPLE_KINDS.length);
  const selected = new Float64Array(cells);
  const leaf = new Int32Array(cells).fill(NONE);
  const place = placesInTime(table, columns, blocks);
  const add = (track: number, bucket: number, row: number): void => {
    kinds[(track * SAMPLE_KINDS.length + samples.kinds[row]) * buckets + bucket]++;
    const cell = track * buckets + bucket;
    if (isSelected?.[row] === 1) selected[cell]++;
    leaf[cell] = samples.methods[row];
  };
  for (let row = 0; row < length; row++) {
    if (place[row] < 0 || !isIn(row)) continue;
    const thread = threads[self[row]];
    add(shown.length, place[row], self[row]);
    if (trackOf[thread] !== NONE) add(trackOf[thread], place[row], self[row]);
    if (poolOf[thread] !== NONE) add(poolOf[thread], place[row], self[row]);
  }
  release(place);
  const methods: string[] = [];
  const known = new Map<number, number>();
  for (let cell = 0; cell < cells; cell++) {
    const method = leaf[cell];
    if (method === NONE) continue;
    let at = known.get(method);
    if (at === undefined) known.set(method, (at = methods.push(samples.methodLabel(method)) - 1));
    leaf[cell] = at;
  }
  const tracks = shown.map(({ track }) => track);
  return { total: all.length, from, tracks, buckets, kinds, selected, leaf, methods };
}

interface Members {
  readonly track: TimeTrack;
  readonly members: readonly number[];
  readonly samples: number;
}

function allTracks(
  { names, ids }: Pick<TrackSamples, 'names' | 'ids'>,
  counted: Float64Array,
  open: ReadonlySet<string>,
  order: TrackOrder,
): readonly Members[] {
  const withSamples = [...names.keys()].filter((thread) => counted[thread] > 0);
  const pools = grouped(withSamples, (thread) => poolOfThreadKey(names[thread]));
  const track = (
    kind: TimeTrack['kind'],
    label: string,
    members: readonly number[],
    isOpen = false,
  ): Members => ({
    track: {
      kind,
      label,
      isOpen,
      names: [...new Set(members.map((thread) => names[thread]))],
      threads: new Set(members.map((thread) => ids[thread])).size,
    },
    members,
    samples: members.reduce((sum, thread) => sum + counted[thread], 0),
  });
  const placeOf = ({ track: { label } }: Members): number => order.get(label) ?? order.size;
  const heaviestFirst = (a: Members, b: Members): number =>
    Number(a.track.kind === 'nameless') - Number(b.track.kind === 'nameless') ||
    placeOf(a) - placeOf(b) ||
    b.samples - a.samples ||
    compareKeys(a.track.label, b.track.label);
  const threadsOf = (members: readonly number[]): readonly Members[] => {
    const withName = grouped(members, (thread) => names[thread]);
    return [...withName].flatMap(([name, namesakes]) => {
      const withId = grouped(namesakes, (thread) => ids[thread]);
      return [...withId].map(([id, same]) => track('thread', withId.size === 1 ? name : id, same));
    });
  };
  return [...pools]
    .map(([pool, members]) => {
      if (pool === undefined) return track('nameless', NAMELESS, members);
      const threads = threadsOf(members);
      return threads.length === 1 ? threads[0] : track('pool', pool, members, open.has(pool));
    })
    .toSorted(heaviestFirst)
    .flatMap((top) => (top.track.isOpen ? [top, ...threadsOf(top.members).toSorted(heaviestFirst)] : [top]));
}

function grouped<Key>(
  threads: readonly number[],
  keyOf: (thread: number) => Key,
): ReadonlyMap<Key, number[]> {
  const groups = new Map<Key, number[]>();
  for (const thread of threads) {
    const key = keyOf(thread);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [thread]);
    else group.push(thread);
  }
  return groups;
}
