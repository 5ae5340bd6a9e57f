import { Composer, type CST, Lexer, Parser } from 'yaml';
import { formatQuantity } from '../../text/format-value.ts';

/** SkyWalking's files have a few kilobytes. */
const MAX_BYTES = 1 << 20;
/**
 * A line of SkyWalking's files has four. The library needs up to 1 100 bytes for one, so these take no more than the
 * memory that is allowed for any input, and at most a second or two.
 */
const MAX_TOKENS = 60_000;
/** SkyWalking's files have no aliases. The library looks for the anchor of each among all nodes before it. */
const MAX_ALIASES = 8;
/** Syntax errors at which reading stops. Each takes the library longer than the one before. */
const MAX_ERRORS = 100;
/** The lexer emits it before each scalar. */
const SCALAR_MARK = '\u001f';

export interface PlainYaml {
  /** Maps, lists and texts; undefined if the text is not valid YAML. */
  readonly root: unknown;
  /** Why it is not valid. `at`: index of the character where the error was found. */
  readonly problem: { readonly message: string; readonly at: number; readonly isTooLong?: true } | undefined;
}

/**
 * Reads YAML with every scalar as text: in YAML 1.1, the duration `20:0` would be the number 1200. Tags are ignored,
 * because the exporter's first line is the tag of a Java class.
 */
export function readPlainYaml(bytes: Uint8Array): PlainYaml {
  if (bytes.length > MAX_BYTES) {
    const message = `more than ${MAX_BYTES >> 20} MB of YAML`;
    return { root: undefined, problem: { message, at: 0, isTooLong: true } };
  }
  const text = utf8.decode(bytes);
  try {
    const { tokens, excess } = tokensOf(text);
    if (excess !== undefined) return { root: undefined, problem: excess };
    const composer = new Composer({ schema: 'failsafe', logLevel: 'silent', uniqueKeys: false });
    const [document] = composer.compose(tokens, true, text.length);
    if (document.errors.length > 0) {
      const [{ message, pos }] = document.errors;
      return { root: undefined, problem: { message, at: pos[0] } };
    }
    return { root: document.toJS({ maxAliasCount: 100 }), problem: undefined };
  } catch (error) {
    // The library throws if lists or aliases are nested too deeply, which no recording has.
    const message = error instanceof Error ? error.message : String(error);
    return { root: undefined, problem: { message, at: 0 } };
  }
}

/**
 * The syntax of a text, and where it has more tokens, aliases or errors than any recording: for these the library would
 * need much memory or minutes to make a document.
 */
function tokensOf(text: string): { readonly tokens: CST.Token[]; readonly excess?: PlainYaml['problem'] } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let aliases = 0;
  let errors = 0;
  let count = 0;
  let before = '';
  for (const source of new Lexer().lex(text)) {
    if (source.startsWith('*') && before !== SCALAR_MARK) aliases++;
    before = source;
    if (source !== SCALAR_MARK && !source.startsWith(' ')) count++;
    for (const token of parser.next(source)) {
      if (token.type === 'error') errors++;
      tokens.push(token);
    }
    if (count > MAX_TOKENS) {
      const message = `more than ${formatQuantity(MAX_TOKENS, 'token')} of YAML`;
      return { tokens, excess: { message, at: parser.offset, isTooLong: true } };
    }
    if (aliases > MAX_ALIASES)
      return { tokens, excess: { message: `more than ${MAX_ALIASES} aliases`, at: parser.offset } };
    if (errors === MAX_ERRORS)
      return { tokens, excess: { message: `${MAX_ERRORS} errors`, at: parser.offset } };
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens };
}

/** The value of a key; undefined if `value` is not a map or does not have the key. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
    return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** '' if `value` is not a text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** NaN if `value` is not a safe integer. */
export function wholeNumberOf(value: unknown): number {
  const number = /^-?\d{1,16}$/.test(textOf(value)) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? number : NaN;
}

const utf8 = new TextDecoder();
