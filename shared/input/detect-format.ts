import { decodedText } from '../read/utf16.ts';
import { FORMATS } from '../formats/formats.ts';
import type { FormatId } from '../facts/format-list.ts';
import type { ProfileFormat, Recognition } from '../formats/profile-format.ts';
import { beginsWith, otherFileOf } from './other-files.ts';

export type DetectedFormat =
  | {
      readonly format: FormatId;
      /** The reason for which it was recognised: 'it begins with a thread'. */
      readonly reason: string;
    }
  | UnrecognisedInput;

/** An input of no known format. */
export interface UnrecognisedInput {
  readonly format: undefined;
  /** The likely kind of the file, with an article if it has one: 'a PNG image', 'plain text'. */
  readonly guess: string;
  /** The advice, a clause; undefined if nothing better is known than to open another file. */
  readonly advice?: string | undefined;
  /** It is a tar archive, whose files may be profiles. */
  readonly isTar?: true | undefined;
  /**
   * Why it has none of the known formats: the main format first, then the most similar ones. Empty for a file of a
   * known kind.
   */
  readonly reasons: readonly FormatMismatch[];
  /** It is a text of which more is to come, and a profile may follow: see `detectInText`. */
  readonly mayFollow?: boolean;
}

export interface FormatMismatch {
  /** Name of the format, or of an archive's entry. */
  readonly name: string;
  /** A clause: 'it does not begin with FLR'. */
  readonly because: string;
}

/** Nearly all inputs are recognised by this many bytes. */
export const DETECTION_BYTES = 4096;

/** The beginning of a format may follow pages of other text. `detectFormat` decides after so many bytes. */
export const MOST_DETECTION_BYTES = DETECTION_BYTES * 4 ** 6;

/** Number of bytes from which detection is tried again, after it has asked for more than `length` bytes. */
export function nextDetection(length: number): number {
  let size = DETECTION_BYTES;
  while (size <= length) size *= 4;
  return length < DETECTION_BYTES ? length + 1 : Math.min(size, MOST_DETECTION_BYTES);
}

export const EMPTY_FILE = 'an empty file';

/** Always named first to the user, even when other formats are more similar to the input. */
const MAIN_FORMAT: FormatId = 'honest-log';

interface Mismatch extends FormatMismatch {
  readonly format: ProfileFormat;
  readonly likeness: number;
  readonly isPossible: boolean;
}

/**
 * Detects the format of an unpacked input by its first bytes, because file names can be wrong. `ended`: `head` is the
 * complete input. Undefined if more bytes are needed; see `nextDetection`. Formats that remain possible are tried with
 * 4 096 bytes, then with four times as many, and so on: the result does not depend on how the input arrives.
 */
export function detectFormat(head: Uint8Array, ended: boolean): DetectedFormat | undefined {
  if (head.length === 0) return ended ? { format: undefined, guess: EMPTY_FILE, reasons: [] } : undefined;
  let other = otherFileOf(head.subarray(0, DETECTION_BYTES));
  const mismatches = new Map<FormatId, Mismatch>();
  let formats = FORMATS;
  for (let size = DETECTION_BYTES; formats.length > 0 && size <= MOST_DETECTION_BYTES; size *= 4) {
    if (size > DETECTION_BYTES && head.length < size && !ended) return undefined;
    const part = head.subarray(0, size);
    // What tells one kind of JSON from another may follow pages of metadata, and one of pages their style sheet.
    if (size > DETECTION_BYTES && beginsAsPage(head)) other ??= otherFileOf(part);
    for (const format of formats) {
      const isExcluded = other !== undefined && other.mayContain !== format.id;
      const found = format.recognise(part);
      if (found.verdict !== 'is') mismatches.set(format.id, mismatchOf(format, found, isExcluded));
      else if (!isExcluded) return { format: format.id, reason: found.evidence };
    }
    formats = formats.filter(({ id }) => mismatches.get(id)?.isPossible === true);
    if (head.length < size && formats.length > 0 && !ended) return undefined;
    if (head.length <= size && ended) break;
  }
  const named = other ?? otherFileOf(head);
  if (named !== undefined) {
    const { what, instead, isTar } = named;
    return { format: undefined, guess: what, advice: instead, isTar, reasons: [] };
  }
  const rank = ({ format, likeness }: Mismatch): number => (format.id === MAIN_FORMAT ? Infinity : likeness);
  const reasons = [...mismatches.values()]
    .sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
    .map(({ name, because }) => ({ name, because }));
  const text = guessText(head);
  const mayFollow = text !== undefined && !ended && formats.some(({ beginsAnywhere }) => beginsAnywhere);
  return { format: undefined, guess: text ?? 'binary data', reasons, mayFollow };
}

/** Bytes of a long text in which a profile is searched at a time, and those that a part shares with the one before it. */
export const SEARCHED_BYTES = 1 << 20;
export const SHARED_BYTES = 1 << 16;

/** Detects a profile that may stand anywhere in a text, in a part of the text. */
export function detectInText(part: Uint8Array): DetectedFormat | undefined {
  for (const format of FORMATS) {
    const found = format.beginsAnywhere === true ? format.recognise(part) : undefined;
    if (found?.verdict === 'is') return { format: format.id, reason: found.evidence };
  }
  return undefined;
}

function mismatchOf(
  format: ProfileFormat,
  { verdict, likeness, because }: Exclude<Recognition, { verdict: 'is' }>,
  isExcluded: boolean,
): Mismatch {
  const isPossible = verdict === 'possible' && !isExcluded;
  return { format, name: format.name, because, likeness, isPossible };
}

const JSON_OR_HTML = /^\ufeff?\s*(?:[{[]|<(?:!doctype html|html))/i;
/** Bytes in which the first bracket of a JSON or HTML text is. */
const START_BYTES = 64;

function beginsAsPage(head: Uint8Array): boolean {
  return JSON_OR_HTML.test(decodedText(head.subarray(0, START_BYTES)));
}

const JSON_TEXT = String.raw`"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)`;
/** An object with a key, or a list with a value, as far as the text goes. */
const JSON_BEGINNING = new RegExp(
  String.raw`^(?:\{\s*(?:$|\}|${JSON_TEXT}\s*(?:$|:))` +
    String.raw`|\[\s*(?:$|[[{\]]|(?:${JSON_TEXT}|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null)\s*(?:$|[,\]])))`,
  'i',
);
/** An element that is closed, or a declaration; the first frame of a stack may be `<module>`. */
const XML_BEGINNING = /^<(?:\?xml\s|!(?:doctype|--)|[a-z_][\w:.-]*(?:\s[^<>]*)?\/?>)/i;
const XML_MARKUP = /<\?xml\s|<!(?:doctype|--)|<\/[a-z_]|\/>/i;

/** So much of a text tells its kind. */
const GUESSED_CHARACTERS = 1 << 16;

function guessText(head: Uint8Array): string | undefined {
  if (beginsWith(head, '\xff\xfe', 0) || beginsWith(head, '\xfe\xff', 0)) return 'UTF-16 text';
  const hasControls = head.some(
    (byte) => byte === 0x7f || (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b),
  );
  if (hasControls) return undefined;
  const text = new TextDecoder().decode(head).trimStart();
  // The last character may be incomplete.
  if (text.slice(0, -1).includes('\ufffd')) return undefined;
  const beginning = text.slice(0, GUESSED_CHARACTERS);
  if (JSON_BEGINNING.test(beginning)) return 'a JSON file';
  if (/^<(!doctype html|html)/i.test(text)) return 'an HTML page';
  if (XML_BEGINNING.test(beginning) && XML_MARKUP.test(beginning)) return 'an XML file';
  return 'plain text';
}
