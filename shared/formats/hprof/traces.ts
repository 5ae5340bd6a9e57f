import { Int64Index } from '../../aggregate/int64-index.ts';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { FIRST_ROWS, FIRST_SLOTS, grown, nextCapacity, NONE, release } from '../../profile/columns.ts';

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

/** Cells of a chain's header, which is before its frames: the parent of its first node, … */
const PARENT = 0;
/** … its end, … */
const END = 1;
/** … the depth of its first node, … */
const DEPTH = 2;
/** … and where the latest stack left it: its only child chain, or ~chain if it has several; 0 if it has none. */
const LATEST = 3;
const HEADER_CELLS = 4;

/** A large factor: reserved pages that are never written cost no memory, but copying does. */
const GROWTH = 4;

/**
 * A tree of stacks, root first, for millions of stacks in any order. The frames that a stack does not share with
 * earlier ones form a chain: consecutive nodes, each the child of the one before. So most of a stack is compared with
 * contiguous memory, 4 bytes per frame. Where a stack leaves a chain, the child chain that the
 * latest stack took is tried first; if there are others, a lookup in a hash table follows.
 *
 *   stacks of thread 0, root first     a b c d │ a b e │ a b c f g
 *
 *   cell     0   1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18
 *            ~0  8   1   ~13 a   b   c   d   5   13  3   0   e   6   19  4   0   f   g
 *            └─── head ──┘   └─ frames ──┘   └─── head ──┘       └─── head ──┘   └───┘
 *
 * A chain is identified by its first cell, a node by the cell of its frame. The root of a thread has no cell: as a
 * parent, or as the node where an empty stack ends, it is ~row of the thread.
 */
export class StackTree {
  #cells = new Int32Array(FIRST_ROWS);
  #length = 0;
  #chainCount = 0;
  /** The latest result of `chains`. */
  #listed = new Int32Array(0);
  /**
   * Hash table of the chains below roots, and of chains that are not the only child of a chain. Open addressing, at
   * most half full; key (parent, first frame), value chain + 1, 0 for a free slot.
   */
  #slots = new Int32Array(FIRST_SLOTS);
  #inSlots = 0;
  /** Node -> marks of the stacks that end there, and after `markUp` of those that continue there in another chain. */
  #marks = new Uint8Array(0);

  /** Number of cells: all nodes are below. */
  get length(): number {
    return this.#length;
  }

  /** Adds a stack; `frames` are its `depth` frames, leaf first. Returns the node where it ends. */
  place(thread: number, frames: Int32Array, depth: number): number {
    const cells = this.#cells;
    let node = ~thread;
    let parentChain = NONE;
    let at = depth - 1;
    while (at >= 0) {
      const chain = this.#next(parentChain, node, frames[at]);
      if (chain === NONE) return this.#append(parentChain, node, frames, at, depth - at);
      parentChain = chain;
      node = chain + HEADER_CELLS;
      const last = Math.min(cells[chain + END] - 1, node + at);
      at--;
      while (node < last && cells[node + 1] === frames[at]) {
        node++;
        at--;
      }
    }
    return node;
  }

  /** All chains, callers before callees. */
  chains(): Int32Array {
    if (this.#listed.length === this.#chainCount) return this.#listed;
    const chains = new Int32Array(this.#chainCount);
    for (let index = 0, chain = 0; index < chains.length; index++, chain = this.end(chain))
      chains[index] = chain;
    this.#listed = chains;
    return chains;
  }

  start(chain: number): number {
    return chain + HEADER_CELLS;
  }

  end(chain: number): number {
    return this.#cells[chain + END];
  }

  /** The parent of a chain's first node; ~row of a thread for its root. */
  parent(chain: number): number {
    return this.#cells[chain + PARENT];
  }

  /** The depth of a chain's first node; 1 below the root. */
  depth(chain: number): number {
    return this.#cells[chain + DEPTH];
  }

  mark(node: number, bit: number): void {
    if (this.#marks.length < this.#length) this.#marks = new Uint8Array(this.#length);
    this.#marks[node] |= bit;
  }

  /**
   * Marks the parent of each chain with the marks of its nodes, from the last chain to the first, because parents come
   * first. `bits`: all marks in use. Most stacks end at the end of their chain: then one check per chain is enough.
   */
  markUp(bits: number): void {
    const marks = this.#marks;
    if (marks.length === 0) return;
    const cells = this.#cells;
    const chains = this.chains();
    for (let index = chains.length - 1; index >= 0; index--) {
      const chain = chains[index];
      const parent = cells[chain + PARENT];
      if (parent < 0) continue;
      let marked = marks[parent];
      for (let node = cells[chain + END] - 1; node >= chain + HEADER_CELLS && marked !== bits; node--)
        marked |= marks[node];
      marks[parent] = marked;
    }
  }

  /** The end of those nodes of a chain, from its start on, that belong to a stack with this mark. Needs `markUp`. */
  markedEnd(chain: number, bit: number): number {
    const marks = this.#marks;
    let end = this.end(chain);
    while (end > chain + HEADER_CELLS && (marks[end - 1] & bit) === 0) end--;
    return end;
  }

  /**
   * The cells of the frames. A caller that no longer needs the frames may overwrite them.
   */
  get cells(): Int32Array {
    return this.#cells;
  }

  /** Releases the memory. */
  release(): void {
    release(this.#cells, this.#slots, this.#marks);
  }

  /** Adds a chain of frames[0 … last], leaf first, below `parent`, a node of `parentChain`; returns its last node. */
  #append(parentChain: number, parent: number, frames: Int32Array, last: number, depth: number): number {
    const chain = this.#length;
    const start = chain + HEADER_CELLS;
    const end = start + last + 1;
    if (end > this.#cells.length) this.#cells = grown(this.#cells, GROWTH * end);
    const cells = this.#cells;
    cells[chain + PARENT] = parent;
    cells[chain + END] = end;
    cells[chain + DEPTH] = depth;
    cells[chain + LATEST] = 0;
    for (let node = start, at = last; at >= 0; node++, at--) cells[node] = frames[at];
    this.#length = end;
    this.#chainCount++;
    this.#link(parentChain, chain);
    return end - 1;
  }

  /** The chain that begins with `frame` below `node`, a node of `parentChain` or a root; NONE if there is none. */
  #next(parentChain: number, node: number, frame: number): number {
    if (parentChain === NONE) return this.#slots[this.#slotOf(node, frame)] - 1;
    const cells = this.#cells;
    const latest = cells[parentChain + LATEST];
    if (latest === 0) return NONE;
    const chain = latest > 0 ? latest : ~latest;
    if (cells[chain + HEADER_CELLS] === frame && cells[chain + PARENT] === node) return chain;
    if (latest > 0) return NONE;
    const found = this.#slots[this.#slotOf(node, frame)] - 1;
    if (found >= 0) cells[parentChain + LATEST] = ~found;
    return found;
  }

  /** Links a new chain to its parent chain, NONE for a root. Most chains stay an only child and need no slot. */
  #link(parentChain: number, chain: number): void {
    if (parentChain === NONE) {
      this.#addToSlots(chain);
      return;
    }
    const cells = this.#cells;
    const latest = cells[parentChain + LATEST];
    if (latest > 0) this.#addToSlots(latest);
    if (latest !== 0) this.#addToSlots(chain);
    cells[parentChain + LATEST] = latest === 0 ? chain : ~chain;
  }

  #addToSlots(chain: number): void {
    this.#inSlots++;
    if (this.#inSlots * 2 > this.#slots.length) {
      const old = this.#slots;
      this.#slots = new Int32Array(GROWTH * old.length);
      for (const slot of old) if (slot !== 0) this.#slots[this.#slotOfChain(slot - 1)] = slot;
    }
    this.#slots[this.#slotOfChain(chain)] = chain + 1;
  }

  #slotOfChain(chain: number): number {
    return this.#slotOf(this.#cells[chain + PARENT], this.#cells[chain + HEADER_CELLS]);
  }

  #slotOf(parent: number, frame: number): number {
    const slots = this.#slots;
    const cells = this.#cells;
    const mask = slots.length - 1;
    let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame, 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (;;) {
      const chain = slots[slot] - 1;
      if (chain < 0 || (cells[chain + PARENT] === parent && cells[chain + HEADER_CELLS] === frame))
        return slot;
      slot = (slot + 1) & mask;
    }
  }
}
