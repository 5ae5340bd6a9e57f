import { grown, nextCapacity } from '../profile/columns.ts';
import type { SelfValues } from './self-values.ts';

/** When more than one row in this many has changed, summing everything again is cheaper. */
const MAX_CHANGED = 4;

/**
 * What the self values of some nodes gained. Counts are whole numbers. Times, and their sums with the values before,
 * are exact as doubles.
 */
export interface SelfGains {
  /** Nodes of the profile, each once. */
  readonly node: Int32Array;
  readonly count: Float64Array;
  readonly ns: Float64Array;
}

/**
 * Remembers self values as they were last summed, to find what has changed. A growing log changes a few hundred of a
 * hundred thousand rows between two updates; adding these to the sums costs far less than summing everything again.
 */
export class SelfChanges {
  /** All counts of the last `take` are whole numbers. */
  areWhole = true;

  #count = new Float64Array(0);
  #ns = new Float64Array(0);
  #length = 0;
  /** Sum of the absolute times; Infinity where doubles do not hold them exactly. */
  #absolute = 0;

  /** What changed since the last call; undefined when everything must be summed again, as after `forget`. O(rows). */
  take(values: SelfValues): SelfGains | undefined {
    const { length, count, time } = values;
    const known = this.#length;
    const most = Math.ceil(length / MAX_CHANGED);
    const absoluteBefore = this.#absolute;
    this.#absolute = time.absoluteSum(length);
    this.areWhole = areWhole(count, length);
    const isExact = absoluteBefore + this.#absolute <= Number.MAX_SAFE_INTEGER;
    this.#reserve(length);
    // A sum of fractions depends on the order of its terms, so it is always computed from the start.
    const canAdd = known > 0 && length - known <= most && isExact && this.areWhole;
    const rows = canAdd ? changedRows(values, this.#count, this.#ns, most) : undefined;
    const gains = rows && this.#gains(values, rows);
    this.#count.set(count.subarray(0, length));
    this.#ns.set(time.ns.subarray(0, length));
    this.#length = length;
    return gains;
  }

  /** Forgets the last sum: the next `take` returns undefined. */
  forget(): void {
    this.#length = 0;
    this.#absolute = 0;
    this.#count.fill(0);
    this.#ns.fill(0);
  }

  #gains(values: SelfValues, rows: readonly number[]): SelfGains {
    return {
      node: Int32Array.from(rows, (row) => values.node[row]),
      count: Float64Array.from(rows, (row) => values.count[row] - this.#count[row]),
      ns: Float64Array.from(rows, (row) => values.time.ns[row] - this.#ns[row]),
    };
  }

  #reserve(length: number): void {
    if (length <= this.#count.length) return;
    const capacity = nextCapacity(this.#count.length, length);
    this.#count = grown(this.#count, capacity);
    this.#ns = grown(this.#ns, capacity);
  }
}

// Separate small functions: V8 compiles a running loop sooner in a small function.

function areWhole(count: Float64Array, length: number): boolean {
  for (let row = 0; row < length; row++) if (count[row] !== Math.floor(count[row])) return false;
  return true;
}

/** Rows whose values changed; undefined where these are more than `most`. */
function changedRows(
  { length, count, time: { ns } }: SelfValues,
  countBefore: Float64Array,
  nsBefore: Float64Array,
  most: number,
): readonly number[] | undefined {
  const rows: number[] = [];
  for (let row = 0; row < length; row++) {
    if (countBefore[row] === count[row] && nsBefore[row] === ns[row]) continue;
    if (rows.length === most) return undefined;
    rows.push(row);
  }
  return rows;
}
