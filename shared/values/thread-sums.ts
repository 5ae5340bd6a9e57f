import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { threadKey } from '../trees/keys.ts';
import type { ProfileExtent } from '../trees/row-tree.ts';
import type { SelfValues } from './self-values.ts';

/** The threads of a profile by name, in order of first appearance: as columns, for many threads. */
export interface ThreadColumns {
  readonly names: readonly string[];
  /** Name -> number of threads with it. */
  readonly threads: Int32Array;
  readonly samples: Float64Array;
  /** ns, or another value that the profile sums. */
  readonly time: Float64Array;
}

/** Sums self values by the name of the thread in which the samples were taken. Four bytes a node. */
export class ThreadSums {
  readonly #profile: LeanProfile;
  /** Node -> its thread. */
  #threadOf = new Int32Array(0);
  #taken = 0;

  constructor(profile: LeanProfile) {
    this.#profile = profile;
  }

  /**
   * The sums of `values`, whose nodes must be within `extent`, without the rows whose entry in `leftOut` is 1. O(new nodes
   * + rows).
   */
  of(values: SelfValues, { nodes }: ProfileExtent, leftOut?: Uint8Array): ThreadColumns {
    this.#takeNodes(nodes);
    const { nameOf, names } = this.#names();
    const threads = new Int32Array(names.length);
    for (const name of nameOf) threads[name]++;
    const samples = new Float64Array(names.length);
    const time = new Float64Array(names.length);
    const threadOf = this.#threadOf;
    const { length, node, count } = values;
    const { ns } = values.time;
    for (let row = 0; row < length; row++) {
      if (leftOut?.[row] === 1) continue;
      const name = nameOf[threadOf[node[row]]];
      samples[name] += count[row];
      time[name] += ns[row];
    }
    return { names, threads, samples, time };
  }

  #takeNodes(end: number): void {
    const { parent, frame } = this.#profile.nodes;
    if (end > this.#threadOf.length)
      this.#threadOf = grown(this.#threadOf, nextCapacity(this.#threadOf.length, end), this.#taken);
    const threadOf = this.#threadOf;
    for (let node = this.#taken; node < end; node++) {
      const up = parent[node];
      threadOf[node] = up === NONE ? ~frame[node] : threadOf[up];
    }
    this.#taken = Math.max(this.#taken, end);
  }

  /** Thread -> the number of its name. */
  #names(): { readonly nameOf: Int32Array; readonly names: readonly string[] } {
    const numbers = new Map<string, number>();
    const nameOf = Int32Array.from({ length: this.#profile.threads.length }, (_, thread) => {
      const name = threadKey(this.#profile, thread, 'name');
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      return number;
    });
    return { nameOf, names: [...numbers.keys()] };
  }
}
