import { constants } from 'node:fs';
import { join } from 'node:path';
import { readSmallFile } from '../source/open-file.ts';
import { namesIn } from './process-places.ts';

/** Counters and texts by name, such as `sun.rt.javaCommand`. A 64-bit counter beyond 2^53 is rounded. */
export type PerfData = ReadonlyMap<string, string | number>;

/** Why a file is not perf data of HotSpot. */
interface PerfDataProblem {
  /** Offset in the file. */
  readonly at: number;
  readonly found: string;
  readonly expected: string;
}

const MAGIC = 0xcafec0c0;
const HEADER_BYTES = 32;
/** Entry length, name offset, vector length, type, flags, units, variability, data offset. */
const ENTRY_BYTES = 20;
const TYPE_BYTE = 0x42;
const TYPE_LONG = 0x4a;
const UTF_8 = new TextDecoder();

/**
 * Reads the memory-mapped file of a HotSpot JVM, version 2 (specs: live-jvm, section 1). The JVM may be writing it, so
 * entries that are not complete are left out. Undefined while the JVM has not finished the header.
 *
 *   header │ entry │ entry │ …      entry: length, offsets of name and data, type │ name NUL │ data
 *
 * `wanted`: names to read; all when not given.
 */
export function readPerfData(
  bytes: Uint8Array,
  wanted?: ReadonlySet<string>,
): PerfData | PerfDataProblem | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = view.getUint32(0);
  if (magic !== MAGIC) return { at: 0, found: `0x${magic.toString(16)}`, expected: '0xcafec0c0' };
  const order = bytes[4];
  if (order > 1) return { at: 4, found: `byte order ${order}`, expected: '0 or 1' };
  if (bytes[5] !== 2) return { at: 5, found: `version ${bytes[5]}`, expected: 'version 2' };
  if (bytes[7] === 0) return undefined;
  const isLittle = order === 1;
  const values = new Map<string, string | number>();
  let at = view.getUint32(24, isLittle);
  for (let left = view.getUint32(28, isLittle); left > 0 && at + ENTRY_BYTES <= bytes.length; left--) {
    const length = view.getUint32(at, isLittle);
    // A length of 0 would never end; a longer entry is still being written.
    if (length < ENTRY_BYTES || at + length > bytes.length) break;
    const entry = bytes.subarray(at, at + length);
    const name = textFrom(entry, view.getUint32(at + 4, isLittle), length);
    if (name !== '' && wanted?.has(name) !== false) {
      const value = valueOf(entry, isLittle);
      if (value !== undefined) values.set(name, value);
    }
    at += length;
  }
  return values;
}

/** The value of an entry; undefined if it is of another type or outside of its entry. */
function valueOf(entry: Uint8Array, isLittle: boolean): string | number | undefined {
  const view = new DataView(entry.buffer, entry.byteOffset, entry.byteLength);
  const vector = view.getUint32(8, isLittle);
  const from = view.getUint32(16, isLittle);
  if (entry[12] === TYPE_BYTE && vector > 0)
    return from + vector <= entry.length ? textFrom(entry, from, from + vector) : undefined;
  if (entry[12] === TYPE_LONG && vector === 0)
    return from + 8 <= entry.length ? Number(view.getBigInt64(from, isLittle)) : undefined;
  return undefined;
}

/** The text from an offset up to its zero byte, or up to `end`. */
function textFrom(bytes: Uint8Array, from: number, end: number): string {
  if (from >= bytes.length) return '';
  const range = bytes.subarray(from, Math.min(end, bytes.length));
  const zero = range.indexOf(0);
  return UTF_8.decode(zero < 0 ? range : range.subarray(0, zero));
}

/** A JVM writes 32 kB; -XX:PerfDataMemorySize can make it more. */
const MOST_BYTES = 4 << 20;

export function perfDataFolders(folder: string): readonly string[] {
  return (namesIn(folder) ?? []).filter((name) => name.startsWith('hsperfdata_'));
}

/**
 * The perf data of a JVM of `user`, below the folder that it sees as /tmp; undefined if there is none. Everybody may write
 * there, so files of other users are left out, and whatever is no small regular file: reading a pipe would never end.
 */
export function perfDataIn(
  folder: string,
  ownPid: number,
  { user, wanted }: { readonly user: number; readonly wanted: ReadonlySet<string> },
): PerfData | undefined {
  for (const name of perfDataFolders(folder)) {
    const bytes = readSmallFile(join(folder, name, String(ownPid)), MOST_BYTES, {
      flags: constants.O_NOFOLLOW,
      isWanted: ({ uid, size }) => (uid === user || uid === 0) && size <= MOST_BYTES,
    });
    const data = bytes && readPerfData(bytes, wanted);
    if (data instanceof Map) return data;
  }
  return undefined;
}
