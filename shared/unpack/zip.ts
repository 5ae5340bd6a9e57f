import type { UnpackDamage, Unpacker } from './unpacker.ts';
import { type Accepts, ZipEntry } from './zip-entry.ts';

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_64 = 0x06064b50;
const ARCHIVE_EXTRA_DATA = 0x08064b50;

const HEADER_BYTES = 30;
const ENCRYPTED = 1;
const SIZE_FOLLOWS = 8;
const STORED = 0;
const DEFLATED = 8;
/** In place of a 32-bit size: the size has 64 bits and is in the extra field. */
const INT64_SIZE = 0xffffffff;
const INT64_SIZE_FIELD = 1;
const LATEST_VERSION = 63;

type State =
  | 'header'
  /** The next `#left` bytes are an entry. */
  | 'data'
  /** The bytes up to the next header are an entry, whose size is only known after it. */
  | 'open data'
  | 'done';

/**
 * Unpacks the wanted entries of a zip archive, one after the other, as the archive arrives (specs: PKWARE APPNOTE, sections 4.3 and 4.4).
 * Other entries are skipped and counted. The directory at the end of the archive is not needed. Memory is limited: an
 * entry is unpacked in pieces, and of an unwanted one only the first bytes.
 *
 * fflate's Unzip is not used: it verifies no checksum, mistakes the bytes PK\3\4 inside an entry for the next entry,
 * keeps unwanted entries in memory, ignores damage, and recurses once per entry.
 */
export class ZipUnpacker implements Unpacker {
  damage: UnpackDamage | undefined;
  /** Number of entries so far, without folders. */
  entries = 0;

  readonly #accepts: Accepts;
  readonly #onBytes: (bytes: Uint8Array) => void;
  #state: State = 'header';
  /** Bytes that are not parsed yet. */
  #rest = new Uint8Array(0);
  /** Offset in the archive of the first byte of `#rest`. */
  #offset = 0;
  /** Bytes of the present entry that have not arrived yet. */
  #left = 0;
  /** The checksum in the entry's header. Undefined if it follows the entry; then it is not verified. */
  #checksum: number | undefined;
  #entry: ZipEntry | undefined;
  #accepted: string | undefined;
  /** Why the first entry that could not be read was refused. */
  #refusal: string | undefined;

  constructor(accepts: Accepts, onBytes: (bytes: Uint8Array) => void) {
    this.#accepts = accepts;
    this.#onBytes = onBytes;
  }

  /** The name of the latest wanted entry; undefined until one is found. */
  get accepted(): string | undefined {
    return this.#accepted;
  }

  /** Takes the next bytes of the archive, borrowed for the call. */
  write(bytes: Uint8Array): undefined {
    if (this.#state === 'done') return;
    let rest = bytes;
    if (this.#rest.length > 0) {
      rest = new Uint8Array(this.#rest.length + bytes.length);
      rest.set(this.#rest);
      rest.set(bytes, this.#rest.length);
    }
    let used = 0;
    for (let step = -1; step !== 0 && !this.#isDone; used += step) step = this.#step(rest.subarray(used));
    this.#offset += used;
    this.#rest = this.#isDone ? new Uint8Array(0) : rest.slice(used);
  }

  /** Call it at the end of the archive. An incomplete entry is damage. */
  end(): undefined {
    if (this.#state === 'done') return;
    if (this.#state === 'open data') this.#entry?.write(this.#rest);
    const isCut = this.#state !== 'open data' && (this.#state === 'data' || this.#rest.length > 0);
    if (isCut) this.#damaged('the end of the file', 'more of an entry');
    this.#endEntry();
    if (this.#offset + this.#rest.length === 0) this.#damaged('nothing', 'an entry');
    this.#state = 'done';
  }

  close(): void {
    this.#state = 'done';
  }

  /**
   * What kind of archive it is if nothing was unpacked: 'a ZIP archive without a profile'. Undefined if an entry was
   * accepted, and before the archive has ended.
   */
  get refusal(): string | undefined {
    if (this.#accepted !== undefined || !this.#isDone) return undefined;
    if (this.#refusal !== undefined) return `a ZIP archive in which ${this.#refusal}`;
    return this.entries === 0 ? 'a ZIP archive without files' : 'a ZIP archive without a profile';
  }

  get #isDone(): boolean {
    return this.#state === 'done';
  }

  /** Parses the next part. Returns how many bytes were used, 0 if more are needed. */
  #step(rest: Uint8Array): number {
    if (this.#state === 'header') return this.#header(rest);
    if (this.#state === 'open data') return this.#openData(rest);
    const length = Math.min(this.#left, rest.length);
    this.#unpack(rest.subarray(0, length));
    this.#left -= length;
    if (this.#left === 0) this.#endEntry();
    return length;
  }

  #header(rest: Uint8Array): number {
    if (rest.length < 4) return 0;
    const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength);
    switch (view.getUint32(0, true)) {
      case LOCAL_HEADER:
        return this.#localHeader(rest, view);
      case DESCRIPTOR: {
        // After the signature come a checksum of four bytes and two sizes of four or eight bytes each. The position of
        // the next header shows how long they are.
        if (rest.length < 28) return 0;
        return isHeader(rest, 16) ? 16 : 24;
      }
      case CENTRAL_HEADER:
      case END_OF_DIRECTORY:
      case END_OF_DIRECTORY_64:
      case ARCHIVE_EXTRA_DATA:
        this.#state = 'done';
        return 0;
      default:
        this.#damaged('bytes that begin no entry', 'the next entry or the directory');
        return 0;
    }
  }

  #localHeader(rest: Uint8Array, view: DataView): number {
    if (rest.length < HEADER_BYTES) return 0;
    const flags = view.getUint16(6, true);
    const method = view.getUint16(8, true);
    const nameEnd = HEADER_BYTES + view.getUint16(26, true);
    const length = nameEnd + view.getUint16(28, true);
    if (rest.length < length) return 0;
    const name = new TextDecoder().decode(rest.subarray(HEADER_BYTES, nameEnd));
    const sizeFollows = (flags & SIZE_FOLLOWS) !== 0;
    this.#left = storedSize(view, nameEnd, length);
    this.#state = sizeFollows && this.#left === 0 ? 'open data' : 'data';
    this.#checksum = sizeFollows ? undefined : view.getUint32(14, true);
    if (!name.endsWith('/')) {
      this.entries++;
      this.#begin(name, flags, method);
    }
    if (this.#state === 'data' && this.#left === 0) this.#endEntry();
    return length;
  }

  #begin(name: string, flags: number, method: number): void {
    if ((flags & ENCRYPTED) !== 0) {
      this.#refusal ??= `${name} is encrypted`;
    } else if (method !== STORED && method !== DEFLATED) {
      this.#refusal ??= `${name} is compressed by method ${method}, which is not supported`;
    } else if (method === STORED && this.#state === 'open data') {
      this.#refusal ??= `${name} is stored without its size`;
    } else {
      this.#entry = new ZipEntry(name, method === DEFLATED, this.#accepts, this.#onBytes);
    }
  }

  /**
   * Searches for the next header. The descriptor before it is unpacked like the entry: the inflater ignores it, because
   * deflated data mark their own end.
   */
  #openData(rest: Uint8Array): number {
    const last = rest.length - 12;
    let at = 0;
    while (at <= last && !isHeader(rest, at)) at++;
    const length = Math.max(0, Math.min(at, last + 1));
    this.#unpack(rest.subarray(0, length));
    if (at <= last) this.#endEntry();
    return at <= last && length === 0 ? this.#header(rest) : length;
  }

  #unpack(bytes: Uint8Array): void {
    const entry = this.#entry;
    if (entry === undefined || bytes.length === 0) return;
    entry.write(bytes);
    if (entry.isAccepted === true) this.#accepted = entry.name;
  }

  #endEntry(): void {
    const entry = this.#entry;
    if (this.#state !== 'done') this.#state = 'header';
    this.#entry = undefined;
    if (entry === undefined) return;
    if (this.damage === undefined || entry.isAccepted !== true) entry.end();
    if (entry.isAccepted === true) {
      this.#accepted = entry.name;
      if (entry.problem !== undefined) this.#damaged(entry.problem, 'compressed data');
      else if (this.#checksum !== undefined && this.#checksum !== entry.checksum.value)
        this.#damaged('data with another checksum', 'data with the checksum of its header');
    } else if (entry.problem !== undefined) {
      this.#refusal ??= `${entry.name} cannot be unpacked (${entry.problem})`;
    }
  }

  #damaged(found: string, expected: string): void {
    this.damage ??= { byteOffset: this.#offset, found, expected };
    if (this.#state === 'header') this.#state = 'done';
  }
}

/** Whether the header of an entry or the directory begins here: its signature followed by plausible fields. */
function isHeader(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x50 || bytes[at + 1] !== 0x4b) return false;
  const kind = bytes[at + 2] | (bytes[at + 3] << 8);
  // After the signature a local header has 'version needed', a directory header first has 'version made by'.
  if (kind === 0x0403) return bytes[at + 4] <= LATEST_VERSION && bytes[at + 9] === 0;
  if (kind === 0x0201) return bytes[at + 6] <= LATEST_VERSION && bytes[at + 11] === 0;
  return kind === 0x0605 || kind === 0x0606;
}

function storedSize(view: DataView, extraFrom: number, extraTo: number): number {
  const size = view.getUint32(18, true);
  if (size !== INT64_SIZE) return size;
  for (let at = extraFrom; at + 4 <= extraTo;) {
    const length = view.getUint16(at + 2, true);
    // The unpacked size comes first.
    if (view.getUint16(at, true) === INT64_SIZE_FIELD && length >= 16 && at + 20 <= extraTo)
      return Number(view.getBigUint64(at + 12, true));
    at += 4 + length;
  }
  return size;
}
