/** How an input is stored. */
export type Storage = 'plain' | 'gzip' | 'zip';

/**
 * How an input that begins like this is stored, whatever its name says. Undefined while there are too few bytes; four
 * always suffice. Two are enough for gzip: no log begins with a record of type 31 whose id begins with 0x8b.
 */
export function storageOf(head: Uint8Array): Storage | undefined {
  if (head.length === 0) return undefined;
  if (head[0] === 0x1f) return head.length < 2 ? undefined : head[1] === 0x8b ? 'gzip' : 'plain';
  if (head[0] !== 0x50) return 'plain';
  if (head.length > 1 && head[1] !== 0x4b) return 'plain';
  if (head.length < 4) return undefined;
  // An archive begins with an entry, or with the end of its directory if it has none.
  const isZip = (head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6);
  return isZip ? 'zip' : 'plain';
}
