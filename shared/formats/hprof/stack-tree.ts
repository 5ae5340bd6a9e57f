import { grown, NONE, release } from '../../profile/columns.ts';

/** Cells in front of a run's frames: the node that it hangs below, … */
const PARENT = 0;
/** … where it ends, … */
const END = 1;
/** … the depth of its first node, … */
const DEPTH = 2;
/** … and the run below that the latest stack to leave this one went to; its complement when there are several below. */
const LATEST = 3;
const HEAD = 4;

/** A large factor: reserved pages that are never written cost no memory, but copying does. */
const GROWTH = 4;

/** A tree, structured-cloneable. */
export interface StackTreePart {
  readonly cells: Int32Array<ArrayBuffer>;
  readonly length: number;
}

/**
 * A tree of stacks, root first, for millions of stacks in any order. The frames that a stack does not share with
 * earlier ones form a run: consecutive nodes, each the child of the one before. So most of a stack is compared with
 * contiguous memory, 4 bytes per frame. Where a stack leaves a run, the run taken by the latest stack that left it is
 * tried first; if there are others, a lookup follows.
 *
 *   stacks of thread 0, root first     a b c d │ a b e │ a b c f g
 *
 *   cell     0   1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18
 *            ~0  8   1   ~13 a   b   c   d   5   13  3   0   e   6   19  4   0   f   g
 *            └─── head ──┘   └─ frames ──┘   └─── head ──┘       └─── head ──┘   └───┘
 *
 * A run is the number of its first cell, a node that of the cell of its frame. The root of a thread is no node: as a
 * parent, or where an empty stack ends, it is the complement of the thread's row.
 */
export class StackTree {
  #cells = new Int32Array(1024);
  #length = 0;
  #runs = 0;
  /** What `runs` returned last. */
  #listed = new Int32Array(0);
  /**
   * Hash table of the runs below roots, and of runs that share a parent run: open addressing at half load, key (parent,
   * first frame), value run + 1; 0 is free.
   */
  #slots = new Int32Array(512);
  #inSlots = 0;
  /** Runs from this cell on are not linked to those that they hang below. */
  #linkedEnd = 0;
  /** Node -> bits of the stacks that end there, and after `markUp` of those that go on from there to another run. */
  #marks = new Uint8Array(0);

  /** More than any node. */
  get length(): number {
    return this.#length;
  }

  /** The node where a stack ends; `frames` are its `depth` frames, innermost first. */
  place(thread: number, frames: Int32Array, depth: number): number {
    if (this.#linkedEnd < this.#length) this.#linkRuns();
    const cells = this.#cells;
    let node = ~thread;
    let left = NONE;
    let at = depth - 1;
    while (at >= 0) {
      const run = this.#next(left, node, frames[at]);
      if (run === NONE) return this.#append(left, node, frames, at, depth - at);
      left = run;
      node = run + HEAD;
      const last = Math.min(cells[run + END] - 1, node + at);
      at--;
      while (node < last && cells[node + 1] === frames[at]) {
        node++;
        at--;
      }
    }
    return node;
  }

  get part(): StackTreePart {
    return { cells: this.#cells, length: this.#length };
  }

  /**
   * Adds the stacks of another tree, in their order there, run by run. Only the first frames of a run can exist here
   * already; everything below a new node is new and needs no lookup. `threads` maps its threads to those of this tree.
   * Overwrites the other tree: the cell of each node then holds the node of this tree.
   */
  appendRange({ cells: theirs, length }: StackTreePart, threads: Int32Array): void {
    if (this.#linkedEnd < this.#length) this.#linkRuns();
    const known = this.#length;
    const runs = this.runs();
    if (known + length > this.#cells.length) this.#cells = grown(this.#cells, known + length, known);
    for (let run = 0; run < length; run = theirs[run + END]) {
      const above = theirs[run + PARENT];
      const parent = above < 0 ? ~threads[~above] : theirs[above];
      const isNew = parent >= known;
      const at = isNew
        ? run + HEAD
        : this.#walk(parent, theirs, run, parent < 0 ? NONE : runOf(runs, parent));
      if (at < theirs[run + END]) this.#copyRun(at === run + HEAD ? parent : theirs[at - 1], theirs, run, at);
    }
  }

  /** All runs, callers before what they call. */
  runs(): Int32Array {
    if (this.#listed.length === this.#runs) return this.#listed;
    const runs = new Int32Array(this.#runs);
    for (let index = 0, run = 0; index < runs.length; index++, run = this.end(run)) runs[index] = run;
    this.#listed = runs;
    return runs;
  }

  start(run: number): number {
    return run + HEAD;
  }

  end(run: number): number {
    return this.#cells[run + END];
  }

  /** The node that a run hangs below; the complement of a thread for its root. */
  parent(run: number): number {
    return this.#cells[run + PARENT];
  }

  /** Of the first node; 1 below the root. */
  depth(run: number): number {
    return this.#cells[run + DEPTH];
  }

  frame(node: number): number {
    return this.#cells[node];
  }

  mark(node: number, bit: number): void {
    if (this.#marks.length < this.#length) this.#marks = new Uint8Array(this.#length);
    this.#marks[node] |= bit;
  }

  /**
   * Marks the parent nodes of runs with marked nodes; one pass, because parents come first. `bits`: all marks in use.
   * Most stacks end at the end of their run, so one check per run is usually enough.
   */
  markUp(bits: number): void {
    const marks = this.#marks;
    if (marks.length === 0) return;
    const cells = this.#cells;
    const runs = this.runs();
    for (let index = runs.length - 1; index >= 0; index--) {
      const run = runs[index];
      const parent = cells[run + PARENT];
      if (parent < 0) continue;
      let marked = marks[parent];
      for (let node = cells[run + END] - 1; node >= run + HEAD && marked !== bits; node--)
        marked |= marks[node];
      marks[parent] = marked;
    }
  }

  /** The end of those nodes of a run, from its start on, that stacks with a mark go through, after `markUp`. */
  markedEnd(run: number, bit: number): number {
    const marks = this.#marks;
    let end = this.end(run);
    while (end > run + HEAD && (marks[end - 1] & bit) === 0) end--;
    return end;
  }

  /**
   * The cells of the frames. A caller that no longer needs the frames may overwrite them; `frame` then reads the
   * overwritten values.
   */
  get cells(): Int32Array {
    return this.#cells;
  }

  /** Gives the memory back. */
  release(): void {
    release(this.#cells, this.#slots, this.#marks);
  }

  /** Adds a run of frames[0 … last], innermost first, below a node of the run `left`; returns its last node. */
  #append(left: number, parent: number, frames: Int32Array, last: number, depth: number): number {
    const run = this.#length;
    const start = run + HEAD;
    const end = start + last + 1;
    if (end > this.#cells.length) this.#cells = grown(this.#cells, GROWTH * end);
    const cells = this.#cells;
    cells[run + PARENT] = parent;
    cells[run + END] = end;
    cells[run + DEPTH] = depth;
    cells[run + LATEST] = 0;
    for (let node = start, at = last; at >= 0; node++, at--) cells[node] = frames[at];
    this.#length = end;
    this.#linkedEnd = end;
    this.#runs++;
    this.#link(left, run);
    return end - 1;
  }

  /** The run that begins with a frame below a node of the run `left`, or below a root; NONE if there is none yet. */
  #next(left: number, node: number, frame: number): number {
    if (left === NONE) return this.#slots[this.#slotOf(node, frame)] - 1;
    const cells = this.#cells;
    const latest = cells[left + LATEST];
    if (latest === 0) return NONE;
    const run = latest > 0 ? latest : ~latest;
    if (cells[run + HEAD] === frame && cells[run + PARENT] === node) return run;
    if (latest > 0) return NONE;
    const found = this.#slots[this.#slotOf(node, frame)] - 1;
    if (found >= 0) cells[left + LATEST] = ~found;
    return found;
  }

  /** Notes that a run hangs below a node of another, or below a root. Most stay the only one there and need no slot. */
  #link(left: number, run: number): void {
    if (left === NONE) {
      this.#addToSlots(run);
      return;
    }
    const cells = this.#cells;
    const latest = cells[left + LATEST];
    if (latest > 0) this.#addToSlots(latest);
    if (latest !== 0) this.#addToSlots(run);
    cells[left + LATEST] = latest === 0 ? run : ~run;
  }

  #addToSlots(run: number): void {
    this.#inSlots++;
    if (this.#inSlots * 2 > this.#slots.length) {
      const old = this.#slots;
      this.#slots = new Int32Array(GROWTH * old.length);
      for (const slot of old) if (slot !== 0) this.#slots[this.#slotOfRun(slot - 1)] = slot;
    }
    this.#slots[this.#slotOfRun(run)] = run + 1;
  }

  #linkRuns(): void {
    const cells = this.#cells;
    const runs = this.runs();
    for (let run = this.#linkedEnd; run < this.#length; run = cells[run + END])
      this.#link(cells[run + PARENT] < 0 ? NONE : runOf(runs, cells[run + PARENT]), run);
    this.#linkedEnd = this.#length;
  }

  /**
   * Follows a run of another tree from a node of `left` on, and writes the nodes that it goes through over its frames.
   * Returns where it leaves this tree.
   */
  #walk(parent: number, theirs: Int32Array, run: number, left: number): number {
    const cells = this.#cells;
    const end = theirs[run + END];
    let node = parent;
    let at = run + HEAD;
    for (let within = left; at < end; at++) {
      const frame = theirs[at];
      if (within !== NONE && node + 1 < cells[within + END] && cells[node + 1] === frame) node++;
      else {
        const next = this.#next(within, node, frame);
        if (next === NONE) break;
        within = next;
        node = next + HEAD;
      }
      theirs[at] = node;
    }
    return at;
  }

  /** Adds theirs[at …), the rest of a run of another tree, below a node; writes the new nodes over it. */
  #copyRun(parent: number, theirs: Int32Array, theirRun: number, at: number): void {
    const cells = this.#cells;
    const run = this.#length;
    const theirEnd = theirs[theirRun + END];
    const end = run + HEAD + theirEnd - at;
    cells[run + PARENT] = parent;
    cells[run + END] = end;
    cells[run + DEPTH] = theirs[theirRun + DEPTH] + at - theirRun - HEAD;
    cells[run + LATEST] = 0;
    for (let node = run + HEAD, from = at; from < theirEnd; node++, from++) {
      cells[node] = theirs[from];
      theirs[from] = node;
    }
    this.#length = end;
    this.#runs++;
  }

  #slotOfRun(run: number): number {
    return this.#slotOf(this.#cells[run + PARENT], this.#cells[run + HEAD]);
  }

  #slotOf(parent: number, frame: number): number {
    const slots = this.#slots;
    const cells = this.#cells;
    const mask = slots.length - 1;
    let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame, 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (;;) {
      const run = slots[slot] - 1;
      if (run < 0 || (cells[run + PARENT] === parent && cells[run + HEAD] === frame)) return slot;
      slot = (slot + 1) & mask;
    }
  }
}

/** The run that a node is in; `runs` ascend. */
function runOf(runs: Int32Array, node: number): number {
  let low = 0;
  for (let high = runs.length; high - low > 1;) {
    const middle = (low + high) >> 1;
    if (runs[middle] <= node) low = middle;
    else high = middle;
  }
  return runs[low];
}
