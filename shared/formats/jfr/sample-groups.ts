import { grown } from '../../profile/columns.ts';

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
  thread = new Int32Array(256);
  stack = new Int32Array(256);
  state = new Int32Array(256);
  class = new Int32Array(256);
  count = new Float64Array(256);
  value = new Float64Array(256);
  /** Events, which may stand for several samples each. */
  events = 0;
  /** Ticks of the chunk's clock; Infinity and -Infinity while there are none. */
  firstTicks = Infinity;
  lastTicks = -Infinity;
  /** Open addressing at half load. */
  #slots = new Int32Array(512).fill(-1);

  add(thread: number, stack: number, state: number, klass: number, count: number, value: number): void {
    let slots = this.#slots;
    let mask = slots.length - 1;
    let slot = hashOf(thread, stack, state, klass) & mask;
    let row = slots[slot];
    while (
      row >= 0 &&
      (this.stack[row] !== stack ||
        this.thread[row] !== thread ||
        this.state[row] !== state ||
        this.class[row] !== klass)
    ) {
      slot = (slot + 1) & mask;
      row = slots[slot];
    }
    if (row < 0) {
      row = this.length++;
      if (row * 2 >= slots.length) {
        this.#grow();
        slots = this.#slots;
        mask = slots.length - 1;
        slot = hashOf(thread, stack, state, klass) & mask;
        while (slots[slot] >= 0) slot = (slot + 1) & mask;
      }
      slots[slot] = row;
      this.thread[row] = thread;
      this.stack[row] = stack;
      this.state[row] = state;
      this.class[row] = klass;
    }
    this.count[row] += count;
    this.value[row] += value;
  }

  #grow(): void {
    const capacity = this.thread.length * 2;
    this.thread = grown(this.thread, capacity);
    this.stack = grown(this.stack, capacity);
    this.state = grown(this.state, capacity);
    this.class = grown(this.class, capacity);
    this.count = grown(this.count, capacity);
    this.value = grown(this.value, capacity);
    const slots = new Int32Array(capacity * 2).fill(-1);
    const mask = slots.length - 1;
    for (let row = 0; row < this.length - 1; row++) {
      let slot = hashOf(this.thread[row], this.stack[row], this.state[row], this.class[row]) & mask;
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
