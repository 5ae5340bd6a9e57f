import type { Damage } from '../../facts/damage.ts';

/** A file of a tar archive: bytes[from … to) of the archive. */
export interface TarEntry {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The archive ends within the file. */
  readonly isIncomplete: boolean;
}

export interface TarListing {
  readonly entries: readonly TarEntry[];
  /** The first invalid header. */
  readonly damage: Damage | undefined;
}

const BLOCK = 512;

/**
 * Lists the files of a tar archive (POSIX ustar, with the long names of GNU tar and pax).
 *
 *   ▐header 512▐ content, filled up to a multiple of 512 ▐header▐ … ▐two blocks of zeros▐
 */
export function listTar(archive: Uint8Array): TarListing {
  const entries: TarEntry[] = [];
  let longName: string | undefined;
  let headers = 0;
  for (let at = 0; at + BLOCK <= archive.length;) {
    if (archive[at] === 0) return { entries, damage: undefined };
    const size = tarEntrySize(archive, at);
    if (size === undefined) {
      const damage: Damage = {
        what: 'tar header',
        byteOffset: at,
        record: headers,
        found: 'a header with a wrong checksum or size',
        expected: 'a tar header or zeros',
      };
      return { entries, damage };
    }
    headers++;
    const from = at + BLOCK;
    const to = Math.min(archive.length, from + size);
    const type = archive[at + 156];
    if (type === GNU_LONG_NAME) longName = textOf(archive, from, to);
    else if (type === PAX) longName = /^\d+ path=([^\n]*)\n/m.exec(textOf(archive, from, to))?.[1];
    else {
      if (type === FILE || type === OLD_FILE) {
        const name = longName ?? tarEntryName(archive, at);
        entries.push({ name, from, to, isIncomplete: from + size > archive.length });
      }
      longName = undefined;
    }
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { entries, damage: undefined };
}

const FILE = 0x30;
const OLD_FILE = 0;
const GNU_LONG_NAME = 0x4c;
const PAX = 0x78;

/** The name in a header, with the prefix of ustar. */
export function tarEntryName(archive: Uint8Array, header: number): string {
  const name = textOf(archive, header, header + 100);
  const isUstar = textOf(archive, header + 257, header + 262) === 'ustar' && archive[header + 262] === 0;
  const prefix = isUstar ? textOf(archive, header + 345, header + 500) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The size of the content after a header; undefined if the block is not a header. */
export function tarEntrySize(archive: Uint8Array, header: number): number | undefined {
  let sum = 0;
  // For the checksum, its own eight bytes count as spaces.
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : archive[header + at];
  if (octal(archive, header + 148, 8) !== sum) return undefined;
  return octal(archive, header + 124, 12);
}

function octal(archive: Uint8Array, from: number, length: number): number | undefined {
  const digits = /^ *([0-7]+)[\0 ]/.exec(latin1.decode(archive.subarray(from, from + length)) + '\0');
  return digits === null ? undefined : parseInt(digits[1], 8);
}

/** The text up to the first zero. */
function textOf(archive: Uint8Array, from: number, to: number): string {
  const zero = archive.subarray(from, to).indexOf(0);
  return utf8.decode(archive.subarray(from, zero < 0 ? to : from + zero));
}

const utf8 = new TextDecoder();
const latin1 = new TextDecoder('latin1');
