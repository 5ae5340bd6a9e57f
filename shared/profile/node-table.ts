import { grown, nextCapacity, NONE } from './columns.ts';

/** Row of the NodeTable: call nodes in order of creation. A node's row never changes within an epoch. */
export type NodeIndex = number;

/**
 * The call trees of all threads in one table. A node is a path of frames below a thread.
 *
 *   call node                 row  parent  frame
 *   thread main                0    -1      ~0       root of thread 0
 *     Shop.main                1     0       0
 *       Shop.parse             2     1       1
 *         String.length        3     2       2
 *       Shop.draw              4     1       3
 *   thread gc                  5    -1      ~1       root of thread 1
 *     AGCT.UnknownNotJava3     6     5       4
 *
 * Invariants: parent < row (a backward loop sees children before parents, a forward loop the reverse);
 * (parent, frame) is unique. Self values are in the SelfTable; totals are one backward sweep: `sumTotals`.
 */
export class NodeTable {
  length = 0;
  /** -> row of this table; NONE for the root of a thread. */
  parent: Int32Array<ArrayBuffer>;
  /** -> row of the FrameTable; for the root of a thread the complement of its row in the ThreadTable (negative). */
  frame: Int32Array<ArrayBuffer>;

  constructor(capacity = 1024) {
    this.parent = new Int32Array(capacity);
    this.frame = new Int32Array(capacity);
  }

  get capacity(): number {
    return this.parent.length;
  }

  append(parent: NodeIndex, frame: number): NodeIndex {
    const row = this.length;
    if (row === this.parent.length) this.reserve(nextCapacity(row, row + 1));
    this.parent[row] = parent;
    this.frame[row] = frame;
    this.length = row + 1;
    return row;
  }

  reserve(capacity: number): void {
    if (capacity <= this.parent.length) return;
    this.parent = grown(this.parent, capacity, this.length);
    this.frame = grown(this.frame, capacity, this.length);
  }

  isRoot(node: NodeIndex): boolean {
    return this.parent[node] === NONE;
  }
}
