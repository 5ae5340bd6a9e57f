import { FILE_FORM, FORCED_FORM, STATE, STATE_WORD } from './thread-header.ts';

/**
 * The text of other programs before each line of a dump: a time, the name of a container, a level, `> `, blanks. It is
 * not known beforehand. It is found where a line has the first line of a dump or of a thread behind other text, and every
 * line with a prefix of the same form belongs to the same output.
 *
 *   2026-11-27T23:11:10.593125143Z "main" #1 prio=5 tid=0x01 nid=101 runnable
 *   [2026-11-27 23:11:10,593] INFO    java.lang.Thread.State: RUNNABLE
 *   shop-1  |       at demo.shop.Shop.main(Shop.java:21)
 */
export class LinePrefix {
  readonly #text: string;
  readonly #form: RegExp;
  /** Blanks at its end, which an empty line may lack. */
  readonly #blanks: string;

  /** `isLoose`: not only times differ from line to line, but other numbers, too, such as a count of lines. */
  constructor(prefix: string, isLoose = false) {
    const text = prefix.trimEnd();
    this.#text = prefix;
    this.#blanks = prefix.slice(text.length);
    this.#form = formOf(text, isLoose ? VARYING_IF_LOOSE : VARYING);
  }

  /** An equal prefix, in which all numbers may differ. */
  loosened(): LinePrefix {
    return new LinePrefix(this.#text, true);
  }

  /** Where the content of the line begins behind the prefix; -1 if the line has another one. */
  contentAt(line: string): number {
    this.#form.lastIndex = 0;
    if (!this.#form.test(line)) return -1;
    const end = this.#form.lastIndex;
    if (line.startsWith(this.#blanks, end)) return end + this.#blanks.length;
    return line.slice(end).trim() === '' ? line.length : -1;
  }
}

/** A longer prefix is no prefix, but a text that mentions a thread. */
export const MOST_PREFIX_LENGTH = 500;

/** A longer name is not found behind a prefix. */
export const MOST_SEARCHED = 1 << 16;

const FRACTION = String.raw`(?:[.,]\d+)?`;
const CLOCK = String.raw`\d{1,2}:\d\d(?::\d\d${FRACTION})?`;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
/** Times: they differ from line to line. Other numbers are parts of names, as in `shop-1` and `shop-2`. */
const TIMES = [
  String.raw`\d{4}([-/.])\d\d\1\d\d`,
  String.raw`\d\d([-/.])\d\d\2\d{4}`,
  String.raw`\d{1,2}[-/ ]${MONTH}[-/ ]\d{4}:?`,
  String.raw`(?<![A-Za-z])${MONTH} +\d{1,2}(?!\d)`,
  CLOCK,
  String.raw`\d+\.\d+`,
  String.raw`\d{5,}`,
];
const VARYING = new RegExp(TIMES.join('|'), 'g');
/** A number by itself; not that of a container or a process, as in `shop-1` and `java[4711]`. */
const NUMBER = String.raw`(?<![\w.-]|\w\[)\d+(?![\w-])`;
const VARYING_IF_LOOSE = new RegExp([...TIMES, NUMBER].join('|'), 'g');

/** Matches texts that differ from `text` in what `varying` finds, and in the number of blanks. */
function formOf(text: string, varying: RegExp): RegExp {
  let source = '';
  let at = 0;
  for (const { 0: found, index } of text.matchAll(varying)) {
    source += literal(text.slice(at, index)) + varied(found);
    at = index + found.length;
  }
  return new RegExp(source + literal(text.slice(at)), 'y');
}

function varied(found: string): string {
  // A writer may leave out the zeros at the end of a fraction.
  if (found.includes(':')) return CLOCK;
  return found
    .replace(/ +/g, ' +')
    .replace(/\./g, String.raw`\.`)
    .replace(/\d+/g, String.raw`\d+`)
    .replace(/[A-Z][a-z]{2}/, MONTH);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`).replace(/ +/g, ' +');
}

/** Tags of a javacore that stand at the beginning of a line. */
const TAG = String.raw`(?:0SECTION +(?:TITLE|THREADS|GPINFO|ENVINFO)|1TISIGINFO|1XMTHDINFO|3XMTHREADINFO) `;

/** Lines that may have the first line of a dump or of a thread somewhere. Found without a look at each character before. */
const CANDIDATE = new RegExp(
  [
    String.raw`" +(?:#\d|- Thread t@\d|daemon |virtual |(?:os_)?prio=|tid=|nid=|[iI]d=\d|in [A-Z])`,
    'Full (?:Java )?thread dump',
    String.raw`#\d+ "`,
    String.raw`Thread \S+: \(state = `,
    TAG,
  ].join('|'),
  'g',
);

/**
 * The text behind a name and a space in the first line of a thread; see `readThreadHeader`. The end of a name is not
 * known, because names may have quotes: each is searched once, behind the first end that is possible.
 */
const TID = /\btid=(?:0x)?[0-9a-f]+ nid=/;
const ID = /\b[in]?[iI][dD]=\d+ /;

/** Whether a line `"name" …` is the first of a thread. */
export function isFirstOfThread(line: string): boolean {
  const end = line.indexOf('" ', 1);
  if (end < 0) return false;
  const rest = line.slice(end + 2);
  if (TID.test(rest) || /" - Thread t@\d/.test(line.slice(end))) return true;
  const id = ID.exec(rest);
  return id !== null && STATE_WORD.test(rest.slice(id.index + id[0].length));
}

/** The other lines that can only be the first of a dump or of a thread. The first group is what comes before them. */
const OTHERS = [String.raw`Full (?:Java )?thread dump(?: [^"]*:)?\s*$`, FILE_FORM, FORCED_FORM, TAG].map(
  (form) => new RegExp(`^(.{0,500}?)${form}`),
);
/** A text that goes on in the line is no prefix: `owned by "main" Id=1`. */
const SENTENCE = /\b(?:a|an|by|of|in|on|to|for|from|with|and|is|the|thread|dump)[ :]*$/i;
/** The end of an escape sequence is no word. */
const ENDS_WITH_WORD = /(?<!\x1b\[[\d;]*)[a-z] *$/;
/** The character before a line that begins behind a prefix. */
const BETWEEN = /[\s>|]$/;

/** Whether the line may have the first line of a dump or of a thread; quick. */
export function mayBeginDump(line: string): boolean {
  CANDIDATE.lastIndex = 0;
  return CANDIDATE.test(line);
}

/** Where the first line of a dump or of a thread begins in the line; -1 if it has none. */
export function dumpBegins(line: string): number {
  const quote = line.indexOf('"');
  if (quote >= 0 && isPrefix(line.slice(0, quote)) && isFirstOfThread(line.slice(quote))) return quote;
  for (const other of OTHERS) {
    const before = other.exec(line)?.[1];
    if (before !== undefined && isPrefix(before) && !ENDS_WITH_WORD.test(before)) return before.length;
  }
  return -1;
}

function isPrefix(text: string): boolean {
  if (text === '') return true;
  return text.length <= MOST_PREFIX_LENGTH && BETWEEN.test(text) && !SENTENCE.test(text);
}

/** The text that rsyslog writes for a tab. */
export const TAB_OF_RSYSLOG = '#011';

/** A line of a thread below its first one. */
const FRAME = String.raw`(?:at )?(?:[\w.@+-]*\/)*[\w$.-]+\.[\w$<>]+\((?:.*\.\w+(?::\d+)?|.*Native Method|Unknown Source|<.*)\)`;
const AGENT_FRAME = String.raw`- \S+\(.*\) @bci=`;
const OF_THREAD = new RegExp(
  String.raw`^(?:\s|${TAB_OF_RSYSLOG})*(?:java\.lang\.Thread\.State: ${STATE}|${FRAME}|${AGENT_FRAME})`,
);
/** A line of a javacore. */
const TAGGED = /^\s*(?:NULL(?: {4,}|\s*$)|\d[A-Z]{2}[A-Z0-9]{4,}(?: |$))/;

/** Whether a line, without a prefix, goes on with the thread whose first line comes before it. */
export function goesOnWithThread(line: string): boolean {
  return OF_THREAD.test(line) || TAGGED.test(line);
}

/** Lines among which the second line of a thread must be: other containers write lines, too. */
const MOST_LINES_BETWEEN = 20;

/**
 * The kind of dumps that a text has behind prefixes: the first line of a thread, and below it, behind a prefix of the
 * same form, its state or a frame. Undefined if it has none.
 */
export function prefixedDumpIn(text: string): 'thread-dump' | 'javacore' | undefined {
  let after = 0;
  for (const { index } of text.matchAll(CANDIDATE)) {
    // Each line is looked at once.
    if (index < after) continue;
    const from = text.lastIndexOf('\n', index) + 1;
    const to = text.indexOf('\n', index);
    if (to < 0) return undefined;
    after = to;
    const line = text.slice(from, Math.min(to, from + MOST_SEARCHED));
    const begins = dumpBegins(line);
    if (begins <= 0) continue;
    const prefix = new LinePrefix(line.slice(0, begins));
    const next = firstLineWith(prefix, text, to + 1) ?? firstLineWith(prefix.loosened(), text, to + 1) ?? '';
    if (OF_THREAD.test(next)) return 'thread-dump';
    if (TAGGED.test(next)) return 'javacore';
  }
  return undefined;
}

/** The first line that is not empty behind the prefix, without it. */
function firstLineWith(prefix: LinePrefix, text: string, from: number): string | undefined {
  for (const line of linesFrom(text, from, MOST_LINES_BETWEEN)) {
    const at = prefix.contentAt(line);
    if (at >= 0 && at < line.length) return line.slice(at);
  }
  return undefined;
}

/** At most `count` complete lines. */
function* linesFrom(text: string, start: number, count: number): Generator<string, undefined> {
  let from = start;
  for (let line = 0; line < count; line++) {
    const to = text.indexOf('\n', from);
    if (to < 0) return;
    yield text.slice(from, text[to - 1] === '\r' ? to - 1 : to);
    from = to + 1;
  }
}

/** The texts of records in the JSON of Docker, Logstash, journald and others. */
const TEXT_KEYS = ['log', 'message', 'msg', 'MESSAGE', 'textPayload', 'line'] as const;
const TEXT = new RegExp(`"(?:${TEXT_KEYS.join('|')})"\\s*:\\s*"`);
/** A longer line is no record. */
const MOST_LENGTH = 4 << 20;

/**
 * The text of a log record that is a line of JSON; undefined if the line is none.
 *
 *   {"log":"\"main\" #1 prio=5 tid=0x01 nid=101 runnable\n","stream":"stdout","time":"2026-11-27T23:11:10.593125143Z"}
 */
export function textOfRecord(line: string): string | undefined {
  const isPossible = line.startsWith('{') && line.length <= MOST_LENGTH && line.trimEnd().endsWith('}');
  if (!isPossible || !TEXT.test(line)) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof record !== 'object' || record === null) return undefined;
  const values = record as Readonly<Record<string, unknown>>;
  for (const key of TEXT_KEYS) {
    const text = Object.hasOwn(values, key) ? values[key] : undefined;
    if (typeof text === 'string') return text.replace(/\r?\n$/, '');
  }
  return undefined;
}

/**
 * The text of which records are lines of JSON, or `text` itself if neither its first line nor its second one is a record: the
 * text may begin within a line, and end in one.
 */
export function textOfRecords(text: string): string {
  const first = lineAt(text, 0);
  const isRecord = (line: string): boolean => textOfRecord(line) !== undefined;
  if (!isRecord(first) && !isRecord(lineAt(text, first.length + 1))) return text;
  const lines: string[] = [];
  for (let from = 0; from < text.length;) {
    const line = lineAt(text, from);
    lines.push(textOfRecord(line) ?? line);
    from += line.length + 1;
  }
  return lines.join('\n');
}

function lineAt(text: string, from: number): string {
  const to = text.indexOf('\n', from);
  return to < 0 ? text.slice(from) : text.slice(from, to);
}
