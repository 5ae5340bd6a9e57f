import { decodeText } from './decode-text.ts';

/** The header of a binary file (specs: hprof, section 2). */
export interface BinaryHeader {
  /** `JAVA PROFILE 1.0.2`. */
  readonly magic: string;
  readonly idSize: 4 | 8;
  /** Since 1970. */
  readonly startMillis: number;
  /** Lines of the text in front of a snapshot. */
  readonly preamble: readonly string[];
  /** Bytes up to the first record. */
  readonly length: number;
}

export interface HeaderProblem {
  readonly problem: { readonly found: string; readonly expected: string };
}

const MAGIC = Uint8Array.from('JAVA PROFILE ', (letter) => letter.charCodeAt(0));
/** A binary file ends its magic with a NUL within so many bytes (AOSP BinaryHprof.readMagic). */
export const LONGEST_MAGIC = 512;
/** Of the text in front of a snapshot. */
export const LONGEST_PREAMBLE = 1 << 16;
const LF = 0x0a;

/** undefined while there is too little of it. */
export function readBinaryHeader(bytes: Uint8Array): BinaryHeader | HeaderProblem | undefined {
  const start = magicAt(bytes);
  if (start < 0) {
    if (bytes.length < LONGEST_PREAMBLE) return undefined;
    return { problem: { found: 'only text', expected: `JAVA PROFILE within ${LONGEST_PREAMBLE} bytes` } };
  }
  const nul = bytes.subarray(start, start + LONGEST_MAGIC).indexOf(0);
  if (nul < 0) {
    if (bytes.length < start + LONGEST_MAGIC) return undefined;
    return {
      problem: {
        found: `no NUL in ${LONGEST_MAGIC} bytes`,
        expected: 'a NUL after JAVA PROFILE and a version',
      },
    };
  }
  const at = start + nul + 1;
  if (bytes.length < at + 12) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 12);
  const idSize = view.getUint32(0);
  if (idSize !== 4 && idSize !== 8)
    return { problem: { found: `identifiers of ${idSize} bytes`, expected: '4 or 8' } };
  return {
    magic: decodeText(bytes.subarray(start, start + nul)),
    idSize,
    startMillis: view.getUint32(4) * 2 ** 32 + view.getUint32(8),
    preamble: start === 0 ? [] : decodeText(bytes.subarray(0, start)).trimEnd().split(/\r?\n/),
    length: at + 12,
  };
}

/**
 * Where `JAVA PROFILE ` begins: at the beginning, or behind a text that an empty line ends, as in Android's snapshots;
 * -1 when it does not (yet).
 */
export function magicAt(bytes: Uint8Array): number {
  if (isMagic(bytes, 0)) return 0;
  for (let at = bytes.indexOf(LF); at >= 0 && at < LONGEST_PREAMBLE; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF && isMagic(bytes, at + 2)) return at + 2;
  }
  return -1;
}

function isMagic(bytes: Uint8Array, at: number): boolean {
  return at + MAGIC.length <= bytes.length && MAGIC.every((byte, index) => bytes[at + index] === byte);
}
