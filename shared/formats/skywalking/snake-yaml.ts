/** SkyWalking's files have a few kilobytes. */
const MAX_BYTES = 1 << 20;
/** SkyWalking's files have four levels. */
const MAX_DEPTH = 64;

export type YamlValue = string | readonly YamlValue[] | ReadonlyMap<string, YamlValue>;

export interface YamlText {
  /** undefined if the text cannot be read. */
  readonly root: YamlValue | undefined;
  readonly problem: { readonly message: string; readonly isTooLong?: true } | undefined;
}

/**
 * Reads YAML as SnakeYAML dumps Java beans: maps and lists in blocks or brackets, plain and quoted texts that may be
 * folded, anchors and aliases. Every scalar stays a text, because YAML 1.1 makes 1200 of `20:0`. Tags are ignored: the
 * first line is the tag of a Java class. Not read: complex keys, literal blocks, several documents. Takes linear time.
 *
 *   !!org.apache.X
 *   config: {taskId: t,           Map { config -> Map { taskId -> 't', traceId -> 'a b' },
 *     traceId: 'a                       segments -> [Map { segmentId -> 's' }] }
 *       b'}
 *   segments:
 *   - {segmentId: s}
 */
export function readSnakeYaml(bytes: Uint8Array): YamlText {
  if (bytes.length > MAX_BYTES)
    return {
      root: undefined,
      problem: { message: `more than ${MAX_BYTES >> 20} MB of YAML`, isTooLong: true },
    };
  try {
    return { root: new SnakeYamlReader(utf8.decode(bytes)).document(), problem: undefined };
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    return { root: undefined, problem: { message: error.message } };
  }
}

class YamlProblem extends Error {}

class SnakeYamlReader {
  readonly #text: string;
  readonly #anchored = new Map<string, YamlValue>();
  #at = 0;
  #lineStart = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text.replaceAll(/\r\n?/g, '\n');
  }

  document(): YamlValue {
    this.#skipSpace();
    if (this.#text.startsWith('---', this.#at)) this.#at += 3;
    const root = this.#block(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('a value that nothing belongs to');
    return root;
  }

  get #column(): number {
    return this.#at - this.#lineStart;
  }

  /** The value that begins at column `least` or later, a list at `leastOfList` or later; '' if there is none. */
  #block(least: number, leastOfList = least): YamlValue {
    const isEmpty = (): boolean =>
      this.#at === this.#text.length || this.#column < (this.#isMark('-') ? leastOfList : least);
    this.#skipSpace();
    if (isEmpty()) return '';
    const anchor = this.#anchor();
    if (isEmpty()) return '';
    return this.#nested(anchor, () => {
      const column = this.#column;
      if (this.#isMark('-')) return this.#blockList(column);
      const start = this.#at;
      const value = this.#inline(least);
      if (typeof value !== 'string' || this.#text[start] === '*' || !this.#isMark(':')) return value;
      return this.#blockMap(column, value);
    });
  }

  #blockList(column: number): YamlValue {
    const list: YamlValue[] = [];
    while (this.#isMark('-') && this.#column === column) {
      this.#at++;
      list.push(this.#block(column + 1));
      this.#skipSpace();
    }
    return list;
  }

  #blockMap(column: number, firstKey: string): YamlValue {
    const map = new Map<string, YamlValue>();
    for (let key = firstKey; ; key = this.#scalar(column + 1, false)) {
      if (!this.#isMark(':')) this.#fail('a key without a colon');
      this.#at++;
      // A list may begin at the column of its key.
      map.set(key, this.#block(column + 1, column));
      this.#skipSpace();
      if (this.#at === this.#text.length || this.#column !== column || this.#isMark('-')) return map;
    }
  }

  /** A value that is no block: in brackets, an alias, or a text whose further lines have at least the column `least`. */
  #inline(least: number): YamlValue {
    const char = this.#text[this.#at];
    if (char === '{') return this.#flowMap();
    if (char === '[') return this.#flowList();
    if (char === '*') {
      const name = this.#word();
      const value = this.#anchored.get(name.slice(1));
      return value ?? this.#fail(`the unknown alias ${name}`);
    }
    return this.#scalar(least, false);
  }

  #flow(): YamlValue {
    this.#skipSpace();
    const anchor = this.#anchor();
    return this.#nested(anchor, () => {
      const char = this.#text[this.#at];
      return char === '{' || char === '[' || char === '*' ? this.#inline(0) : this.#scalar(0, true);
    });
  }

  #flowList(): YamlValue {
    const list: YamlValue[] = [];
    this.#at++;
    while (!this.#closes(']')) {
      list.push(this.#flow());
      this.#separate(']');
    }
    return list;
  }

  #flowMap(): YamlValue {
    const map = new Map<string, YamlValue>();
    this.#at++;
    while (!this.#closes('}')) {
      const key = this.#scalar(0, true);
      this.#skipSpace();
      const hasValue = this.#text[this.#at] === ':';
      if (hasValue) this.#at++;
      map.set(key, hasValue ? this.#flow() : '');
      this.#separate('}');
    }
    return map;
  }

  #closes(bracket: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at++;
    return true;
  }

  #separate(bracket: string): void {
    this.#skipSpace();
    if (this.#text[this.#at] === ',') this.#at++;
    else if (this.#text[this.#at] !== bracket) this.#fail(`neither a comma nor ${bracket}`);
  }

  #scalar(least: number, isFlow: boolean): string {
    const char = this.#text[this.#at];
    return char === "'" || char === '"' ? this.#quoted(char) : this.#plain(least, isFlow);
  }

  #quoted(quote: string): string {
    const from = this.#at + 1;
    for (let at = from; at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === '\n') this.#lineStart = at + 1;
      else if (char === '\\' && quote === '"') at++;
      else if (char === quote && quote === "'" && this.#text[at + 1] === "'") at++;
      else if (char === quote) {
        this.#at = at + 1;
        const inner = this.#text.slice(from, at);
        return quote === '"' ? unescaped(inner) : folded(inner).replaceAll("''", "'");
      }
    }
    return this.#fail('a text without its closing quote');
  }

  #plain(least: number, isFlow: boolean): string {
    const from = this.#at;
    if (!isFlow && NO_PLAIN_START.test(this.#text[from] ?? '')) this.#fail('a text without quotes');
    let end = from;
    for (let at = from; at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === ':') {
        const next = this.#text.slice(at + 1, at + 2);
        if (ENDS_WORD.test(next) || (isFlow && FLOW_MARK.test(next))) break;
      }
      if (isFlow && FLOW_MARK.test(char)) break;
      if (char === '#' && at > 0 && SPACE.test(this.#text[at - 1])) break;
      if (char === '\n') {
        const line = at + 1;
        let indent = line;
        while (this.#text[indent] === ' ') indent++;
        if (this.#text[indent] === '\n') continue;
        if (indent - line < least || indent === this.#text.length) break;
      } else if (char !== ' ' && char !== '\t') end = at + 1;
    }
    this.#at = end;
    const text = this.#text.slice(from, end);
    if (text === '' && !(isFlow && /[:,\]}]/.test(this.#text[end] ?? ''))) this.#fail('no value');
    const lastBreak = text.lastIndexOf('\n');
    if (lastBreak >= 0) this.#lineStart = from + lastBreak + 1;
    return folded(text);
  }

  /** The next character stands for itself as a mark: a space or the end of the line follows it. */
  #isMark(char: string): boolean {
    return this.#text[this.#at] === char && ENDS_WORD.test(this.#text.slice(this.#at + 1, this.#at + 2));
  }

  /** Skips tags, and returns the name of an anchor. */
  #anchor(): string | undefined {
    let name: string | undefined;
    for (let char = this.#text[this.#at]; char === '!' || char === '&'; char = this.#text[this.#at]) {
      const word = this.#word();
      if (char === '&') name = word.slice(1);
      this.#skipSpace();
    }
    return name;
  }

  #word(): string {
    const from = this.#at;
    while (this.#at < this.#text.length && !WORD_END.test(this.#text[this.#at])) this.#at++;
    return this.#text.slice(from, this.#at);
  }

  #nested(anchor: string | undefined, read: () => YamlValue): YamlValue {
    if (++this.#depth > MAX_DEPTH) this.#fail(`more than ${MAX_DEPTH} levels`);
    const value = read();
    this.#depth--;
    if (anchor !== undefined) this.#anchored.set(anchor, value);
    return value;
  }

  /** Skips spaces, line breaks and comments. */
  #skipSpace(): void {
    for (; ; this.#at++) {
      const char = this.#text[this.#at];
      if (char === '#') {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      }
      if (this.#text[this.#at] === '\n') this.#lineStart = this.#at + 1;
      else if (!SPACE.test(this.#text[this.#at] ?? '')) return;
    }
  }

  #fail(found: string): never {
    throw new YamlProblem(`${found} at character ${this.#at}`);
  }
}

const ENDS_WORD = /^$|[ \n]/;
const SPACE = /[ \t\n]/;
const FLOW_MARK = /[,[\]{}]/;
const WORD_END = /[ \t\n,[\]{}]/;
/** Marks of YAML that begin no plain text. */
const NO_PLAIN_START = /[|>@`%,\]}?]/;

/** A text of several lines: one line break is a space, each further one a line break. */
function folded(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n').map((line, at, all) => {
    const start = at === 0 ? line : line.trimStart();
    return at === all.length - 1 ? start : start.trimEnd();
  });
  let whole = lines[0];
  let breaks = 0;
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue;
    breaks++;
    if (line === '' && at < lines.length - 1) continue;
    whole += (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)) + line;
    breaks = 0;
  }
  return whole;
}

const ESCAPED: Readonly<Record<string, string | undefined>> = {
  ...{ '0': '\0', a: '\u0007', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\u001b' },
  ...{ N: '\u0085', _: '\u00a0', L: '\u2028', P: '\u2029' },
};

function unescaped(text: string): string {
  // A backslash at the end of a line joins it with the next one.
  const joined = text.replaceAll(/\\(?:\n[ \t]*|[^])/g, (escape) => (escape[1] === '\n' ? '' : escape));
  const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g;
  return folded(joined).replaceAll(ESCAPE, (_, x?: string, u?: string, long?: string, char?: string) => {
    const code = parseInt(x ?? u ?? long ?? '', 16);
    if (char !== undefined) return ESCAPED[char] ?? char;
    return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}

const utf8 = new TextDecoder();
