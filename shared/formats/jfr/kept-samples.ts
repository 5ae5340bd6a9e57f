import { Int64Index } from '../../aggregate/int64-index.ts';
import { grown, nextCapacity } from '../../profile/columns.ts';
import { TimeColumn } from '../../profile/time-column.ts';
import type { KeptPart, KeptStacks } from './recording-part.ts';

/** Pairs of a thread and a stack. Placing as many takes half a second, which only one thread can then do. */
const MOST_PAIRS = 1 << 16;

/**
 * Samples of a byte range by thread and stack, in order of first appearance, kept until the ranges are combined. Most
 * stacks occur in every range. Placing them in a tree per range would repeat a lookup per frame in each range, and
 * again when the trees are merged. The decoder of the first range has already placed most of them.
 *
 *   row   thread   stack   count   value
 *   0     0        0       17      0
 *   1     1        0       2       0
 */
export class KeptSamples {
  readonly #rows = new Int64Index();
  #length = 0;
  #thread = new Int32Array(256);
  #stack = new Int32Array(256);
  #count = new Float64Array(256);
  readonly #value = new TimeColumn(256);

  /** False when the capacity for pairs is used up. */
  add(thread: number, stack: number, count: number, value: number): boolean {
    let row = this.#rows.find(thread, stack);
    if (row < 0) {
      if (this.#length === MOST_PAIRS) return false;
      row = this.#rows.add(thread, stack);
      this.#append(thread, stack);
    }
    this.#count[row] += count;
    this.#value.add(row, value);
    return true;
  }

  /** Shares the memory of the columns. */
  part(stacks: KeptStacks): KeptPart {
    return {
      length: this.#length,
      thread: this.#thread,
      stack: this.#stack,
      count: this.#count,
      value: { ns: this.#value.ns, bigints: this.#value.bigints },
      stacks,
    };
  }

  #append(thread: number, stack: number): void {
    const row = this.#length++;
    if (row === this.#thread.length) {
      const capacity = nextCapacity(row, row + 1);
      this.#thread = grown(this.#thread, capacity);
      this.#stack = grown(this.#stack, capacity);
      this.#count = grown(this.#count, capacity);
      this.#value.reserve(capacity);
    }
    this.#thread[row] = thread;
    this.#stack[row] = stack;
  }
}
