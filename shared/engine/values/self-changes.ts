import { grown, nextCapacity } from '../../profile/columns.ts';
import type { SelfValues } from './self-values.ts';

/** If more than one row in this many has changed, summing everything again is faster. */
const ROWS_PER_CHANGE = 4;

/**
 * By how much the self values of some nodes changed. Counts are whole numbers. Times, and their sums with the values
 * before, are exact as doubles.
 */
export interface SelfGains {
  /** Nodes of the profile, each once. */
  readonly node: Int32Array;
  readonly count: Float64Array;
  readonly ns: Float64Array;
}

const NO_GAINS: SelfGains = {
  node: new Int32Array(0),
  count: new Float64Array(0),
  ns: new Float64Array(0),
};

/**
 * Finds which self values have changed since they were last summed. While a log grows, a few hundred of a hundred
 * thousand rows change between two updates. Adding these changes is far cheaper than summing everything again.
 */
export class SelfChanges {
  /** Whether all counts were whole numbers at the last `take`. */
  areWhole = true;

  #count = new Float64Array(0);
  #ns = new Float64Array(0);
  #length = 0;
  /** The values of the last `take`, and their revision then. */
  #taken: SelfValues | undefined;
  #revision = 0;
  /** Sum of the absolute times at the last `take`; Infinity if doubles cannot represent them exactly. */
  #absolute = 0;

  /**
   * Returns the changes since the last call; undefined if everything must be summed again, as after `forget`. O(rows), but
   * for values that are the same as then.
   */
  take(values: SelfValues): SelfGains | undefined {
    const { length, count, time, revision } = values;
    const known = this.#length;
    if (known > 0 && values === this.#taken && revision === this.#revision) return NO_GAINS;
    this.#taken = values;
    this.#revision = revision;
    const most = Math.ceil(length / ROWS_PER_CHANGE);
    const absoluteBefore = this.#absolute;
    this.#absolute = time.absoluteSum(length);
    this.areWhole = areWhole(count, length);
    const isExact = absoluteBefore + this.#absolute <= Number.MAX_SAFE_INTEGER;
    this.#reserve(length);
    // A sum of fractions depends on the order of its terms, so it is always computed again.
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
    this.#taken = undefined;
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

/** The rows whose values changed; undefined if these are more than `most`. */
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
