import type { ProfileReader } from './profile-reader.ts';

/** Other content begins, whose first byte has the offset 0, for this reason. */
export interface ContentBegins {
  readonly begins: 'truncated' | 'rewritten' | 'replaced';
}

/** The next bytes, from `offset` on; borrowed until the source is asked again. */
interface NextBytes {
  readonly bytes: Uint8Array;
  readonly offset: number;
  /** The writer has overwritten zeros from `offset` on, up to which the content was final. After the bytes are zeros as before. */
  readonly replacesZeros?: true;
}

/**
 * Why a source has nothing now:
 *
 *   atEnd        there are no more bytes for now
 *   missing      the path has never named a file
 *   gone         the path names no file any more; the old file is still read, because its writer may have it open
 *   ended        no more follows
 *   unreadable   the operating system reported an error; it is tried again from the same offset
 *   refused      the path names something that is not a regular file
 */
export type Nothing = 'atEnd' | 'missing' | 'gone' | 'ended' | 'unreadable' | 'refused';

/** Stored bytes of an input, which may grow or be replaced. */
export interface ByteSource {
  /** Bytes of the present content that were given. */
  readonly offset: number;
  /** Bytes of the present content, as far as is known, not less than `offset`; undefined if nothing is known. */
  readonly size: number | undefined;
  /** The next bytes, other content, or why there is nothing. `wanted` false: no more bytes of the present content are wanted. */
  next(wanted?: boolean): Next | Promise<Next>;
  /**
   * The bytes of the last `next` were read, and the content before this offset is final: a writer that has preallocated
   * its file may overwrite the zeros after it. Undefined: some of the zeros that were overwritten had been read as a part
   * of a record, so that the content has to be read again as a whole.
   */
  took?(final: number | undefined): void;
  /** Bytes at an offset of the present content, fewer at its end. */
  peek?(offset: number, length: number): Uint8Array;
}

export type Next = NextBytes | ContentBegins | Nothing;

/** The bytes of a file as it is now, or of a stream. */
export interface Pieces {
  /** Each piece is borrowed until the next one. */
  readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** The bytes of all of them; undefined if their number is not known. */
  readonly size: number | undefined;
}

/** A source that is read once. */
export class PieceSource implements ByteSource {
  offset = 0;
  readonly #pieces: AsyncIterator<Uint8Array, unknown> | Iterator<Uint8Array, unknown>;
  readonly #size: number | undefined;

  constructor({ pieces, size }: Pieces) {
    this.#pieces =
      Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
    this.#size = size;
  }

  get size(): number | undefined {
    return this.#size === undefined ? undefined : Math.max(this.#size, this.offset);
  }

  async next(): Promise<Next> {
    const { done, value } = await this.#pieces.next();
    if (done === true) return 'ended';
    const offset = this.offset;
    this.offset += value.length;
    return { bytes: value, offset };
  }

  /** No further piece is wanted. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}

const REPLAY_BYTES = 1 << 17;

/**
 * Reads what a source has next. 'more' if these were bytes; otherwise nothing was read. New content is for the caller,
 * who reads it with another reader.
 */
export async function readNext(
  source: ByteSource,
  reader: ProfileReader,
  wanted = true,
): Promise<'more' | ContentBegins | Nothing> {
  const next = await source.next(wanted);
  if (typeof next === 'string' || 'begins' in next) return next;
  const { bytes, offset } = next;
  if (next.replacesZeros === true) source.took?.(reader.overwriteZeros(bytes, offset));
  else {
    if (reader.needsRestart) await replay(source, reader, offset);
    await reader.push(bytes);
    source.took?.(reader.preallocation?.zerosOffset ?? offset + bytes.length);
  }
  if (source.size !== undefined) reader.note(source.offset, source.size);
  return 'more';
}

/** Compressed data has grown after its end: unpacks it again, from the first byte to `end`. */
async function replay(source: ByteSource, reader: ProfileReader, end: number): Promise<void> {
  reader.restart();
  for (let at = 0; at < end;) {
    const bytes = source.peek?.(at, Math.min(REPLAY_BYTES, end - at)) ?? new Uint8Array(0);
    if (bytes.length === 0) break;
    at += bytes.length;
    await reader.push(bytes);
  }
}

interface ReadToEnd {
  /** No other file of the input follows; see `ProfileReader.end`. */
  readonly isLast?: boolean;
  /** Called after each piece. False: reading is given up, and what was read has no end. */
  readonly onPiece?: () => boolean;
}

/** Reads a source that is read once, as far as its bytes are of use, and ends its profile. */
export async function readToEnd(
  source: PieceSource,
  reader: ProfileReader,
  { isLast = true, onPiece = () => true }: ReadToEnd = {},
): Promise<void> {
  try {
    while (!reader.isDone && (await readNext(source, reader)) === 'more') if (!onPiece()) return;
    await reader.end(isLast);
  } finally {
    await source.close();
    reader.close();
  }
}
