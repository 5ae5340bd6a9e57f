import { grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { StackTree, type StackTreePart } from './stack-tree.ts';
import { TraceIds } from './trace-ids.ts';

/** Traces as another thread can be given them: a table's columns, but for the ids. */
export interface TracePart {
  readonly length: number;
  readonly thread: Int32Array<ArrayBuffer>;
  readonly leaf: Int32Array<ArrayBuffer>;
  readonly depth: Int32Array<ArrayBuffer>;
  readonly top: Int32Array<ArrayBuffer>;
  readonly tree: StackTreePart;
}

/**
 * Stack traces as they are met, long before it is known which of them count: a tree of frames, so that what stacks have
 * in common is kept once, and per trace the node where it ends.
 *
 *   row   id       thread   leaf   depth   top
 *   0     300017   0        6      3       0      the frames 0 1 2, root first
 *   1     300045   0        11     2       0                 0 3
 *
 * Frames are any numbers of 32 bits, each the id of one frame.
 */
export class TraceTable {
  length = 0;
  /** -> row of the ThreadHistory. */
  thread = new Int32Array(64);
  /** -> node of `tree`; for an empty stack the complement of `thread`. */
  leaf = new Int32Array(64);
  depth = new Int32Array(64);
  /** The frame nearest to the root; NONE for an empty stack. */
  top = new Int32Array(64);
  readonly tree = new StackTree();

  readonly #ids = new TraceIds();

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
    this.leaf[row] = this.tree.place(thread, frames, depth);
    this.depth[row] = depth;
    this.top[row] = depth === 0 ? NONE : frames[depth - 1];
    this.length = row + 1;
    return true;
  }

  get part(): TracePart {
    const { length, thread, leaf, depth, top } = this;
    return { length, thread, leaf, depth, top, tree: this.tree.part };
  }

  /**
   * Adds the traces of another table, whose ids are `ids` and whose threads are `threads` here, as though they had been
   * added here one by one. No id may be taken. Uses the part up.
   */
  appendRange(part: TracePart, ids: Int32Array, threads: Int32Array): void {
    this.tree.appendRange(part.tree, threads);
    const before = this.length;
    if (before + part.length > this.leaf.length) this.#reserve(before + part.length);
    for (let row = 0; row < part.length; row++) {
      this.#ids.add(0, ids[row]);
      const thread = threads[part.thread[row]];
      this.thread[before + row] = thread;
      this.leaf[before + row] = part.depth[row] === 0 ? ~thread : part.tree.cells[part.leaf[row]];
      this.depth[before + row] = part.depth[row];
      this.top[before + row] = part.top[row];
    }
    this.length += part.length;
  }

  #reserve(capacity: number): void {
    this.thread = grown(this.thread, capacity);
    this.leaf = grown(this.leaf, capacity);
    this.depth = grown(this.depth, capacity);
    this.top = grown(this.top, capacity);
  }
}
