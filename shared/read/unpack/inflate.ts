import { Inflate } from 'fflate';
import { joined } from '../carry.ts';

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
export class Inflater {
  /** The data are complete. */
  isOver = false;
  /** How many of the bytes that were pushed last are behind the end of the data. */
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
export class Crc32 {
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
export const PIECE_BYTES = 4096;
/** No header is longer. */
const MOST_HEADER_BYTES = 1 << 17;

export function isGzip(head: Uint8Array): boolean {
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
