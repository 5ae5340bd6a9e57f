import { looksLikeHonestLog } from './honest-log/looks-like-honest-log.ts';

/** Formats that a decoder exists for. */
export type FormatId = 'honest-log';

export type DetectedFormat =
  | {
      readonly format: FormatId;
      /** What gave it away: 'it begins with a thread'. */
      readonly reason: string;
    }
  | {
      readonly format: undefined;
      readonly reason: string;
      /** What it looks like instead, with its article: 'a PNG image', 'text'; 'empty' for nothing at all. */
      readonly guess: string;
    };

/** Bytes that `detectFormat` wants to see; with fewer, and more to come, its answer may change. */
export const DETECTION_BYTES = 512;

interface FormatRow {
  readonly format: FormatId;
  /** What gives the format away, or undefined. */
  readonly looksLike: (head: Uint8Array) => string | undefined;
}

/** In order: a format with a magic comes before one that is only believable. */
const FORMATS: readonly FormatRow[] = [{ format: 'honest-log', looksLike: looksLikeHonestLog }];

/** What files begin with that people mistake for a log. Latin-1; `at` counts bytes. */
const STRANGERS: readonly { readonly magic: string; readonly at?: number; readonly guess: string }[] = [
  { magic: '\x89PNG', guess: 'a PNG image' },
  { magic: '\xff\xd8\xff', guess: 'a JPEG image' },
  { magic: 'GIF8', guess: 'a GIF image' },
  { magic: '%PDF', guess: 'a PDF document' },
  { magic: 'PK\x03\x04', guess: 'a ZIP archive' },
  { magic: 'PK\x05\x06', guess: 'an empty ZIP archive' },
  { magic: '\x1f\x8b', guess: 'gzip inside gzip' },
  { magic: '\x28\xb5\x2f\xfd', guess: 'zstd-compressed data' },
  { magic: '\xfd7zXZ', guess: 'xz-compressed data' },
  { magic: 'BZh', guess: 'bzip2-compressed data' },
  { magic: '7z\xbc\xaf', guess: 'a 7z archive' },
  { magic: 'ustar', at: 257, guess: 'a tar archive' },
  { magic: '\x7fELF', guess: 'an ELF program' },
  { magic: 'MZ', guess: 'a Windows program' },
  { magic: '\xca\xfe\xba\xbe', guess: 'a Java class' },
  { magic: '\xac\xed\x00\x05', guess: 'a serialised Java object' },
  { magic: 'FLR\x00', guess: 'a JFR recording' },
  { magic: 'JAVA PROFILE 1.0', guess: 'an hprof file' },
  { magic: 'PERFILE2', guess: 'a perf.data recording' },
  { magic: 'SQLite format 3', guess: 'an SQLite database' },
  { magic: 'ftyp', at: 4, guess: 'an MP4 video' },
];

/**
 * Which format an unpacked input has, by its bytes alone: names lie. `ended` says that `head` is the whole input.
 * An empty input that has not ended is nothing yet, and undefined.
 */
export function detectFormat(head: Uint8Array, ended: boolean): DetectedFormat | undefined {
  if (head.length === 0) {
    return ended ? { format: undefined, reason: 'there is not one byte in it', guess: 'empty' } : undefined;
  }
  for (const stranger of STRANGERS) {
    if (beginsWith(head, stranger.magic, stranger.at ?? 0)) {
      return { format: undefined, reason: `it begins like ${stranger.guess}`, guess: stranger.guess };
    }
  }
  for (const { format, looksLike } of FORMATS) {
    const evidence = looksLike(head);
    if (evidence !== undefined) return { format, reason: `it begins with ${evidence}` };
  }
  const first = `its first byte is ${head[0]} (0x${head[0].toString(16).padStart(2, '0')})`;
  return { format: undefined, reason: first, guess: guessText(head) ?? 'binary data of an unknown kind' };
}

function beginsWith(head: Uint8Array, magic: string, at: number): boolean {
  if (head.length < at + magic.length) return false;
  for (let index = 0; index < magic.length; index++) {
    if (head[at + index] !== magic.charCodeAt(index)) return false;
  }
  return true;
}

function guessText(head: Uint8Array): string | undefined {
  if (beginsWith(head, '\xff\xfe', 0) || beginsWith(head, '\xfe\xff', 0)) return 'text (UTF-16)';
  const hasControls = head.some(
    (byte) => byte === 0x7f || (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b),
  );
  if (hasControls) return undefined;
  const text = new TextDecoder().decode(head).trimStart();
  // The last character may be cut by the end of `head`.
  if (text.slice(0, -1).includes('\ufffd')) return undefined;
  if (text.startsWith('{') || text.startsWith('[')) return 'JSON';
  if (text.startsWith('<')) return 'HTML or XML';
  return 'text';
}
