import { printable } from '../../../shared/text/printable.ts';

type TokenKind = 'plain' | 'keyword' | 'string' | 'comment';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** The state in which a line begins. */
const CODE = 0;
const COMMENT = 1;
/** A text of several lines, between `"""`. */
const TEXT_BLOCK = 2;
type LineState = typeof CODE | typeof COMMENT | typeof TEXT_BLOCK;

/** A source file by line. */
export interface SourceText {
  readonly lines: readonly string[];
  /** Line, from 0 -> what it begins in. */
  readonly states: Uint8Array;
}

/** Characters of a line that are shown; generated files have lines of megabytes. */
const MOST_SHOWN = 2000;

/** The keywords of Java, Kotlin, Scala and Groovy together: an identifier in one is rarely a keyword of another. */
const KEYWORDS = new Set(
  (
    'abstract as assert boolean break byte case catch char class companion const continue data def default do double ' +
    'else enum extends extension false final finally float for fun given goto if implements implicit import in init inline ' +
    'instanceof int interface internal is lateinit lazy long match native new null object open operator override package ' +
    'permits private protected public record return sealed short static strictfp super suspend switch synchronized ' +
    'then this throw throws trait transient true try type typealias using val var vararg void volatile when where while ' +
    'with yield'
  ).split(' '),
);

/** A comment, a text, a character, a word, or what is between them. An unfinished comment or text ends with the line. */
const TOKENS =
  /\/\/.*|\/\*|"""|"(?:[^"\\]|\\.)*"?|'(?:[^'\\\s]|\\.)[^'\s]{0,8}'|[\p{L}_$][\p{L}\p{N}_$]*|[^\p{L}_$"'/]+|["'/]/gu;

/** Splits a file into its lines, as compilers count them. O(text). */
export function readSourceText(text: string): SourceText {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  const states = new Uint8Array(lines.length);
  let state: LineState = CODE;
  for (let at = 0; at < lines.length; at++) {
    states[at] = state;
    state = stateAfter(lines[at], state);
  }
  return { lines, states };
}

/**
 * Nothing that runs is on this line: it does not exist, is blank, only a comment, or closes only braces at which no code
 * ends. `line` from 1.
 */
export function hasNoCode({ lines, states }: SourceText, line: number): boolean {
  if (line < 1 || line > lines.length) return true;
  const code = codeOf({ lines, states }, line - 1).trim();
  if (code === '') return true;
  return CLOSING.test(code) && !endsBody({ lines, states }, line - 1);
}

/** A line that only closes something. */
const CLOSING = /^\}[\s)};,]*$/;
/** Lines above a brace in which the other one is looked for, and above that in which its statement begins. */
const MOST_LINES_OF_BLOCK = 5_000;
const MOST_LINES_OF_HEAD = 30;

/** The text of line `at`, from 0, without comments and the content of texts. */
function codeOf({ lines, states }: SourceText, at: number): string {
  return tokensOf(lines[at], states[at])
    .map(({ kind, text }) => (kind === 'comment' ? ' ' : kind === 'string' ? '""' : text))
    .join('');
}

/**
 * Whether code may end at one of the braces of line `at`, from 0: compilers give its line to the return of a method, and to
 * what leaves `synchronized` and `try`. Other blocks, types and lists of values end without code.
 */
function endsBody(text: SourceText, at: number): boolean {
  const closers = codeOf(text, at).split('}').length - 1;
  for (let closer = 1; closer <= closers; closer++) {
    const head = headOf(text, at, closer);
    if (head === undefined || !CODELESS.some((each) => each.test(head))) return true;
  }
  return false;
}

/**
 * The statement that begins the block that a brace ends, up to its own brace; undefined if it is not found. `closer`:
 * from 1.
 */
function headOf(text: SourceText, at: number, closer: number): string | undefined {
  let depth = 0;
  let end: { readonly at: number; readonly column: number } | undefined;
  for (let line = at; end === undefined && line >= Math.max(0, at - MOST_LINES_OF_BLOCK); line--) {
    const code = codeOf(text, line);
    // Braces behind this one on its own line are not its own.
    let column = line === at ? nthBrace(code, closer) : code.length - 1;
    for (; column >= 0 && end === undefined; column--) {
      if (code[column] === '}') depth++;
      else if (code[column] === '{' && --depth === 0) end = { at: line, column };
    }
  }
  if (end === undefined) return undefined;
  let head = '';
  let parentheses = 0;
  for (let line = end.at; line >= Math.max(0, end.at - MOST_LINES_OF_HEAD); line--) {
    const code = codeOf(text, line);
    for (let column = line === end.at ? end.column - 1 : code.length - 1; column >= 0; column--) {
      const character = code[column];
      if (character === ')') parentheses++;
      else if (character === '(') parentheses--;
      // A lambda is an argument: its statement has begun before.
      if (parentheses < 0 || (parentheses === 0 && ';{}'.includes(character))) return head.trim();
      head = character + head;
    }
    head = ` ${head}`;
  }
  return head.trim();
}

function nthBrace(code: string, nth: number): number {
  let column = -1;
  for (let found = 0; found < nth; found++) column = code.indexOf('}', column + 1);
  return column;
}

/** Beginnings of blocks at whose ends no code is. */
const CODELESS: readonly RegExp[] = [
  /^(?:\w+\s*:\s*)?(?:if|for|while|switch|else|do)\b[^]*(?:\)|else|do)$/,
  /^(?:case\b|default\b)[^]*(?::|->)$/,
  /(?:^|\s)(?:class|interface|enum|record|@interface)\s+[\p{L}_$]/u,
  /\bnew\b[^]*\)$/,
  /[=\]]$/,
];

/** The tokens of line `at`, from 0, as they are shown: without characters that change the direction of text. */
export function shownTokens({ lines, states }: SourceText, at: number): readonly Token[] {
  const line = lines[at];
  const isCut = line.length > MOST_SHOWN;
  const tokens = tokensOf(isCut ? line.slice(0, MOST_SHOWN) : line, states[at]).map(({ kind, text }) => ({
    kind,
    text: text.split('\t').map(printable).join('\t'),
  }));
  return isCut ? [...tokens, { kind: 'comment', text: ' …' }] : tokens;
}

/** Columns of the longest line that is shown, at most MOST_SHOWN. */
export function columnsOf({ lines }: SourceText): number {
  let most = 0;
  for (const line of lines) {
    const tabs = line.includes('\t') ? line.split('\t').length - 1 : 0;
    most = Math.max(most, Math.min(MOST_SHOWN, line.length) + 3 * tabs);
  }
  return most;
}

/** The line, from 1, in which a method is probably declared; undefined if there is none. */
export function declarationOf({ lines, states }: SourceText, methodName: string): number | undefined {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(methodName)) return undefined;
  const name = methodName.replaceAll('$', '\\$');
  const declared = new RegExp(`(?<![.\\p{L}\\p{N}_$])${name}\\s*[(<:=]`, 'u');
  const call = new RegExp(`(?:return|new|=|\\()\\s*${name}\\s*\\(`, 'u');
  const at = lines.findIndex((line, index) => {
    if (line.length > MOST_SHOWN || !line.includes(methodName)) return false;
    const code = tokensOf(line, states[index])
      .filter(({ kind }) => kind === 'plain' || kind === 'keyword')
      .map(({ text }) => text)
      .join('');
    return declared.test(code) && !call.test(code);
  });
  return at < 0 ? undefined : at + 1;
}

function stateAfter(line: string, before: LineState): LineState {
  // Most lines have none of these, and end as they begin.
  if (!line.includes('/*') && !line.includes('*/') && !line.includes('"""')) return before;
  let state = before;
  walk(line, before, (_kind, _from, _to, after) => (state = after));
  return state;
}

function tokensOf(line: string, state: number): Token[] {
  const tokens: Token[] = [];
  walk(line, state as LineState, (kind, from, to) => {
    const text = line.slice(from, to);
    const last = tokens.at(-1);
    if (last?.kind === kind) tokens[tokens.length - 1] = { kind, text: last.text + text };
    else if (text !== '') tokens.push({ kind, text });
  });
  return tokens;
}

/** Reports the parts of a line, each with what the line is in after it. */
function walk(
  line: string,
  before: LineState,
  report: (kind: TokenKind, from: number, to: number, after: LineState) => void,
): void {
  let at = 0;
  let state = before;
  while (at < line.length) {
    if (state !== CODE) {
      const mark = state === COMMENT ? '*/' : '"""';
      const end = line.indexOf(mark, at);
      const to = end < 0 ? line.length : end + mark.length;
      const kind = state === COMMENT ? 'comment' : 'string';
      if (end >= 0) state = CODE;
      report(kind, at, to, state);
      at = to;
      continue;
    }
    TOKENS.lastIndex = at;
    const found = TOKENS.exec(line);
    const text = found?.[0] ?? '';
    const from = found?.index ?? line.length;
    if (from > at) report('plain', at, from, state);
    at = from + text.length;
    if (text === '/*') state = COMMENT;
    else if (text === '"""') state = TEXT_BLOCK;
    report(kindOf(text), from, at, state);
  }
}

function kindOf(text: string): TokenKind {
  if (text.startsWith('//') || text.startsWith('/*')) return 'comment';
  if (text.length > 1 && (text.startsWith('"') || text.startsWith("'"))) return 'string';
  return KEYWORDS.has(text) ? 'keyword' : 'plain';
}
