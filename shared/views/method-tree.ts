import { ChildIndex } from '../profile/child-index.ts';
import { NONE } from '../profile/columns.ts';
import { sweepUp } from '../profile/lean-profile.ts';
import { NodeTable } from '../profile/node-table.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { KeyTable } from './keys.ts';
import type { TreeRows } from './tree-rows.ts';

/**
 * A tree whose root is one method: its callers above each other up to the threads, or its callees. Row 0 is the method;
 * the `frame` of a row is a key, or the complement of a number of a thread label.
 *
 * `add` grows it, `sum` makes totals of what the self values and `through` hold.
 */
export class MethodTree implements TreeRows {
  readonly keys: KeyTable;
  readonly rows: NodeTable & { selfCount: Float64Array; selfTime: TimeColumn };
  readonly totals = { count: new Float64Array(0), time: new TimeColumn(0) };
  readonly #threadLabels: readonly string[];
  readonly #children: ChildIndex;
  #lastChild = new Int32Array(0);
  #siblingBefore = new Int32Array(0);

  constructor(keys: KeyTable, method: number, threadLabels: readonly string[]) {
    this.keys = keys;
    this.rows = Object.assign(new NodeTable(), {
      selfCount: new Float64Array(0),
      selfTime: new TimeColumn(0),
    });
    this.#threadLabels = threadLabels;
    this.#children = new ChildIndex(this.rows);
    this.rows.append(NONE, method);
  }

  get length(): number {
    return this.rows.length;
  }

  /** The child of a row with this key, made if there is none. */
  child(parent: number, key: number): number {
    const known = this.#children.find(parent, key);
    if (known !== NONE) return known;
    const row = this.rows.append(parent, key);
    this.#children.reserve(this.rows.capacity);
    this.#children.add(parent, row);
    return row;
  }

  /** All rows are there: columns for their values, zero, and who is whose child. */
  complete(): void {
    const { length } = this;
    const { parent } = this.rows;
    this.rows.selfCount = new Float64Array(length);
    this.rows.selfTime = new TimeColumn(length);
    this.totals.count = new Float64Array(length);
    this.totals.time.clear(length);
    this.#lastChild = new Int32Array(length);
    this.#siblingBefore = new Int32Array(length);
    for (let row = 1; row < length; row++) {
      this.#siblingBefore[row] = this.#lastChild[parent[row]];
      this.#lastChild[parent[row]] = row;
    }
  }

  /** Every row's totals go into its parent's, children first. */
  sumUp(): void {
    const { count, time } = this.totals;
    sweepUp(this.rows.parent, this.length, count, time, time.sumsStayExact(this.length));
  }

  label(row: number): string {
    const key = this.rows.frame[row];
    return key < 0 ? this.#threadLabels[~key] : this.keys.labels[key];
  }

  roots(): number[] {
    return [0];
  }

  firstChild(row: number): number {
    return this.#lastChild[row] || NONE;
  }

  nextSibling(row: number): number {
    return this.#siblingBefore[row] || NONE;
  }

  isShown(row: number): boolean {
    return row === 0 || this.totals.count[row] > 0;
  }
}
