import type { UnpackDamage } from './unpacker.ts';
import { ZipEntry } from './zip-entry.ts';
import {
  LOCAL_HEADER,
  CENTRAL_HEADER,
  END_OF_DIRECTORY,
  END_OF_DIRECTORY_64,
  LOCATOR_64,
  LOCAL_HEADER_BYTES,
  ENCRYPTED,
  STORED,
  DEFLATED,
  INT32_OVERFLOW,
  INT64_FIELD,
} from './zip-format.ts';

const END_OF_DIRECTORY_BYTES = 22;
const END_OF_DIRECTORY_64_BYTES = 56;
const LOCATOR_64_BYTES = 20;
const CENTRAL_HEADER_BYTES = 46;
const INT16_OVERFLOW = 0xffff;
const PIECE_BYTES = 1 << 16;

/** So many bytes at the end of an archive contain the end of its directory: a comment has at most 65,535. */
export const DIRECTORY_END_BYTES =
  INT16_OVERFLOW + END_OF_DIRECTORY_BYTES + LOCATOR_64_BYTES + END_OF_DIRECTORY_64_BYTES;

/** Where in the archive its directory is. */
interface DirectoryPlace {
  readonly offset: number;
  readonly bytes: number;
  /** Number of bytes before the archive, which its own offsets do not count. */
  readonly shift: number;
}

/** An entry of a zip archive, as its directory describes it. */
export interface DirectoryEntry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly checksum: number;
  /** Bytes in the archive, and unpacked. */
  readonly storedBytes: number;
  readonly bytes: number;
  /** Offset of its header in the archive. */
  readonly offset: number;
}

export type OrDamage<Value> = Value | { readonly damage: UnpackDamage };

/**
 * Finds the directory of a zip archive, for reading single entries of a file without reading all of it (PKWARE APPNOTE,
 * sections 4.3.12 to 4.3.16). `tail`: its last DIRECTORY_END_BYTES bytes, or all of a shorter one, of `archiveBytes`.
 */
export function findDirectory(tail: Uint8Array, archiveBytes: number): OrDamage<DirectoryPlace> {
  const view = viewOf(tail);
  const from = archiveBytes - tail.length;
  const end = findEnd(view);
  if (end < 0) return damaged(archiveBytes, 'the end of the file', 'the directory of a ZIP archive');
  const bytes = view.getUint32(end + 12, true);
  const offset = view.getUint32(end + 16, true);
  const entries = view.getUint16(end + 10, true);
  const is64 = bytes === INT32_OVERFLOW || offset === INT32_OVERFLOW || entries === INT16_OVERFLOW;
  const place = is64 ? place64(view, end, from) : placeAt(from + end, bytes, offset);
  if (place === undefined || place.offset < 0 || place.shift < 0)
    return damaged(from + end, 'a directory outside of the archive', 'the place of the directory');
  return place;
}

/** The directory ends where `endOffset` begins. */
function placeAt(endOffset: number, bytes: number, offset: number): DirectoryPlace {
  return { offset: endOffset - bytes, bytes, shift: endOffset - bytes - offset };
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - END_OF_DIRECTORY_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_OF_DIRECTORY) continue;
    // The comment reaches the end of the file.
    if (at + END_OF_DIRECTORY_BYTES + view.getUint16(at + 20, true) <= view.byteLength) return at;
  }
  return -1;
}

function place64(view: DataView, end: number, from: number): DirectoryPlace | undefined {
  const locator = end - LOCATOR_64_BYTES;
  if (locator < END_OF_DIRECTORY_64_BYTES || view.getUint32(locator, true) !== LOCATOR_64) return undefined;
  const record = locator - END_OF_DIRECTORY_64_BYTES;
  if (view.getUint32(record, true) !== END_OF_DIRECTORY_64) return undefined;
  const bytes = Number(view.getBigUint64(record + 40, true));
  const offset = Number(view.getBigUint64(record + 48, true));
  return placeAt(from + record, bytes, offset);
}

/** Some entries of a directory. */
interface DirectoryPart {
  /** Without folders. */
  readonly entries: readonly DirectoryEntry[];
  /** Offset in the directory of the next entry; its length after the last one. */
  readonly next: number;
}

/**
 * Reads up to `most` entries of a directory, from its offset `from` on. `directory`: its bytes. A directory of 64 MB may
 * describe a million entries, which takes seconds: a thread that must answer meanwhile reads it in parts.
 */
export function readDirectory(
  directory: Uint8Array,
  { offset: base, shift }: DirectoryPlace,
  from = 0,
  most = Infinity,
): OrDamage<DirectoryPart> {
  const view = viewOf(directory);
  const text = new TextDecoder();
  const entries: DirectoryEntry[] = [];
  let at = from;
  for (let count = 0; at < directory.length && count < most; count++) {
    const nameAt = at + CENTRAL_HEADER_BYTES;
    if (nameAt > directory.length || view.getUint32(at, true) !== CENTRAL_HEADER)
      return damaged(base + at, 'bytes that describe no entry', 'the next entry of the directory');
    const extraAt = nameAt + view.getUint16(at + 28, true);
    const commentAt = extraAt + view.getUint16(at + 30, true);
    const next = commentAt + view.getUint16(at + 32, true);
    if (next > directory.length)
      return damaged(base + at, 'the end of the directory', 'more of an entry of the directory');
    const name = text.decode(directory.subarray(nameAt, extraAt));
    const sizes = sizesOf(view, at, extraAt, commentAt);
    if (!name.endsWith('/'))
      entries.push({
        name,
        isEncrypted: (view.getUint16(at + 8, true) & ENCRYPTED) !== 0,
        method: view.getUint16(at + 10, true),
        checksum: view.getUint32(at + 16, true),
        storedBytes: sizes.storedBytes,
        bytes: sizes.bytes,
        offset: sizes.offset + shift,
      });
    at = next;
  }
  return { entries, next: at };
}

/** Sizes and offset of an entry; those that need 64 bits are in its extra field, in this order. */
function sizesOf(
  view: DataView,
  at: number,
  extraAt: number,
  extraEnd: number,
): Pick<DirectoryEntry, 'storedBytes' | 'bytes' | 'offset'> {
  let field = extraAt;
  let fieldEnd = extraAt;
  for (let next = extraAt; next + 4 <= extraEnd; next = fieldEnd) {
    field = next + 4;
    fieldEnd = field + view.getUint16(next + 2, true);
    if (view.getUint16(next, true) === INT64_FIELD) break;
    field = fieldEnd;
  }
  const end = Math.min(fieldEnd, extraEnd);
  const valueAt = (place: number): number => {
    const value = view.getUint32(at + place, true);
    if (value !== INT32_OVERFLOW || field + 8 > end) return value;
    field += 8;
    return Number(view.getBigUint64(field - 8, true));
  };
  const bytes = valueAt(24);
  const storedBytes = valueAt(20);
  return { bytes, storedBytes, offset: valueAt(42) };
}

/** The number of bytes of the archive between the beginning of an entry's header and its data. `header`: LOCAL_HEADER_BYTES. */
export function dataStart(header: Uint8Array, { offset }: DirectoryEntry): OrDamage<number> {
  const view = viewOf(header);
  if (header.length < LOCAL_HEADER_BYTES || view.getUint32(0, true) !== LOCAL_HEADER)
    return damaged(offset, 'bytes that begin no entry', 'the header of an entry');
  return LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

/**
 * Unpacks an entry. `stored`: its `storedBytes` bytes in the archive. Memory and time are limited: it stops soon after
 * `limit` unpacked bytes, whatever the directory says.
 */
export function unpackEntry(
  entry: DirectoryEntry,
  stored: Uint8Array,
  limit: number,
): OrDamage<Uint8Array<ArrayBuffer>> {
  const { name, method, offset } = entry;
  if (entry.isEncrypted) return damaged(offset, `${name}, which is encrypted`, 'an entry without a password');
  if (method !== STORED && method !== DEFLATED)
    return damaged(offset, `${name}, compressed by method ${method}`, 'method 0 or 8');
  const pieces: Uint8Array[] = [];
  let length = 0;
  const unpacking = new ZipEntry(
    name,
    method === DEFLATED,
    () => true,
    (bytes) => {
      length += bytes.length;
      // Bytes of a stored entry are borrowed.
      if (length <= limit) pieces.push(method === STORED ? bytes.slice() : bytes);
    },
  );
  for (let at = 0; at < stored.length && length <= limit; at += PIECE_BYTES)
    unpacking.write(stored.subarray(at, at + PIECE_BYTES));
  if (length > limit) return damaged(offset, `more than ${limit} bytes in ${name}`, 'a shorter entry');
  unpacking.end();
  if (unpacking.problem !== undefined) return damaged(offset, unpacking.problem, 'compressed data');
  if (unpacking.checksum.value !== entry.checksum)
    return damaged(offset, 'data with another checksum', 'data with the checksum of its directory');
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function damaged(byteOffset: number, found: string, expected: string): { readonly damage: UnpackDamage } {
  return { damage: { byteOffset, found, expected } };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
