import { NONE } from '../../profile/columns.ts';
import { isOneOf, WAITING_METHODS } from '../../text/waiting-methods.ts';
import { poolOf } from '../../text/thread-pools.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { ContextTable } from '../../profile/context-table.ts';
import type { SampleTable } from '../../profile/sample-table.ts';
import type { NsSpan } from '../../scope/scope.ts';
import { partName, partStart, requireFew } from '../../scope/parts-of-time.ts';
import { boundsAfterOrigin, type TimeBounds } from '../values/time-range.ts';
import { firstOf, valuesOfKey } from './context-test.ts';
import type { Contexts, SamplesByThread } from './contexts.ts';

/** Durations of some contexts, ns. */
export interface Durations {
  readonly count: number;
  readonly total: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
}

/** Contexts of one operation, with one value of another attribute, or that began in one part of the time. */
export interface Operation extends Durations {
  readonly name: string;
  /** As in a ContextScope; undefined: they are no part of the time. */
  readonly began?: NsSpan | undefined;
  /** In scope; a sample counts once for each operation that it is inside. */
  readonly samples: number;
  /** Where most of these samples ended; undefined without samples. */
  readonly hottest: { readonly method: number; readonly samples: number } | undefined;
  /**
   * Part of the time of their threads in which samples in scope found these computing, a fraction: more than 1 only by
   * chance. A moment inside several of them counts once. Undefined where it is not known.
   */
  readonly onCpu: number | undefined;
}

export interface Operations {
  /** Operations, those with most samples first, then those that took longest, then by name. Parts of the time in its order. */
  readonly rows: readonly Operation[];
  /** Samples in scope that are in some of these contexts. */
  readonly samples: number;
  /** All that are listed: ns of their threads, each moment once, and the part of it in which these computed. */
  readonly all: { readonly count: number; readonly ns: number; readonly onCpu: number | undefined };
  /** Contexts of threads that have no sample at all, and the time that they took. */
  readonly unsampled: { readonly count: number; readonly ns: number; readonly threads: number };
  /** Samples name the threads that carry virtual threads, while contexts name the virtual threads. */
  readonly namesCarriers: boolean;
  /** Rows that are too short to say whether they computed: chance would say it. */
  readonly tooShort: number;
}

/** The contexts that are meant. */
interface MeantContexts {
  /** Context -> 1 if it is in scope. */
  readonly isIn: Uint8Array;
  /** Contexts that overlap this time are listed. */
  readonly bounds: TimeBounds;
  /** Thread -> 1 if it is left out. */
  readonly isLeftOut: Uint8Array;
}

/** The contexts that are listed. */
interface ListedContexts extends MeantContexts {
  /** The attribute whose values are rows; or the length of the parts of the time that are. */
  readonly by: string | bigint;
  /** ns in which contexts have too few samples to say whether they computed; undefined: samples do not say it. */
  readonly leastNs: number | undefined;
}

/**
 * The operations of a profile. `counted`: the samples in scope. O(contexts + samples in them), and a sort of the durations of
 * each operation.
 */
export function operationsOf(
  profile: LeanProfile,
  samples: SampleTable,
  contexts: Contexts,
  counted: CountedSamples,
  { by, leastNs, ...meant }: ListedContexts,
): Operations {
  const { table, byThread } = contexts;
  const { thread, from, to } = table;
  const { least, end } = boundsAfterOrigin(table, meant.bounds);
  const listed = listedContexts(contexts, meant);
  const { group, rowOf } =
    typeof by === 'string'
      ? { group: valuesOfKey(contexts, by), rowOf: (text: number) => ({ name: table.texts[text] }) }
      : partsOfTime(samples, table, listed, by);
  const unsampled = listed.filter((row) => !hasSamples(byThread, thread[row]));
  const withoutSamples = new Set(Array.from(unsampled, (row) => thread[row]));
  const namesCarriers = unsampled.length > 0 && carriesThreads(profile, byThread, withoutSamples);
  let tooShort = 0;
  const onCpu = (own: Int32Array, ns: number, cpuNs: number): number | undefined => {
    if (leastNs === undefined) return undefined;
    if (namesCarriers && own.some((row) => withoutSamples.has(thread[row]))) return undefined;
    if (ns < leastNs) tooShort++;
    return ns < leastNs ? undefined : cpuNs / ns;
  };
  const rows = grouped(listed, group).map((own) => {
    const { cpuNs, ...inside } = counted.countIn(own, contexts);
    return {
      ...rowOf(group[own[0]]),
      ...durationsOf(own, table),
      ...inside,
      onCpu: onCpu(own, timeIn(own, table, least, end), cpuNs),
    };
  });
  if (typeof by === 'string')
    rows.sort((a, b) => b.samples - a.samples || b.total - a.total || (a.name < b.name ? -1 : 1));
  const ofRows = tooShort;
  const { samples: inside, cpuNs } = counted.countIn(listed, contexts);
  const ns = timeIn(listed, table, least, end);
  return {
    rows,
    samples: inside,
    all: { count: listed.length, ns, onCpu: onCpu(listed, ns, cpuNs) },
    unsampled: {
      count: unsampled.length,
      ns: unsampled.reduce((sum, row) => sum + to[row] - from[row], 0),
      threads: withoutSamples.size,
    },
    namesCarriers,
    tooShort: ofRows,
  };
}

/** The durations of some contexts by the value of an attribute. O(contexts log contexts). */
export function durationsByValue(
  contexts: Contexts,
  by: string,
  meant: MeantContexts,
): ReadonlyMap<string, Durations> {
  const { table } = contexts;
  const group = valuesOfKey(contexts, by);
  const groups = grouped(listedContexts(contexts, meant), group);
  return new Map(groups.map((own) => [table.texts[group[own[0]]], durationsOf(own, table)]));
}

/** Contexts in their order. Those that are wholly in a time that is left out are not among them. */
function listedContexts({ order, table }: Contexts, { isIn, bounds, isLeftOut }: MeantContexts): Int32Array {
  const { thread, from, to } = table;
  const { least, end } = boundsAfterOrigin(table, bounds);
  const without = bounds.except && boundsAfterOrigin(table, bounds.except);
  return order.filter(
    (row) =>
      isIn[row] === 1 &&
      isLeftOut[thread[row]] !== 1 &&
      to[row] >= least &&
      from[row] < end &&
      !(without !== undefined && from[row] >= without.least && to[row] <= without.end),
  );
}

/** ns of threads inside some contexts, between two times, each moment once. `rows`: in their order. */
function timeIn(rows: Int32Array, { thread, from, to }: ContextTable, least: number, end: number): number {
  let ns = 0;
  let [last, done] = [NONE, least];
  for (const row of rows) {
    if (thread[row] !== last) [last, done] = [thread[row], least];
    const until = Math.min(to[row], end);
    ns += Math.max(0, until - Math.max(from[row], done));
    done = Math.max(done, until);
  }
  return ns;
}

/** Contexts by their groups, those of the least number first, in the order in which they are listed. */
function grouped(listed: Int32Array, group: Int32Array): readonly Int32Array[] {
  const sizes = new Map<number, number>();
  for (const row of listed) sizes.set(group[row], (sizes.get(group[row]) ?? 0) + 1);
  sizes.delete(NONE);
  const groups = new Map(
    [...sizes].sort(([a], [b]) => a - b).map(([of, size]) => [of, { rows: new Int32Array(size), length: 0 }]),
  );
  for (const row of listed) {
    const own = groups.get(group[row]);
    if (own !== undefined) own.rows[own.length++] = row;
  }
  return Array.from(groups.values(), ({ rows }) => rows);
}

/** Context -> the part of the time in which it began, from 0 on. Throws TooManyParts. */
function partsOfTime(
  samples: SampleTable,
  table: ContextTable,
  listed: Int32Array,
  length: bigint,
): {
  readonly group: Int32Array;
  readonly rowOf: (part: number) => Pick<Operation, 'name' | 'began'>;
} {
  const { origin = 0n, from } = table;
  let [least, most] = [Infinity, -Infinity];
  for (const row of listed) {
    least = Math.min(least, from[row]);
    most = Math.max(most, from[row]);
  }
  const group = new Int32Array(table.length);
  const earliest = BigInt(firstOf(samples, table)) + origin;
  const start = listed.length === 0 ? 0n : partStart(origin + BigInt(least), length, earliest);
  const first = Number(start - origin);
  if (listed.length > 0)
    requireFew(Math.ceil((most - first) / Number(length)), 'the time has parts of this length:');
  for (const row of listed) group[row] = Math.floor((from[row] - first) / Number(length));
  return {
    group,
    rowOf(part) {
      const begin = start + BigInt(part) * length;
      const after = Number(begin - earliest);
      const began = { from: after > 0 ? after : undefined, to: Math.max(0, after + Number(length)) };
      return { name: partName(begin, length, earliest), began };
    },
  };
}

function durationsOf(rows: Int32Array, { from, to }: ContextTable): Durations {
  const durations = Float64Array.from(rows, (row) => to[row] - from[row]).sort();
  const { length } = durations;
  const total = durations.reduce((sum, each) => sum + each, 0);
  const percentile = (percent: number): number =>
    durations[Math.max(0, Math.ceil((percent / 100) * length) - 1)];
  const [p50, p95, p99, longest] = [50, 95, 99, 100].map(percentile);
  return { count: length, total, mean: total / length, p50, p95, p99, longest };
}

/** A sample that is not counted; one that ended in no method has NONE. */
const NOT_COUNTED = -2;

/** The methods where some samples ended. Four bytes a sample. */
export class CountedSamples {
  /** Place of the samples by thread -> method. */
  readonly #method: Int32Array;
  /** Method -> samples of the contexts that are counted. */
  readonly #inMethod: Int32Array;
  readonly #rows: Int32Array;
  readonly #cpuNsOf: (row: number) => number;

  /**
   * `methodOf`: row of the samples -> the method where it ended, or NONE; undefined: it does not count. `methods`: their
   * number. `cpuNsOf`: row -> ns for which its thread has computed.
   */
  constructor(
    { rows }: SamplesByThread,
    methodOf: (row: number) => number | undefined,
    methods: number,
    cpuNsOf: (row: number) => number,
  ) {
    this.#method = rows.map((row) => methodOf(row) ?? NOT_COUNTED);
    this.#inMethod = new Int32Array(methods);
    this.#rows = rows;
    this.#cpuNsOf = cpuNsOf;
  }

  /** The samples in some contexts, each once. `rows`: those of the contexts, in their order. O(rows + samples in them). */
  countIn(
    rows: Int32Array,
    { first, end }: Contexts,
  ): Pick<Operation, 'samples' | 'hottest'> & { readonly cpuNs: number } {
    const inMethod = this.#inMethod;
    const seen: number[] = [];
    let samples = 0;
    let cpuNs = 0;
    let done = 0;
    for (const row of rows) {
      for (let place = Math.max(first[row], done); place < end[row]; place++) {
        const method = this.#method[place];
        if (method === NOT_COUNTED) continue;
        samples++;
        cpuNs += this.#cpuNsOf(this.#rows[place]);
        if (method !== NONE && inMethod[method]++ === 0) seen.push(method);
      }
      done = Math.max(done, end[row]);
    }
    let hottest: Operation['hottest'];
    for (const method of seen) {
      const most = hottest?.samples ?? 0;
      if (inMethod[method] > most || (inMethod[method] === most && method < (hottest?.method ?? 0)))
        hottest = { method, samples: inMethod[method] };
    }
    for (const method of seen) inMethod[method] = 0;
    return { samples, hottest, cpuNs };
  }
}

/** The mean value of samples, ns; NaN without samples. */
export function meanValue({ length, value: { column, mask } }: SampleTable): number {
  let sum = 0;
  for (let row = 0; row < length; row++) sum += column.ns[row & mask];
  return sum / length;
}

/** Sample -> ns for which its thread has computed. 'running': 0 where it ends in a method that waits. */
export function cpuTimes(
  { nodes, frames, methods, selfValues }: LeanProfile,
  { self, value: { column, mask } }: SampleTable,
  computing: 'all' | 'running',
): (row: number) => number {
  const isOne = isOneOf(WAITING_METHODS);
  const waits = methods.names.map(
    (names) =>
      computing === 'running' && names !== undefined && isOne(`${names.className}.${names.methodName}`),
  );
  return (row) => {
    const frame = nodes.frame[selfValues.node[self[row]]];
    return frame >= 0 && waits[frames.method[frame]] ? 0 : column.ns[row & mask];
  };
}

function hasSamples({ start, threads }: SamplesByThread, thread: number): boolean {
  return thread < threads && start[thread + 1] > start[thread];
}

/** Threads of the pool that carries virtual threads by default. */
const CARRIER = /^ForkJoinPool-\d+-worker-\d+$/;

/** Whether samples name carriers. Where others of their pools have samples, threads without any were only short. */
function carriesThreads(
  { threads, methods }: LeanProfile,
  byThread: SamplesByThread,
  unsampled: ReadonlySet<number>,
): boolean {
  const pools = new Set([...unsampled].map((thread) => poolOf(threads.name[thread] ?? '')));
  const isNamed = threads.name.some(
    (name, thread) => hasSamples(byThread, thread) && pools.has(poolOf(name ?? '')),
  );
  if (isNamed) return false;
  const isCarrier = threads.name.some(
    (name, thread) => hasSamples(byThread, thread) && CARRIER.test(name ?? ''),
  );
  return (
    isCarrier &&
    methods.names.some((names) =>
      /^(?:java\.lang\.VirtualThread|jdk\.internal\.vm\.Continuation)$/.test(names?.className ?? ''),
    )
  );
}
