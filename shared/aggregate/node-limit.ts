/**
 * Most frames of a stack. Stacks of a million frames occur in deep recursions; one of them needs 24 MB while it is
 * placed. Reading stops at a deeper one.
 */
export const MOST_FRAMES = 1 << 20;

/**
 * Memory for the call nodes of any input, however small; as much again for everything else that is kept of it, and for
 * what of the input itself is held.
 */
const BASE_BYTES = 64 << 20;
/** Further memory per byte of the input, as it is stored. */
const BYTES_PER_INPUT_BYTE = 64;
/**
 * Memory of a call node while a profile is read: 9 bytes in its columns and in the index of children, 4 in the path of
 * its thread, and nearly the same again while columns are copied to grow.
 */
const NODE_BYTES = 32;
/** Most memory for call nodes: what 25 million of them, the most that a window shows, take in a window, 100 bytes each. */
const MOST_NODE_BYTES = (25 << 20) * 100;
/** Most memory for what else is kept. Names are in the heap, which may have two gigabytes. */
const MOST_KEPT_BYTES = 1 << 30;
/** Most memory for input that can only be decoded in one piece: a chunk of JFR may have two gigabytes. */
const MOST_HELD_BYTES = 2 ** 31;

/**
 * Most call nodes of a profile when this many bytes of its input have been read. Formats that name a stack once and
 * refer to it let a few bytes stand for millions of nodes, whereas recordings of programs have less than 0.2 nodes per
 * byte, and well-compressed ones less than 1.8.
 */
export function nodesAllowed(inputBytes: number): number {
  return Math.floor(Math.min(allowed(inputBytes), MOST_NODE_BYTES) / NODE_BYTES);
}

/**
 * Most bytes of names, threads, frames, times of samples and tables of decoders when this many bytes of the input have
 * been read. Compressed data and repeated references let a few bytes stand for gigabytes of them.
 */
export function keptBytesAllowed(inputBytes: number): number {
  return Math.min(allowed(inputBytes), MOST_KEPT_BYTES);
}

/**
 * Most bytes of the input that are held until they can be decoded, when this many stored bytes of it have been read: it
 * may be compressed. What is decoded of them is counted by the limits above.
 */
export function heldBytesAllowed(inputBytes: number): number {
  return Math.min(allowed(inputBytes), MOST_HELD_BYTES);
}

function allowed(inputBytes: number): number {
  return BASE_BYTES + BYTES_PER_INPUT_BYTE * inputBytes;
}

/** What rows of a profile are counted with in the limit of `keptBytesAllowed`, besides their names. */
export const KeptBytes = {
  /** With its entry in the index of ids, and the path of its latest stack. */
  thread: 160,
  /** With its entry in the index of ids, and the object of its names. */
  method: 120,
  /** With its entry in the index of frames. */
  frame: 32,
  sample: 20,
  /** A character of a name: in its string, and often in the table of a decoder, too. */
  character: 2,
} as const;
