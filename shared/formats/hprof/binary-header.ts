import { decodeText } from './decode-text.ts';

/** The header of a binary file (specs: hprof, section 2). */
export interface BinaryHeader {
  /** `JAVA PROFILE 1.0.2`. */
  readonly magic: string;
  readonly idSize: 4 | 8;
  /** Milliseconds since 1970. */
  readonly startMillis: number;
  /** Lines of the text before the magic number, in a snapshot of Android. */
  readonly preamble: readonly string[];
  /** Number of bytes before the first record. */
  readonly length: number;
}

export interface HeaderProblem {
  readonly problem: { readonly found: string; readonly expected: string };
}

const MAGIC = Uint8Array.from('JAVA PROFILE ', (letter) => letter.charCodeAt(0));
/** The magic number must end with a NUL within this length (AOSP BinaryHprof.readMagic). */
export const MAX_MAGIC_BYTES = 512;
/** Of the text before the magic number. */
const MAX_PREAMBLE_BYTES = 1 << 16;
const LF = 0x0a;

/** Undefined if more bytes are needed. */
export function readBinaryHeader(bytes: Uint8Array): BinaryHeader | HeaderProblem | undefined {
  const start = magicAt(bytes);
  if (start < 0) {
    if (bytes.length < MAX_PREAMBLE_BYTES) return undefined;
    return { problem: { found: 'only text', expected: `JAVA PROFILE within ${MAX_PREAMBLE_BYTES} bytes` } };
  }
  const nul = bytes.subarray(start, start + MAX_MAGIC_BYTES).indexOf(0);
  if (nul < 0) {
    if (bytes.length < start + MAX_MAGIC_BYTES) return undefined;
    return {
      problem: {
        found: `no NUL in ${MAX_MAGIC_BYTES} bytes`,
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
 * The offset of `JAVA PROFILE `: 0, or, in Android's snapshots, after a text that ends with an empty line. -1 if it is
 * not found.
 */
export function magicAt(bytes: Uint8Array): number {
  if (isMagic(bytes, 0)) return 0;
  for (let at = bytes.indexOf(LF); at >= 0 && at < MAX_PREAMBLE_BYTES; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF && isMagic(bytes, at + 2)) return at + 2;
  }
  return -1;
}

function isMagic(bytes: Uint8Array, at: number): boolean {
  return at + MAGIC.length <= bytes.length && MAGIC.every((byte, index) => bytes[at + index] === byte);
}
