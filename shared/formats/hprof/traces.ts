import { Int64Index } from '../../aggregate/int64-index.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { FIRST_ROWS, grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { STACK_NODE_BYTES, StackTree } from '../stack-tree.ts';

/** Bytes of a trace in the columns and in the index of ids. */
const TRACE_BYTES = 32;

/**
 * The stack traces of a file. They are read before it is known which of them have samples. In their tree, threads are the
 * outermost frames.
 *
 *   row   id       thread   leaf   depth   top
 *   0     300017   0        3      3       0      the frames 0 1 2, root first
 *   1     300045   0        4      2       0                 0 3
 */
export class TraceTable {
  length = 0;
  /** -> row of the ThreadHistory. */
  thread = new Int32Array(FIRST_ROWS);
  /** -> the node of `tree` where the stack ends. */
  leaf = new Int32Array(FIRST_ROWS);
  depth = new Int32Array(FIRST_ROWS);
  /** The frame nearest to the root; NONE for an empty stack. */
  top = new Int32Array(FIRST_ROWS);
  readonly tree = new StackTree();

  readonly #ids = new Int64Index();
  readonly #memory: MemoryBudget;
  #isFull = false;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** The row of a trace, or NONE. */
  find(id: number): number {
    return this.#ids.findNumber(id);
  }

  /**
   * Adds a trace; `frames` are its `depth` frames, leaf first. False if there is a trace with this id, which stays. Once
   * the limit on memory is exceeded, traces are ignored.
   */
  add(id: number, thread: number, frames: Int32Array, depth: number): boolean {
    if (this.#ids.findNumber(id) >= 0) return false;
    if (this.#isFull) return true;
    const row = this.#ids.addNumber(id);
    if (row === this.leaf.length) {
      const capacity = nextCapacity(row, row + 1);
      this.thread = grown(this.thread, capacity);
      this.leaf = grown(this.leaf, capacity);
      this.depth = grown(this.depth, capacity);
      this.top = grown(this.top, capacity);
    }
    const nodes = this.tree.length;
    this.thread[row] = thread;
    this.leaf[row] = this.tree.place(frames, depth, this.tree.child(0, thread));
    const bytes = TRACE_BYTES + (this.tree.length - nodes) * STACK_NODE_BYTES;
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
