import { NONE } from '../../profile/columns.ts';
import { StackFingerprint } from './stack-fingerprint.ts';

/** A power of two. */
const SLOTS = 1 << 16;
/** Of so many stacks looked up, … */
const TRIAL = 512;
/** … this share of their frames must have been known, or looking up rests for the next RESTS trials. */
const WORTHWHILE = 1 / 16;
const RESTS = 15;
/** Cells of a slot, one unused; the two slots that a stack may be in share a cache line: memory is waited for once. */
const SLOT_CELLS = 8;
const FIRST = 0;
const SECOND = 1;
const THIRD = 2;
const THREAD = 3;
const DEPTH = 4;
const NODE = 5;
/** Stacks ever kept before this one. */
const AGE = 6;

/**
 * Stacks of threads, by their fingerprints, and the call node at which each ended. In a log with few call nodes nearly
 * every stack has been seen before: then its fingerprint takes the place of decoding its frames and walking the tree,
 * at a tenth of the cost. In a log where every stack is new it would be a waste, so it watches whether it pays, and
 * rests if not. Only stacks whose frames follow each other are kept: what else comes between them comes once.
 *
 *   slot   fingerprint                thread   depth   node   age
 *   18     5ac0…  91f3…  07be…        3        80      8120   4000
 *   19     73d1…  2e88…  c41a…        0        52      -1     4340   not known yet where it ends
 */
export class KnownStacks {
  /** Where the stack ends that the latest `find` knew. */
  foundEnd = 0;

  readonly #slotCount: number;
  readonly #fingerprint = new StackFingerprint();
  #slots = new Int32Array(0);
  #kept = 0;
  /** Cell of the slot that waits for its `endedAt`. */
  #asked = NONE;
  #tried = 0;
  #triedFrames = 0;
  #knownFrames = 0;
  /** It begins with a rest: a small log is not worth the memory. */
  #resting = 1;

  constructor(slotCount = SLOTS) {
    this.#slotCount = slotCount;
  }

  /**
   * The node where the stack of `depth` frames that begins at input[at] ended in this thread before; or NONE, and then
   * `endedAt` says where it ends now.
   */
  find(thread: number, input: Uint8Array, view: DataView, at: number, depth: number): number {
    this.#asked = NONE;
    if (this.#tried === TRIAL) this.#judge();
    this.#tried++;
    if (this.#resting > 0) return NONE;
    const fingerprint = this.#fingerprint;
    const end = fingerprint.take(input, view, at, depth);
    if (end === NONE) return NONE;
    this.#triedFrames += depth;
    if (this.#slots.length === 0) this.#slots = new Int32Array(this.#slotCount * SLOT_CELLS);
    const slots = this.#slots;
    const first = (Math.imul(fingerprint.a ^ thread, 0x9e3779b1) >>> 8) & (this.#slotCount - 1);
    let slot = first * SLOT_CELLS;
    if (!this.#holds(slot, thread, depth)) {
      const other = slot ^ SLOT_CELLS;
      if (!this.#holds(other, thread, depth)) {
        this.#keep(slots[slot + AGE] < slots[other + AGE] ? slot : other, thread, depth);
        return NONE;
      }
      slot = other;
    }
    this.#knownFrames += depth;
    this.foundEnd = end;
    return slots[slot + NODE];
  }

  /** Where the stack ended that `find` did not know; NONE when it turned out to be another. */
  endedAt(node: number): void {
    if (this.#asked !== NONE) this.#slots[this.#asked + NODE] = node;
    this.#asked = NONE;
  }

  #holds(slot: number, thread: number, depth: number): boolean {
    const slots = this.#slots;
    const { a, b, c } = this.#fingerprint;
    return (
      slots[slot + FIRST] === a &&
      slots[slot + SECOND] === b &&
      slots[slot + THIRD] === c &&
      slots[slot + THREAD] === thread &&
      slots[slot + DEPTH] === depth &&
      slots[slot + NODE] !== NONE
    );
  }

  #keep(slot: number, thread: number, depth: number): void {
    const slots = this.#slots;
    slots[slot + FIRST] = this.#fingerprint.a;
    slots[slot + SECOND] = this.#fingerprint.b;
    slots[slot + THIRD] = this.#fingerprint.c;
    slots[slot + THREAD] = thread;
    slots[slot + DEPTH] = depth;
    slots[slot + NODE] = NONE;
    slots[slot + AGE] = this.#kept++;
    this.#asked = slot;
  }

  #judge(): void {
    if (this.#resting > 0) this.#resting--;
    else if (this.#knownFrames < this.#triedFrames * WORTHWHILE) this.#resting = RESTS;
    this.#tried = 0;
    this.#triedFrames = 0;
    this.#knownFrames = 0;
  }
}
