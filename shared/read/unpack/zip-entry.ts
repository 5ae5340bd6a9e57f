import { Carry, joined } from '../carry.ts';
import { Inflate } from 'fflate';

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
  /** The bytes that were read of an entry that is wanted only if no other is. */
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

/** The state of fflate's Inflate, which it does not publish: it says nowhere else that a stream is over. */
interface InflateState {
  /** `f`: the last block has begun; `l`: the codes of the present block; `p`: bits that are used of the first byte left. */
  readonly s: { readonly f?: number; readonly l?: unknown; readonly p?: number };
  /** Bytes that are not read yet. */
  readonly p: Uint8Array;
}

/**
 * Unpacks deflated data. They mark their own end: bytes behind it are not read. fflate would keep them, and copy them
 * again with every piece.
 */
class Inflater {
  /** The data are complete. */
  isOver = false;
  /** The number of the bytes, of those pushed last, that are behind the end of the data. */
  surplus = 0;
  readonly #inflate: Inflate;

  constructor(onBytes: (bytes: Uint8Array) => void) {
    this.#inflate = new Inflate((bytes) => onBytes(bytes));
  }

  /** Unpacks the next bytes, which are not borrowed but kept. Throws if they are invalid. */
  push(bytes: Uint8Array): void {
    if (this.isOver) return;
    this.#inflate.push(bytes);
    const { s: state, p: left } = this.#inflate as unknown as InflateState;
    if (state.f !== 1 || Boolean(state.l)) return;
    this.isOver = true;
    this.surplus = Math.min(bytes.length, left.length - ((state.p ?? 0) > 0 ? 1 : 0));
  }

  /** No more bytes follow. Throws if the data are incomplete. */
  end(): void {
    if (!this.isOver) this.#inflate.push(new Uint8Array(0), true);
  }
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** The checksum of zip archives (PKWARE APPNOTE, section 4.4.7) and of gzip files. */
class Crc32 {
  #rest = -1;

  add(bytes: Uint8Array): void {
    let rest = this.#rest;
    for (const byte of bytes) rest = TABLE[(rest ^ byte) & 0xff] ^ (rest >>> 8);
    this.#rest = rest;
  }

  get value(): number {
    return ~this.#rest >>> 0;
  }
}

/** The first bytes of a gzip file whose content is deflated, and flags of fields after its ten bytes (RFC 1952). */
const GZIP_MAGIC = [0x1f, 0x8b, 0x08];
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const Flag = { checksum: 2, extra: 4, name: 8, comment: 16 } as const;
/** Deflated data unpack to at most a thousand times their size, so a piece of this size to at most 4 MB. */
const PIECE_BYTES = 4096;
/** No header is longer. */
const MOST_HEADER_BYTES = 1 << 17;

function isGzip(head: Uint8Array): boolean {
  return GZIP_MAGIC.every((byte, at) => head[at] === byte);
}

/**
 * Unpacks a gzip file that is an entry of an archive, member after member. An input that is a gzip file itself is unpacked by
 * the platform, which is quicker and cannot wait within a call.
 */
export class GzipContent {
  readonly #onBytes: (bytes: Uint8Array) => void;
  /** Bytes of a header or a trailer that are not parsed yet. */
  #rest: Uint8Array = new Uint8Array(0);
  #inflater: Inflater | undefined;
  #checksum = new Crc32();
  #size = 0;
  #members = 0;
  /** The last member is over, and zeros fill the rest. */
  #isDone = false;

  constructor(onBytes: (bytes: Uint8Array) => void) {
    this.#onBytes = onBytes;
  }

  /** Takes the next bytes, borrowed for the call. Throws what is wrong with them. */
  push(bytes: Uint8Array): void {
    let rest = this.#rest.length === 0 ? bytes : joined(this.#rest, bytes);
    while (rest.length > 0 && !this.#isDone) {
      const wasOver = this.#inflater?.isOver;
      const used = this.#inflater === undefined ? this.#header(rest) : this.#data(this.#inflater, rest);
      rest = rest.subarray(used);
      if (used === 0 && this.#inflater?.isOver === wasOver) break;
    }
    this.#rest = this.#isDone ? new Uint8Array(0) : rest.slice();
  }

  /** No more bytes follow. Throws if some are missing. */
  end(): void {
    if (this.#inflater !== undefined || (this.#rest.length > 0 && !this.#isDone))
      throw new Error('unexpected end of gzip data');
  }

  /** Returns how many bytes it has, 0 if not all of them are there. */
  #header(bytes: Uint8Array): number {
    if (this.#members > 0 && bytes[0] === 0) this.#isDone = true;
    if (this.#isDone || bytes.length < HEADER_BYTES) return 0;
    if (!isGzip(bytes)) throw new Error('invalid gzip header');
    const flags = bytes[3];
    let at = HEADER_BYTES;
    if ((flags & Flag.extra) !== 0) at += 2 + (bytes[at] | (bytes[at + 1] << 8));
    for (const text of [Flag.name, Flag.comment]) {
      if ((flags & text) === 0 || at > bytes.length) continue;
      const end = bytes.indexOf(0, at);
      at = end < 0 ? Infinity : end + 1;
    }
    if ((flags & Flag.checksum) !== 0) at += 2;
    if (!(at <= bytes.length)) {
      if (bytes.length > MOST_HEADER_BYTES) throw new Error('invalid gzip header');
      return 0;
    }
    this.#checksum = new Crc32();
    this.#size = 0;
    this.#inflater = new Inflater((content) => {
      this.#checksum.add(content);
      this.#size += content.length;
      this.#onBytes(content);
    });
    return at;
  }

  /** Unpacks the data of a member, or checks what follows them. */
  #data(inflater: Inflater, bytes: Uint8Array): number {
    if (!inflater.isOver) {
      const piece = bytes.slice(0, PIECE_BYTES);
      inflater.push(piece);
      return piece.length - inflater.surplus;
    }
    if (bytes.length < TRAILER_BYTES) return 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset, TRAILER_BYTES);
    if (view.getUint32(0, true) !== this.#checksum.value || view.getUint32(4, true) !== this.#size % 2 ** 32)
      throw new Error('gzip data with another checksum or size');
    this.#inflater = undefined;
    this.#members++;
    return TRAILER_BYTES;
  }
}
