import type { KeepBytes } from '../../bytes/keep-bytes.ts';
import { FIRST_ROWS, grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { StackTree } from './stack-tree.ts';
import { TraceIds } from './trace-ids.ts';

/** Of a trace in the columns and in the index of ids. */
const TRACE_BYTES = 32;

/**
 * The stack traces of a file. They are read before it is known which of them have samples. Their frames are in a tree,
 * which stores common callers once; a trace has the node where it ends.
 *
 *   row   id       thread   leaf   depth   top
 *   0     300017   0        6      3       0      the frames 0 1 2, root first
 *   1     300045   0        11     2       0                 0 3
 *
 * A frame is any number of 32 bits; equal numbers are the same frame.
 */
export class TraceTable {
  length = 0;
  /** -> row of the ThreadHistory. */
  thread = new Int32Array(FIRST_ROWS);
  /** -> node of `tree`; ~thread for an empty stack. */
  leaf = new Int32Array(FIRST_ROWS);
  depth = new Int32Array(FIRST_ROWS);
  /** The frame nearest to the root; NONE for an empty stack. */
  top = new Int32Array(FIRST_ROWS);
  readonly tree = new StackTree();

  readonly #ids = new TraceIds();
  readonly #keeps: KeepBytes | undefined;
  #isFull = false;

  constructor(keeps?: KeepBytes) {
    this.#keeps = keeps;
  }

  /** The row of a trace, or NONE. */
  find(idHi: number, idLo: number): number {
    return this.#ids.find(idHi, idLo);
  }

  /**
   * Adds a trace; `frames` are its `depth` frames, leaf first. False if there is a trace with this id, which stays. Once
   * the limit on memory is exceeded, traces are ignored.
   */
  add(idHi: number, idLo: number, thread: number, frames: Int32Array, depth: number): boolean {
    if (this.#ids.find(idHi, idLo) >= 0) return false;
    if (this.#isFull) return true;
    const row = this.#ids.add(idHi, idLo);
    if (row === this.leaf.length) this.#reserve(nextCapacity(row, row + 1));
    const cells = this.tree.length;
    this.thread[row] = thread;
    this.leaf[row] = this.tree.place(thread, frames, depth);
    const bytes = TRACE_BYTES + (this.tree.length - cells) * Int32Array.BYTES_PER_ELEMENT;
    this.#isFull = this.#keeps?.(bytes) === false;
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
