import { NONE } from '../../profile/columns.ts';
import { FRAME_BCI_ONLY_SIZE, FRAME_FULL_SIZE, RecordType } from './records.ts';

/** Powers of two. */
const SLOTS = 1 << 16;
/** Bytes of stacks that are kept: some twenty thousand stacks of usual depth. */
const RING_BYTES = 1 << 24;
/** Longer stacks are not kept: a few would push out all others. */
const LONGEST_SHARE = 1 / 256;
/** A stack in the ring begins at a whole word, … */
const WORD = 4;
/** … so that numbers of words stay 32-bit integers for long. */
const START_OVER_AT = 1 << 30;
/** Of so many stacks looked up, … */
const TRIAL = 512;
/** … this share of their frames must have been known, or looking up rests for the next RESTS trials. */
const WORTHWHILE = 1 / 16;
const RESTS = 15;
/** Cells of a slot, three unused; the two slots that a stack may be in share a cache line: memory is waited for once. */
const SLOT_CELLS = 8;
const THREAD = 0;
const NODE = 1;
const DEPTH = 2;
const LENGTH = 3;
/** Words ever written to the ring before the stack's first. */
const START = 4;

/**
 * Stacks of threads as the log wrote them, byte by byte, and the call node at which each ended. In a log with few call
 * nodes nearly every stack has been seen before: then one comparison of its bytes takes the place of decoding its
 * frames and walking the tree, at a tenth of the cost. In a log where every stack is new it would be a waste, so it
 * watches whether it pays, and rests if not. Only stacks whose frames follow each other are kept: what else comes
 * between them comes once. Bytes are kept, not numbers of frames: these were a quarter of the memory and a fifth slower.
 *
 *   slot   thread   node   depth   length   start
 *   18     3        8120   80      1360     4000       1 360 bytes from word 4 000 of the ring on
 *   19     0        -1     52      880      4340       one frame without a line; not known yet where it ends
 *   20     0        77     13      221      1400       with 4 194 400 words written to the ring since: forgotten
 */
export class KnownStacks {
  /** Bytes of the stack that the latest `find` knew. */
  foundLength = 0;

  readonly #slotCount: number;
  readonly #ringBytes: number;
  #ring = new Uint8Array(0);
  #ringWords = new Int32Array(this.#ring.buffer);
  #slots = new Int32Array(0);
  /** Words ever written to the ring. */
  #written = 0;
  /** Cell of the slot of the stack that the latest `find` knew, and of the one that waits for its `endedAt`. */
  #found = 0;
  #asked = NONE;
  #tried = 0;
  #triedFrames = 0;
  #knownFrames = 0;
  /** It begins with a rest: a small log is not worth the memory. */
  #resting = 1;

  constructor(slotCount = SLOTS, ringBytes = RING_BYTES) {
    this.#slotCount = slotCount;
    this.#ringBytes = ringBytes;
  }

  /**
   * The node where the stack of `depth` frames that begins at input[at] ended in this thread before; or NONE, and then
   * `endedAt` says where it ends now.
   */
  find(thread: number, input: Uint8Array, view: DataView, at: number, depth: number): number {
    this.#asked = NONE;
    if (depth * FRAME_FULL_SIZE > this.#ringBytes * LONGEST_SHARE) return NONE;
    if (this.#tried === TRIAL) this.#judge();
    this.#tried++;
    if (this.#resting > 0) return NONE;
    if (input.length - at < depth * FRAME_BCI_ONLY_SIZE + FRAME_FULL_SIZE - FRAME_BCI_ONLY_SIZE) return NONE;
    if (this.#written >= START_OVER_AT || this.#written === 0) this.#startOver();
    this.#triedFrames += depth;
    const slots = this.#slots;
    const first = (hashOf(thread, input, view, at, depth) & (this.#slotCount - 1)) * SLOT_CELLS;
    const second = first ^ SLOT_CELLS;
    let slot = first;
    if (!this.#holds(slot, thread, input, view, at, depth)) {
      slot = second;
      if (!this.#holds(slot, thread, input, view, at, depth)) {
        this.#keep(slots[first + START] < slots[second + START] ? first : second, thread, input, at, depth);
        return NONE;
      }
    }
    this.#knownFrames += depth;
    this.#found = slot;
    this.foundLength = slots[slot + LENGTH];
    return slots[slot + NODE];
  }

  /** Where the stack ended that `find` did not know; NONE when it turned out to be another. */
  endedAt(node: number): void {
    if (this.#asked !== NONE) this.#slots[this.#asked + NODE] = node;
    this.#asked = NONE;
  }

  /** The records of the stack that `find` knew; until the next `find`. */
  get foundBytes(): Uint8Array {
    const start = this.#ringAt(this.#slots[this.#found + START]);
    return this.#ring.subarray(start, start + this.foundLength);
  }

  #startOver(): void {
    if (this.#ring.length === 0) {
      this.#ring = new Uint8Array(this.#ringBytes);
      this.#ringWords = new Int32Array(this.#ring.buffer);
    }
    this.#slots = new Int32Array(this.#slotCount * SLOT_CELLS);
    this.#written = 0;
  }

  #ringAt(start: number): number {
    return (start & (this.#ringBytes / WORD - 1)) * WORD;
  }

  #holds(
    slot: number,
    thread: number,
    input: Uint8Array,
    view: DataView,
    at: number,
    depth: number,
  ): boolean {
    const slots = this.#slots;
    const length = slots[slot + LENGTH];
    return (
      slots[slot + DEPTH] === depth &&
      slots[slot + THREAD] === thread &&
      slots[slot + NODE] !== NONE &&
      this.#written - slots[slot + START] <= this.#ringBytes / WORD &&
      length <= input.length - at &&
      this.#equals(this.#ringAt(slots[slot + START]), input, view, at, length)
    );
  }

  #keep(slot: number, thread: number, input: Uint8Array, at: number, depth: number): void {
    const end = stackEnd(input, at, depth);
    if (end === NONE) return;
    const words = Math.ceil((end - at) / WORD);
    // A stack lies in one piece: the rest of the ring stays unused when it is too short.
    const left = (this.#ringBytes - this.#ringAt(this.#written)) / WORD;
    if (left < words) this.#written += left;
    this.#ring.set(input.subarray(at, end), this.#ringAt(this.#written));
    const slots = this.#slots;
    slots[slot + THREAD] = thread;
    slots[slot + NODE] = NONE;
    slots[slot + DEPTH] = depth;
    slots[slot + LENGTH] = end - at;
    slots[slot + START] = this.#written;
    this.#written += words;
    this.#asked = slot;
  }

  /** The hot loop of a log with few nodes: four words of the ring at a time, which lie at whole words only there. */
  #equals(start: number, input: Uint8Array, view: DataView, at: number, length: number): boolean {
    const words = this.#ringWords;
    const end = at + length;
    let word = start / WORD;
    let here = at;
    for (; end - here >= 4 * WORD; here += 4 * WORD, word += 4) {
      const differs =
        (view.getInt32(here, true) ^ words[word]) |
        (view.getInt32(here + 4, true) ^ words[word + 1]) |
        (view.getInt32(here + 8, true) ^ words[word + 2]) |
        (view.getInt32(here + 12, true) ^ words[word + 3]);
      if (differs !== 0) return false;
    }
    const ring = this.#ring;
    for (let there = word * WORD; here < end; here++, there++) if (input[here] !== ring[there]) return false;
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

/**
 * From the thread, and the BCI, the line and the lower half of the method id of the frames, the leaf first: where it
 * looked at some frames only, or not at BCIs, stacks pushed each other out. Behind a frame without a line it takes other
 * bytes for these, always the same ones; it stays within what the stack has at least, or would leave it there.
 */
function hashOf(thread: number, input: Uint8Array, view: DataView, at: number, depth: number): number {
  let hash = Math.imul(thread ^ (depth << 8), 0x9e3779b1);
  const leafBytes = input[at] === RecordType.frameFull ? FRAME_FULL_SIZE : FRAME_BCI_ONLY_SIZE;
  const last = at + leafBytes + (depth - 1) * FRAME_BCI_ONLY_SIZE - FRAME_FULL_SIZE;
  for (let record = at; record <= last; record += FRAME_FULL_SIZE) {
    // A sum that is not cut to 32 bits is a double to the compiler: the loop takes three times as long.
    const place = (view.getInt32(record + 5) << 8) ^ (view.getInt32(record + 1) << 20);
    hash = (Math.imul(hash, 0x85ebca6b) + (view.getInt32(record + 13) ^ place)) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x9e3779b1);
  return hash >>> 8;
}

/** Where `depth` frames that follow each other at `at` end; NONE when they do not, or the input ends before. */
function stackEnd(input: Uint8Array, at: number, depth: number): number {
  let next = at;
  for (let frame = 0; frame < depth; frame++) {
    const type = next < input.length ? input[next] : RecordType.notWritten;
    if (type === RecordType.frameFull) next += FRAME_FULL_SIZE;
    else if (type === RecordType.frameBciOnly) next += FRAME_BCI_ONLY_SIZE;
    else return NONE;
  }
  return next <= input.length ? next : NONE;
}
