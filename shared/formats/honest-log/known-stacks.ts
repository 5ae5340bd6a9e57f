import { NONE } from '../../profile/columns.ts';
import { FRAME_FULL_SIZE, RecordType } from './records.ts';

/** Powers of two. */
const SLOTS = 1 << 16;
/** Frames of stacks that are kept: some ten thousand stacks of usual depth, 18 MB. */
const RING_FRAMES = 1 << 20;
/** Longer stacks are not kept: a few would push out all others. */
const LONGEST_SHARE = 1 / 256;
/** Of so many stacks looked up, … */
const TRIAL = 512;
/** … this share of their frames must have been known, or looking up rests for the next RESTS trials. */
const WORTHWHILE = 1 / 16;
const RESTS = 15;
/** Frames that a stack's hash looks at: enough to tell most stacks apart, for a fifth of what all would cost. */
const HASHED_FRAMES = 8;
/** So that numbers of frames stay 32-bit integers. */
const START_OVER_AT = 1 << 30;

/** Cells of a slot; they share a cache line, so that a look-up waits for memory once. */
const SLOT_CELLS = 4;
const THREAD = 0;
const NODE = 1;
const DEPTH = 2;
/** Frames ever written to the ring before the stack's first. */
const START = 3;

/**
 * Stacks of threads as the log wrote them, byte by byte, and the call node at which each ended. In a log with few call
 * nodes nearly every stack has been seen before: then one comparison of its bytes takes the place of decoding its
 * frames and walking the tree, at a tenth of the cost. In a log where every stack is new it would be a waste, so it
 * watches whether it pays, and rests if not. Stacks of frames without lines are not kept: they are mixed in rarely, and
 * keeping them too gained nothing.
 *
 *   slot   thread   node   depth   start
 *   17     3        8120   80      120          frames 120 … 200 of the ring
 *   18     0        -1     80      200          not known yet where it ends
 *   19     0        77     80      40           with 1 048 700 frames written to the ring since: forgotten
 */
export class KnownStacks {
  readonly #slotCount: number;
  readonly #ringFrames: number;
  #ring = new Uint8Array(0);
  #view = new DataView(this.#ring.buffer);
  #slots = new Int32Array(0);
  /** Frames ever written to the ring. */
  #written = 0;
  /** Cell of the slot of the stack that the latest `find` knew, and of the one that waits for its `endedAt`. */
  #found = 0;
  #asked = NONE;
  #tried = 0;
  #triedFrames = 0;
  #knownFrames = 0;
  /** It begins with a rest: a small log is not worth the memory. */
  #resting = 1;

  constructor(slotCount = SLOTS, ringFrames = RING_FRAMES) {
    this.#slotCount = slotCount;
    this.#ringFrames = ringFrames;
  }

  /**
   * The node where the stack of `depth` full frames at input[at…] ended in this thread before; or NONE, and then
   * `endedAt` says where it ends now.
   */
  find(thread: number, input: Uint8Array, view: DataView, at: number, depth: number): number {
    this.#asked = NONE;
    if (depth > this.#ringFrames * LONGEST_SHARE) return NONE;
    if (this.#tried === TRIAL) this.#judge();
    this.#tried++;
    if (this.#resting > 0) return NONE;
    if (this.#written + depth >= START_OVER_AT || this.#written === 0) this.#startOver();
    this.#triedFrames += depth;
    const slots = this.#slots;
    const slot = (hashOf(thread, view, at, depth) & (this.#slotCount - 1)) * SLOT_CELLS;
    if (
      slots[slot + DEPTH] === depth &&
      slots[slot + THREAD] === thread &&
      slots[slot + NODE] !== NONE &&
      this.#written - slots[slot + START] <= this.#ringFrames &&
      this.#equals(this.#ringAt(slots[slot + START]), input, view, at, depth)
    ) {
      this.#knownFrames += depth;
      this.#found = slot;
      return slots[slot + NODE];
    }
    this.#keep(slot, thread, input, at, depth);
    return NONE;
  }

  /** Where the stack ended that `find` did not know; NONE when it turned out to be another. */
  endedAt(node: number): void {
    if (this.#asked !== NONE) this.#slots[this.#asked + NODE] = node;
    this.#asked = NONE;
  }

  /** The records of the stack that `find` knew; until the next `find`. */
  get foundBytes(): Uint8Array {
    const start = this.#ringAt(this.#slots[this.#found + START]);
    return this.#ring.subarray(start, start + this.#slots[this.#found + DEPTH] * FRAME_FULL_SIZE);
  }

  #startOver(): void {
    if (this.#ring.length === 0) {
      this.#ring = new Uint8Array(this.#ringFrames * FRAME_FULL_SIZE);
      this.#view = new DataView(this.#ring.buffer);
    }
    this.#slots = new Int32Array(this.#slotCount * SLOT_CELLS);
    this.#written = 0;
  }

  #ringAt(start: number): number {
    return (start & (this.#ringFrames - 1)) * FRAME_FULL_SIZE;
  }

  #keep(slot: number, thread: number, input: Uint8Array, at: number, depth: number): void {
    const end = at + depth * FRAME_FULL_SIZE;
    for (let record = at; record < end; record += FRAME_FULL_SIZE) {
      if (input[record] !== RecordType.frameFull) return;
    }
    // A stack lies in one piece: the rest of the ring stays unused when it is too short.
    const left = this.#ringFrames - (this.#written & (this.#ringFrames - 1));
    if (left < depth) this.#written += left;
    this.#ring.set(input.subarray(at, end), this.#ringAt(this.#written));
    const slots = this.#slots;
    slots[slot + THREAD] = thread;
    slots[slot + NODE] = NONE;
    slots[slot + DEPTH] = depth;
    slots[slot + START] = this.#written;
    this.#written += depth;
    this.#asked = slot;
  }

  #equals(start: number, input: Uint8Array, view: DataView, at: number, depth: number): boolean {
    const ring = this.#ring;
    const ringView = this.#view;
    const length = depth * FRAME_FULL_SIZE;
    for (let offset = 0; offset < length; offset += FRAME_FULL_SIZE) {
      const here = at + offset;
      const there = start + offset;
      const differs =
        (view.getInt32(here + 13) ^ ringView.getInt32(there + 13)) |
        (view.getInt32(here + 5) ^ ringView.getInt32(there + 5)) |
        (view.getInt32(here + 1) ^ ringView.getInt32(there + 1)) |
        (view.getInt32(here + 9) ^ ringView.getInt32(there + 9)) |
        (input[here] ^ ring[there]);
      if (differs !== 0) return false;
    }
    return true;
  }

  #judge(): void {
    if (this.#resting > 0) this.#resting--;
    else if (this.#knownFrames < this.#triedFrames * WORTHWHILE) this.#resting = RESTS;
    this.#tried = 0;
    this.#triedFrames = 0;
    this.#knownFrames = 0;
  }
}

/** From the thread, and the line and the lower half of the method id of some frames, the leaf among them. */
function hashOf(thread: number, view: DataView, at: number, depth: number): number {
  let hash = Math.imul(thread ^ (depth << 8), 0x9e3779b1);
  const step = Math.max(1, Math.floor(depth / HASHED_FRAMES)) * FRAME_FULL_SIZE;
  const end = at + depth * FRAME_FULL_SIZE;
  for (let record = at; record < end; record += step) {
    hash = Math.imul(hash, 0x85ebca6b) + (view.getInt32(record + 13) ^ (view.getInt32(record + 5) << 8));
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x9e3779b1);
  return hash >>> 8;
}
