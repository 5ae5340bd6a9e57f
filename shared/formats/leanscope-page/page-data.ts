import { Unzlib } from 'fflate';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { PAGE_DATA_ID } from '../../page/page-ids.ts';

/** Why a page cannot be read: where in the file, what is there, and what should be. */
export class PageFault extends Error {
  readonly byteOffset: number;
  readonly found: string;
  readonly expected: string;

  constructor(byteOffset: number, found: string, expected: string) {
    super(`${found} at byte ${byteOffset}, expected ${expected}`);
    this.byteOffset = byteOffset;
    this.found = found;
    this.expected = expected;
  }
}

const ELEMENT = new RegExp(`<(?:script|metadata)\\b[^<>]*\\bid="${PAGE_DATA_ID}"[^<>]*>`);
/** Bytes that are unpacked at once, at most a thousand times as many. */
const PIECE_BYTES = 1 << 14;
/** Bytes of the checksum at the end. */
const CHECKSUM_BYTES = 4;

/** The unpacked data of a page, and where they begin in it. undefined: the budget refuses them. Throws PageFault. */
export function readPageData(
  page: Uint8Array,
  memory: Pick<MemoryBudget, 'hold'>,
): { readonly bytes: Uint8Array; readonly from: number } | undefined {
  const text = new TextDecoder('latin1').decode(page);
  const element = ELEMENT.exec(text);
  if (element === null)
    throw new PageFault(page.length, 'the end of the file', `an element with the id ${PAGE_DATA_ID}`);
  const from = element.index + element[0].length;
  const end = text.indexOf('<', from);
  if (end < 0) throw new PageFault(page.length, 'the end of the file', 'the rest of the profile');
  if (!memory.hold(end - from)) return undefined;
  const packed = fromBase64(page, from, end);
  const bytes = unpacked(packed, from, memory);
  return bytes && { bytes, from };
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGITS = new Int8Array(256).fill(-1);
for (let digit = 0; digit < BASE64.length; digit++) DIGITS[BASE64.charCodeAt(digit)] = digit;
/** Editors may have wrapped the line. */
const BLANKS = ' \t\r\n';

function fromBase64(page: Uint8Array, from: number, end: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(((end - from) * 3) / 4));
  let length = 0;
  let bits = 0;
  let rest = 0;
  for (let at = from; at < end; at++) {
    const digit = DIGITS[page[at]];
    if (digit < 0) {
      const character = String.fromCharCode(page[at]);
      if (character === '=' || BLANKS.includes(character)) continue;
      throw new PageFault(at, `the character ${JSON.stringify(character)}`, 'base64');
    }
    rest = ((rest << 6) | digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = rest >>> bits;
  }
  return bytes.subarray(0, length);
}

/** fflate does not compare the checksum: otherwise data that somebody has edited would be read as they are. */
function unpacked(
  packed: Uint8Array,
  from: number,
  memory: Pick<MemoryBudget, 'hold'>,
): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const budget = { isSpent: false };
  const inflate = new Unzlib((piece) => {
    if (budget.isSpent || !memory.hold(piece.length * 2)) budget.isSpent = true;
    else {
      pieces.push(piece);
      length += piece.length;
    }
  });
  try {
    for (let at = 0; at < packed.length && !budget.isSpent; at += PIECE_BYTES)
      inflate.push(packed.slice(at, at + PIECE_BYTES), at + PIECE_BYTES >= packed.length);
  } catch {
    throw new PageFault(from, 'data that cannot be unpacked', 'the packed profile as Leanscope wrote it');
  }
  if (budget.isSpent) return undefined;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  const isWhole = packed.length > CHECKSUM_BYTES;
  const told = isWhole
    ? new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - CHECKSUM_BYTES)
    : -1;
  if (adler32(bytes) !== told)
    throw new PageFault(
      from,
      'data that do not match their checksum',
      'the packed profile as Leanscope wrote it',
    );
  return bytes;
}

/** Sums of so many bytes stay below 2^32. */
const ADLER_BYTES = 2_000;

/** The checksum of zlib (RFC 1950). */
function adler32(bytes: Uint8Array): number {
  let sum = 1;
  let sums = 0;
  for (let from = 0; from < bytes.length; from += ADLER_BYTES) {
    const end = Math.min(from + ADLER_BYTES, bytes.length);
    for (let at = from; at < end; at++) sums += sum += bytes[at];
    sum %= 65_521;
    sums %= 65_521;
  }
  return ((sums << 16) | sum) >>> 0;
}
