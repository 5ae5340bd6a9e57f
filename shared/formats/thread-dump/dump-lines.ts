import { LineSplitter } from '../../read/line-splitter.ts';
import {
  dumpBegins,
  goesOnWithThread,
  LinePrefix,
  mayBeginDump,
  MOST_PREFIX_LENGTH,
  MOST_SEARCHED,
  TAB_OF_RSYSLOG,
  textOfRecord,
} from './line-prefix.ts';

/**
 * The lines of dumps without what other programs have written before and around them: see `LinePrefix` and
 * `textOfRecord`. For decoders of every form of dump.
 *
 *   lines.take(chunk);
 *   while (lines.next()) if (!lines.isForeign) read(lines.bytes, lines.from, lines.to);
 *   lines.end();                       the last line may have no line break
 *   while (lines.next()) …
 */
export class DumpLines {
  /** The line is bytes[from … to), without prefix and line break; borrowed until the next `next` or `take`. */
  bytes: Uint8Array = NO_BYTES;
  from = 0;
  to = 0;
  /** Bytes of the line in the input, with everything around it; 0 for a line that was counted before. */
  stored = 0;
  isTooLong = false;
  /** The input has ended in the line: it has no line break. */
  isUnterminated = false;
  /** The line has another prefix than the dump: another program or container has written it. */
  isForeign = false;

  readonly #lines = new LineSplitter();
  /** The prefix behind which the lines of the dump stand that was begun last; undefined if there is none. */
  #prefix: LinePrefix | undefined;
  /** A second line has the prefix. */
  #isConfirmed = false;
  /** Lines that come before the next one of the input. Of some, the prefix has been removed. */
  readonly #waiting: { readonly bytes: Uint8Array; readonly isStripped: boolean }[] = [];
  /** The latest lines that end with a time, while the prefix is not known: a VM writes it before a dump. */
  #times: { readonly bytes: Uint8Array; readonly line: number }[] = [];

  get tooLong(): number {
    return this.#lines.tooLong;
  }

  /** Takes the next bytes of the input. All lines of the chunk before must have been read. */
  take(chunk: Uint8Array): void {
    this.#lines.take(chunk);
  }

  /** Call it at the end of the input. */
  end(): void {
    this.#lines.end();
  }

  /** Moves to the next line; false if the chunk has no further complete line. */
  next(): boolean {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      const { bytes, isStripped } = waiting;
      this.stored = 0;
      if (isStripped) this.#show(bytes, 0, bytes.length);
      else this.#strip(bytes, 0, bytes.length);
      return true;
    }
    const lines = this.#lines;
    if (!lines.next()) return false;
    const { bytes, from, to } = lines;
    this.stored = lines.stored;
    this.isTooLong = lines.isTooLong;
    this.isUnterminated = lines.isUnterminated;
    if (lines.isTooLong) {
      this.#show(bytes, from, to);
      return true;
    }
    const texts =
      bytes[from] === BRACE && bytes[to - 1] === CLOSING_BRACE ? linesOfRecord(bytes, from, to) : [];
    for (const text of texts.slice(1)) this.#waiting.push({ bytes: text, isStripped: false });
    if (texts.length === 0) this.#strip(bytes, from, to);
    else this.#strip(texts[0], 0, texts[0].length);
    return true;
  }

  #show(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.isForeign = false;
  }

  #strip(bytes: Uint8Array, from: number, to: number): void {
    if (this.#prefix === undefined && beginsWithFrame(bytes, from, to)) {
      this.#show(bytes, from, to);
      return;
    }
    const known = this.#prefix;
    const at = this.#contentAt(bytes, from, to);
    this.#show(bytes, contentFrom(bytes, from + Math.max(0, at), to), to);
    this.isForeign = at < 0;
    if (this.#prefix === known) return;
    const time = this.#takeTime();
    if (time === undefined) return;
    // The time belongs to the same dump, and is shown before it.
    this.#waiting.unshift({ bytes: bytes.slice(this.from, to), isStripped: true });
    this.#show(time, 0, time.length);
  }

  /** The latest time behind the prefix, in a line near enough; undefined if there is none. */
  #takeTime(): Uint8Array | undefined {
    const earliest = this.#lines.line - MOST_LINES_AFTER_TIME;
    const times = this.#times.filter(({ line }) => line >= earliest);
    this.#times = [];
    for (const prefix of [this.#prefix, this.#prefix?.loosened()])
      for (const { bytes } of times.toReversed()) {
        const text = latin1.decode(bytes);
        const at = prefix === undefined ? 0 : prefix.contentAt(text);
        if (at >= 0 && WHOLE_TIME.test(text.slice(at))) return bytes.subarray(at);
      }
    return undefined;
  }

  /** Bytes of the prefix of a line; -1 if the line does not belong to the dump. */
  #contentAt(bytes: Uint8Array, from: number, to: number): number {
    const known = this.#prefix;
    const line = latin1.decode(bytes.subarray(from, Math.min(to, from + MOST_SEARCHED)));
    if (known !== undefined) {
      const at = known.contentAt(line);
      if (at >= 0) {
        this.#isConfirmed ||= at < line.length;
        return at;
      }
      if (line.trim() === '') return line.length;
    }
    const begins = mayBeginDump(line) ? dumpBegins(line) : -1;
    if (begins >= 0) {
      this.#isConfirmed = false;
      if (begins > 0 || known !== undefined)
        this.#prefix = begins === 0 ? undefined : new LinePrefix(line.slice(0, begins));
      return begins;
    }
    if (known !== undefined && !this.#isConfirmed) {
      const loose = known.loosened();
      const at = loose.contentAt(line);
      if (at >= 0 && goesOnWithThread(line.slice(at))) {
        this.#prefix = loose;
        this.#isConfirmed = true;
        return at;
      }
      // A log may have the first line of a thread in a record, and its other lines without a prefix.
      if (goesOnWithThread(line)) this.#prefix = undefined;
    }
    if (endsWithTime(line)) {
      if (this.#times.length > MOST_LINES_AFTER_TIME) this.#times.shift();
      this.#times.push({ bytes: bytes.slice(from, to), line: this.#lines.line });
    }
    return this.#prefix === undefined ? 0 : -1;
  }
}

/** The lines of the text of a log record in JSON; none if the line is no such record. */
function linesOfRecord(bytes: Uint8Array, from: number, to: number): Uint8Array[] {
  const text = textOfRecord(utf8.decode(bytes.subarray(from, to)));
  if (text === undefined) return [];
  return text.split('\n').map((line) => encoder.encode(line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Whether a frame with `at ` before it begins at `at`. */
export function isAt(bytes: Uint8Array, at: number, to: number): boolean {
  return bytes[at] === LETTER_A && bytes[at + 1] === LETTER_T && bytes[at + 2] === BLANK && at + 3 < to;
}

/** Whether a line begins as most lines of dumps do that have no prefix. */
function beginsWithFrame(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to && (bytes[at] === BLANK || bytes[at] === TAB)) at++;
  return isAt(bytes, at, to);
}

/** Behind the code that rsyslog writes for a tab. */
function contentFrom(bytes: Uint8Array, from: number, to: number): number {
  const isCode = TAB_CODE.every((code, index) => bytes[from + index] === code);
  return isCode ? Math.min(to, from + TAB_CODE.length) : from;
}

function endsWithTime(line: string): boolean {
  const isPossible = line.length <= MOST_PREFIX_LENGTH && /[\dZ]\s*$/.test(line.slice(-3));
  return isPossible && TIME.test(line);
}

const NO_BYTES = new Uint8Array(0);
const TAB = 0x09;
const BLANK = 0x20;
const LETTER_A = 0x61;
const LETTER_T = 0x74;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const TAB_CODE = Array.from(TAB_OF_RSYSLOG, (character) => character.charCodeAt(0));
const TIME = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?Z?\s*$/;
const WHOLE_TIME = new RegExp(`^\\s*(?:${TIME.source})`);
/** Lines from a time to the first line of a thread: version, process and an empty line may be between them. */
const MOST_LINES_AFTER_TIME = 4;
/** A character per byte, so that places in the text are places in the bytes. */
const latin1 = new TextDecoder('latin1');
const utf8 = new TextDecoder();
const encoder = new TextEncoder();
