/**
 * (method id, line, BCI) -> frame, open addressing at half load. This is the hottest lookup of the program, once per
 * frame record: a profile has some thousand distinct frames, so slots and keys stay in the second-level cache, and the
 * lookup does not wait for the walk through the call tree that follows it.
 */
export class FrameInterner {
  #slots = new Int32Array(4096).fill(-1);
  /** Four cells a frame: id hi, id lo, line, BCI; one cache line holds a whole key. */
  #keys = new Int32Array(4 * 2048);
  #length = 0;
  /** frame -> the frame that was looked up after it last time: most often its caller, who mostly stays the same. */
  #following = new Int32Array(2048);
  #latest = 0;

  /** The frame, or -1. */
  find(hi: number, lo: number, line: number, bci: number): number {
    const guess = this.#following[this.#latest];
    const at = guess << 2;
    const keys = this.#keys;
    if (
      keys[at + 1] === lo &&
      keys[at + 2] === line &&
      keys[at + 3] === bci &&
      keys[at] === hi &&
      guess < this.#length
    ) {
      this.#latest = guess;
      return guess;
    }
    const frame = this.#probe(hi, lo, line, bci);
    if (frame >= 0) {
      this.#following[this.#latest] = frame;
      this.#latest = frame;
    }
    return frame;
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

  /** Adds a frame that `find` does not know; its index is the number of frames before it. */
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
