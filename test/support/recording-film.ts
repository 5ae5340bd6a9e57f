const HEADER_BYTES = 68;
const STATE_OFFSET = 64;

/** One flush of a recording that a JVM wrote: the header as it was, and the bytes since the flush before. */
export interface Flush {
  readonly header: Uint8Array;
  readonly bytes: Uint8Array;
  /** The chunk is another one than that of the flush before. */
  readonly isNewChunk: boolean;
}

/** A film, which is all flushes one after the other, in its flushes. */
export function flushesOf(film: Uint8Array): readonly Flush[] {
  const flushes: Flush[] = [];
  let start: bigint | undefined;
  let size = 0;
  for (let at = 0; at < film.length;) {
    const header = film.subarray(at, at + HEADER_BYTES);
    const view = new DataView(header.buffer, header.byteOffset, HEADER_BYTES);
    const isNewChunk = view.getBigInt64(32) !== start;
    const from = isNewChunk ? HEADER_BYTES : size;
    start = view.getBigInt64(32);
    size = Number(view.getBigInt64(8));
    at += HEADER_BYTES;
    flushes.push({ header, bytes: film.subarray(at, at + size - from), isNewChunk });
    at += size - from;
  }
  return flushes;
}

/** The finished recording as it would be if the JVM had ended it at the last of these flushes. */
export function recordingAt(flushes: readonly Flush[]): Uint8Array<ArrayBuffer> {
  const chunks: { header: Uint8Array; pieces: Uint8Array[] }[] = [];
  for (const { header, bytes, isNewChunk } of flushes) {
    const finished = header.slice();
    finished[STATE_OFFSET] = 0;
    const last = chunks.at(-1);
    if (isNewChunk || last === undefined) {
      chunks.push({ header: finished, pieces: [bytes] });
    } else {
      last.header = finished;
      last.pieces.push(bytes);
    }
  }
  return new Uint8Array(Buffer.concat(chunks.flatMap(({ header, pieces }) => [header, ...pieces])));
}

/**
 * A film of a small finished chunk: it is flushed as a whole, its first event comes again with a second flush, and the
 * third one ends the chunk.
 */
export function smallFilm(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const event = chunk.subarray(HEADER_BYTES, HEADER_BYTES + chunk[HEADER_BYTES]);
  const header = (state: number, size: number): Uint8Array => {
    const bytes = chunk.slice(0, HEADER_BYTES);
    bytes[STATE_OFFSET] = state;
    new DataView(bytes.buffer).setBigInt64(8, BigInt(size));
    return bytes;
  };
  const size = chunk.length + event.length;
  return new Uint8Array(
    Buffer.concat([
      header(1, chunk.length),
      chunk.subarray(HEADER_BYTES),
      header(2, size),
      event,
      header(0, size),
    ]),
  );
}
