import { grown } from '../../profile/columns.ts';

const KEYS = 4;
const SUMS = 2;

/**
 * Samples of one chunk that read alike, summed up: a JVM writes a stack trace once and then its key, so that most
 * samples have met their like. Parts are rows of the chunk's keys, NONE where an event has no such part.
 *
 *   row   thread   stack   state   class   count   value
 *   0     0        0       0       -1      17      0
 *   1     1        0       0       -1       2      0
 */
export class SampleGroups {
  length = 0;
  /** Ticks of the chunk's clock; Infinity and -Infinity while there are none. */
  firstTicks = Infinity;
  lastTicks = -Infinity;
  /** Four cells a row, side by side because they are compared together; and two sums. */
  #keys = new Int32Array(256 * KEYS);
  #sums = new Float64Array(256 * SUMS);
  /** Open addressing at half load. */
  #slots = new Int32Array(512).fill(-1);

  thread(row: number): number {
    return this.#keys[row * KEYS];
  }

  stack(row: number): number {
    return this.#keys[row * KEYS + 1];
  }

  state(row: number): number {
    return this.#keys[row * KEYS + 2];
  }

  class(row: number): number {
    return this.#keys[row * KEYS + 3];
  }

  count(row: number): number {
    return this.#sums[row * SUMS];
  }

  value(row: number): number {
    return this.#sums[row * SUMS + 1];
  }

  add(thread: number, stack: number, state: number, klass: number, count: number, value: number): void {
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    let slot = hashOf(thread, stack, state, klass) & mask;
    let row = slots[slot];
    for (; row >= 0; row = slots[slot]) {
      const key = row * KEYS;
      if (
        keys[key + 1] === stack &&
        keys[key] === thread &&
        keys[key + 2] === state &&
        keys[key + 3] === klass
      )
        break;
      slot = (slot + 1) & mask;
    }
    if (row < 0) row = this.#append(thread, stack, state, klass, slot);
    this.#sums[row * SUMS] += count;
    this.#sums[row * SUMS + 1] += value;
  }

  #append(thread: number, stack: number, state: number, klass: number, slot: number): number {
    const row = this.length++;
    if ((row + 1) * KEYS > this.#keys.length) {
      this.#keys = grown(this.#keys, row * 2 * KEYS);
      this.#sums = grown(this.#sums, row * 2 * SUMS);
    }
    const keys = this.#keys;
    keys[row * KEYS] = thread;
    keys[row * KEYS + 1] = stack;
    keys[row * KEYS + 2] = state;
    keys[row * KEYS + 3] = klass;
    this.#slots[slot] = row;
    if (this.length * 2 > this.#slots.length) this.#rehash();
    return row;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let row = 0; row < this.length; row++) {
      let slot = hashOf(this.thread(row), this.stack(row), this.state(row), this.class(row)) & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = row;
    }
    this.#slots = slots;
  }
}

function hashOf(thread: number, stack: number, state: number, klass: number): number {
  let hash = Math.imul(stack, 0x9e3779b1) + Math.imul(thread, 0x85ebca6b);
  hash = Math.imul(hash ^ (state << 20) ^ (klass << 11), 0xc2b2ae35);
  return hash ^ (hash >>> 15);
}
