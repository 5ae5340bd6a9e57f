import { Int64Index } from '../../aggregate/int64-index.ts';
import { FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { FIRST_ROWS, FIRST_SLOTS, grown, nextCapacity } from '../../profile/columns.ts';

/** 64 MB. Stacks that do not fit are placed frame by frame each time. */
const MAX_CELLS = (4 << 20) * FRAME_CELLS;

/**
 * Numbers the stacks of all chunks, and stores the call node at which each ends in a thread. Keys of stack traces are
 * valid in one chunk only, and a recording of an hour has some hundred chunks with the same stacks: finding a known
 * stack takes one comparison, placing it again takes a lookup per frame.
 *
 *   number   cells
 *   0        0 77 12 4 │ 0 76 30 1
 *   1        0 78  3 0 │ 0 76 31 9
 *
 *   thread,number   node
 *   0,0             2
 *   1,0             7
 */
export class StackNumbers {
  #length = 0;
  #cells = new Int32Array(FIRST_ROWS);
  #cellsUsed = 0;
  /** number -> its first cell; one extra entry at the end. */
  #starts = new Int32Array(FIRST_ROWS + 1);
  #hashes = new Int32Array(FIRST_ROWS);
  /** Hash table with open addressing, at most half full. */
  #slots = new Int32Array(FIRST_SLOTS).fill(-1);
  /** (thread, number) -> row of #nodes. */
  readonly #places = new Int64Index();
  #nodes = new Int32Array(FIRST_ROWS);

  /** The number of a stack, which is added if it is unknown; -1 if the capacity is used up. */
  of(stack: Int32Array): number {
    const cells = stack.length;
    const hash = hashOf(stack, cells);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] >= 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot];
      if (this.#hashes[number] === hash && this.#equals(number, stack, cells)) return number;
    }
    return this.#cellsUsed + cells > MAX_CELLS ? -1 : this.#add(stack, cells, hash, slot);
  }

  /** Borrowed until the next `of`. */
  cellsOf(number: number): Int32Array {
    return this.#cells.subarray(this.#starts[number], this.#starts[number + 1]);
  }

  /** The call node where a stack ends in a thread; -1 if it has not been placed there. */
  nodeOf(thread: number, number: number): number {
    const place = this.#places.find(thread, number);
    return place < 0 ? -1 : this.#nodes[place];
  }

  /** Stores the call node where a stack ends in a thread, for which `nodeOf` returned -1. */
  place(thread: number, number: number, node: number): void {
    const place = this.#places.add(thread, number);
    if (place === this.#nodes.length) this.#nodes = grown(this.#nodes, nextCapacity(place, place + 1));
    this.#nodes[place] = node;
  }

  #equals(number: number, stack: Int32Array, cells: number): boolean {
    const kept = this.#cells;
    const start = this.#starts[number];
    if (this.#starts[number + 1] - start !== cells) return false;
    for (let cell = 0; cell < cells; cell++) if (kept[start + cell] !== stack[cell]) return false;
    return true;
  }

  #add(stack: Int32Array, cells: number, hash: number, slot: number): number {
    const number = this.#length++;
    const start = this.#cellsUsed;
    const end = start + cells;
    if (end > this.#cells.length) this.#cells = grown(this.#cells, nextCapacity(this.#cells.length, end));
    this.#cells.set(stack, start);
    this.#cellsUsed = end;
    if (number === this.#hashes.length) {
      this.#hashes = grown(this.#hashes, number * 2);
      this.#starts = grown(this.#starts, number * 2 + 1);
    }
    this.#hashes[number] = hash;
    this.#starts[number + 1] = end;
    this.#slots[slot] = number;
    if (this.#length * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#length; number++) {
      let slot = this.#hashes[number] & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}

function hashOf(stack: Int32Array, cells: number): number {
  let hash = cells;
  for (let cell = 0; cell < cells; cell += FRAME_CELLS) {
    const frame = Math.imul(stack[cell + 1], 0x85ebca6b) ^ (stack[cell + 2] << 10) ^ stack[cell + 3];
    hash = Math.imul(hash ^ frame, 0x9e3779b1) ^ (hash >>> 15);
  }
  return hash ^ (hash >>> 13);
}
