import { type CallPaths, FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_LINE } from '../../profile/frame-table.ts';
import { FRAME_BCI_ONLY_SIZE, FRAME_FULL_SIZE, RecordType } from './records.ts';
import { sampledHash } from './sampled-hash.ts';

/** A power of two. */
const SLOTS = 1 << 16;
/** Slots that a stack may be in; they share a cache line, so that memory is waited for once. */
const WAYS = 4;
/** Of so many stacks looked up, … */
const TRIAL = 512;
/** … this share of their frames must have been known, or looking up rests for the next RESTS trials. */
const WORTHWHILE = 1 / 16;
const RESTS = 15;
/** Cells of a slot. */
const SLOT_CELLS = 4;
const HASH = 0;
const DEPTH = 1;
const NODE = 2;
/** Stacks ever kept before this one. */
const AGE = 3;

/** A hash of the stack of `depth` frames at input[at], all of which may be read up to `depth` full frames behind `at`. */
export type StackHash = (input: Uint8Array, view: DataView, at: number, depth: number) => number;

/**
 * Stacks of threads, by a hash of some of their frames, and the call node at which each ended. In a log with few call
 * nodes nearly every stack has been seen before: then it need not be decoded and walked down the tree, but only compared
 * with the path of that node, at a seventh of the cost. In a log where every stack is new it would be a waste, so it
 * watches whether it pays, and rests if not. Only stacks whose frames follow each other are found: what else comes
 * between them comes once.
 *
 *   slot   hash    depth   node   age
 *   18     5ac0…   80      8120   4000
 *   19     73d1…   52      -1     4340   not known yet where it ends
 *
 * The hash only says which paths to compare. A stack is known when each of its frames is that of the path, so a result
 * never depends on the hash: equal hashes of different stacks, by chance or by design, cost time and nothing else.
 */
export class KnownStacks {
  /** Where the stack ends that the latest `find` knew. */
  foundEnd = 0;

  readonly #paths: CallPaths | undefined;
  readonly #slotCount: number;
  readonly #hashOf: StackHash;
  #slots = new Int32Array(0);
  #kept = 0;
  /** Cell of the slot that waits for its `endedAt`. */
  #asked = NONE;
  #tried = 0;
  #triedFrames = 0;
  #knownFrames = 0;
  /** It begins with a rest: a small log is not worth the memory. */
  #resting = 1;

  /** `paths` are those of the nodes that `endedAt` is given; without them nothing is ever known. */
  constructor(paths: CallPaths | undefined, slotCount = SLOTS, hashOf: StackHash = sampledHash) {
    this.#paths = paths;
    this.#slotCount = slotCount;
    this.#hashOf = hashOf;
  }

  /**
   * The node where the stack of `depth` frames that begins at input[at] ended in this thread before; or NONE, and then
   * `endedAt` says where it ends now.
   */
  find(thread: number, input: Uint8Array, view: DataView, at: number, depth: number): number {
    this.#asked = NONE;
    if (this.#tried === TRIAL) this.#judge();
    this.#tried++;
    const paths = this.#paths;
    if (this.#resting > 0 || paths === undefined || at + depth * FRAME_FULL_SIZE > input.length) return NONE;
    this.#triedFrames += depth;
    if (this.#slots.length === 0) this.#slots = new Int32Array(this.#slotCount * SLOT_CELLS);
    const slots = this.#slots;
    const hash = this.#hashOf(input, view, at, depth) ^ Math.imul(thread, 0x9e3779b1);
    const first = (hash & (this.#slotCount - 1) & -WAYS) * SLOT_CELLS;
    let oldest = first;
    for (let slot = first; slot < first + WAYS * SLOT_CELLS; slot += SLOT_CELLS) {
      if (slots[slot + AGE] < slots[oldest + AGE]) oldest = slot;
      if (slots[slot + HASH] !== hash || slots[slot + DEPTH] !== depth || slots[slot + NODE] === NONE)
        continue;
      const end = comparedTo(paths, slots[slot + NODE], thread, input, view, at, depth);
      if (end === NONE) continue;
      this.#knownFrames += depth;
      this.foundEnd = end;
      return slots[slot + NODE];
    }
    slots[oldest + HASH] = hash;
    slots[oldest + DEPTH] = depth;
    slots[oldest + NODE] = NONE;
    slots[oldest + AGE] = this.#kept++;
    this.#asked = oldest;
    return NONE;
  }

  /** Where the stack ended that `find` did not know; NONE when it turned out to be another. */
  endedAt(node: number): void {
    if (this.#asked !== NONE) this.#slots[this.#asked + NODE] = node;
    this.#asked = NONE;
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
 * Where the `depth` frames end whose records follow each other at input[at], if they are the path from `node` up to the
 * root of `thread`; else NONE.
 */
function comparedTo(
  { nodes, frames }: CallPaths,
  node: number,
  thread: number,
  input: Uint8Array,
  view: DataView,
  at: number,
  depth: number,
): number {
  const { parent, frame } = nodes;
  const { cells } = frames;
  let up = node;
  let next = at;
  for (let left = depth; left > 0; left--) {
    const cell = frame[up] * FRAME_CELLS;
    // A root, whose frame is negative.
    if (cell < 0) return NONE;
    const type = input[next];
    if (cells[cell + 3] !== view.getInt32(next + 1)) return NONE;
    if (type === RecordType.frameFull) {
      if (cells[cell + 2] !== view.getInt32(next + 5)) return NONE;
      next += FRAME_FULL_SIZE;
    } else {
      if (type !== RecordType.frameBciOnly || cells[cell + 2] !== NO_LINE) return NONE;
      next += FRAME_BCI_ONLY_SIZE;
    }
    if (cells[cell + 1] !== view.getInt32(next - 4) || cells[cell] !== view.getInt32(next - 8)) return NONE;
    up = parent[up];
  }
  return frame[up] === ~thread ? next : NONE;
}
