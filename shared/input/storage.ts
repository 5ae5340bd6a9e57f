/** How an input is stored. */
export type Storage = 'uncompressed' | 'gzip' | 'zip';

/**
 * Detects the storage of an input by its first bytes. Undefined while there are too few of them; four always suffice,
 * and two for gzip: 0x1f is also record type 31 of an Honest Profiler log, but no method id begins with 0x8b.
 */
export function storageOf(head: Uint8Array): Storage | undefined {
  if (head.length === 0) return undefined;
  if (head[0] === 0x1f) return head.length < 2 ? undefined : head[1] === 0x8b ? 'gzip' : 'uncompressed';
  if (head[0] !== 0x50) return 'uncompressed';
  if (head.length > 1 && head[1] !== 0x4b) return 'uncompressed';
  if (head.length < 4) return undefined;
  // An archive begins with an entry, or with the end of its directory if it is empty.
  const isZip = (head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6);
  return isZip ? 'zip' : 'uncompressed';
}
