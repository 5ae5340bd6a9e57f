import {
  paxPath,
  TAR_BLOCK_BYTES,
  TAR_TYPE_OFFSET,
  tarEntryName,
  tarEntrySize,
  TarEntryType,
  tarFilling,
  tarText,
} from '../tar-header.ts';
import { joined } from '../carry.ts';
import { SpareEntry, type UnpackDamage } from './unpacker.ts';
import { type Accepts, ZipEntry } from './zip-entry.ts';

/** Longer names, and other content of headers, are not read. */
const MOST_NAME_BYTES = 1 << 16;

/**
 * Unpacks the wanted files of a tar archive, one after the other, as the archive arrives (POSIX ustar, with the long
 * names of GNU tar and pax). Other files are skipped and counted.
 *
 *   ▐header 512▐ content, filled up to a multiple of 512 ▐header▐ … ▐two blocks of zeros▐
 */
export class TarUnpacker {
  /** Number of files so far. */
  entries = 0;

  readonly #accepts: Accepts;
  readonly #onBytes: (bytes: Uint8Array) => void;
  readonly #spare = new SpareEntry();
  /** A part of a header, or of a name. */
  #rest: Uint8Array = new Uint8Array(0);
  /** Offset in the archive of the next byte that is parsed. */
  #offset = 0;
  /** Bytes of the present content that have not arrived yet, and of its filling. */
  #left = 0;
  #filling = 0;
  #entry: ZipEntry | undefined;
  /** The type of the present content if it is a name, and the name that it gives to the next entry. */
  #nameType: number | undefined;
  #longName: string | undefined;
  #isDone = false;
  #damage: UnpackDamage | undefined;
  /** The archive has ended here, within an entry. More bytes may follow. */
  #cut: UnpackDamage | undefined;
  #hasEnded = false;
  #accepted: string | undefined;

  constructor(accepts: Accepts, onBytes: (bytes: Uint8Array) => void) {
    this.#accepts = accepts;
    this.#onBytes = onBytes;
  }

  /** Takes the next bytes of the archive, borrowed for the call. */
  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#hasEnded = false;
    this.#cut = undefined;
    let rest = this.#rest.length === 0 ? bytes : joined(this.#rest, bytes);
    while (rest.length > 0 && !this.#isDone) {
      const step = this.#step(rest);
      if (step === 0) break;
      this.#offset += step;
      rest = rest.subarray(step);
    }
    this.#rest = this.#isDone ? new Uint8Array(0) : rest.slice();
  }

  /** Call it at the end of the archive, which may grow later. An incomplete file is damage. */
  end(): void {
    this.#hasEnded = true;
    if (!this.#isDone && (this.#left > 0 || this.#rest.length > 0)) {
      const byteOffset = this.#offset + this.#rest.length;
      this.#cut = { byteOffset, found: 'the end of the file', expected: 'more of an entry' };
    }
    if (this.#entry !== undefined) this.#noteEnd(this.#entry);
    this.#accepted ??= this.#spare.emit(this.#accepts, this.#onBytes)?.name;
  }

  get damage(): UnpackDamage | undefined {
    return this.#damage ?? this.#cut;
  }

  /** The kind of archive if nothing was unpacked: 'a tar archive without a profile'. */
  get refusal(): string | undefined {
    if (this.#accepted !== undefined || !this.#hasEnded) return undefined;
    return this.entries === 0 ? 'a tar archive without files' : 'a tar archive without a profile';
  }

  /** Parses the next part. Returns how many bytes were used, 0 if more are needed. */
  #step(rest: Uint8Array): number {
    if (this.#left > 0) return this.#nameType === undefined ? this.#content(rest) : this.#name(rest);
    if (this.#filling > 0) {
      const length = Math.min(this.#filling, rest.length);
      this.#filling -= length;
      return length;
    }
    return this.#header(rest);
  }

  #header(rest: Uint8Array): number {
    if (rest.length < TAR_BLOCK_BYTES) return 0;
    const size = rest[0] === 0 ? undefined : tarEntrySize(rest, 0);
    if (size === undefined) {
      if (rest[0] !== 0)
        this.#damage = {
          byteOffset: this.#offset,
          found: 'a header with a wrong checksum or size',
          expected: 'a tar header or zeros',
        };
      this.#isDone = true;
      return 0;
    }
    const type = rest[TAR_TYPE_OFFSET];
    this.#left = size;
    this.#filling = tarFilling(size);
    const isName = type === TarEntryType.gnuLongName || type === TarEntryType.pax;
    this.#nameType = isName && size <= MOST_NAME_BYTES ? type : undefined;
    if (isName) return TAR_BLOCK_BYTES;
    const name = this.#longName ?? tarEntryName(rest, 0);
    this.#longName = undefined;
    const isFile = type === TarEntryType.file || type === TarEntryType.oldFile;
    if (isFile && !name.endsWith('/')) {
      this.entries++;
      this.#entry = new ZipEntry(name, false, this.#accepts, this.#onBytes);
      if (size === 0) this.#endEntry();
    }
    return TAR_BLOCK_BYTES;
  }

  #content(rest: Uint8Array): number {
    const length = Math.min(this.#left, rest.length);
    this.#entry?.write(rest.subarray(0, length));
    if (this.#entry?.isAccepted === true) this.#accepted = this.#entry.name;
    this.#left -= length;
    if (this.#left === 0) this.#endEntry();
    return length;
  }

  #name(rest: Uint8Array): number {
    const length = this.#left;
    if (rest.length < length) return 0;
    this.#longName =
      this.#nameType === TarEntryType.pax
        ? (paxPath(rest, 0, length) ?? this.#longName)
        : tarText(rest, 0, length);
    this.#left = 0;
    return length;
  }

  #endEntry(): void {
    const entry = this.#entry;
    this.#entry = undefined;
    if (entry !== undefined) this.#noteEnd(entry);
  }

  #noteEnd(entry: ZipEntry): void {
    entry.end();
    if (entry.isAccepted === true) this.#accepted = entry.name;
    this.#spare.note(entry, undefined);
    // A gzip file in the archive may be damaged.
    if (entry.problem === undefined || entry.isAccepted !== true) return;
    this.#damage ??= { byteOffset: this.#offset, found: entry.problem, expected: 'compressed data' };
    this.#isDone = true;
  }
}
