import { NONE } from '../../profile/columns.ts';
import type { ContextTable } from '../../profile/context-table.ts';
import type { SampleTable } from '../../profile/sample-table.ts';
import type { TimeOrder } from '../values/time-order.ts';

/**
 * Contexts and the samples in each: places of `byThread`, one after the other.
 *
 *   byThread   rows 0 2 3 1      contexts   0 [1, 3)   1 [0, 3)      context 0 has the samples 2 and 3
 */
export interface Contexts {
  readonly table: ContextTable;
  /** Place -> context: by thread and first sample, each after the one that it is inside. */
  readonly order: Int32Array;
  /** Context -> the one that it is inside; NONE. Calls, which have no attributes, do without it. */
  readonly parent: Int32Array;
  readonly byThread: SamplesByThread;
  /** Context -> its samples are `byThread.rows` [first, end). */
  readonly first: Int32Array;
  readonly end: Int32Array;
  /** Calls that are no contexts, although others are. */
  readonly leftOut?: CallsLeftOut | undefined;
}

/** Calls that are no contexts, because there are too many: those of the methods that are called most. */
export interface CallsLeftOut {
  readonly calls: number;
  /** Names of the methods. */
  readonly methods: ReadonlySet<string>;
}

/**
 * Samples by thread and time. Four bytes a sample.
 *
 *   thread   0 1 0 0      rows    0 2 3 1      those of thread 1 are rows[start[1] … start[2])
 */
export class SamplesByThread {
  start = new Int32Array(1);
  rows = new Int32Array(0);

  /** `threadOf`: row of self values -> thread. `order`: undefined where rows are to stay in that of the file. O(samples). */
  update(
    { self, length: all }: SampleTable,
    time: TimeOrder | undefined,
    threadOf: Int32Array,
    threads: number,
  ): void {
    const { order, length } = time ?? { order: undefined, length: all };
    const start = new Int32Array(threads + 1);
    for (let row = 0; row < length; row++) start[threadOf[self[row]] + 1]++;
    for (let thread = 0; thread < threads; thread++) start[thread + 1] += start[thread];
    const next = start.slice();
    const rows = new Int32Array(length);
    for (let place = 0; place < length; place++) {
      const row = order === undefined ? place : order[place];
      rows[next[threadOf[self[row]]]++] = row;
    }
    this.start = start;
    this.rows = rows;
  }

  get threads(): number {
    return this.start.length - 1;
  }
}

/** Contexts that are open at once, among which the one around another is looked for. Programs nest a few dozen. */
const MOST_OPEN = 64;

/**
 * Contexts by thread and start, each after the one that it is inside. A context is inside another one of its thread that begins
 * no later and ends no earlier; of several, it is inside the one that began last.
 *
 *   row        0 [4, 6)   1 [0, 9)   2 [5, 12)      order   1 0 2
 *   parent     1          NONE       NONE           2 is not inside 1: it ends later
 */
export class ContextOrder {
  /** Place -> row. */
  order = new Int32Array(0);
  /** Row -> the row that it is inside; NONE. */
  parent = new Int32Array(0);

  /** Takes in what the table has gained: O(n log n), because a context comes after those inside it. */
  update({ length, thread, from, to }: ContextTable): void {
    if (length === this.order.length) return;
    this.order = Int32Array.from({ length }, (_, row) => row).sort(
      (a, b) => thread[a] - thread[b] || from[a] - from[b] || to[b] - to[a] || a - b,
    );
    this.parent = new Int32Array(length).fill(NONE);
    const open = new Int32Array(MOST_OPEN);
    let opened = 0;
    let last = NONE;
    for (const row of this.order) {
      if (thread[row] !== last) opened = 0;
      last = thread[row];
      while (opened > 0 && to[open[opened - 1]] <= from[row] && to[open[opened - 1]] < to[row]) opened--;
      let at = opened - 1;
      while (at >= 0 && to[open[at]] < to[row]) at--;
      if (at >= 0) this.parent[row] = open[at];
      if (opened === MOST_OPEN) open.copyWithin(0, 1, opened--);
      open[opened++] = row;
    }
  }
}

/** Contexts that a file tells of, with the samples that were taken in each. 24 bytes a context. */
export class PlacedContexts implements Contexts {
  readonly table: ContextTable;
  order = new Int32Array(0);
  parent = new Int32Array(0);
  byThread = new SamplesByThread();
  first = new Int32Array(0);
  end = new Int32Array(0);

  constructor(table: ContextTable) {
    this.table = table;
  }

  /** O(contexts log samples). */
  update({ order, parent }: ContextOrder, samples: SampleTable, byThread: SamplesByThread): void {
    const { length, thread, from, to, origin = 0n } = this.table;
    const { start, rows, threads } = byThread;
    const { ns } = samples.at;
    const shift = Number(origin - (samples.origin ?? origin));
    /** The place of the first sample of a thread that is not before a time. */
    const placeOf = (of: number, time: number): number => {
      let [low, high] = [start[of], start[of + 1]];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (ns[rows[middle]] < time) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    const isSampled = (row: number): boolean => thread[row] < threads;
    const placesOf = (time: Float64Array): Int32Array<ArrayBuffer> =>
      Int32Array.from({ length }, (_, row) => (isSampled(row) ? placeOf(thread[row], time[row] + shift) : 0));
    this.order = order;
    this.parent = parent;
    this.byThread = byThread;
    this.first = placesOf(from);
    this.end = placesOf(to);
  }
}
