import { type CallPaths, FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_LINE } from '../../profile/frame-table.ts';
import { FRAME_BCI_ONLY_SIZE, FRAME_FULL_SIZE, RecordType } from './records.ts';
import { sampledHash } from './sampled-hash.ts';

/** Slots of the hash table, a power of two. */
const SLOTS = 1 << 16;
/** Slots per hash value (set associativity). They share a cache line, so a lookup costs one cache miss. */
const WAYS = 4;
/** Lookups per trial. */
const TRIAL = 512;
/** When less than this share of the frames in a trial was found, lookups pause for the next RESTS trials. */
const WORTHWHILE = 1 / 16;
const RESTS = 15;
/** Cells of a slot. */
const SLOT_CELLS = 4;
const HASH = 0;
const DEPTH = 1;
const NODE = 2;
/** Insertion number, to replace the oldest slot. */
const AGE = 3;

/** A hash of the stack of `depth` frames at input[at]. `depth` full frames after `at` lie within the input. */
export type StackHash = (input: Uint8Array, view: DataView, at: number, depth: number) => number;

/**
 * Cache from (thread, stack) to the call node at which the stack ended, keyed by a hash of some of its frames. A log
 * with few call nodes repeats nearly every stack. Comparing a stack with the path of its node costs a seventh of
 * decoding it and walking down the tree. In a log where every stack is new the lookups are wasted, so they pause while
 * the hit rate is low. Only stacks whose frame records are contiguous are found; other records between frames occur
 * only once.
 *
 *   slot   hash    depth   node   age
 *   18     5ac0…   80      8120   4000
 *   19     73d1…   52      -1     4340   end not known yet
 *
 * The hash only selects the paths to compare. A stack is found when every frame equals that of the path, so hash
 * collisions, accidental or crafted, cost time but never change a result.
 */
export class KnownStacks {
  /** Offset in the input behind the stack that the latest successful `find` found. */
  foundEnd = 0;

  readonly #paths: CallPaths | undefined;
  readonly #slotCount: number;
  readonly #hashOf: StackHash;
  #slots = new Int32Array(0);
  #kept = 0;
  /** First cell of the slot that the next `endedAt` fills; NONE when there is none. */
  #asked = NONE;
  #tried = 0;
  #triedFrames = 0;
  #knownFrames = 0;
  /** Trials left in the pause. Starts at 1, so that a small log does not allocate the slots. */
  #resting = 1;

  /** `paths`: the paths of the nodes passed to `endedAt`; without them nothing is ever found. */
  constructor(paths: CallPaths | undefined, slotCount = SLOTS, hashOf: StackHash = sampledHash) {
    this.#paths = paths;
    this.#slotCount = slotCount;
    this.#hashOf = hashOf;
  }

  /**
   * The node at which the stack of `depth` frames at input[at] ended earlier in this thread. When it was not found,
   * returns NONE; call `endedAt` with its node then.
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

  /** The node of the stack that `find` did not find; NONE when the frames read were a different stack. */
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
 * Compares `depth` contiguous frame records at input[at] with the path from `node` up to the root of `thread`. Returns
 * the offset behind the last record, or NONE when they differ.
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
