import { FIRST_ROWS, FIRST_SLOTS, grown, nextCapacity } from './columns.ts';
import { TimeColumn } from './time-column.ts';

/** Row of the SelfTable: nodes in the order in which a sample first ended there. */
type SelfIndex = number;

/**
 * The self values of the nodes at which samples ended. These are few: in one log 190 thousand of 7.7 million. Columns as
 * long as the NodeTable would be mostly zeros, and writing their pages would cost more than adding the samples.
 *
 *   row   node   count   time
 *   0     3      2       9500        two samples ended at node 3
 *   1     2      1       4000
 *   2     4      1       -20         a clock ran backwards
 *   3     6      0       0           its only sample was provisional and has been withdrawn
 */
export class SelfTable {
  /** Grows whenever a row is appended or changed. */
  revision = 0;
  /** See SelfValues. False for a profile that was made from some samples of another. */
  readonly isComplete: boolean;
  length = 0;
  /** -> row of the NodeTable; each node at most once. */
  node = new Int32Array(FIRST_ROWS);
  /**
   * Samples whose leaf is this node: whole numbers, exact up to 2^53, or fractions, where a format sums up by weights
   * (collapsed stacks of bytes). Change it by `add` and `set`.
   */
  count = new Float64Array(FIRST_ROWS);
  /** Nanoseconds charged to those samples, signed. */
  readonly time = new TimeColumn(FIRST_ROWS);
  /** Open addressing at half load: node -> row. */
  #slots = new Int32Array(FIRST_SLOTS).fill(-1);

  constructor(isComplete = true) {
    this.isComplete = isComplete;
  }

  /** The row of a node, or -1. */
  find(node: number): SelfIndex {
    return this.#slots[this.#slotOf(node)];
  }

  /** The row of a node, created without samples if it has none. */
  rowOf(node: number): SelfIndex {
    const known = this.find(node);
    return known >= 0 ? known : this.append(node);
  }

  append(node: number): SelfIndex {
    const row = this.length;
    if (row === this.node.length) this.#growColumns(nextCapacity(row, row + 1));
    this.#growSlots(row + 1);
    this.node[row] = node;
    this.length = row + 1;
    this.revision++;
    this.#slots[this.#slotOf(node)] = row;
    return row;
  }

  /** Adds to a row's values; negative numbers subtract. */
  add(row: SelfIndex, count: number, ns: number | bigint): void {
    this.count[row] += count;
    this.time.add(row, ns);
    this.revision++;
  }

  /** Replaces a row's values. */
  set(row: SelfIndex, count: number, ns: number | bigint): void {
    this.count[row] = count;
    this.time.set(row, ns);
    this.revision++;
  }

  #growColumns(capacity: number): void {
    this.node = grown(this.node, capacity);
    this.count = grown(this.count, capacity);
    this.time.reserve(capacity);
  }

  #growSlots(rows: number): void {
    let slots = this.#slots.length;
    while (rows * 2 > slots) slots *= 2;
    if (slots === this.#slots.length) return;
    this.#slots = new Int32Array(slots).fill(-1);
    for (let row = 0; row < this.length; row++) this.#slots[this.#slotOf(this.node[row])] = row;
  }

  #slotOf(node: number): number {
    const slots = this.#slots;
    const nodes = this.node;
    const mask = slots.length - 1;
    let slot = (Math.imul(node, 0x9e3779b1) >>> 7) & mask;
    while (slots[slot] >= 0 && nodes[slots[slot]] !== node) slot = (slot + 1) & mask;
    return slot;
  }
}

/**
 * Whether a row counts for anything: samples, or only time, as time between two snapshots may belong to a stack where no
 * sample ended (see SampleTable).
 */
export function hasValues(
  { count, time }: { readonly count: ArrayLike<number>; readonly time: Pick<TimeColumn, 'ns'> },
  row: SelfIndex,
): boolean {
  return count[row] !== 0 || time.ns[row] !== 0;
}
