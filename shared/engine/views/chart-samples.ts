import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import type { RowTree } from '../trees/row-tree.ts';

/** Places of which the smallest `shared` is kept. */
const SPAN = 64;

type Tree = Pick<RowTree, 'parent' | 'length' | 'numbering'>;

/**
 * Samples in the order of time, by the rows of a tree in which they ended. A stack has the row of its root at depth 0.
 *
 *   place    0      1      2      3
 *   stack    a b c  a b d  a b d  a
 *   shared   0      2      3      1      rows that a stack has in common with the one before it
 *
 * So the runs of equal neighbours at a depth end where `shared` is no greater than it.
 */
export class ChartSamples {
  length = 0;
  /** Place -> row of the tree. */
  leaf: Int32Array = new Int32Array(0);
  shared = new Int32Array(0);
  /** Row of the tree -> its depth. */
  depth = new Int32Array(0);
  /** All stacks have the same root. */
  hasOneRoot = true;
  #tree: Tree | undefined;
  #numbering = -1;
  #rows = 0;
  /** Span -> the smallest `shared` in it. */
  #least = new Int32Array(0);

  /**
   * Takes other samples, or more of them. Those that were there are expected `shift` places further on: the first `shift`
   * are gone, or so many have come before them where it is negative. Only the stacks of places that differ are compared
   * again; returns how many. O(samples).
   */
  update(tree: Tree, leaf: Int32Array, shift = 0): number {
    const isSame = this.#tree === tree && this.#numbering === tree.numbering;
    if (!isSame) this.#rows = 0;
    this.#tree = tree;
    this.#numbering = tree.numbering;
    // Places [first, end) have the stacks that they had, and so have all of them but the first the same one before.
    const { length } = leaf;
    const first = Math.min(Math.max(0, -shift), length);
    const most = isSame ? Math.min(this.length - shift, length) : 0;
    let end = first;
    while (end < most && leaf[end] === this.leaf[end + shift]) end++;
    this.#addDepths(tree);
    if (length > this.shared.length) {
      const capacity = nextCapacity(this.shared.length, length);
      this.shared = grown(this.shared, capacity, this.length);
      this.#least = grown(this.#least, Math.ceil(capacity / SPAN), 0);
    }
    if (shift !== 0 && end > first) this.shared.copyWithin(first, first + shift, end + shift);
    this.leaf = leaf;
    this.length = length;
    const { shared, depth } = this;
    const from = shift === 0 ? end : Math.min(end, first + 1);
    if (shift !== 0) compareNeighbours(shared, leaf, 0, from, tree.parent, depth);
    compareNeighbours(shared, leaf, end, length, tree.parent, depth);
    this.#addLeast(shift === 0 ? end : 0);
    this.hasOneRoot = this.nextBreak(0, 0, length) === length;
    return (shift === 0 ? 0 : from) + length - end;
  }

  /** The end of the run that begins at a place, or at most `end`: the stacks of a run have the same row at this depth. */
  nextBreak(place: number, depth: number, end: number): number {
    const { shared } = this;
    const least = this.#least;
    let next = place + 1;
    while (next < end) {
      if (next % SPAN === 0 && least[next / SPAN] > depth) next += SPAN;
      else if (shared[next] <= depth) return next;
      else next++;
    }
    return Math.min(next, end);
  }

  #addDepths({ parent, length }: Tree): void {
    if (length > this.depth.length)
      this.depth = grown(this.depth, nextCapacity(this.depth.length, length), this.#rows);
    const { depth } = this;
    for (let row = this.#rows; row < length; row++)
      depth[row] = parent[row] === NONE ? 0 : depth[parent[row]] + 1;
    this.#rows = length;
  }

  #addLeast(from: number): void {
    const { shared, length } = this;
    for (let span = Math.floor(from / SPAN); span * SPAN < length; span++) {
      let smallest = shared[span * SPAN];
      const end = Math.min(length, (span + 1) * SPAN);
      for (let place = span * SPAN + 1; place < end; place++)
        if (shared[place] < smallest) smallest = shared[place];
      this.#least[span] = smallest;
    }
  }
}

/** A separate function with arrays only, so that V8 compiles the loop early. */
function compareNeighbours(
  shared: Int32Array,
  leaf: Int32Array,
  from: number,
  to: number,
  parent: Int32Array,
  depth: Int32Array,
): void {
  for (let place = from; place < to; place++) {
    let a = place === 0 ? NONE : leaf[place - 1];
    let b = leaf[place];
    while (a !== b && a !== NONE && b !== NONE) {
      const difference = depth[a] - depth[b];
      if (difference >= 0) a = parent[a];
      if (difference <= 0) b = parent[b];
    }
    shared[place] = a === NONE || b === NONE ? 0 : depth[a] + 1;
  }
}
