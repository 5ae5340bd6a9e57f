/** Limit of all names together: packed names of a hostile file unpack to thousands of times their size. */
const MAX_NAME_CHARS = 256 << 20;

export interface Page {
  readonly title: string;
  /** 'samples', 'bytes', 'ns'; empty if unknown. */
  readonly units: string;
  /** The page compares two profiles: its widths are those of the new one, and its colours the differences. */
  readonly isDifferential: boolean;
  /** Index -> name; undefined in the old form, in which each frame contains its name. */
  readonly names: readonly string[] | undefined;
  /** The lines after the names; in the old form all lines. */
  readonly lines: Iterable<string>;
}

/** The largest difference, which is -1 in other pages, or the difference of the frames behind the line. */
const DIFFERENTIAL = /\bmaxdiff\s*=\s*\d|^[ \t]*d=(?:-?\d+|U)\b/m;

/** The contents of a page; undefined if its names unpack to more than the limit. */
export function readPage(text: string): Page | undefined {
  const title = /<h1\b[^<>]*>([^<]*)<\/h1>/.exec(text)?.[1] ?? '';
  const units = /\bunits?\s*=\s*'([^'\n]*)'/.exec(text)?.[1] ?? '';
  const isDifferential = DIFFERENTIAL.test(text);
  const pool = /^[ \t]*(?:const|let|var) cpool\s*=\s*\[/m.exec(text);
  if (pool === null) return { title, units, isDifferential, names: undefined, lines: linesOf(text, 0) };
  const from = pool.index + pool[0].length;
  const closing = /^[ \t]*\]/gm;
  closing.lastIndex = from;
  const to = closing.exec(text)?.index ?? text.length;
  const names = unpack(text.slice(from, to));
  return names === undefined ? undefined : { title, units, isDifferential, names, lines: linesOf(text, to) };
}

/**
 * Unpacks sorted names. A packed name begins with the number of characters that it shares with the name before:
 *
 *   'all', ' java.lang.Thread.run', '1start'         ' ' means 0 and '1' means 17: java.lang.Thread.start
 */
function unpack(pool: string): string[] | undefined {
  const names: string[] = [];
  let before = '';
  let chars = 0;
  for (let at = pool.indexOf("'"), end = 0; at >= 0; at = pool.indexOf("'", end + 1)) {
    end = stringEnd(pool, at);
    if (end < 0) break;
    const packed = unescaped(pool.slice(at + 1, end));
    if (names.length > 0) before = before.slice(0, Math.max(0, packed.charCodeAt(0) - 32)) + packed.slice(1);
    else before = packed;
    chars += before.length;
    if (chars > MAX_NAME_CHARS) return undefined;
    names.push(before);
  }
  return names;
}

/** The index of the quote that ends the string that begins at `from`; -1 if it does not end. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return -1;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

function* linesOf(text: string, from: number): Generator<string> {
  for (let at = from; at < text.length;) {
    const end = text.indexOf('\n', at);
    const to = end < 0 ? text.length : end;
    yield text.slice(at, to).trim();
    at = to + 1;
  }
}

/** A frame of the drawing. */
export interface DrawnFrame {
  readonly level: number;
  readonly width: number;
  readonly name: string;
  /** 0 interpreted, 1 JIT, 2 inlined, 3 native, 4 C++, 5 kernel, 6 C1. */
  readonly kind: number;
}

const CALL = /^([fun])\(([\d,]+)\)$/;
/** Up to the quote before the name, and after its name. */
const OLD_CALL = /^f\((\d+),\d+,(\d+),(\d),'/;
const OLD_CALL_END = /^(?:,[\d,]*)?\)$/;
const QUOTE = 0x27;
const BACKSLASH = 0x5c;

/**
 * Reads the function calls that draw frames, callers before callees. Missing level and width are those of the call
 * before:
 *
 *   f(key,level,left,width)    u(key,width) one level up    n(key,width) the same level
 */
export class DrawingCalls {
  /** Number of calls with an unknown name, or with an invalid level or width. */
  invalid = 0;
  #level = 0;
  #width = 0;
  readonly #names: readonly string[] | undefined;

  constructor(names: readonly string[] | undefined) {
    this.#names = names;
  }

  /** The frame that a line draws; undefined if it draws none. */
  read(line: string): DrawnFrame | undefined {
    const names = this.#names;
    if (names === undefined) return this.#oldCall(line);
    const call = CALL.exec(line);
    if (call === null) return undefined;
    const [key, ...numbers] = call[2].split(',').map(Number);
    if (call[1] === 'u') this.#level++;
    else if (call[1] === 'f') this.#level = numbers[0] ?? 0;
    const width = numbers[call[1] === 'f' ? 2 : 0] ?? 0;
    if (width > 0) this.#width = width;
    return this.#frame(names.at(Math.floor(key / 8)), key % 8);
  }

  #oldCall(line: string): DrawnFrame | undefined {
    const call = OLD_CALL.exec(line);
    if (call === null) return undefined;
    const from = call[0].length;
    const to = stringEnd(line, from - 1);
    if (to < 0 || !OLD_CALL_END.test(line.slice(to + 1))) return undefined;
    this.#level = Number(call[1]);
    this.#width = Number(call[2]);
    return this.#frame(unescaped(line.slice(from, to)), Number(call[3]));
  }

  #frame(name: string | undefined, kind: number): DrawnFrame | undefined {
    if (name !== undefined && Number.isSafeInteger(this.#width) && Number.isSafeInteger(this.#level))
      return { level: this.#level, width: this.#width, name, kind };
    this.invalid++;
    return undefined;
  }
}
