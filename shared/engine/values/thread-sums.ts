import type { LeanProfile } from '../../profile/lean-profile.ts';
import { threadKeys } from '../trees/keys.ts';
import type { SelfThreads } from './self-threads.ts';
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

/** Sums self values by the name of the thread in which the samples were taken. */
export class ThreadSums {
  readonly #profile: LeanProfile;
  readonly #selfThreads: SelfThreads;

  constructor(profile: LeanProfile, selfThreads: SelfThreads) {
    this.#profile = profile;
    this.#selfThreads = selfThreads;
  }

  /** The sums of `values` without the rows whose entry in `leftOut` is 1. O(threads + rows). */
  of(values: SelfValues, leftOut?: Uint8Array): ThreadColumns {
    const { nameOf, names } = this.#names();
    const threads = new Int32Array(names.length);
    for (const name of nameOf) threads[name]++;
    const samples = new Float64Array(names.length);
    const time = new Float64Array(names.length);
    const threadOf = this.#selfThreads.of(values);
    const { length, count } = values;
    const { ns } = values.time;
    for (let row = 0; row < length; row++) {
      if (leftOut?.[row] === 1) continue;
      const name = nameOf[threadOf[row]];
      samples[name] += count[row];
      time[name] += ns[row];
    }
    return { names, threads, samples, time };
  }

  /** Thread -> the number of its name. */
  #names(): { readonly nameOf: Int32Array; readonly names: readonly string[] } {
    const numbers = new Map<string, number>();
    const nameOf = Int32Array.from(threadKeys(this.#profile, 'name'), (name) => {
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      return number;
    });
    return { nameOf, names: [...numbers.keys()] };
  }
}
