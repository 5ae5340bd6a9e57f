/**
 * Most frames of a stack. Stacks of a million frames occur in deep recursions; one of them needs 24 MB while it is
 * placed. Reading stops at a deeper one.
 */
export const MOST_FRAMES = 1 << 20;

/** Memory for the call nodes of any input, however small. */
const BASE_BYTES = 64 << 20;
/** Further memory per byte of the input, as it is stored. */
const BYTES_PER_INPUT_BYTE = 64;
/**
 * Memory of a call node while a profile is read: 9 bytes in its columns and in the index of children, 4 in the path of
 * its thread, and nearly the same again while columns are copied to grow.
 */
const NODE_BYTES = 32;

/**
 * Most call nodes of a profile when this many bytes of its input have been read. Formats that name a stack once and
 * refer to it let a few bytes stand for millions of nodes, whereas recordings of programs have less than 0.2 nodes per
 * byte, and well-compressed ones less than 1.8.
 */
export function nodesAllowed(inputBytes: number): number {
  return Math.floor((BASE_BYTES + BYTES_PER_INPUT_BYTE * inputBytes) / NODE_BYTES);
}
