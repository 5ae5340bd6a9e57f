import { WideIdIndex } from '../../aggregate/wide-id-index.ts';
import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { StackTree } from './stack-tree.ts';

/**
 * Stack traces as they are met, long before it is known which of them count: a tree of frames, so that what stacks have
 * in common is kept once, and per trace the node where it ends.
 *
 *   row   id       thread   leaf   depth   top
 *   0     300017   0        3      3       0      the frames 0 1 2, root first
 *   1     300045   0        4      2       0                 0 3
 *
 * Frames are the decoder's own numbers, dense from 0.
 */
export class TraceTable {
  length = 0;
  /** -> row of the ThreadHistory. */
  thread = new Int32Array(64);
  /** -> node of `tree`. */
  leaf = new Int32Array(64);
  depth = new Int32Array(64);
  /** The frame nearest to the root; NONE for an empty stack. */
  top = new Int32Array(64);
  readonly tree = new StackTree();

  readonly #ids = new WideIdIndex();
  /** Row of the ThreadHistory -> node. */
  readonly #roots: (number | undefined)[] = [];

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
    const root = (this.#roots[thread] ??= this.tree.root(thread));
    this.leaf[row] = this.tree.place(root, frames, depth);
    this.depth[row] = depth;
    this.top[row] = depth === 0 ? NONE : frames[depth - 1];
    this.length = row + 1;
    return true;
  }

  #reserve(capacity: number): void {
    this.thread = grown(this.thread, capacity);
    this.leaf = grown(this.leaf, capacity);
    this.depth = grown(this.depth, capacity);
    this.top = grown(this.top, capacity);
  }
}
