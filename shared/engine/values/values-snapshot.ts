import { grown, nextCapacity } from '../../profile/columns.ts';
import { TimeColumn } from '../../profile/time-column.ts';
import { type SampleSum, type SelfValues, sumSelfValues } from './self-values.ts';

/**
 * A copy of self values, whose source may change afterwards. Views that are updated from it one after the other show the
 * same state.
 */
export class ValuesSnapshot implements SelfValues {
  revision = -1;
  length = 0;
  node: Int32Array = new Int32Array(0);
  count = new Float64Array(0);
  readonly time = new TimeColumn(0);

  readonly #source: SelfValues;
  #sum: SampleSum | undefined;

  constructor(source: SelfValues) {
    this.#source = source;
  }

  get isComplete(): boolean {
    return this.#source.isComplete;
  }

  /** Of all rows. O(rows), once per state. */
  get sum(): SampleSum {
    return (this.#sum ??= sumSelfValues(this));
  }

  /** Copies the present values of the source. O(rows): less than a millisecond for 200 000 rows. */
  take(): void {
    const { revision, length, node, count, time } = this.#source;
    if (revision === this.revision) return;
    this.#sum = undefined;
    if (length > this.count.length) {
      const capacity = nextCapacity(this.count.length, length);
      this.count = grown(this.count, capacity);
      this.time.reserve(capacity);
    }
    // The node of a row never changes, so the column can be shared.
    this.node = node;
    this.count.set(count.subarray(0, length));
    this.time.ns.set(time.ns.subarray(0, length));
    this.time.bigints = time.bigints && new Map(time.bigints);
    this.length = length;
    this.revision = revision;
  }
}
