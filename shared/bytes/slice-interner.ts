/**
 * Byte slices -> dense numbers, without making strings of them: names in text formats are met a million times and
 * needed as text once.
 *
 *   intern('Shop.main')  0        starts  0  9  19
 *   intern('Shop.parse') 1        arena   Shop.mainShop.parse
 *   intern('Shop.main')  0
 */
export class SliceInterner {
  length = 0;
  #arena = new Uint8Array(1 << 14);
  /** slice -> its first byte in the arena; one more than there are slices. */
  #starts = new Float64Array(513);
  #hashes = new Int32Array(512);
  /** Open addressing at half load. */
  #slots = new Int32Array(1024).fill(-1);

  /** The number of bytes[from … to), a new one when it was not met before. The bytes are copied. */
  intern(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashOf(bytes, from, to);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] >= 0; slot = (slot + 1) & mask) {
      if (this.#hashes[slots[slot]] === hash && this.equals(slots[slot], bytes, from, to)) return slots[slot];
    }
    return this.#add(bytes, from, to, hash, slot);
  }

  /** Whether a slice is bytes[from … to). */
  equals(slice: number, bytes: Uint8Array, from: number, to: number): boolean {
    const arena = this.#arena;
    let at = this.#starts[slice];
    if (this.#starts[slice + 1] - at !== to - from) return false;
    for (let index = from; index < to; index++, at++) if (arena[at] !== bytes[index]) return false;
    return true;
  }

  /** Borrowed until the next `intern`. */
  bytesOf(slice: number): Uint8Array {
    return this.#arena.subarray(this.#starts[slice], this.#starts[slice + 1]);
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const slice = this.length++;
    const start = this.#starts[slice];
    const end = start + to - from;
    if (end > this.#arena.length) {
      const larger = new Uint8Array(Math.max(end, this.#arena.length * 2));
      larger.set(this.#arena);
      this.#arena = larger;
    }
    this.#arena.set(bytes.subarray(from, to), start);
    if (slice === this.#hashes.length) this.#grow();
    this.#starts[slice + 1] = end;
    this.#hashes[slice] = hash;
    this.#slots[slot] = slice;
    if (this.length * 2 > this.#slots.length) this.#rehash();
    return slice;
  }

  #grow(): void {
    const capacity = this.#hashes.length * 2;
    const hashes = new Int32Array(capacity);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const starts = new Float64Array(capacity + 1);
    starts.set(this.#starts);
    this.#starts = starts;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let slice = 0; slice < this.length; slice++) {
      let slot = this.#hashes[slice] & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = slice;
    }
    this.#slots = slots;
  }
}

/** FNV-1a, and a last mix because its low bits are poor. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
  return hash ^ (hash >>> 15);
}
