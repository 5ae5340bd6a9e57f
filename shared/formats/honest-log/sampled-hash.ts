import { FRAME_BCI_ONLY_SIZE, FRAME_FULL_SIZE, RecordType } from './records.ts';

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
