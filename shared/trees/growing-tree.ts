import { ChildIndex } from '../profile/child-index.ts';
import { grown, nextCapacity, NONE, release } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { NodeTable } from '../profile/node-table.ts';
import type { TreeGrouping } from './grouping.ts';
import type { KeyTable, RowKind } from './keys.ts';
import type { ProfileExtent, RowId, RowTree, SummableRows } from './row-tree.ts';

/**
 * Base of the trees that grow with a profile. Its rows group smaller items: call nodes, or rows of another tree. Each
 * item belongs to one row, and a subclass defines to which.
 *
 * Rows can be prefetched: they are in the tables, but `length` does not count them and their parents do not link to
 * them until the next update.
 */
export abstract class GrowingTree implements RowTree, SummableRows {
  readonly grouping: TreeGrouping;
  keys: KeyTable;
  length = 0;
  numbering = 0;

  protected readonly profile: LeanProfile;
  /** The rows: `frame` is the key of a row. Holds prefetched rows, too. */
  protected rows = new NodeTable();
  /** Item -> its row. */
  protected rowOfTaken = new Int32Array(1024);
  /** Number of items that have a row, prefetched ones included. */
  protected taken = 0;
  /** Labels of root rows: the key of a root is the complement of its index here. */
  protected rootLabels: string[] = [];

  /** row -> its first call node, which is its id. */
  #firstNode = new Int32Array(1024);
  #rootOf = new Map<string, number>();
  #children = new ChildIndex(this.rows);
  /**
   * row -> its latest shown child; its latest child, prefetched ones included; its previous sibling. 0 means none,
   * because row 0 is a root.
   */
  #lastChild = new Int32Array(1024);
  #newestChild = new Int32Array(1024);
  #siblingBefore = new Int32Array(1024);

  constructor(profile: LeanProfile, grouping: TreeGrouping, keys: KeyTable) {
    this.profile = profile;
    this.grouping = grouping;
    this.keys = keys;
  }

  /** Adds the new items up to `extent`, by default all. O(new items), or O(all items) when rows are renumbered. */
  abstract update(extent?: ProfileExtent): 'grown' | 'renumbered';

  /**
   * Does a part of the next update early without showing it: adds the items before `extent`, at most `most` of them.
   * The extent should be a little behind the profile, because names arrive late: a name that arrives after its row was
   * added renumbers all rows.
   */
  abstract prefetch(extent: ProfileExtent, most: number): void;

  abstract rowOf(id: RowId): number;

  abstract rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void;

  /** Rows, prefetched ones included. */
  get prefetchedLength(): number {
    return this.rows.length;
  }

  get parent(): Int32Array {
    return this.rows.parent;
  }

  get key(): Int32Array {
    return this.rows.frame;
  }

  /** The first call node of the row. */
  idOf(row: number): RowId {
    return this.#firstNode[row];
  }

  label(row: number): string {
    const key = this.rows.frame[row];
    return key < 0 ? this.rootLabels[~key] : this.keys.labels[key];
  }

  kind(row: number): RowKind {
    const key = this.rows.frame[row];
    if (key < 0) return this.grouping.threads === 'all' ? 'all' : 'thread';
    return this.keys.isError[key] ? 'error' : 'frame';
  }

  roots(): number[] {
    return [...this.#rootOf.values()].filter((row) => row < this.length);
  }

  firstChild(row: number): number {
    return this.#lastChild[row] || NONE;
  }

  nextSibling(row: number): number {
    return this.#siblingBefore[row] || NONE;
  }

  /** Frees the memory at once; the tree is empty afterwards. */
  release(): void {
    release(this.rows.parent, this.rows.frame, this.rowOfTaken);
    release(this.#firstNode, this.#lastChild, this.#newestChild, this.#siblingBefore);
    this.#children.release();
    this.rows.length = 0;
    this.length = 0;
    this.taken = 0;
    this.#rootOf = new Map();
  }

  /**
   * Reserves memory for `length` items, each of which may need a row. When the capacity is too small, it grows to all
   * `expected` items at once: pages that are never written cost no physical memory, growing by copies does.
   */
  protected reserve(length: number, expected: number): void {
    const { taken, rows } = this;
    if (length > this.rowOfTaken.length) {
      this.rowOfTaken = grown(this.rowOfTaken, nextCapacity(this.rowOfTaken.length, expected), taken);
    }
    if (rows.length + length - taken <= this.#firstNode.length) return;
    const capacity = nextCapacity(this.#firstNode.length, rows.length + expected - taken);
    rows.reserve(capacity);
    this.#children.reserve(capacity);
    this.#firstNode = grown(this.#firstNode, capacity, rows.length);
    this.#lastChild = grown(this.#lastChild, capacity, this.length);
    this.#newestChild = grown(this.#newestChild, capacity, rows.length);
    this.#siblingBefore = grown(this.#siblingBefore, capacity, rows.length);
  }

  /** The root with this label, created if there is none. */
  protected rootRow(label: string, node: number): number {
    const known = this.#rootOf.get(label);
    if (known !== undefined) return known;
    const row = this.#append(NONE, ~this.rootLabels.length, node);
    this.rootLabels.push(label);
    this.#rootOf.set(label, row);
    return row;
  }

  /** The child of `parent` with this key, created if there is none. */
  protected childRow(parent: number, key: number, node: number): number {
    const known = this.#children.find(parent, key);
    return known === NONE ? this.#newRow(parent, key, node) : known;
  }

  /** The same, if the row after the parent's is known not to be this child. */
  protected laterChildRow(parent: number, key: number, node: number): number {
    const known = this.#children.findLater(parent, key);
    return known === NONE ? this.#newRow(parent, key, node) : known;
  }

  /** Shows all rows: counts them in `length` and links their parents to them. */
  protected showAll(): void {
    const { parent, length } = this.rows;
    if (length - this.length > length / 8) this.#lastChild.set(this.#newestChild.subarray(0, length));
    else
      for (let row = this.length; row < length; row++)
        if (parent[row] !== NONE) this.#lastChild[parent[row]] = row;
    this.length = length;
  }

  /** Drops all rows; new rows are numbered from 0. */
  protected restart(): void {
    this.#lastChild.fill(0, 0, this.rows.length);
    this.#newestChild.fill(0, 0, this.rows.length);
    this.#siblingBefore.fill(0, 0, this.rows.length);
    this.rows = new NodeTable(this.#firstNode.length);
    this.#children = new ChildIndex(this.rows);
    this.length = 0;
    this.taken = 0;
    this.#rootOf = new Map();
    this.rootLabels = [];
    this.numbering++;
  }

  #newRow(parent: number, key: number, node: number): number {
    const row = this.#append(parent, key, node);
    this.#children.add(parent, row);
    this.#siblingBefore[row] = this.#newestChild[parent];
    this.#newestChild[parent] = row;
    return row;
  }

  #append(parent: number, key: number, node: number): number {
    const row = this.rows.append(parent, key);
    this.#firstNode[row] = node;
    return row;
  }
}
