import type { MemoryBudget } from '../aggregate/memory-budget.ts';

/** Slices for which there is memory at first: few, because a decoder may make an interner that it hardly uses. */
const FIRST_SLICES = 7;

/**
 * Byte slices -> dense numbers, without creating strings: a name in a text format may occur a million times, and is
 * needed as text once.
 *
 *   intern('Shop.main')  0        starts  0  9  19
 *   intern('Shop.parse') 1        arena   Shop.mainShop.parse
 *   intern('Shop.main')  0
 */
export class SliceInterner {
  length = 0;
  readonly #memory: MemoryBudget;
  /** Where the slice of the last `internUntil` ended. */
  end = 0;
  #arena = new Uint8Array(0);
  #arenaView = new DataView(this.#arena.buffer);
  /** The array of the last call, and a view of it that reads four bytes at a time. */
  #bytes: Uint8Array = new Uint8Array(0);
  #view = viewOf(this.#bytes);
  /** slice -> offset of its first byte in the arena; one extra entry at the end. */
  #starts = new Float64Array(FIRST_SLICES + 1);
  #hashes = new Int32Array(FIRST_SLICES);
  /** Open addressing at half load. */
  #slots = new Int32Array(16).fill(-1);

  /** `keeps` is told how many bytes each new slice takes. One that it refuses is not copied: its number is 0. */
  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** Returns the number of the slice bytes[from … to). A new slice is copied and gets the next number. */
  intern(bytes: Uint8Array, from: number, to: number): number {
    const view = this.#viewOf(bytes);
    let hash = SEED;
    let at = from;
    for (; at + 4 <= to; at += 4) hash = mixed(hash, view.getInt32(at, true));
    return this.#find(bytes, from, to, finished(hash, tailOf(bytes, at, to)));
  }

  /**
   * Interns the slice from `from` up to the first byte `stop`, or up to `to` if there is none. Sets `end` to its end.
   * Searches and hashes in one pass, four bytes at a time.
   */
  internUntil(bytes: Uint8Array, from: number, to: number, stop: number): number {
    const view = this.#viewOf(bytes);
    const stops = Math.imul(stop, 0x01010101);
    let hash = SEED;
    let at = from;
    for (; at + 4 <= to; at += 4) {
      const word = view.getInt32(at, true);
      // A stop byte is zero here. Subtracting 1 from each byte sets the highest bit of those that were zero.
      const differing = word ^ stops;
      if (((differing - 0x01010101) & ~differing & 0x80808080) !== 0) break;
      hash = mixed(hash, word);
    }
    let end = at;
    while (end < to && bytes[end] !== stop) end++;
    this.end = end;
    return this.#find(bytes, from, end, finished(hash, tailOf(bytes, at, end)));
  }

  /** Whether the content of a slice equals bytes[from … to). */
  equals(slice: number, bytes: Uint8Array, from: number, to: number): boolean {
    return this.#equals(slice, bytes, this.#viewOf(bytes), from, to);
  }

  /** Borrowed until the next `intern`. */
  bytesOf(slice: number): Uint8Array {
    return this.#arena.subarray(this.#starts[slice], this.#starts[slice + 1]);
  }

  #find(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] >= 0; slot = (slot + 1) & mask) {
      const slice = slots[slot];
      if (this.#hashes[slice] === hash && this.#equals(slice, bytes, this.#view, from, to)) return slice;
    }
    return this.#add(bytes, from, to, hash, slot);
  }

  #equals(slice: number, bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    const arena = this.#arena;
    const arenaView = this.#arenaView;
    let at = this.#starts[slice];
    if (this.#starts[slice + 1] - at !== to - from) return false;
    let index = from;
    for (; index + 4 <= to; index += 4, at += 4)
      if (arenaView.getInt32(at, true) !== view.getInt32(index, true)) return false;
    for (; index < to; index++, at++) if (arena[at] !== bytes[index]) return false;
    return true;
  }

  #viewOf(bytes: Uint8Array): DataView {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = viewOf(bytes);
    }
    return this.#view;
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    if (!this.#memory.keep(SLICE_BYTES + to - from) && this.length > 0) return 0;
    const slice = this.length++;
    const start = this.#starts[slice];
    const end = start + to - from;
    if (end > this.#arena.length) {
      const larger = new Uint8Array(Math.max(end, this.#arena.length * 2, 512));
      larger.set(this.#arena);
      this.#arena = larger;
      this.#arenaView = new DataView(larger.buffer);
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

/** Bytes of a slice in the tables, without its text. */
const SLICE_BYTES = 24;

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const SEED = 0x811c9dc5 | 0;

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/** The bytes after the last complete word, at most three. */
function tailOf(bytes: Uint8Array, from: number, to: number): number {
  let tail = to - from;
  for (let at = from; at < to; at++) tail = (tail << 8) | bytes[at];
  return tail;
}

function finished(hash: number, tail: number): number {
  const product = Math.imul(mixed(hash, tail), 0x85ebca6b);
  return product ^ (product >>> 13);
}
