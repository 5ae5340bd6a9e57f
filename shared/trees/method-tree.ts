import { ChildIndex } from '../profile/child-index.ts';
import { NONE } from '../profile/columns.ts';
import { NodeTable } from '../profile/node-table.ts';
import type { ThreadGrouping } from './grouping.ts';
import type { KeyTable, RowKind } from './keys.ts';
import type { RowId, RowTree } from './row-tree.ts';

/**
 * A tree whose root, row 0, is one method. Below it are its callers up to the threads, or its callees.
 *
 * It is never updated: a profile that has grown needs another one. Rows are created in the order of their call nodes, so
 * the new tree has the old rows, with the same numbers, and more behind them; therefore a row's number is its id. That
 * ends where a name arrives late: other keys or thread labels give other rows.
 */
export class MethodTree implements RowTree {
  readonly keys: KeyTable;
  readonly numbering = 0;
  readonly #rows = new NodeTable();
  readonly #threads: ThreadGrouping;
  readonly #threadLabels: readonly string[];
  readonly #children: ChildIndex;
  #lastChild = new Int32Array(0);
  #siblingBefore = new Int32Array(0);

  /** `threadLabels`: number of a thread's label -> the label. */
  constructor(keys: KeyTable, method: number, threads: ThreadGrouping, threadLabels: readonly string[]) {
    this.keys = keys;
    this.#threads = threads;
    this.#threadLabels = threadLabels;
    this.#children = new ChildIndex(this.#rows);
    this.#rows.append(NONE, method);
  }

  get length(): number {
    return this.#rows.length;
  }

  get parent(): Int32Array {
    return this.#rows.parent;
  }

  get key(): Int32Array {
    return this.#rows.frame;
  }

  idOf(row: number): RowId {
    return row;
  }

  rowOf(id: RowId): number {
    return id >= 0 && id < this.length ? id : NONE;
  }

  /** The child of a row with this key, created if there is none. */
  child(parent: number, key: number): number {
    const known = this.#children.find(parent, key);
    if (known !== NONE) return known;
    const row = this.#rows.append(parent, key);
    this.#children.reserve(this.#rows.capacity);
    this.#children.add(parent, row);
    return row;
  }

  /** Links rows to their children. Call it once, after the last row is added. */
  complete(): void {
    const { length, parent } = this.#rows;
    this.#lastChild = new Int32Array(length);
    this.#siblingBefore = new Int32Array(length);
    for (let row = 1; row < length; row++) {
      this.#siblingBefore[row] = this.#lastChild[parent[row]];
      this.#lastChild[parent[row]] = row;
    }
  }

  label(row: number): string {
    const key = this.#rows.frame[row];
    return key < 0 ? this.#threadLabels[~key] : this.keys.labels[key];
  }

  kind(row: number): RowKind {
    const key = this.#rows.frame[row];
    if (key < 0) return this.#threads === 'all' ? 'all' : 'thread';
    return this.keys.isError[key] ? 'error' : 'frame';
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
}
