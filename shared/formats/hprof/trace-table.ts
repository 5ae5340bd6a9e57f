import { WideIdIndex } from '../../aggregate/wide-id-index.ts';
import { ChildIndex } from '../../profile/child-index.ts';
import { grown, nextCapacity, NONE, release } from '../../profile/columns.ts';
import { NodeTable } from '../../profile/node-table.ts';

/**
 * Stack traces as they are met, long before it is known which of them count: a tree of frames per thread, so that what
 * stacks have in common is kept once, and per trace the node where it ends.
 *
 *   TRACE 300017 of thread 0: 2 1 0     row  thread  leaf  depth  top       node  parent  frame
 *   TRACE 300045 of thread 0: 3 0       0    0       3     3      0         0     -1      ~0
 *                                       1    0       4     2      0         1      0       0
 *                                                                           2      1       1
 *                                                                           3      2       2
 *                                                                           4      1       3
 *
 * Frames are the decoder's own numbers, dense from 0.
 */
export class TraceTable {
  length = 0;
  /** -> row of the ThreadHistory. */
  thread = new Int32Array(64);
  /** -> row of `nodes`. */
  leaf = new Int32Array(64);
  depth = new Int32Array(64);
  /** The frame nearest to the root; NONE for an empty stack. */
  top = new Int32Array(64);
  readonly nodes = new NodeTable();

  readonly #children = new ChildIndex(this.nodes);
  readonly #ids = new WideIdIndex();
  /** Row of the ThreadHistory -> node. */
  readonly #roots: number[] = [];

  /** The row of a trace, or NONE. */
  find(idHi: number, idLo: number): number {
    return this.#ids.find(idHi, idLo);
  }

  /** Adds a trace; `frames` are its `depth` frames, innermost first. False when the id is taken: the first one stays. */
  add(idHi: number, idLo: number, thread: number, frames: Int32Array, depth: number): boolean {
    if (this.#ids.find(idHi, idLo) >= 0) return false;
    const row = this.#ids.add(idHi, idLo);
    if (row === this.leaf.length) this.#reserve(nextCapacity(row, row + 1));
    this.thread[row] = thread;
    this.leaf[row] = this.#place(thread, frames, depth);
    this.depth[row] = depth;
    this.top[row] = depth === 0 ? NONE : frames[depth - 1];
    this.length = row + 1;
    return true;
  }

  /** Gives the tree's memory back. */
  release(): void {
    this.#children.release();
    release(this.nodes.parent, this.nodes.frame);
  }

  #place(thread: number, frames: Int32Array, depth: number): number {
    const { nodes } = this;
    let node = (this.#roots[thread] ??= this.#append(NONE, ~thread));
    let at = depth - 1;
    const { length, parent, frame: frameColumn } = nodes;
    for (; at >= 0; at--) {
      const frame = frames[at];
      let child = node + 1;
      if (child >= length || frameColumn[child] !== frame || parent[child] !== node) {
        child = this.#children.findLater(node, frame);
        if (child === NONE) break;
      }
      node = child;
    }
    for (; at >= 0; at--) {
      const child = this.#append(node, frames[at]);
      this.#children.add(node, child);
      node = child;
    }
    return node;
  }

  #append(parent: number, frame: number): number {
    const node = this.nodes.append(parent, frame);
    this.#children.reserve(this.nodes.capacity);
    return node;
  }

  #reserve(capacity: number): void {
    this.thread = grown(this.thread, capacity);
    this.leaf = grown(this.leaf, capacity);
    this.depth = grown(this.depth, capacity);
    this.top = grown(this.top, capacity);
  }
}
