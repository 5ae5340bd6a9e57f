import type { Peek } from '../byte-ranges.ts';
import { CHUNK_HEADER_BYTES, readChunkHeader } from './chunk-header.ts';

/**
 * Where the chunks begin that begin nearest to the wanted offsets, one for each, as far as headers tell: each says how
 * long its chunk is. A recording of some gigabytes has some hundred of them, of some 12 MB each.
 */
export function findChunks(peek: Peek, inputBytes: number, wanted: readonly number[]): readonly number[] {
  const found: number[] = [];
  for (let before = 0, at = 0; found.length < wanted.length;) {
    const sought = wanted[found.length];
    if (at >= sought) {
      const nearest = sought - before < at - sought && before > (found.at(-1) ?? 0) ? before : at;
      if (nearest < inputBytes) found.push(nearest);
    }
    if (at >= inputBytes) break;
    const bytes = peek(at, CHUNK_HEADER_BYTES);
    const header = bytes.length < CHUNK_HEADER_BYTES ? undefined : readChunkHeader(bytes);
    if (header === undefined || 'found' in header || header.size === 0) break;
    before = at;
    at += header.size;
  }
  return found;
}
