import type { LeanProfile } from '../../profile/lean-profile.ts';
import { threadKeys } from '../trees/keys.ts';
import type { SelfValues } from './self-values.ts';
import { grown, nextCapacity, NONE, release } from '../../profile/columns.ts';
import type { NodeTable } from '../../profile/node-table.ts';
import { sameNodes } from '../trees/row-tree.ts';

/**
 * Row of self values -> the thread of its stack. Rows are only appended and keep their nodes, so that each is looked at
 * once, and every choice of threads costs its rows and no nodes. Four bytes a row.
 */
export class SelfThreads {
  readonly #nodes: Pick<NodeTable, 'parent' | 'frame'>;
  #threads = new Int32Array(0);
  /** The column whose rows are known. */
  #nodeOf: Int32Array = new Int32Array(0);
  #length = 0;

  constructor(nodes: Pick<NodeTable, 'parent' | 'frame'>) {
    this.#nodes = nodes;
  }

  /** Row of the values -> its thread. O(new rows) steps up to a root, at most O(nodes). */
  of({ length, node }: Pick<SelfValues, 'length' | 'node'>): Int32Array {
    if (node !== this.#nodeOf) this.#keepSame(node, length);
    if (length > this.#length) {
      if (length > this.#threads.length)
        this.#threads = grown(this.#threads, nextCapacity(this.#threads.length, length), this.#length);
      if (!this.#climb(node, length)) this.#sweep(node, length);
      this.#nodeOf = node;
      this.#length = length;
    }
    return this.#threads.subarray(0, length);
  }

  /** A column that has grown is another array with the same nodes; that of two joined logs may have others. */
  #keepSame(node: Int32Array, length: number): void {
    const known = Math.min(this.#length, length);
    const same = sameNodes(this.#nodeOf, node, known);
    if (same < known) this.#length = same;
  }

  /** False, with some rows missing, if a look at all nodes costs less. */
  #climb(nodeOf: Int32Array, length: number): boolean {
    const { parent, frame } = this.#nodes;
    const threads = this.#threads;
    let steps = 0;
    for (; this.#length < length; this.#length++) {
      let node = nodeOf[this.#length];
      for (; parent[node] !== NONE; node = parent[node]) steps++;
      threads[this.#length] = ~frame[node];
      if (steps > MOST_STEPS) return false;
    }
    return true;
  }

  #sweep(nodeOf: Int32Array, length: number): void {
    const { parent, frame } = this.#nodes;
    let last = 0;
    for (let row = this.#length; row < length; row++) last = Math.max(last, nodeOf[row]);
    const threadOf = new Int32Array(last + 1);
    for (let node = 0; node <= last; node++) {
      const up = parent[node];
      threadOf[node] = up === NONE ? ~frame[node] : threadOf[up];
    }
    for (let row = this.#length; row < length; row++) this.#threads[row] = threadOf[nodeOf[row]];
    release(threadOf);
  }
}

/** Up to a root, one after the other, of all rows of one call; a sweep over all nodes takes no more than some of these. */
const MOST_STEPS = 1 << 20;

/** The threads of a profile by name, in order of first appearance: as columns, for many threads. */
export interface ThreadColumns {
  readonly names: readonly string[];
  /** Name -> number of threads with it. */
  readonly threads: Int32Array;
  readonly samples: Float64Array;
  /** ns, or another value that the profile sums. */
  readonly time: Float64Array;
}

/**
 * Sums self values by the name of the thread in which the samples were taken, without the rows whose entry in `leftOut` is 1.
 * `threadOf`: row of the values -> its thread. O(threads + rows).
 */
export function sumsByThreadName(
  profile: LeanProfile,
  { length, count, time }: SelfValues,
  threadOf: Int32Array,
  leftOut?: Uint8Array,
): ThreadColumns {
  const numbers = new Map<string, number>();
  const nameOf = threadKeys(profile, 'name').map((name) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  const threads = new Int32Array(numbers.size);
  for (const name of nameOf) threads[name]++;
  const samples = new Float64Array(numbers.size);
  const times = new Float64Array(numbers.size);
  for (let row = 0; row < length; row++) {
    if (leftOut?.[row] === 1) continue;
    const name = nameOf[threadOf[row]];
    samples[name] += count[row];
    times[name] += time.ns[row];
  }
  return { names: [...numbers.keys()], threads, samples, time: times };
}
