import { FORMATS } from './formats.ts';
import type { FormatId, Recognition } from './profile-format.ts';

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
      /** The formats that it is least unlike, and why it is none of them; the nearest first. */
      readonly nearest: readonly { readonly name: string; readonly because: string }[];
    };

/** An input of no known format. */
export type Stranger = DetectedFormat & { readonly format: undefined };

/** One sentence: `It is no JFR recording: it begins with …; no pprof profile: …`. */
export function describeNearest({ nearest }: Stranger): string {
  if (nearest.length === 0) return '';
  return `It is ${nearest.map(({ name, because }) => `no ${name}: ${because}`).join('; ')}.`;
}

/** Bytes that `detectFormat` wants to see; with fewer, and more to come, its answer may change. */
export const DETECTION_BYTES = 4096;

/** So many formats are named to whoever opens what is none of them. */
const NEAREST = 3;

/** What files begin with that people mistake for a log. Latin-1; `at` counts bytes. */
const STRANGERS: readonly {
  readonly magic: string;
  readonly at?: number;
  readonly guess: string;
  /** The format that is packed into such files. */
  readonly mayHold?: FormatId;
}[] = [
  { magic: '\x89PNG', guess: 'a PNG image' },
  { magic: '\xff\xd8\xff', guess: 'a JPEG image' },
  { magic: 'GIF8', guess: 'a GIF image' },
  { magic: '%PDF', guess: 'a PDF document' },
  { magic: 'PK\x03\x04', guess: 'a ZIP archive inside another' },
  { magic: '\x1f\x8b', guess: 'gzip inside gzip' },
  { magic: '\x28\xb5\x2f\xfd', guess: 'zstd-compressed data' },
  { magic: '\xfd7zXZ', guess: 'xz-compressed data' },
  { magic: 'BZh', guess: 'bzip2-compressed data' },
  { magic: '7z\xbc\xaf', guess: 'a 7z archive' },
  { magic: 'ustar', at: 257, guess: 'a tar archive', mayHold: 'skywalking-archive' },
  { magic: '\x7fELF', guess: 'an ELF program' },
  { magic: 'MZ', guess: 'a Windows program' },
  { magic: '\xca\xfe\xba\xbe', guess: 'a Java class' },
  { magic: '\xac\xed\x00\x05', guess: 'a serialised Java object' },
  { magic: 'PERFILE2', guess: 'a perf.data recording' },
  { magic: 'SQLite format 3', guess: 'an SQLite database' },
  { magic: 'ftyp', at: 4, guess: 'an MP4 video' },
];

/**
 * Which format an unpacked input has, by its bytes alone: names lie. `ended` says that `head` is the whole input.
 * Undefined when more bytes are needed to tell.
 */
export function detectFormat(head: Uint8Array, ended: boolean): DetectedFormat | undefined {
  if (head.length === 0) {
    if (!ended) return undefined;
    return { format: undefined, reason: 'there is not one byte in it', guess: 'empty', nearest: [] };
  }
  const rejections: { readonly name: string; readonly likeness: number; readonly because: string }[] = [];
  let mayBe = false;
  const stranger = STRANGERS.find(({ magic, at }) => beginsWith(head, magic, at ?? 0));
  for (const format of FORMATS) {
    const found: Recognition = format.recognise(head);
    if (found.verdict === 'is') {
      if (stranger !== undefined && stranger.mayHold !== format.id) continue;
      return { format: format.id, reason: found.evidence };
    }
    mayBe ||= found.verdict === 'possible' && (stranger === undefined || stranger.mayHold === format.id);
    rejections.push({ name: format.name, likeness: found.likeness, because: found.because });
  }
  if (mayBe && !ended && head.length < DETECTION_BYTES) return undefined;
  const nearest = rejections
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, NEAREST)
    .map(({ name, because }) => ({ name, because }));
  if (stranger !== undefined) {
    const { guess } = stranger;
    return { format: undefined, reason: `it begins like ${guess}`, guess, nearest };
  }
  const first = `its first byte is ${head[0]} (0x${head[0].toString(16).padStart(2, '0')})`;
  const guess = guessText(head) ?? 'binary data of an unknown kind';
  return { format: undefined, reason: first, guess, nearest };
}

/** Whether what begins like this has a format; undefined when more bytes are needed to tell. For archives. */
export function isProfile(head: Uint8Array, ended: boolean): boolean | undefined {
  const detected = detectFormat(head, ended);
  return detected === undefined ? undefined : detected.format !== undefined;
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
