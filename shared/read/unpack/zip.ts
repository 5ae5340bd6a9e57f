import { joined } from '../carry.ts';
import { SpareEntry, type UnpackDamage, type Unpacker } from './unpacker.ts';
import { type Accepts, ZipEntry } from './zip-entry.ts';
import {
  LOCAL_HEADER,
  DESCRIPTOR,
  CENTRAL_HEADER,
  ARCHIVE_EXTRA_DATA,
  END_OF_DIRECTORY,
  END_OF_DIRECTORY_64,
  LOCAL_HEADER_BYTES,
  ENCRYPTED,
  STORED,
  DEFLATED,
  INT32_OVERFLOW,
  INT64_FIELD,
} from './zip-format.ts';

const SIZE_FOLLOWS = 8;
const LATEST_VERSION = 63;

/** So many bytes of a descriptor and of the header behind it are looked at. */
const DESCRIPTOR_BYTES = 36;
/** Without a signature, and with short sizes. */
const LEAST_DESCRIPTOR_BYTES = 12;
const INT32_LIMIT = 2 ** 32;

type State =
  | 'header'
  /** The next `#left` bytes are an entry. */
  | 'data'
  /** An entry follows, whose size is only known after it. It is unpacked, and its data mark their own end. */
  | 'open data'
  /** An entry follows, whose size is only known after it, and which is not unpacked. Its descriptor is searched for. */
  | 'skipped data'
  /** The sizes and the checksum of an entry may follow. */
  | 'descriptor'
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
  #rest: Uint8Array = new Uint8Array(0);
  /** Offset in the archive of the next byte that is parsed. */
  #offset = 0;
  /** Offset of the data of the present entry. */
  #dataOffset = 0;
  /** Bytes of the present entry that have not arrived yet. */
  #left = 0;
  /** The checksum that the archive gives for the entry; undefined if it is not known, and not verified. */
  #checksum: number | undefined;
  /** A descriptor follows the entry. */
  #hasDescriptor = false;
  #entry: ZipEntry | undefined;
  readonly #spare = new SpareEntry();
  #accepted: string | undefined;
  /** Why the first entry that could not be read was refused. */
  #refusal: string | undefined;
  /** No more bytes will arrive. */
  #hasEnded = false;

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
    let rest = this.#rest.length === 0 ? bytes : joined(this.#rest, bytes);
    for (;;) {
      const state: State = this.#state;
      const step: number = this.#step(rest);
      this.#offset += step;
      // The entry has ended within bytes that arrived earlier.
      if (step < 0) rest = joined(this.#surplus.subarray(0, -step), rest);
      else rest = rest.subarray(step);
      if (this.#isDone || (step === 0 && this.#state === state)) break;
    }
    this.#rest = this.#isDone ? new Uint8Array(0) : rest.slice();
  }

  /** Call it at the end of the archive. An incomplete entry is damage. */
  end(): undefined {
    this.#hasEnded = true;
    this.write(new Uint8Array(0));
    if (!this.#isDone) this.#endArchive();
    if (this.#accepted !== undefined) return;
    const spare = this.#spare.emit(this.#accepts, this.#onBytes);
    this.#accepted = spare?.name;
    this.damage ??= spare?.damage;
  }

  #endArchive(): void {
    const length = this.#offset + this.#rest.length;
    if (length === 0) this.#damaged(0, 'nothing', 'an entry');
    else if (this.#state !== 'header' || this.#rest.length > 0)
      this.#damaged(length, 'the end of the file', 'more of an entry');
    this.#endEntry();
    this.#state = 'done';
  }

  close(): void {
    this.#state = 'done';
  }

  /**
   * The kind of archive if nothing was unpacked: 'a ZIP archive without a profile'. Undefined if an entry was accepted,
   * and before the archive has ended.
   */
  get refusal(): string | undefined {
    if (this.#accepted !== undefined || !this.#isDone) return undefined;
    if (this.#refusal !== undefined) return `a ZIP archive in which ${this.#refusal}`;
    return this.entries === 0 ? 'a ZIP archive without files' : 'a ZIP archive without a profile';
  }

  get #isDone(): boolean {
    return this.#state === 'done';
  }

  /** Parses the next part. Returns how many bytes were used; fewer than 0 if some of those before it are unread. */
  #step(rest: Uint8Array): number {
    switch (this.#state) {
      case 'header':
        return this.#header(rest);
      case 'data':
        return this.#data(rest);
      case 'open data':
        return this.#openData(rest);
      case 'skipped data':
        return this.#skippedData(rest);
      case 'descriptor':
        return this.#descriptor(rest);
      case 'done':
        return 0;
    }
  }

  #header(rest: Uint8Array): number {
    if (rest.length < 4) return 0;
    const view = viewOf(rest);
    switch (view.getUint32(0, true)) {
      case LOCAL_HEADER:
        return this.#localHeader(rest, view);
      case CENTRAL_HEADER:
      case END_OF_DIRECTORY:
      case END_OF_DIRECTORY_64:
      case ARCHIVE_EXTRA_DATA:
        this.#state = 'done';
        return 0;
      default:
        this.#damaged(this.#offset, 'bytes that begin no entry', 'the next entry or the directory');
        this.#state = 'done';
        return 0;
    }
  }

  #localHeader(rest: Uint8Array, view: DataView): number {
    if (rest.length < LOCAL_HEADER_BYTES) return 0;
    const flags = view.getUint16(6, true);
    const method = view.getUint16(8, true);
    const nameEnd = LOCAL_HEADER_BYTES + view.getUint16(26, true);
    const length = nameEnd + view.getUint16(28, true);
    if (rest.length < length) return 0;
    const name = new TextDecoder().decode(rest.subarray(LOCAL_HEADER_BYTES, nameEnd));
    const isFolder = name.endsWith('/');
    this.#dataOffset = this.#offset + length;
    this.#left = storedSize(view, nameEnd, length);
    this.#hasDescriptor = (flags & SIZE_FOLLOWS) !== 0;
    this.#checksum = this.#hasDescriptor ? undefined : view.getUint32(14, true);
    const isOpen = this.#hasDescriptor && this.#left === 0 && !isFolder;
    if (!isFolder) {
      this.entries++;
      this.#begin(name, flags, method, isOpen);
    }
    if (isOpen) this.#state = this.#entry === undefined ? 'skipped data' : 'open data';
    else this.#state = 'data';
    if (this.#state === 'data' && this.#left === 0) this.#endData();
    return length;
  }

  #begin(name: string, flags: number, method: number, isOpen: boolean): void {
    if ((flags & ENCRYPTED) !== 0) {
      this.#refusal ??= `${name} is encrypted`;
    } else if (method !== STORED && method !== DEFLATED) {
      this.#refusal ??= `${name} is compressed by method ${method}, which is not supported`;
    } else if (method === STORED && isOpen) {
      this.#refusal ??= `${name} is stored without its size`;
    } else {
      this.#entry = new ZipEntry(name, method === DEFLATED, this.#accepts, this.#onBytes);
    }
  }

  #data(rest: Uint8Array): number {
    const length = Math.min(this.#left, rest.length);
    this.#entry?.write(rest.subarray(0, length));
    this.#noteAccepted();
    this.#left -= length;
    if (this.#left === 0) this.#endData();
    return length;
  }

  #endData(): void {
    if (this.#hasDescriptor) this.#state = 'descriptor';
    else this.#endEntry();
  }

  #openData(rest: Uint8Array): number {
    const entry = this.#entry;
    if (entry === undefined) return 0;
    const used = entry.write(rest);
    if (this.#hasEnded) entry.flush();
    this.#noteAccepted();
    if (entry.isRead) return used;
    this.#state = entry.isOver ? 'descriptor' : 'skipped data';
    return used - entry.surplus.length;
  }

  /** Searches for the descriptor of an entry that is not unpacked to its end: it has the number of bytes before it. */
  #skippedData(rest: Uint8Array): number {
    const view = viewOf(rest);
    const stored = this.#offset - this.#dataOffset;
    const last = rest.length - (this.#hasEnded ? LEAST_DESCRIPTOR_BYTES : DESCRIPTOR_BYTES);
    for (let at = 0; at <= last; at++) {
      if (descriptorSize(rest, view, at, stored + at) === 0) continue;
      this.#state = 'descriptor';
      return at;
    }
    return this.#hasEnded ? 0 : Math.max(0, last + 1);
  }

  #descriptor(rest: Uint8Array): number {
    if (rest.length < DESCRIPTOR_BYTES && !this.#hasEnded) return 0;
    const view = viewOf(rest);
    const size = descriptorSize(rest, view, 0, this.#offset - this.#dataOffset);
    if (size > 0) this.#checksum = view.getUint32(view.getUint32(0, true) === DESCRIPTOR ? 4 : 0, true);
    this.#endEntry();
    return size;
  }

  /** The bytes of the present entry that do not belong to it. */
  get #surplus(): Uint8Array {
    return this.#entry?.surplus ?? new Uint8Array(0);
  }

  #noteAccepted(): void {
    if (this.#entry?.isAccepted === true) this.#accepted = this.#entry.name;
  }

  #endEntry(): void {
    const entry = this.#entry;
    this.#state = 'header';
    this.#entry = undefined;
    if (entry === undefined) return;
    if (this.damage === undefined || entry.isAccepted !== true) entry.end();
    else entry.flush();
    const damage = this.#damageOf(entry);
    if (entry.isAccepted === true) {
      this.#accepted = entry.name;
      this.damage ??= damage;
      if (this.damage !== undefined) this.#state = 'done';
    } else if (entry.spare !== undefined) {
      this.#spare.note(entry, damage);
    } else if (entry.problem !== undefined) {
      this.#refusal ??= `${entry.name} cannot be unpacked (${entry.problem})`;
    }
  }

  #damageOf({ problem, problemOffset, checksum, isWhole }: ZipEntry): UnpackDamage | undefined {
    if (problem !== undefined)
      return { byteOffset: this.#dataOffset + problemOffset, found: problem, expected: 'compressed data' };
    // Only the beginning of an entry is read that is not wanted.
    if (!isWhole || this.#checksum === undefined || this.#checksum === checksum.value) return undefined;
    return {
      byteOffset: this.#dataOffset,
      found: 'data with another checksum',
      expected: 'data with the checksum of its header',
    };
  }

  #damaged(byteOffset: number, found: string, expected: string): void {
    this.damage ??= { byteOffset, found, expected };
  }
}

/**
 * The size of the descriptor at bytes[at]; 0 if there is none of an entry with so many stored bytes. It consists of an
 * optional signature, a checksum of four bytes, and the sizes stored and unpacked, of four or eight bytes each. Without a
 * signature, the next header must follow.
 */
function descriptorSize(bytes: Uint8Array, view: DataView, at: number, stored: number): number {
  const left = view.byteLength - at;
  if (left < LEAST_DESCRIPTOR_BYTES) return 0;
  const isSigned = view.getUint32(at, true) === DESCRIPTOR;
  const from = isSigned ? 8 : 4;
  if (left < from + 8 || view.getUint32(at + from, true) !== stored % INT32_LIMIT) return 0;
  const short = from + 8;
  const long = from + 16;
  const isLong =
    left >= long &&
    view.getUint32(at + from + 4, true) === Math.floor(stored / INT32_LIMIT) &&
    !isHeader(bytes, at + short);
  if (!isLong && stored >= INT32_LIMIT) return 0;
  const size = isLong ? long : short;
  return isSigned || isHeader(bytes, at + size) ? size : 0;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
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
  if (size !== INT32_OVERFLOW) return size;
  for (let at = extraFrom; at + 4 <= extraTo;) {
    const length = view.getUint16(at + 2, true);
    // The unpacked size comes first.
    if (view.getUint16(at, true) === INT64_FIELD && length >= 16 && at + 20 <= extraTo)
      return Number(view.getBigUint64(at + 12, true));
    at += 4 + length;
  }
  return size;
}
