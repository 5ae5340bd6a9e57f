import { type CallPaths, FRAME_CELLS } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import { NO_LINE } from '../../profile/frame-table.ts';
import { FRAME_BCI_ONLY_SIZE, FRAME_FULL_SIZE, RecordType } from './records.ts';

/** Slots of the hash table, a power of two. */
const SLOTS = 1 << 16;
/** Slots per hash value (set associativity). They share a cache line, so a lookup costs one cache miss. */
const WAYS = 4;
/** The hit rate is checked after this many lookups. */
const BATCH_LOOKUPS = 512;
/** If less than this share of the frames looked up in a batch was found, lookups pause for PAUSED_BATCHES. */
const MIN_FOUND_SHARE = 1 / 16;
const PAUSED_BATCHES = 15;
/** Cells of a slot. */
const SLOT_CELLS = 4;
const HASH = 0;
const DEPTH = 1;
const NODE = 2;
/** Insertion number, to replace the oldest slot. */
const AGE = 3;

/** A hash of the stack of `depth` frames at input[at]. The input is long enough for `depth` full frames from `at` on. */
export type StackHash = (input: Uint8Array, view: DataView, at: number, depth: number) => number;

interface KnownStacksOptions {
  /** Paths of stacks of this depth have one node more: the frame (truncated). */
  readonly truncatedDepth?: number | undefined;
  /** For tests. */
  readonly slotCount?: number | undefined;
  readonly hashOf?: StackHash;
}

/**
 * Cache from (thread, stack) to the call node at which the stack ended, keyed by a hash of some of its frames. A log
 * with few call nodes repeats nearly every stack. Comparing a stack with the path of its node costs a seventh of
 * decoding it and finding its nodes again. In a log where every stack is new the lookups are wasted, so they pause
 * while the hit rate is low. A stack is found only if no other record lies between its frames. That loses little:
 * methods and threads are usually defined once.
 *
 *   slot   hash    depth   node   age
 *   18     5ac0…   80      8120   4000
 *   19     73d1…   52      -1     4340   end not known yet
 *
 * The hash only selects the paths to compare. A stack is found if all of its frames equal those of the path, so hash
 * collisions, accidental or crafted, cost time but never change a result.
 */
export class KnownStacks {
  /** Offset in the input after the stack that the latest successful `find` found. */
  foundEnd = 0;

  readonly #paths: CallPaths;
  readonly #truncatedDepth: number | undefined;
  readonly #slotCount: number;
  readonly #hashOf: StackHash;
  #slots = new Int32Array(0);
  #insertions = 0;
  /** First cell of the slot whose node the next `endedAt` sets; NONE if there is none. */
  #openSlot = NONE;
  /** Calls of `find` in the current batch; the frames that were looked up and found in it. */
  #calls = 0;
  #lookedUpFrames = 0;
  #foundFrames = 0;
  /** Batches left in the pause. Starts at 1, so that a small log does not allocate the slots. */
  #pausedBatches = 1;

  /** `paths`: the paths of the nodes passed to `endedAt`. */
  constructor(
    paths: CallPaths,
    { truncatedDepth, slotCount = SLOTS, hashOf = sampledHash }: KnownStacksOptions = {},
  ) {
    this.#paths = paths;
    this.#truncatedDepth = truncatedDepth;
    this.#slotCount = slotCount;
    this.#hashOf = hashOf;
  }

  /**
   * The node at which the stack of `depth` frames at input[at] ended earlier in this thread; NONE if it is not found.
   * Then the caller decodes the stack and calls `endedAt`.
   */
  find(thread: number, input: Uint8Array, view: DataView, at: number, depth: number): number {
    this.#openSlot = NONE;
    if (this.#calls === BATCH_LOOKUPS) this.#endBatch();
    this.#calls++;
    const paths = this.#paths;
    const isInInput = at + depth * FRAME_FULL_SIZE <= input.length;
    if (this.#pausedBatches > 0 || !isInInput) return NONE;
    this.#lookedUpFrames += depth;
    if (this.#slots.length === 0) this.#slots = new Int32Array(this.#slotCount * SLOT_CELLS);
    const slots = this.#slots;
    const hash = this.#hashOf(input, view, at, depth) ^ Math.imul(thread, 0x9e3779b1);
    const first = (hash & (this.#slotCount - 1) & -WAYS) * SLOT_CELLS;
    let oldest = first;
    for (let slot = first; slot < first + WAYS * SLOT_CELLS; slot += SLOT_CELLS) {
      if (slots[slot + AGE] < slots[oldest + AGE]) oldest = slot;
      if (slots[slot + HASH] !== hash || slots[slot + DEPTH] !== depth || slots[slot + NODE] === NONE)
        continue;
      const end = matchEnd(
        paths,
        slots[slot + NODE],
        thread,
        input,
        view,
        at,
        depth,
        depth === this.#truncatedDepth,
      );
      if (end === NONE) continue;
      this.#foundFrames += depth;
      this.foundEnd = end;
      return slots[slot + NODE];
    }
    slots[oldest + HASH] = hash;
    slots[oldest + DEPTH] = depth;
    slots[oldest + NODE] = NONE;
    slots[oldest + AGE] = this.#insertions++;
    this.#openSlot = oldest;
    return NONE;
  }

  /** The node of the stack that `find` did not find; NONE if the trace did not have `depth` frames. */
  endedAt(node: number): void {
    if (this.#openSlot !== NONE) this.#slots[this.#openSlot + NODE] = node;
    this.#openSlot = NONE;
  }

  #endBatch(): void {
    if (this.#pausedBatches > 0) this.#pausedBatches--;
    else if (this.#foundFrames < this.#lookedUpFrames * MIN_FOUND_SHARE) this.#pausedBatches = PAUSED_BATCHES;
    this.#calls = 0;
    this.#lookedUpFrames = 0;
    this.#foundFrames = 0;
  }
}

/**
 * Compares `depth` contiguous frame records at input[at] with the path from `node` up to the root of `thread`. The path
 * of a truncated stack has one more node. Returns the offset after the last record; NONE if they differ.
 */
function matchEnd(
  { nodes, frames }: CallPaths,
  node: number,
  thread: number,
  input: Uint8Array,
  view: DataView,
  at: number,
  depth: number,
  isTruncated: boolean,
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
  if (isTruncated) up = parent[up];
  return frame[up] === ~thread ? next : NONE;
}

/** Hashed frames at the leaf end, where stacks differ most. */
const LEAF_FRAMES = 4;
/** At most as many of the other frames are hashed, evenly spaced. */
const OTHER_FRAMES = 8;

/**
 * A 32-bit hash of at most twelve of the `depth` frames at input[at]. All frames are assumed to have the record type of
 * the first; if they do not, other bytes are hashed, but none after the longest possible stack of `depth` frames.
 * Stacks that differ in other frames have equal hashes, so the caller must compare the stacks.
 */
export function sampledHash(input: Uint8Array, view: DataView, at: number, depth: number): number {
  const size = input[at] === RecordType.frameFull ? FRAME_FULL_SIZE : FRAME_BCI_ONLY_SIZE;
  const leafEnd = at + Math.min(depth, LEAF_FRAMES) * size;
  const end = at + depth * size;
  const step = Math.max(1, Math.ceil((depth - LEAF_FRAMES) / OTHER_FRAMES)) * size;
  let hash = depth;
  for (let next = at; next < end; next += next < leafEnd ? size : step) {
    const bci = view.getInt32(next + 1, true);
    // The line of a full frame, or the upper half of the method id of a frame without line.
    const lineOrIdHi = view.getInt32(next + 5, true);
    const idLo = view.getInt32(next + size - 4, true);
    hash =
      Math.imul(((hash << 13) | (hash >>> 19)) ^ idLo ^ Math.imul(bci, 0xc2b2ae35), 0x85ebca6b) ^
      Math.imul(lineOrIdHi, 0x9e3779b1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return hash ^ (hash >>> 13);
}
