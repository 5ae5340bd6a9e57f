import { NONE, grown, nextCapacity } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { ALL_THREADS_LABEL, type KeyTable, type RowKind } from './keys.ts';

/**
 * Identity of a row, assigned by its tree. Row numbers may change when rows are renumbered, ids do not. So ids are stored,
 * for example of rows that are open, selected or zoomed, and row numbers are used in computations.
 */
export type RowId = number;

/**
 * A row of a bottom-up tree, by ids of its call tree: the last frames of some stacks, from where samples end up to a caller,
 * which is the row. Ids of a call tree outlast those of a bottom-up tree, which has others whenever it is made.
 */
export interface StackEnd {
  readonly end: RowId;
  /** `end`, or a caller of it. */
  readonly caller: RowId;
}

/** The rows of a bottom-up tree by their stack ends: several name the same row. */
export interface StackEnds {
  of(row: number): StackEnd;
  /** The row; NONE if there is none. O(depth). */
  rowOf(stackEnd: StackEnd): number;
}

/** Identities of the call nodes of a profile. */
export interface NodeIds {
  idOf(node: number): RowId;
  /** The call node with this identity; NONE if there is none. */
  nodeOf(id: RowId): number;
}

/** The identity of a call node is its row. */
export const NODE_ROWS: NodeIds = { idOf: (node) => node, nodeOf: (id) => id };

/**
 * Rows that group call nodes: who called whom, without values. Rows are only appended, and `parent[row] < row`. If a name
 * that arrives late changes the grouping, all rows are renumbered.
 */
export interface RowTree {
  readonly keys: KeyTable;
  readonly length: number;
  /** row -> the row above it; NONE for a root. The array is replaced when it outgrows its capacity. */
  readonly parent: Int32Array;
  /** row -> its key in `keys`; for the row of a thread the complement of the number of its label, which is negative. */
  readonly key: Int32Array;
  /** The number of times that all rows were renumbered. */
  readonly numbering: number;
  /** It has one root, however it grows: all threads together, or one method. */
  readonly hasOneRoot: boolean;
  /** Callers are below the methods that they call: the samples of a row ended at its root. */
  readonly isInverted: boolean;
  /** The stack ends of a bottom-up tree; undefined for any other tree. */
  readonly stackEnds?: StackEnds | undefined;
  idOf(row: number): RowId;
  /** The row with this id; NONE if it does not exist, or no longer does. */
  rowOf(id: RowId): number;
  /** The key as text, as in canonical text. To show it, use `displayLabel`. */
  label(row: number): string;
  kind(row: number): RowKind;
  /** Root rows, in order of appearance. */
  roots(): number[];
  /** The first of a row's children, which are in no particular order; NONE if it has none. */
  firstChild(row: number): number;
  /** The next child of the same parent; NONE after the last one. */
  nextSibling(row: number): number;
}

/** The label of a row in the window and in drawings. */
export function displayLabel(tree: Pick<RowTree, 'label' | 'kind'>, row: number): string {
  return tree.kind(row) === 'all' ? ALL_THREADS_LABEL : tree.label(row);
}

/** The label of the thread that a row is in; undefined where all threads are one. O(depth). */
export function threadOf(tree: Pick<RowTree, 'parent' | 'label' | 'kind'>, row: number): string | undefined {
  let root = row;
  while (tree.parent[root] !== NONE) root = tree.parent[root];
  return tree.kind(root) === 'thread' ? tree.label(root) : undefined;
}

/** Rows over which self values can be summed: every call node belongs to one of them. */
export interface SummableRows {
  readonly length: number;
  readonly parent: Int32Array;
  /**
   * Writes the rows of node[0 … length) to `into`. The tree must already contain these call nodes.
   */
  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void;
  /** The rows of the nodes of self values. Borrowed until the next call. */
  rowsOfValues(values: NodeColumn): Int32Array;
}

/**
 * The used part of a profile's tables, as numbers of rows. While a profile grows, all trees are updated to the same
 * extent, so that all views show the same state.
 */
export interface ProfileExtent {
  readonly frames: number;
  readonly nodes: number;
  readonly selfValues: number;
}

export function extentOf({ frames, nodes, selfValues }: LeanProfile): ProfileExtent {
  return { frames: frames.length, nodes: nodes.length, selfValues: selfValues.length };
}

/** `order`: all chains in pre-order. `sizes`: chain -> the number of chains in its subtree, including itself. */
export function preOrder({ length, parent }: { readonly length: number; readonly parent: Int32Array }): {
  readonly order: Int32Array;
  readonly sizes: Int32Array;
} {
  const sizes = subtreeSizes(parent, length);
  // chain -> the position of its next child: the chain's own position, plus one, plus the sizes of the subtrees of the
  // children that have their positions.
  const next = new Int32Array(length);
  const order = new Int32Array(length);
  let roots = 0;
  for (let chain = 0; chain < length; chain++) {
    const up = parent[chain];
    const place = up === NONE ? roots : next[up];
    if (up === NONE) roots += sizes[chain];
    else next[up] += sizes[chain];
    next[chain] = place + 1;
    order[place] = chain;
  }
  return { order, sizes };
}

function subtreeSizes(parent: Int32Array, length: number): Int32Array {
  const sizes = new Int32Array(length).fill(1);
  for (let chain = length - 1; chain >= 0; chain--)
    if (parent[chain] !== NONE) sizes[parent[chain]] += sizes[chain];
  return sizes;
}

/** The number of rows above a row. */
export function depthOf({ parent }: RowTree, row: number): number {
  let depth = 0;
  for (let up = parent[row]; up !== NONE; up = parent[up]) depth++;
  return depth;
}

/** The column of self values that says where their samples ended. Rows are only appended, and keep their nodes. */
export interface NodeColumn {
  readonly node: Int32Array;
  readonly length: number;
}

/**
 * Row of self values -> the row, of a tree for instance, that its node belongs to. Each is looked up once, because a tree
 * searches for it. All self values of a profile have the same nodes, so that other values need no look-ups. Four bytes a
 * row.
 */
export class KnownRows {
  readonly #lookUp: (node: Int32Array, length: number, into: Int32Array) => void;
  #rows = new Int32Array(0);
  #node: Int32Array = new Int32Array(0);
  #length = 0;

  constructor(lookUp: (node: Int32Array, length: number, into: Int32Array) => void) {
    this.#lookUp = lookUp;
  }

  /** The rows of these values. Borrowed until the next call. O(new rows). */
  of({ node, length }: NodeColumn): Int32Array {
    if (node !== this.#node) {
      const common = Math.min(this.#length, length);
      const same = sameNodes(this.#node, node, common);
      if (same < common) this.#length = same;
    }
    const known = this.#length;
    if (length > known) {
      if (length > this.#rows.length)
        this.#rows = grown(this.#rows, nextCapacity(this.#rows.length, length), known);
      this.#lookUp(node.subarray(known, length), length - known, this.#rows.subarray(known, length));
      this.#node = node;
      this.#length = length;
    }
    return this.#rows.subarray(0, length);
  }

  /** Call it when rows were renumbered. */
  forget(): void {
    this.#length = 0;
  }
}

/** The number of rows from the first on that have the same node: a column that has grown is another array. */
export function sameNodes(a: Int32Array, b: Int32Array, length: number): number {
  let row = 0;
  while (row < length && a[row] === b[row]) row++;
  return row;
}

/** A tree and the profile whose frames its keys are of. */
export interface TreeOfProfile {
  readonly profile: LeanProfile;
  readonly tree: RowTree;
}

/**
 * The row of another tree that is on the same path, where both have the same rows but other keys: because a name arrived
 * late, a method was split, or a scope changed. NONE where there is no such row. Where a method was split it is the row of
 * its first line. O(depth * siblings).
 *
 *   from   put   run   main          to   put:7   run   main
 */
export function sameRow(from: TreeOfProfile, row: number, to: TreeOfProfile): number {
  const path: number[] = [];
  for (let at = row; at !== NONE; at = from.tree.parent[at]) path.push(at);
  const { tree } = to;
  let found = NONE;
  for (const at of path.reverse()) {
    const isSame = rowTest(from, at, to);
    if (found === NONE) found = tree.roots().find(isSame) ?? NONE;
    else {
      found = tree.firstChild(found);
      while (found !== NONE && !isSame(found)) found = tree.nextSibling(found);
    }
    if (found === NONE) return NONE;
  }
  return found;
}

function rowTest(from: TreeOfProfile, row: number, to: TreeOfProfile): (row: number) => boolean {
  const { tree } = to;
  const key = from.tree.key[row];
  if (key < 0) {
    const label = displayLabel(from.tree, row);
    return (each) => tree.key[each] < 0 && displayLabel(tree, each) === label;
  }
  const wanted = keyIn(tree.keys, from, key, to.profile);
  // The root of the callers of a split method is the method itself.
  return (each) =>
    tree.key[each] === wanted ||
    (tree.parent[each] === NONE && tree.key[each] === tree.keys.methodOf[wanted]);
}

/** By the first frame; frames of other profiles have other numbers, but the same names. */
function keyIn(keys: KeyTable, from: TreeOfProfile, key: number, profile: LeanProfile): number {
  const { labels, firstFrame } = from.tree.keys;
  return profile === from.profile ? (keys.keyOf(firstFrame[key]) ?? NONE) : keys.find(labels[key]);
}
