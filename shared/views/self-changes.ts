import { grown, nextCapacity } from '../profile/columns.ts';
import type { SelfTable } from '../profile/self-table.ts';

/** Where more than one in so many nodes has other self values than before, summing everything anew is cheaper. */
const MOST_CHANGED = 4;

/**
 * What the self values of some nodes gained. Nanoseconds are plain, and so is every sum of them with the old ones; counts
 * are whole.
 */
export interface SelfGains {
  /** Nodes of the profile, each once. */
  readonly node: Int32Array;
  readonly count: Float64Array;
  readonly ns: Float64Array;
}

/**
 * Self values as a view last summed them, so that it need not sum again what is still the same: a growing log changes
 * some hundred of a hundred thousand between two pictures, and what hangs above these is short against all nodes.
 */
export class SelfChanges {
  /** The counts that were taken last are whole numbers, every one. */
  areWhole = true;

  #count = new Float64Array(0);
  #ns = new Float64Array(0);
  #length = 0;
  /** Sum of the absolute times; Infinity where they are not plain. */
  #absolute = 0;

  /** What changed since the last call; undefined where a view is to sum anew, as after `forget`. O(selfValues). */
  take(selfValues: SelfTable): SelfGains | undefined {
    const { length, count, time } = selfValues;
    const known = this.#length;
    const most = Math.ceil(length / MOST_CHANGED);
    const absoluteBefore = this.#absolute;
    this.#absolute = time.absoluteSum(length);
    this.areWhole = areWhole(count, length);
    const isPlain = absoluteBefore + this.#absolute <= Number.MAX_SAFE_INTEGER;
    this.#reserve(length);
    // Sums of fractions depend on the order in which they are made: these are made anew.
    const mayTell = known > 0 && length - known <= most && isPlain && this.areWhole;
    const rows = mayTell ? changedRows(selfValues, this.#count, this.#ns, most) : undefined;
    const gains = rows && this.#gains(selfValues, rows);
    this.#count.set(count.subarray(0, length));
    this.#ns.set(time.ns.subarray(0, length));
    this.#length = length;
    return gains;
  }

  /** Nothing is summed any more. */
  forget(): void {
    this.#length = 0;
    this.#absolute = 0;
    this.#count.fill(0);
    this.#ns.fill(0);
  }

  #gains(selfValues: SelfTable, rows: readonly number[]): SelfGains {
    return {
      node: Int32Array.from(rows, (row) => selfValues.node[row]),
      count: Float64Array.from(rows, (row) => selfValues.count[row] - this.#count[row]),
      ns: Float64Array.from(rows, (row) => selfValues.time.ns[row] - this.#ns[row]),
    };
  }

  #reserve(length: number): void {
    if (length <= this.#count.length) return;
    const capacity = nextCapacity(this.#count.length, length);
    this.#count = grown(this.#count, capacity);
    this.#ns = grown(this.#ns, capacity);
  }
}

// Loops of their own: a loop is compiled while it runs, and sooner the less there is around it.

function areWhole(count: Float64Array, length: number): boolean {
  for (let row = 0; row < length; row++) if (count[row] !== Math.floor(count[row])) return false;
  return true;
}

/** Rows whose values are others than they were; undefined where these are more than `most`. */
function changedRows(
  { length, count, time: { ns } }: SelfTable,
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
