/** A tar archive consists of such blocks: a header, its content, filled up to the next block, and so on. */
export const TAR_BLOCK_BYTES = 512;

/** Offset in a header of the type of its entry. */
export const TAR_TYPE_OFFSET = 156;

/** Types of entries (POSIX ustar). The content of the last two is the name of the next entry. */
export const TarEntryType = {
  oldFile: 0,
  file: 0x30,
  gnuLongName: 0x4c,
  pax: 0x78,
} as const;

/** The first byte of a large number, which GNU tar writes as bytes. */
const BINARY = 0x80;

/** The owner of the entries of an archive that stands for a folder. */
const FOLDER_OWNER = 'a folder of files';
const NAME_BYTES = 100;

/**
 * The header of a file in an archive that stands for a folder; with its whole name before it, if that is long. Content of
 * `size` bytes and zeros up to the next block follow.
 */
export function folderEntryHeader(name: string, size: number): Uint8Array {
  const bytes = new TextEncoder().encode(name);
  const header = headerOf(bytes, size, TarEntryType.file);
  if (bytes.length <= NAME_BYTES) return header;
  const blocks = Math.ceil(bytes.length / TAR_BLOCK_BYTES);
  const long = new Uint8Array((2 + blocks) * TAR_BLOCK_BYTES);
  long.set(headerOf(new Uint8Array(0), bytes.length, TarEntryType.gnuLongName));
  long.set(bytes, TAR_BLOCK_BYTES);
  long.set(header, (1 + blocks) * TAR_BLOCK_BYTES);
  return long;
}

/** Bytes behind the content of an entry, up to the next block. */
export function tarFilling(size: number): number {
  return (TAR_BLOCK_BYTES - (size % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES;
}

/** Whether an archive that begins with `head` stands for a folder. */
export function isFolder(head: Uint8Array): boolean {
  return tarText(head, 265, 297) === FOLDER_OWNER;
}

function headerOf(name: Uint8Array, size: number, type: number): Uint8Array {
  const header = new Uint8Array(TAR_BLOCK_BYTES);
  const put = (at: number, text: string): void => header.set(new TextEncoder().encode(text), at);
  header.set(name.subarray(0, NAME_BYTES));
  put(100, '0000644\0');
  put(124, `${size.toString(8).padStart(11, '0')}\0`);
  put(148, '        ');
  header[TAR_TYPE_OFFSET] = type;
  put(257, 'ustar\x0000');
  put(265, FOLDER_OWNER);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return header;
}

/** The name in a header, with the prefix of ustar. */
export function tarEntryName(archive: Uint8Array, header: number): string {
  const name = tarText(archive, header, header + 100);
  const isUstar = tarText(archive, header + 257, header + 262) === 'ustar' && archive[header + 262] === 0;
  const prefix = isUstar ? tarText(archive, header + 345, header + 500) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The size of the content after a header; undefined if the block is not a header. */
export function tarEntrySize(archive: Uint8Array, header: number): number | undefined {
  let sum = 0;
  // For the checksum, its own eight bytes count as spaces.
  for (let at = 0; at < TAR_BLOCK_BYTES; at++) sum += at >= 148 && at < 156 ? 0x20 : archive[header + at];
  if (octal(archive, header + 148, 8) !== sum) return undefined;
  return octal(archive, header + 124, 12);
}

function octal(archive: Uint8Array, from: number, length: number): number | undefined {
  if (archive[from] === BINARY) {
    let value = 0;
    for (let at = from + 1; at < from + length; at++) value = value * 256 + archive[at];
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const digits = /^ *([0-7]+)[\0 ]/.exec(latin1.decode(archive.subarray(from, from + length)) + '\0');
  return digits === null ? undefined : parseInt(digits[1], 8);
}

/** The text up to the first zero. */
export function tarText(archive: Uint8Array, from: number, to: number): string {
  const zero = archive.subarray(from, to).indexOf(0);
  return utf8.decode(archive.subarray(from, zero < 0 ? to : from + zero));
}

/** The name of the next entry in the content of a pax header, archive[from … to); undefined if it has none. */
export function paxPath(archive: Uint8Array, from: number, to: number): string | undefined {
  return /^\d+ path=([^\n]*)\n/m.exec(tarText(archive, from, to))?.[1];
}

const utf8 = new TextDecoder();
const latin1 = new TextDecoder('latin1');
