import type { Peek } from '../format-parts.ts';
import { CHUNK_HEADER_BYTES, readChunkHeader } from './chunk-header.ts';

/**
 * Where chunks begin that follow the wanted offsets, one for each, as far as headers tell: each says how long its chunk
 * is. A recording of some gigabytes has some hundred of them.
 */
export function findChunks(peek: Peek, inputBytes: number, wanted: readonly number[]): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < inputBytes && found.length < wanted.length;) {
    if (at >= wanted[found.length]) found.push(at);
    const bytes = peek(at, CHUNK_HEADER_BYTES);
    const header = bytes.length < CHUNK_HEADER_BYTES ? undefined : readChunkHeader(bytes);
    if (header === undefined || 'found' in header || header.size === 0) break;
    at += header.size;
  }
  return found;
}
