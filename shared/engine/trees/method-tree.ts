import { ChildIndex } from '../../profile/child-index.ts';
import { extended, NONE } from '../../profile/columns.ts';
import { NodeTable } from '../../profile/node-table.ts';
import type { TreeThreads } from './grouping.ts';
import type { KeyTable, RowKind } from './keys.ts';
import type { RowId, RowTree, StackEnds } from './row-tree.ts';

interface MethodTreeShape {
  readonly keys: KeyTable;
  /** The key of the only root; undefined: roots are added by `root`. */
  readonly method: number | undefined;
  readonly isInverted: boolean;
  /** The subject of the rows of threads; undefined for a tree without such rows. */
  readonly threads: TreeThreads | undefined;
  /** See `RowTree`. */
  readonly stackEnds?: StackEnds | undefined;
}

/**
 * A tree whose roots are methods. Below a root are its callers, or its callees.
 *
 * Rows are only appended, and a row's number is its id. The callers and callees of one method are built anew when the
 * profile has grown: their rows are created in the order of their call nodes, so the new tree has the old rows, with the
 * same numbers, and more behind them. That ends where a name arrives late: other keys or thread labels give other rows.
 */
export class MethodTree implements RowTree {
  readonly keys: KeyTable;
  readonly numbering = 0;
  readonly hasOneRoot: boolean;
  readonly isInverted: boolean;
  readonly stackEnds: StackEnds | undefined;
  /** Number of a thread's label -> the label. */
  readonly threadLabels: string[] = [];
  readonly #rows = new NodeTable();
  readonly #threads: TreeThreads | undefined;
  readonly #children: ChildIndex;
  /** key -> its root. */
  readonly #rootOf = new Map<number, number>();
  /** Rows that are linked to their parents. */
  #linked = 0;
  #lastChild = new Int32Array(0);
  #siblingBefore = new Int32Array(0);

  constructor({ keys, method, isInverted, threads, stackEnds }: MethodTreeShape) {
    this.keys = keys;
    this.hasOneRoot = method !== undefined;
    this.isInverted = isInverted;
    this.stackEnds = stackEnds;
    this.#threads = threads;
    this.#children = new ChildIndex(this.#rows);
    if (method !== undefined) this.root(method);
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

  /** The root with this key, created if there is none. */
  root(key: number): number {
    const known = this.#rootOf.get(key);
    if (known !== undefined) return known;
    const row = this.#rows.append(NONE, key);
    this.#children.reserve(this.#rows.capacity);
    this.#rootOf.set(key, row);
    return row;
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

  /** The child of a row with this key, or the root with it below NONE; NONE if there is none. */
  find(parent: number, key: number): number {
    return parent === NONE ? (this.#rootOf.get(key) ?? NONE) : this.#children.find(parent, key);
  }

  /** Links the rows that were added since the last call to their parents. Call it before reading children. */
  complete(): void {
    const { length, parent } = this.#rows;
    this.#lastChild = extended(this.#lastChild, length);
    this.#siblingBefore = extended(this.#siblingBefore, length);
    for (let row = this.#linked; row < length; row++) {
      const up = parent[row];
      if (up === NONE) continue;
      this.#siblingBefore[row] = this.#lastChild[up];
      this.#lastChild[up] = row;
    }
    this.#linked = length;
  }

  label(row: number): string {
    const key = this.#rows.frame[row];
    return key < 0 ? this.threadLabels[~key] : this.keys.labels[key];
  }

  kind(row: number): RowKind {
    const key = this.#rows.frame[row];
    if (key < 0) return this.#threads === 'all' ? 'all' : 'thread';
    return this.keys.isError[key] ? 'error' : 'frame';
  }

  roots(): number[] {
    return [...this.#rootOf.values()];
  }

  /** 0 is a root, and no child. */
  firstChild(row: number): number {
    return this.#lastChild[row] || NONE;
  }

  nextSibling(row: number): number {
    return this.#siblingBefore[row] || NONE;
  }
}
