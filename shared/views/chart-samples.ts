import { grown, nextCapacity, NONE } from '../profile/columns.ts';
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

  /** Takes other samples, or more of them. Only what differs is compared again. O(samples). */
  update(tree: Tree, leaf: Int32Array): void {
    const isSame = this.#tree === tree && this.#numbering === tree.numbering;
    if (!isSame) this.#rows = 0;
    this.#tree = tree;
    this.#numbering = tree.numbering;
    let kept = 0;
    const most = isSame ? Math.min(this.length, leaf.length) : 0;
    while (kept < most && leaf[kept] === this.leaf[kept]) kept++;
    this.#addDepths(tree);
    if (leaf.length > this.shared.length) {
      const capacity = nextCapacity(this.shared.length, leaf.length);
      this.shared = grown(this.shared, capacity, kept);
      this.#least = grown(this.#least, Math.ceil(capacity / SPAN), Math.ceil(kept / SPAN));
    }
    this.leaf = leaf;
    this.length = leaf.length;
    compareNeighbours(this.shared, leaf, kept, tree.parent, this.depth);
    this.#addLeast(kept);
    this.hasOneRoot = this.nextBreak(0, 0, leaf.length) === leaf.length;
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
  parent: Int32Array,
  depth: Int32Array,
): void {
  for (let place = from; place < leaf.length; place++) {
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
