import { grown, nextCapacity } from '../../profile/columns.ts';
import { TimeColumn } from '../../profile/time-column.ts';

/**
 * The number and time of the samples that ended at each call node. The profile's SelfTable is one implementation. Others
 * are derived from it, such as `ValuesWithoutErrors`. Structure (nodes, trees) is separate from values, so that other
 * values only need a new sum over the same tree.
 */
export interface SelfValues {
  /** Grows whenever a row is added or changed. */
  readonly revision: number;
  readonly length: number;
  /** No samples of the profile are left out. */
  readonly isComplete: boolean;
  /** -> row of the NodeTable; each node at most once. Rows are only appended. */
  readonly node: Int32Array;
  /** Numbers of samples, possibly fractions. */
  readonly count: Float64Array;
  /** Nanoseconds, signed, or the profile's other unit. */
  readonly time: TimeColumn;
}

/** Self values with numbers of their own over the rows of others: trees and chains can be used for both. */
export class OwnValues implements SelfValues {
  isComplete = false;
  revision = 0;
  length = 0;
  node: Int32Array = new Int32Array(0);
  count = new Float64Array(0);
  readonly time = new TimeColumn(0);

  /** Takes the rows of other values. The node of a row never changes, so the column is shared. Numbers are to be set. */
  protected takeRows({ length, node }: SelfValues): void {
    if (length > this.count.length) {
      const capacity = nextCapacity(this.count.length, length);
      this.count = grown(this.count, capacity, 0);
      this.time.reserve(capacity);
    }
    this.node = node;
    this.length = length;
  }
}

/** A number of samples and their time (ns, or the profile's other unit; the nearest double). */
export interface SampleSum {
  readonly samples: number;
  readonly time: number;
}

export const NO_SAMPLES: SampleSum = { samples: 0, time: 0 };

export function addedSamples(a: SampleSum, b: SampleSum): SampleSum {
  return { samples: a.samples + b.samples, time: a.time + b.time };
}

/** The number of all samples, and their time. O(rows). */
export function sumSelfValues({ length, count, time }: SelfValues): SampleSum {
  const timeSum = new TimeColumn(1);
  let samples = 0;
  for (let row = 0; row < length; row++) {
    samples += count[row];
    timeSum.addFrom(0, time, row);
  }
  return { samples, time: timeSum.ns[0] };
}
