import { ChildIndex } from '../../profile/child-index.ts';
import { grown, nextCapacity, NONE, release } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { NodeTable } from '../../profile/node-table.ts';
import type { TreeGrouping } from './grouping.ts';
import type { KeyTable, RowKind } from './keys.ts';
import {
  KnownRows,
  type NodeColumn,
  type NodeIds,
  type ProfileExtent,
  type RowId,
  type RowTree,
  type SummableRows,
} from './row-tree.ts';

/**
 * Base class of the trees that grow with a profile. A row groups smaller items: call nodes, or rows of another tree. Each
 * item belongs to one row, which the subclass finds.
 *
 * Rows can be prefetched: they are already in the tables, but until the next update `length` does not count them and
 * their parents do not link to them.
 */
export abstract class GrowingTree implements RowTree, SummableRows {
  readonly grouping: TreeGrouping;
  readonly ids: NodeIds;
  keys: KeyTable;
  length = 0;
  numbering = 0;
  readonly isInverted = false;

  protected readonly profile: LeanProfile;
  /** The rows, including prefetched ones. `frame` is the key of a row. */
  protected rows = new NodeTable();
  /** Number of items that have a row, prefetched ones included. */
  protected itemCount = 0;
  /** Labels of root rows: the key of a root is the complement of its index here. */
  protected rootLabels: string[] = [];

  /** row -> its first call node, whose identity is the row's. */
  #firstNode = new Int32Array(1024);
  readonly #rowsOfValues = new KnownRows((node, length, into) => this.rowsOfNodes(node, length, into));
  #rootOf = new Map<string, number>();
  #children = new ChildIndex(this.rows);
  /**
   * row -> its newest child without prefetched ones; its newest child; the sibling that was added before it. 0 means
   * none, because row 0 is a root.
   */
  #lastChild = new Int32Array(1024);
  #newestChild = new Int32Array(1024);
  #siblingBefore = new Int32Array(1024);

  constructor(profile: LeanProfile, grouping: TreeGrouping, keys: KeyTable, ids: NodeIds) {
    this.profile = profile;
    this.ids = ids;
    this.grouping = grouping;
    this.keys = keys;
  }

  /** Adds the new items up to `extent`, by default all. O(new items), or O(all items) if rows are renumbered. */
  abstract update(extent?: ProfileExtent): 'grown' | 'renumbered';

  /**
   * Does a part of the next update early: prefetches the rows of at most `most` items up to `extent`. The extent should
   * be a little behind the profile, because a name that arrives after its row was added renumbers all rows.
   */
  abstract prefetch(extent: ProfileExtent, most: number): void;

  /** Whether each call node of the extent has a row, prefetched ones included. */
  abstract hasPrefetched(extent: ProfileExtent): boolean;

  abstract rowOf(id: RowId): number;

  abstract rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void;

  rowsOfValues(values: NodeColumn): Int32Array {
    return this.#rowsOfValues.of(values);
  }

  /** Number of rows, including prefetched ones. */
  get prefetchedLength(): number {
    return this.rows.length;
  }

  /** Memory of what tells the row of each item, in bytes. */
  abstract get itemBytes(): number;

  get hasOneRoot(): boolean {
    return this.grouping.threads === 'all';
  }

  get parent(): Int32Array {
    return this.rows.parent;
  }

  get key(): Int32Array {
    return this.rows.frame;
  }

  idOf(row: number): RowId {
    return this.ids.idOf(this.#firstNode[row]);
  }

  /** The first call node of the row. */
  nodeOf(row: number): number {
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
    release(this.rows.parent, this.rows.frame);
    release(this.#firstNode, this.#lastChild, this.#newestChild, this.#siblingBefore);
    this.#children.release();
    this.rows.length = 0;
    this.length = 0;
    this.itemCount = 0;
    this.#rowsOfValues.forget();
    this.#rootOf = new Map();
  }

  /**
   * Reserves memory for the rows of `length` items, each of which may need one. If the capacity is too small, it is
   * increased for all `expected` items at once: unused pages cost no physical memory, while growing step by step copies
   * the columns.
   */
  protected reserve(length: number, expected: number): void {
    const { itemCount, rows } = this;
    if (rows.length + length - itemCount <= this.#firstNode.length) return;
    const capacity = nextCapacity(this.#firstNode.length, rows.length + expected - itemCount);
    rows.reserve(capacity);
    this.#children.reserve(capacity);
    this.#firstNode = grown(this.#firstNode, capacity, rows.length);
    this.#lastChild = grown(this.#lastChild, capacity, this.length);
    this.#newestChild = grown(this.#newestChild, capacity, rows.length);
    this.#siblingBefore = grown(this.#siblingBefore, capacity, rows.length);
  }

  /** Returns the root with this label, and creates it if there is none. `node`: its first call node. */
  protected rootRow(label: string, node: number): number {
    const known = this.#rootOf.get(label);
    if (known !== undefined) return known;
    const row = this.#append(NONE, ~this.rootLabels.length, node);
    this.rootLabels.push(label);
    this.#rootOf.set(label, row);
    return row;
  }

  /** Returns the child of `parent` with this key, and creates it if there is none. `node`: its first call node. */
  protected childRow(parent: number, key: number, node: number): number {
    const known = this.#children.find(parent, key);
    return known === NONE ? this.#newRow(parent, key, node) : known;
  }

  /** Ends an update: `length` counts all rows, and their parents link to them. */
  protected showAll(): void {
    const { parent, length } = this.rows;
    if (length - this.length > length / 8) this.#lastChild.set(this.#newestChild.subarray(0, length));
    else
      for (let row = this.length; row < length; row++)
        if (parent[row] !== NONE) this.#lastChild[parent[row]] = row;
    this.length = length;
  }

  /** Removes all rows. New rows are numbered from 0. */
  protected restart(): void {
    this.#lastChild.fill(0, 0, this.rows.length);
    this.#newestChild.fill(0, 0, this.rows.length);
    this.#siblingBefore.fill(0, 0, this.rows.length);
    this.rows = new NodeTable(this.#firstNode.length);
    this.#children = new ChildIndex(this.rows);
    this.length = 0;
    this.itemCount = 0;
    this.#rowsOfValues.forget();
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
