import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { errnoOf } from './source-error.ts';

/** O_NONBLOCK, because opening a pipe would otherwise wait for a writer. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens a path for reading. `flags`: further ones of the system. Throws errors of the system. */
export function openToRead(path: string, flags = 0): number {
  return openSync(systemPath(path), READ | flags);
}

/** Undefined if there is no such file. Throws other errors of the system. */
export function openIfThere(path: string): number | undefined {
  try {
    return openToRead(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

interface SmallFile {
  /** Flags of the system besides those for reading. */
  readonly flags?: number;
  /** Whether a regular file is to be read. */
  readonly isWanted?: (found: Stats) => boolean;
}

/**
 * At most so many first bytes of a regular file; undefined if there is none that can be read. A pipe is not waited for,
 * nor a device read, as `readFile` would.
 */
export function readSmallFile(
  path: string,
  mostBytes: number,
  { flags = 0, isWanted = () => true }: SmallFile = {},
): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openToRead(path, flags);
    const found = fstatSync(file);
    if (!found.isFile() || !isWanted(found)) return undefined;
    const bytes = Buffer.alloc(Math.min(found.size, mostBytes));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * `readSmallFile` for a file that may be on a drive that does not answer; undefined if it is no regular file. Rejects with errors
 * of the system.
 */
export async function readBeginning(path: string, mostBytes: number): Promise<Buffer | undefined> {
  const file = await open(systemPath(path), READ);
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(mostBytes), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * File systems of Linux name files by bytes, which need not be UTF-8. Paths are strings here all the same: a byte that is
 * no UTF-8 is half of a surrogate pair, 0xFF is U+DCFF (Python's `surrogateescape`). Only system calls get the bytes.
 *
 *   bytes    66 6f ff 2e 68 70 6c
 *   path     f  o  \udcff .  h  p  l
 */
const BYTE_ESCAPE = 0xdc00;
const ESCAPED_BYTES = /([\u{dc80}-\u{dcff}])/u;

/** The path with these bytes. */
export function pathOfBytes(bytes: Buffer): string {
  let path = '';
  for (let at = 0; at < bytes.length;) {
    const character = characterAt(bytes, at);
    path += character ?? String.fromCharCode(BYTE_ESCAPE | bytes[at]);
    at += character === undefined ? 1 : Buffer.byteLength(character);
  }
  return path;
}

/** The path in the form for system calls. */
export function systemPath(path: string): string | Buffer {
  const parts = path.split(ESCAPED_BYTES);
  if (parts.length === 1) return path;
  // Every second part is an escaped byte.
  return Buffer.concat(
    parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) & 0xff))),
  );
}

/** The character whose UTF-8 begins there, if there is one. */
function characterAt(bytes: Buffer, at: number): string | undefined {
  const [first] = bytes.subarray(at);
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const unit = bytes.subarray(at, at + length);
  const character = unit.toString();
  return Buffer.from(character).equals(unit) ? character : undefined;
}

const LATE = Symbol('late');

/**
 * Waits for answers of file systems no longer than a time: a network drive that is gone never answers. Each question that
 * is overdue holds one of the four threads that Node has for files, so that no more are asked while `mostOverdue` are.
 */
export class TimeLimit {
  readonly #ms: number;
  readonly #mostOverdue: number;
  #overdue = 0;

  constructor(ms: number, mostOverdue = Infinity) {
    this.#ms = ms;
    this.#mostOverdue = mostOverdue;
  }

  /** The answer, or what `late` returns or throws if there is none in time. */
  async answer<T, Late>(ask: () => Promise<T>, late: () => Late): Promise<T | Late> {
    if (this.#overdue >= this.#mostOverdue) return late();
    let isOverdue = false;
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<typeof LATE>((resolve) => {
      timer = setTimeout(() => {
        isOverdue = true;
        this.#overdue++;
        resolve(LATE);
      }, this.#ms).unref();
    });
    const answer = ask().finally(() => {
      clearTimeout(timer);
      if (isOverdue) this.#overdue--;
    });
    const first = await Promise.race([answer, end]);
    return first === LATE ? late() : first;
  }
}
