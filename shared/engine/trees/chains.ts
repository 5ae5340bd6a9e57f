import { grown, nextCapacity, NONE, zeroed } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { GrowingTree } from './growing-tree.ts';
import type { KeyTable } from './keys.ts';
import { KnownRows, type NodeColumn, extentOf, type ProfileExtent, type SummableRows } from './row-tree.ts';

/**
 * Divides the call nodes of a profile into chains: ranges of consecutive nodes, each the only child of the node before.
 * A sample that passes through one node of a chain passes through all of them, so all nodes of a chain have the same
 * totals. In one log 7.7 million nodes are 0.4 million chains.
 *
 *   node     0   1   2   3   4   5   6        children of 2: 3 and 5; samples ended at 4 and 6
 *   parent  -1   0   1   2   3   2   5
 *   self                     1       2
 *   chain    0   0   0   1   1   2   2
 *   total    3   3   3   1   1   2   2
 *
 * Chains are in the order of their nodes, so `parent < chain`. A chain ends at a node where a sample ended, at a node
 * with several children, and before a node whose parent is not the node before it. While a profile grows, chains are
 * split and added, never joined, and all are renumbered. They are valid for the profile's self values and for all
 * values derived from these.
 *
 * The rows of a tree can be divided in the same way, into fewer chains. Then 'node' means a row of the tree.
 */
export class Chains implements SummableRows {
  length = 0;
  /** chain -> its first node; one extra entry at the end, the number of nodes. */
  start: Int32Array<ArrayBuffer> = new Int32Array(1);
  /** chain -> the chain whose last node is the parent of its first; NONE for a chain that begins with a root. */
  parent: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** The tree whose rows are in chains; undefined for the profile's call nodes. */
  readonly tree: GrowingTree | undefined;

  readonly #profile: LeanProfile;
  /** The tree's numbering at the last update. */
  #numbering = 0;
  /** One bit per node: set if a chain starts with this node. */
  #starts = new Uint32Array(64);
  /** `#starts`, and the bits of nodes that were prefetched. */
  #marked = new Uint32Array(64);
  #hasPrefetched = false;
  /** Word of `#starts` -> how many chains start before it. */
  #before = new Int32Array(0);
  /** The number of times that a bit was set, also if it was set already; at least the number of chains. */
  #marks = 0;
  /** Nodes and self values that are marked. */
  #nodes = 0;
  #selfValues = 0;
  readonly #rowsOfValues = new KnownRows((node, length, into) => this.rowsOfNodes(node, length, into));
  /** Scratch memory of `rowsOfValues`. */
  #chainOfRow = new Int32Array(0);

  constructor(profile: LeanProfile, tree?: GrowingTree) {
    this.#profile = profile;
    this.tree = tree;
  }

  /** node -> its frame; for the rows of a tree: row -> its key. */
  get frame(): Int32Array {
    return this.tree?.key ?? this.#profile.nodes.frame;
  }

  /** `frame` of a node -> its key in `keys`, which for chains of a tree are the tree's. */
  keyOf(keys: KeyTable): Int32Array {
    return this.tree === undefined ? keys.ofFrame : Int32Array.from({ length: keys.length }, (_, key) => key);
  }

  /**
   * Adds the new nodes and self values up to `extent`. Update the tree first, if there is one. O(new nodes + chains +
   * nodes / 32).
   */
  update(extent = extentOf(this.#profile)): void {
    if (this.tree !== undefined && this.#numbering !== this.tree.numbering)
      this.#restart(this.tree.numbering);
    const parent = this.tree?.parent ?? this.#profile.nodes.parent;
    const length = this.tree?.length ?? extent.nodes;
    const isMarked = length === this.#nodes && extent.selfValues === this.#selfValues;
    if (isMarked && !this.#hasPrefetched) return;
    this.#mark(parent, length, extent.selfValues);
    this.#hasPrefetched = false;
    this.#number(parent, length);
  }

  /**
   * Does a part of the next update early: see `GrowingTree.prefetch`. Marks where chains start among the next nodes, at
   * most `most`, and among the rows that the tree has prefetched, if there is one. Nothing changes until the update.
   */
  prefetch(extent: ProfileExtent, most: number): void {
    const { tree } = this;
    const isBegun = this.#nodes > 0 && (tree === undefined || this.#numbering === tree.numbering);
    if (!isBegun) return;
    const all = tree?.prefetchedLength ?? extent.nodes;
    const length = Math.min(all, this.#nodes + most);
    // A sample may end at a node beyond `length`, or one whose row is still missing.
    const areThere = length === all && (tree === undefined || tree.hasPrefetched(extent));
    const selfValues = areThere ? extent.selfValues : 0;
    if (length <= this.#nodes && selfValues <= this.#selfValues) return;
    this.#mark(tree?.parent ?? this.#profile.nodes.parent, length, selfValues);
    this.#hasPrefetched = true;
  }

  /** The chain of a node. */
  of(node: number): number {
    return chainOf(node, this.#starts, this.#before);
  }

  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void {
    if (this.tree === undefined) chainsOf(node, length, this.#starts, this.#before, into);
    else {
      this.tree.rowsOfNodes(node, length, into);
      chainsOf(into, length, this.#starts, this.#before, into);
    }
  }

  rowsOfValues(values: NodeColumn): Int32Array {
    if (this.tree === undefined) return this.#rowsOfValues.of(values);
    const rows = this.tree.rowsOfValues(values);
    const { length } = values;
    if (length > this.#chainOfRow.length)
      this.#chainOfRow = new Int32Array(nextCapacity(this.#chainOfRow.length, length));
    chainsOf(rows, length, this.#starts, this.#before, this.#chainOfRow);
    return this.#chainOfRow.subarray(0, length);
  }

  #restart(numbering: number): void {
    this.#numbering = numbering;
    this.#starts = new Uint32Array(64);
    this.#marked = new Uint32Array(64);
    this.#hasPrefetched = false;
    this.#marks = 0;
    this.#nodes = 0;
    this.#selfValues = 0;
  }

  #mark(parent: Int32Array, length: number, selfValues: number): void {
    // The end of the last chain is marked too, one node after the last.
    const words = (length >>> 5) + 1;
    if (words > this.#marked.length) {
      this.#marked = grown(this.#marked, nextCapacity(this.#marked.length, words));
    }
    const added = this.#profile.selfValues.node.subarray(this.#selfValues, selfValues);
    let leaves = added;
    if (this.tree !== undefined) {
      leaves = new Int32Array(added.length);
      this.tree.rowsOfNodes(added, added.length, leaves);
    }
    this.#marks += markForks(this.#marked, parent, this.#nodes, length);
    this.#marks += markLeaves(this.#marked, leaves);
    this.#nodes = Math.max(this.#nodes, length);
    this.#selfValues = Math.max(this.#selfValues, selfValues);
  }

  #number(nodeParent: Int32Array, nodes: number): void {
    const words = (nodes >>> 5) + 1;
    if (this.#marked.length > this.#starts.length) this.#starts = new Uint32Array(this.#marked.length);
    this.#starts.set(this.#marked.subarray(0, words));
    if (words > this.#before.length) this.#before = new Int32Array(this.#starts.length);
    const start = zeroed(this.start, this.#marks + 1);
    const parent = zeroed(this.parent, this.#marks + 1);
    const marked = numberChains(this.#starts, nodeParent, words, this.#before, start, parent);
    // If there is a mark after the last node, the chain that it starts has no nodes yet.
    this.length = start[marked - 1] === nodes ? marked - 1 : marked;
    this.start = start.subarray(0, this.length + 1);
    this.start[this.length] = nodes;
    this.parent = parent.subarray(0, this.length);
    this.#rowsOfValues.forget();
  }
}

/** Marks where chains start because of the parents of the nodes from `from` on. Returns the number of marks. */
function markForks(starts: Uint32Array, parent: Int32Array, from: number, length: number): number {
  let marks = 0;
  for (let node = from; node < length; node++) {
    const afterParent = parent[node] + 1;
    if (afterParent === node && node > 0) continue;
    starts[node >>> 5] |= 1 << (node & 31);
    // A chain also starts after the parent; for a root that is node 0, where a chain starts anyway.
    starts[afterParent >>> 5] |= 1 << (afterParent & 31);
    marks += 2;
  }
  return marks;
}

/** Marks a chain start after each node at which a sample ended. Returns the number of marks. */
function markLeaves(starts: Uint32Array, leaves: Int32Array): number {
  for (let at = 0; at < leaves.length; at++) {
    const next = leaves[at] + 1;
    starts[next >>> 5] |= 1 << (next & 31);
  }
  return leaves.length;
}

/**
 * Numbers the chains that are marked in the first `words` words. Writes `start` and `parent` of each chain, and to
 * `before` the number of chains that start before each word. Parents come before their children, so the number of a
 * chain's parent is already known. Returns the number of chains.
 */
function numberChains(
  starts: Uint32Array,
  nodeParent: Int32Array,
  words: number,
  before: Int32Array,
  start: Int32Array,
  parent: Int32Array,
): number {
  let chain = 0;
  for (let word = 0; word < words; word++) {
    before[word] = chain;
    for (let bits = starts[word]; bits !== 0; bits &= bits - 1) {
      const node = (word << 5) + 31 - Math.clz32(bits & -bits);
      const up = nodeParent[node];
      start[chain] = node;
      parent[chain] = up === NONE ? NONE : chainOf(up, starts, before);
      chain++;
    }
  }
  return chain;
}

function chainsOf(
  node: Int32Array,
  length: number,
  starts: Uint32Array,
  before: Int32Array,
  into: Int32Array,
): void {
  for (let at = 0; at < length; at++) into[at] = chainOf(node[at], starts, before);
}

/** The chain of a node: the number of marks up to and including the node, minus one. */
function chainOf(node: number, starts: Uint32Array, before: Int32Array): number {
  const word = node >>> 5;
  return before[word] + bitCount(starts[word] & (0xffffffff >>> (31 - (node & 31)))) - 1;
}

/** The number of bits of a 32-bit word that are set. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
