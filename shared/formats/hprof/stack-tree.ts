import { grown, nextCapacity, NONE, release } from '../../profile/columns.ts';

/** Cells of a node. What a step down the tree reads lies in one cache line. */
const WIDTH = 4;
const FRAME = 0;
const PARENT = 1;
/** The child that a stack went to last, of those that are not in the next row; 0 for none: node 0 is nobody's child. */
const LATEST = 2;
/** Nodes that a trace ends at are marked here, and then those above them. */
const MARK = 3;

/**
 * Stacks as a tree from the root on, made for millions of them in no order: a step to a known child reads the next row,
 * or the child that was last gone to; only then a hash table of those children that do not follow their parent.
 *
 *   row   frame   parent   latest
 *   0     ~0      -1       0         root of thread 0
 *   1      0       0       4
 *   2      1       1       0
 *   3      2       2       0         0 1 2
 *   4      3       1       0         0 3
 */
export class StackTree {
  length = 0;
  #cells = new Int32Array(WIDTH * 256);
  /** Open addressing at half load, by (parent, frame): children that are not in the row after their parent's. */
  #slots = new Int32Array(512);
  #later = 0;

  root(thread: number): number {
    return this.#append(NONE, ~thread);
  }

  /** The node where a stack ends; `frames` are its `depth` frames, innermost first. */
  place(root: number, frames: Int32Array, depth: number): number {
    const cells = this.#cells;
    const end = this.length;
    let node = root;
    let at = depth - 1;
    for (; at >= 0; at--) {
      const frame = frames[at];
      let child = node + 1;
      let cell = child * WIDTH;
      if (child >= end || cells[cell] !== frame || cells[cell + PARENT] !== node) {
        child = cells[node * WIDTH + LATEST];
        if (child === 0) break;
        cell = child * WIDTH;
        if (cells[cell] !== frame) {
          child = this.#slots[this.#slotOf(node, frame)];
          if (child === 0) break;
          cells[node * WIDTH + LATEST] = child;
        }
      }
      node = child;
    }
    for (; at >= 0; at--) node = this.#append(node, frames[at]);
    return node;
  }

  /** The parent of a node, NONE for a root. */
  parent(node: number): number {
    return this.#cells[node * WIDTH + PARENT];
  }

  /** The frame of a node; for a root the complement of its thread. */
  frame(node: number): number {
    return this.#cells[node * WIDTH + FRAME];
  }

  mark(node: number, bit: number): void {
    this.#cells[node * WIDTH + MARK] |= bit;
  }

  /** Marks what is above marked nodes; one sweep, because parents come first. */
  markUp(): void {
    const cells = this.#cells;
    for (let cell = (this.length - 1) * WIDTH; cell >= 0; cell -= WIDTH) {
      const parent = cells[cell + PARENT];
      if (parent !== NONE) cells[parent * WIDTH + MARK] |= cells[cell + MARK];
    }
  }

  isMarked(node: number, bit: number): boolean {
    return (this.#cells[node * WIDTH + MARK] & bit) !== 0;
  }

  /** Gives the memory back. */
  release(): void {
    release(this.#cells, this.#slots);
  }

  #append(parent: number, frame: number): number {
    const node = this.length++;
    let cells = this.#cells;
    if (this.length * WIDTH > cells.length)
      cells = this.#cells = grown(cells, WIDTH * nextCapacity(node, this.length));
    cells[node * WIDTH] = frame;
    cells[node * WIDTH + PARENT] = parent;
    if (parent !== NONE && parent !== node - 1) {
      cells[parent * WIDTH + LATEST] = node;
      this.#addLater(parent, frame, node);
    }
    return node;
  }

  #addLater(parent: number, frame: number, node: number): void {
    this.#later++;
    if (this.#later * 2 > this.#slots.length) {
      const old = this.#slots;
      this.#slots = new Int32Array(old.length * 2);
      for (const each of old) {
        if (each !== 0) this.#slots[this.#slotOf(this.parent(each), this.frame(each))] = each;
      }
    }
    this.#slots[this.#slotOf(parent, frame)] = node;
  }

  #slotOf(parent: number, frame: number): number {
    const slots = this.#slots;
    const cells = this.#cells;
    const mask = slots.length - 1;
    let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame, 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (;;) {
      const node = slots[slot];
      if (node === 0) return slot;
      if (cells[node * WIDTH] === frame && cells[node * WIDTH + PARENT] === parent) return slot;
      slot = (slot + 1) & mask;
    }
  }
}
