import { FIRST_ROWS, FIRST_SLOTS } from '../profile/columns.ts';
import { FRAME_CELLS } from './sample-sink.ts';

/**
 * (method id, line, BCI) -> frame, a hash table with open addressing at half load. This is the most frequent look-up of
 * the program. A profile has a few thousand distinct frames, so the table stays in the second-level cache.
 */
export class FrameInterner {
  #slots = new Int32Array(FIRST_SLOTS).fill(-1);
  /** FRAME_CELLS per frame: id hi, id lo, line, BCI. A key is within one cache line. */
  #keys = new Int32Array(FRAME_CELLS * FIRST_ROWS);
  #length = 0;
  /** frame -> the frame that was looked up after it last time. It is tried first, because usually it is the next again. */
  #following = new Int32Array(FIRST_ROWS);
  /** The frame that was looked up last. */
  #latest = 0;

  /** FRAME_CELLS per frame; the array is replaced when it grows. */
  get cells(): Int32Array {
    return this.#keys;
  }

  /**
   * Looks up the frames of a stack from `index` to `depth` and writes them to `frames`. Returns the index of the first
   * unknown frame, `depth` if all are known.
   */
  find(stack: Int32Array, index: number, depth: number, frames: Int32Array): number {
    const keys = this.#keys;
    const following = this.#following;
    const length = this.#length;
    let latest = this.#latest;
    let next = index;
    for (let at = index * FRAME_CELLS; next < depth; next++, at += FRAME_CELLS) {
      let frame = following[latest];
      const key = frame * FRAME_CELLS;
      if (
        keys[key + 1] !== stack[at + 1] ||
        keys[key + 2] !== stack[at + 2] ||
        keys[key + 3] !== stack[at + 3] ||
        keys[key] !== stack[at] ||
        frame >= length
      ) {
        frame = this.#probe(stack[at], stack[at + 1], stack[at + 2], stack[at + 3]);
        if (frame < 0) break;
        following[latest] = frame;
      }
      frames[next] = frame;
      latest = frame;
    }
    this.#latest = latest;
    return next;
  }

  /** Whether `frame` is the one whose key is stack[at … at+4). */
  equals(frame: number, stack: Int32Array, at: number): boolean {
    const key = frame * FRAME_CELLS;
    const keys = this.#keys;
    return (
      keys[key + 1] === stack[at + 1] &&
      keys[key + 2] === stack[at + 2] &&
      keys[key + 3] === stack[at + 3] &&
      keys[key] === stack[at]
    );
  }

  #probe(hi: number, lo: number, line: number, bci: number): number {
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    let slot = hashOf(hi, lo, line, bci) & mask;
    for (;;) {
      const frame = slots[slot];
      if (frame < 0) return -1;
      const at = frame << 2;
      if (keys[at + 1] === lo && keys[at + 2] === line && keys[at + 3] === bci && keys[at] === hi)
        return frame;
      slot = (slot + 1) & mask;
    }
  }

  /** Adds a frame that `find` has not found. Returns its number, which is the number of frames before it. */
  add(hi: number, lo: number, line: number, bci: number): number {
    const frame = this.#length++;
    if (this.#length * 2 > this.#slots.length) this.#grow(frame);
    const at = frame << 2;
    const keys = this.#keys;
    keys[at] = hi;
    keys[at + 1] = lo;
    keys[at + 2] = line;
    keys[at + 3] = bci;
    this.#insert(frame);
    return frame;
  }

  #insert(frame: number): void {
    const keys = this.#keys;
    const at = frame << 2;
    const mask = this.#slots.length - 1;
    let slot = hashOf(keys[at], keys[at + 1], keys[at + 2], keys[at + 3]) & mask;
    while (this.#slots[slot] >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = frame;
  }

  #grow(present: number): void {
    const keys = new Int32Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    const following = new Int32Array(keys.length >> 2);
    following.set(this.#following);
    this.#following = following;
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let frame = 0; frame < present; frame++) this.#insert(frame);
  }
}

function hashOf(hi: number, lo: number, line: number, bci: number): number {
  let hash = Math.imul(lo ^ Math.imul(line, 0xc2b2ae35), 0x9e3779b1) ^ Math.imul(bci + hi, 0x85ebca6b);
  hash ^= hash >>> 15;
  return hash ^ (hash >>> 7);
}
