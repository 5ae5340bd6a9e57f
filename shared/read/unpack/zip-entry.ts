import { Carry } from '../carry.ts';
import { Crc32, GzipContent, Inflater, isGzip, PIECE_BYTES } from './inflate.ts';

/** Nearly all entries are recognised by this many unpacked bytes. Then it is asked again after four times as many. */
const HEAD_BYTES = 4096;
/** By this many bytes it is decided whether an entry is wanted. */
const MOST_HEAD_BYTES = 1 << 24;
/** A gzip file shrinks little when it is deflated again. One that grows by more than this is made to grow without end. */
const MOST_GZIP_RATIO = 4;

/**
 * Whether the entry with this name and these first bytes is wanted; undefined if more bytes are needed to decide.
 * `ended`: the entry has no more bytes. 'spare': it is wanted only if no other entry is. Then it is asked for again at the
 * end of the archive, with `isLast`, and what has been read of it is emitted.
 */
export type Accepts = (
  head: Uint8Array,
  ended: boolean,
  name: string,
  isLast?: boolean,
) => boolean | 'spare' | undefined;

/**
 * One entry of an archive, also one that is a gzip file itself. It is unpacked as its bytes arrive, until its first bytes show that it is not wanted. It is
 * unpacked in pieces at fixed offsets, so that what is emitted of damaged data does not depend on how they arrive.
 */
export class ZipEntry {
  readonly name: string;
  /** Whether the entry is wanted; undefined until that is decided. */
  isAccepted: boolean | undefined;
  /** What has been read of an entry that is wanted only if no other is. */
  spare: Uint8Array | undefined;
  /** Why the entry cannot be unpacked any further. */
  problem: string | undefined;
  /** Offset in the stored entry of the piece with the problem. */
  problemOffset = 0;
  readonly checksum = new Crc32();
  /** The entry was read to its end, so that the checksum is that of all of it. */
  isWhole = false;

  readonly #accepts: Accepts;
  readonly #onBytes: (bytes: Uint8Array) => void;
  readonly #inflater: Inflater | undefined;
  /** Unpacks the content; null: it is no gzip file. Undefined before it begins. */
  #gunzip: GzipContent | null | undefined;
  /** Bytes of the gzip file. */
  #gzipBytes = 0;
  readonly #head = new Carry();
  /** Length of the head from which `#accepts` is asked again. */
  #askAt = 1;
  /** The bytes of the next piece so far, and their number. */
  #piece = new Uint8Array(PIECE_BYTES);
  #filled = 0;
  /** Bytes in the pieces before. */
  #read = 0;

  constructor(name: string, isDeflated: boolean, accepts: Accepts, onBytes: (bytes: Uint8Array) => void) {
    this.name = name;
    this.#accepts = accepts;
    this.#onBytes = onBytes;
    if (isDeflated) this.#inflater = new Inflater((bytes) => this.#take(bytes));
  }

  /** Takes the next stored bytes, borrowed for the call. Returns how many of them it has used. */
  write(bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length && this.isRead) {
      const count = Math.min(PIECE_BYTES - this.#filled, bytes.length - at);
      this.#piece.set(bytes.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled === PIECE_BYTES) this.#readPiece();
    }
    return at;
  }

  /** Call it at the end of the entry. */
  end(): void {
    if (this.isRead && this.#filled > 0) this.#readPiece();
    if (this.isRead) this.#attempt(() => this.#inflater?.end());
    if (this.isAccepted !== false && this.problem === undefined) this.#attempt(() => this.#gunzip?.end());
    this.isWhole = this.isAccepted !== false && this.problem === undefined;
    if (this.isAccepted === undefined) this.#decide(true);
  }

  /** More bytes are of use: the entry may be wanted, its data are not complete, and they had no problem so far. */
  get isRead(): boolean {
    return this.isAccepted !== false && this.problem === undefined && this.#inflater?.isOver !== true;
  }

  /** The deflated data are complete. */
  get isOver(): boolean {
    return this.#inflater?.isOver === true;
  }

  /** Reads the bytes that wait for the rest of their piece. */
  flush(): void {
    if (this.isRead && this.#filled > 0) this.#readPiece();
  }

  /**
   * The bytes that were written and do not belong to the entry, as far as that is known: those behind complete deflated
   * data; those of a piece with a problem may. Borrowed until the next call.
   */
  get surplus(): Uint8Array {
    if (this.problem !== undefined) return this.#latest;
    return this.#latest.subarray(this.#latest.length - (this.#inflater?.surplus ?? 0));
  }

  #latest: Uint8Array = new Uint8Array(0);

  #readPiece(): void {
    const piece = this.#piece.subarray(0, this.#filled);
    this.#filled = 0;
    if (this.#inflater === undefined) {
      this.#attempt(() => this.#take(piece));
    } else {
      // The inflater may keep the piece.
      this.#piece = new Uint8Array(PIECE_BYTES);
      this.#latest = piece;
      this.#attempt(() => this.#inflater?.push(piece));
    }
    if (this.problem === undefined) this.#read += piece.length;
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.isAccepted === false) return;
    this.checksum.add(bytes);
    if (this.#gunzip === undefined)
      this.#gunzip = isGzip(bytes) ? new GzipContent((content) => this.#takeContent(content)) : null;
    if (this.#gunzip === null) this.#takeContent(bytes);
    else {
      this.#gzipBytes += bytes.length;
      if (this.#gzipBytes > MOST_GZIP_RATIO * (this.#read + PIECE_BYTES))
        throw new Error('gzip data that are compressed again');
      this.#gunzip.push(bytes);
    }
  }

  #takeContent(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.isAccepted === false) return;
    if (this.isAccepted === true) {
      this.#onBytes(bytes);
      return;
    }
    this.#head.keep(this.#head.join(bytes), 0);
    if (this.#head.length >= this.#askAt) this.#decide(false);
  }

  #decide(ended: boolean): void {
    const head = this.#head.bytes;
    const decision = this.#accepts(head, ended, this.name);
    if (decision === 'spare') this.spare = head.slice();
    if (decision === undefined) this.isAccepted = ended || head.length >= MOST_HEAD_BYTES ? false : undefined;
    else this.isAccepted = decision === true;
    while (head.length >= HEAD_BYTES && this.#askAt <= head.length) this.#askAt *= 4;
    if (this.isAccepted === undefined) return;
    this.#head.clear();
    if (this.isAccepted && head.length > 0) this.#onBytes(head);
  }

  #attempt(inflate: () => void): void {
    try {
      inflate();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      this.problemOffset = this.#read;
    }
  }
}
