import { FIRST_ROWS, FIRST_SLOTS } from '../profile/columns.ts';

const TWO_32 = 4_294_967_296;

/** 64-bit id -> dense index, a hash table with open addressing at half load. Ids are never removed. */
export class Int64Index {
  #slots = new Int32Array(FIRST_SLOTS).fill(-1);
  #keys = new Int32Array(2 * FIRST_ROWS);
  #length = 0;

  /** The index of an id, or -1. */
  find(hi: number, lo: number): number {
    return this.#slots[this.#slotOf(hi, lo)];
  }

  /** Adds an id that `find` has not found. Returns its index, which is the number of ids before it. */
  add(hi: number, lo: number): number {
    const index = this.#length++;
    if (index * 2 >= this.#keys.length) {
      const keys = new Int32Array(this.#keys.length * 2);
      keys.set(this.#keys);
      this.#keys = keys;
    }
    this.#keys[index * 2] = hi;
    this.#keys[index * 2 + 1] = lo;
    if (this.#length * 2 > this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
      for (let row = 0; row < index; row++) {
        this.#slots[this.#slotOf(this.#keys[row * 2], this.#keys[row * 2 + 1])] = row;
      }
    }
    this.#slots[this.#slotOf(hi, lo)] = index;
    return index;
  }

  /** The index of an id that is a whole number from 0 to 2^53 - 1, or -1. */
  findNumber(id: number): number {
    return this.find((id / TWO_32) | 0, id | 0);
  }

  /** Adds an id that `findNumber` has not found; returns its index. */
  addNumber(id: number): number {
    return this.add((id / TWO_32) | 0, id | 0);
  }

  #slotOf(hi: number, lo: number): number {
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    let hash = Math.imul(lo, 0x9e3779b1) ^ Math.imul(hi, 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (;;) {
      const row = slots[slot];
      if (row < 0 || (keys[row * 2 + 1] === lo && keys[row * 2] === hi)) return slot;
      slot = (slot + 1) & mask;
    }
  }
}
