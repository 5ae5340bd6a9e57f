import { Int64Index } from '../../aggregate/int64-index.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { FIRST_ROWS, grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { StackTree } from './stack-tree.ts';

const TWO_32 = 4_294_967_296;

/** Ids of threads and traces -> rows. An id is an integer from 0 to 2^53 - 1. */
export class NumberIndex {
  readonly #ids = new Int64Index();

  /** The row of an id, or NONE. */
  find(id: number): number {
    return this.#ids.find((id / TWO_32) | 0, id | 0);
  }

  /** Adds an id that `find` has not found; its row is the number of ids before it. */
  add(id: number): number {
    return this.#ids.add((id / TWO_32) | 0, id | 0);
  }
}

/** Bytes of a trace in the columns and in the index of ids. */
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

  readonly #ids = new NumberIndex();
  readonly #memory: MemoryBudget;
  #isFull = false;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** The row of a trace, or NONE. */
  find(id: number): number {
    return this.#ids.find(id);
  }

  /**
   * Adds a trace; `frames` are its `depth` frames, leaf first. False if there is a trace with this id, which stays. Once
   * the limit on memory is exceeded, traces are ignored.
   */
  add(id: number, thread: number, frames: Int32Array, depth: number): boolean {
    if (this.#ids.find(id) >= 0) return false;
    if (this.#isFull) return true;
    const row = this.#ids.add(id);
    if (row === this.leaf.length) {
      const capacity = nextCapacity(row, row + 1);
      this.thread = grown(this.thread, capacity);
      this.leaf = grown(this.leaf, capacity);
      this.depth = grown(this.depth, capacity);
      this.top = grown(this.top, capacity);
    }
    const cells = this.tree.length;
    this.thread[row] = thread;
    this.leaf[row] = this.tree.place(thread, frames, depth);
    const bytes = TRACE_BYTES + (this.tree.length - cells) * Int32Array.BYTES_PER_ELEMENT;
    this.#isFull = !this.#memory.keep(bytes);
    this.depth[row] = depth;
    this.top[row] = depth === 0 ? NONE : frames[depth - 1];
    this.length = row + 1;
    return true;
  }
}

/** One table of samples (specs: hprof, CPU_SAMPLES and `CPU SAMPLES BEGIN`). */
export class SampleTable {
  length = 0;
  /** Sum of the counts according to the table; NaN if it does not have one. */
  readonly total: number;
  /** The table is from `cpu=times` in a text file. Only such tables need the percentages. */
  readonly isTimes: boolean;
  /** Ids of traces. */
  trace: Float64Array<ArrayBuffer>;
  count: Float64Array<ArrayBuffer>;
  /** The self column, in hundredths of a percent. */
  share: Float64Array<ArrayBuffer>;

  constructor(total: number, isTimes: boolean, rows: number) {
    this.total = total;
    this.isTimes = isTimes;
    this.trace = new Float64Array(rows);
    this.count = new Float64Array(rows);
    this.share = new Float64Array(rows);
  }

  add(trace: number, count: number, share: number): void {
    const row = this.length++;
    if (row === this.count.length) {
      const capacity = nextCapacity(row, row + 1);
      this.trace = grown(this.trace, capacity);
      this.count = grown(this.count, capacity);
      this.share = grown(this.share, capacity);
    }
    this.trace[row] = trace;
    this.count[row] = count;
    this.share[row] = share;
  }
}

/**
 * The tables of a file. Only the last complete one counts: an agent that dumps twice repeats the counts of the first
 * table in the second (specs: hprof, section 4). An incomplete table counts only if there is no other.
 */
export class SampleTables {
  /** Number of tables, including an incomplete one. */
  begun = 0;
  #complete: SampleTable | undefined;
  #open: SampleTable | undefined;

  /** `rows`: number of rows that follow, if known. */
  begin(total: number, isTimes: boolean, rows = 64): SampleTable {
    this.begun++;
    this.#open = new SampleTable(total, isTimes, rows);
    return this.#open;
  }

  end(): void {
    this.#complete = this.#open ?? this.#complete;
    this.#open = undefined;
  }

  get last(): SampleTable | undefined {
    return this.#complete ?? this.#open;
  }
}
