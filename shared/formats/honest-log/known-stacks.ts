import { NONE } from '../../profile/columns.ts';
import { FRAME_FULL_SIZE, RecordType } from './records.ts';

/** A power of two. */
const SLOTS = 1 << 14;
/** Bytes of stacks that are kept: some 10 000 of usual depth. */
const RING_BYTES = 16 << 20;
/** Longer stacks are not kept: a few would push out all others. */
const MAX_STACK_SHARE = 1 / 256;
/** Of so many stacks looked up, … */
const TRIAL = 512;
/** … this share of their bytes must have been known, or looking up rests for the next RESTS trials. */
const WORTHWHILE = 1 / 16;
const RESTS = 15;

const NOTHING = new Int32Array(0);

/**
 * Stacks of threads as the log wrote them, byte by byte, and the call node at which each ended. In a log with few call
 * nodes nearly every stack has been seen before: then one comparison of its bytes takes the place of decoding its
 * frames and walking the tree, at a tenth of the cost. In a log where every stack is new it would be a waste, so it
 * watches whether it pays, and rests if not.
 *
 *   slot   thread   node   bytes kept at
 *   17     3        8120   ring[2 040 … 3 400)
 *   18     0        77     ring[0 … 1 360), or what has been written over it since: forgotten
 */
export class KnownStacks {
  readonly #slots: number;
  readonly #ringBytes: number;
  #ring = new Uint8Array(0);
  #view = new DataView(this.#ring.buffer);
  #written = 0;
  #thread = NOTHING;
  #node = NOTHING;
  #length = NOTHING;
  /** Bytes ever written to the ring before the stack's first. */
  #start = new Float64Array(0);

  /** Slot of the stack that the latest `find` knew, and of the one that waits for its `endedAt`. */
  #found = 0;
  #asked = NONE;
  #tried = 0;
  #triedBytes = 0;
  #knownBytes = 0;
  /** It begins with a rest: a small log is not worth the memory. */
  #resting = 1;

  constructor(slots = SLOTS, ringBytes = RING_BYTES) {
    this.#slots = slots;
    this.#ringBytes = ringBytes;
  }

  /**
   * The node where the stack input[at … at+length), full frames only, ended in this thread before; or NONE, and then
   * `endedAt` says where it ends now.
   */
  find(thread: number, input: Uint8Array, view: DataView, at: number, length: number): number {
    this.#asked = NONE;
    if (length > this.#ringBytes * MAX_STACK_SHARE) return NONE;
    if (this.#tried === TRIAL) this.#judge();
    this.#tried++;
    if (this.#resting > 0) return NONE;
    const hash = hashOf(thread, input, view, at, length);
    if (hash === NONE) return NONE;
    const slot = hash & (this.#slots - 1);
    this.#triedBytes += length;
    const isKept =
      this.#length[slot] === length &&
      this.#thread[slot] === thread &&
      this.#node[slot] !== NONE &&
      this.#written - this.#start[slot] <= this.#ringBytes;
    if (isKept && this.#equals(this.#start[slot] % this.#ringBytes, view, at, length)) {
      this.#knownBytes += length;
      this.#found = slot;
      return this.#node[slot];
    }
    this.#keep(slot, thread, input, at, length);
    return NONE;
  }

  /** Where the stack ended that `find` did not know; NONE when it turned out to be another. */
  endedAt(node: number): void {
    if (this.#asked !== NONE) this.#node[this.#asked] = node;
    this.#asked = NONE;
  }

  /** The bytes of the stack that `find` knew; until the next `find`. */
  get foundBytes(): Uint8Array {
    const start = this.#start[this.#found] % this.#ringBytes;
    return this.#ring.subarray(start, start + this.#length[this.#found]);
  }

  #keep(slot: number, thread: number, input: Uint8Array, at: number, length: number): void {
    if (this.#ring.length === 0) this.#begin();
    // A stack lies in one piece: the rest of the ring stays unused when it is too short.
    const left = this.#ringBytes - (this.#written % this.#ringBytes);
    if (left < length) this.#written += left;
    this.#ring.set(input.subarray(at, at + length), this.#written % this.#ringBytes);
    this.#thread[slot] = thread;
    this.#node[slot] = NONE;
    this.#length[slot] = length;
    this.#start[slot] = this.#written;
    this.#written += length;
    this.#asked = slot;
  }

  #begin(): void {
    this.#ring = new Uint8Array(this.#ringBytes);
    this.#view = new DataView(this.#ring.buffer);
    this.#thread = new Int32Array(this.#slots);
    this.#node = new Int32Array(this.#slots);
    this.#length = new Int32Array(this.#slots);
    this.#start = new Float64Array(this.#slots);
  }

  #equals(start: number, view: DataView, at: number, length: number): boolean {
    const ringView = this.#view;
    for (let offset = 0; offset < length; offset += FRAME_FULL_SIZE) {
      const here = at + offset;
      const there = start + offset;
      const differs =
        (view.getInt32(here + 13) ^ ringView.getInt32(there + 13)) |
        (view.getInt32(here + 5) ^ ringView.getInt32(there + 5)) |
        (view.getInt32(here + 1) ^ ringView.getInt32(there + 1)) |
        (view.getInt32(here + 9) ^ ringView.getInt32(there + 9));
      if (differs !== 0) return false;
    }
    return true;
  }

  #judge(): void {
    if (this.#resting > 0) this.#resting--;
    else if (this.#knownBytes < this.#triedBytes * WORTHWHILE) this.#resting = RESTS;
    this.#tried = 0;
    this.#triedBytes = 0;
    this.#knownBytes = 0;
  }
}

/**
 * From the thread and, of every frame, the line and the lower half of the method id: what differs, differs there. NONE
 * when a record among these bytes is no full frame.
 */
function hashOf(thread: number, input: Uint8Array, view: DataView, at: number, length: number): number {
  let hash = Math.imul(thread ^ length, 0x9e3779b1);
  for (let offset = at; offset < at + length; offset += FRAME_FULL_SIZE) {
    if (input[offset] !== RecordType.frameFull) return NONE;
    hash = Math.imul(hash, 0x85ebca6b) + (view.getInt32(offset + 13) ^ (view.getInt32(offset + 5) << 8));
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x9e3779b1);
  return hash >>> 8;
}
