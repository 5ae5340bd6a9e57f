import { grown, nextCapacity } from '../../profile/columns.ts';
import { TimeColumn } from '../../profile/time-column.ts';
import type { KeyTable } from '../trees/keys.ts';
import { MarkedStacks, type StacksOfKeys } from '../values/marked-stacks.ts';
import type { SampleSum, SelfValues } from '../values/self-values.ts';
import type { ValidSearch } from './search.ts';

/**
 * What matches a search in one grouping: keys, and the samples with a match on their stack. Updated while the profile
 * grows: each label is compared once and each stack visited once, because labels and paths do not change. For another
 * KeyTable create another SearchMatches.
 */
export class SearchMatches {
  readonly search: ValidSearch;
  /** key -> 1 if its label matches. */
  matching = new Uint8Array(0);
  /** Number of names that match. */
  names = 0;

  readonly #keys: KeyTable;
  #length = 0;
  /** 2 * key -> where its match begins, and behind it where it ends; -1 without a match. */
  #ranges = new Int32Array(0);
  readonly #stacks = new MarkedStacks();

  constructor(keys: KeyTable, search: ValidSearch) {
    this.#keys = keys;
    this.search = search;
  }

  /** Compares the labels of new keys. */
  update(): void {
    const { labels, length, methodOf } = this.#keys;
    if (length > this.matching.length) {
      const capacity = nextCapacity(this.matching.length, length);
      this.matching = grown(this.matching, capacity, this.#length);
      this.#ranges = grown(this.#ranges, 2 * capacity, 2 * this.#length);
    }
    if (length > this.#length) this.#ranges.set(this.search.ranges(labels, this.#length), 2 * this.#length);
    for (; this.#length < length; this.#length++) {
      if (this.#ranges[2 * this.#length] < 0) continue;
      this.matching[this.#length] = 1;
      // The lines of a split method are not counted beside it.
      const method = methodOf[this.#length];
      if (method === this.#length || this.matching[method] === 0) this.names++;
    }
  }

  /** The part of a label that matches, [start, end); undefined for none, and for an empty one. */
  rangeOf(key: number): readonly [start: number, end: number] | undefined {
    const [start, end] = this.#ranges.subarray(2 * key, 2 * key + 2);
    return start < end ? [start, end] : undefined;
  }

  /** The number and time of the samples with a match anywhere on their stack. `stacks`: of the keys that are searched. */
  samplesOf(values: SelfValues, stacks: StacksOfKeys): SampleSum {
    const isMarked = this.#stacks.ofValues(values, this.matching, stacks);
    const time = new TimeColumn(1);
    let samples = 0;
    for (let self = 0; self < values.length; self++) {
      if (isMarked[self] === 0) continue;
      samples += values.count[self];
      time.addFrom(0, values.time, self);
    }
    return { samples, time: time.ns[0] };
  }

  /** Call node in `nodes` -> 1 if there is a match on its path; 0 for NONE. */
  ofNodes(nodes: Int32Array, stacks: StacksOfKeys): Uint8Array {
    return this.#stacks.ofNodes(nodes, this.matching, stacks);
  }
}
