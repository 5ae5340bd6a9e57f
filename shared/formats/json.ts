import { hasUtf8Mark, utf16Bytes, utf16Order, decodedText } from '../read/utf16.ts';
import type { MemoryBudget } from '../aggregate/memory-budget.ts';
import { type Damage, tooManyValues } from '../facts/damage.ts';
import { type ListBounds, outlineOf } from './json-outline.ts';
import { type DecodedInput, WholeInputDecoder } from './whole-input.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A list of a JSON file: a long one is parsed in pieces each time that it is iterated over, and not kept. */
export type JsonList = Iterable<unknown> & { readonly length: number };

/** Most memory for values that are not in long lists: they are in the heap, which may have two gigabytes. */
const MOST_VALUE_BYTES = 1 << 30;
/** Bytes of a character in a text and in the strings that are made of it. */
const CHARACTER_BYTES = 2;

/**
 * The value of a JSON file, whose long lists are `LongList`s, or the damage if it is not valid JSON; elements of long lists
 * are checked when they are read, and throw `InvalidElement`. Values are counted by the sink; there is neither a value nor
 * damage if it is full, because the memory budget does not allow them. `heldBytes`: bytes to release after the values were
 * used.
 */
export function parseJson(
  input: Uint8Array,
  memory: MemoryBudget,
): { readonly value: unknown; readonly heldBytes: number } | { readonly damage: Damage | undefined } {
  const text = utf8Of(input);
  const outline = outlineOf(text, memory);
  if (memory.isExceeded) return { damage: undefined };
  if (outline === undefined) return { damage: jsonDamage(input) };
  const { lists, valueBytes } = outline;
  const inLists = lists.reduce((sum, { from, to }) => sum + to - from, 0);
  const heldBytes = valueBytes + (text.length - inLists) * CHARACTER_BYTES;
  if (heldBytes > MOST_VALUE_BYTES) return { damage: tooManyValues({ byteOffset: 0, record: 0 }) };
  if (!memory.hold(heldBytes)) return { damage: undefined };
  try {
    return { value: withLists(lists, text), heldBytes };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { damage: jsonDamage(input) };
  }
}

/** An element of a long list is not valid JSON: see `jsonDamage`. */
export class InvalidElement extends Error {}

/** A list of which only a piece at a time is in memory. */
export class LongList implements JsonList {
  readonly length: number;
  readonly #input: Uint8Array;
  readonly #bounds: ListBounds;

  constructor(input: Uint8Array, bounds: ListBounds) {
    this.#input = input;
    this.#bounds = bounds;
    this.length = bounds.commas + 1;
  }

  *[Symbol.iterator](): Generator<unknown, undefined> {
    const { from, to, cuts } = this.#bounds;
    let at = from;
    for (const end of [...cuts, to]) {
      yield* this.#piece(at, end);
      at = end + 1;
    }
  }

  #piece(from: number, to: number): unknown[] {
    const elements = parsed(`[${utf8.decode(this.#input.subarray(from, to))}]`);
    // There is at least one between two commas, and in a list that has one.
    if (elements.length === 0) throw new InvalidElement();
    return elements;
  }
}

/** Throws InvalidElement if a list is not valid JSON. */
function parsed(list: string): unknown[] {
  try {
    return JSON.parse(list) as unknown[];
  } catch {
    throw new InvalidElement();
  }
}

/** Where an input is not valid JSON. `record`: records that were read before. */
function jsonDamage(input: Uint8Array, record = 0): Damage {
  const text = utf8Of(input);
  const mark = hasUtf8Mark(text) ? 3 : 0;
  // A character per byte, because what is not ASCII is valid in strings only.
  const at = mark + jsonErrorAt(latin1.decode(text.subarray(mark)));
  const isEnd = at >= text.length;
  return {
    what: 'JSON',
    byteOffset:
      text === input ? at : Math.min(input.length, (input[0] >= 0xfe ? 2 : 0) + utf16Bytes(text, 0, at)),
    record,
    found: isEnd
      ? 'the end of the file'
      : JSON.stringify(utf8.decode(text.subarray(at, at + 80)).slice(0, 20)),
    expected: 'JSON',
  };
}

/** The text of an input in UTF-8, in which it may be. */
function utf8Of(input: Uint8Array): Uint8Array {
  return utf16Order(input) === undefined ? input : new TextEncoder().encode(decodedText(input));
}

/** Parses a text. Each long list is first replaced by a text with a random number, which no file has. */
function withLists(lists: readonly ListBounds[], input: Uint8Array): unknown {
  const nonce = Math.random();
  const placed = new Map<unknown, LongList>();
  let text = '';
  let at = hasUtf8Mark(input) ? 3 : 0;
  for (const bounds of lists) {
    const placeholder = `list ${placed.size} of ${nonce}`;
    text += `${utf8.decode(input.subarray(at, bounds.from - 1))}"${placeholder}"`;
    placed.set(placeholder, new LongList(input, bounds));
    at = bounds.to + 1;
  }
  const root = { value: JSON.parse(text + utf8.decode(input.subarray(at))) as unknown };
  // Not by recursion, because trees of calls are deep.
  const pending: Record<string, unknown>[] = placed.size === 0 ? [] : [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const key of Object.keys(next)) {
      const child = next[key];
      if (typeof child === 'object' && child !== null) pending.push(child as Record<string, unknown>);
      const list = placed.get(child);
      if (list !== undefined) next[key] = list;
    }
  }
  return root.value;
}

/** The damage of valid JSON that does not have the structure of its format. */
export function unexpectedValue(what: string, found: unknown, expected: string): Damage {
  return { what, byteOffset: 0, record: 0, found: found === undefined ? 'nothing' : typeOf(found), expected };
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : isList(value) ? 'a list' : `a ${typeof value}`;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

export function isList(value: unknown): value is JsonList {
  return Array.isArray(value) || value instanceof LongList;
}

export function listOf(value: unknown): JsonList {
  return isList(value) ? value : [];
}

/** Returns the next element of a list each time, undefined after its end. */
export function elementsOf(value: unknown): () => unknown {
  const elements = listOf(value)[Symbol.iterator]();
  return () => {
    const next = elements.next() as IteratorResult<unknown, undefined>;
    return next.value;
  };
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A number that is neither NaN nor infinite, else undefined. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A byte order mark is at the start of a file only. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const latin1 = new TextDecoder('latin1');

/** The decoder of a format in JSON. A file whose long lists are damaged is read up to there. */
export abstract class JsonDecoder extends WholeInputDecoder {
  /** Decodes the value of the file. Returns the damage if it does not have the structure of the format. */
  protected abstract decodeValue(value: unknown): Damage | undefined;

  protected override decodeInput(input: Uint8Array): DecodedInput {
    const parsed = parseJson(input, this.sink.memory);
    if (!('value' in parsed)) return { accepted: 0, damage: parsed.damage };
    try {
      const damage = this.decodeValue(parsed.value);
      return { accepted: damage === undefined ? input.length : 0, damage };
    } catch (error) {
      if (!(error instanceof InvalidElement)) throw error;
      const damage = jsonDamage(input, this.records);
      return { accepted: damage.byteOffset, damage };
    } finally {
      this.sink.memory.release(parsed.heldBytes);
    }
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const BLANKS = ' \t\n\r';
const WORDS = ['true', 'false', 'null'] as const;

/**
 * The index of the first character at which a text is not JSON; its length if it ends too early, or is JSON. The engine's
 * parser is faster and is used first, but most of its messages do not contain a position.
 */
export function jsonErrorAt(text: string): number {
  /** The end of each open list and object. */
  const open: (']' | '}')[] = [];
  let at = endOfBlanks(text, 0);
  let expects: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' = 'value';
  for (;;) {
    const character = text.charAt(at);
    const isEnd = character !== '' && character === open.at(-1);
    if (isEnd && (expects === 'comma or end' || expects === 'value or end' || expects === 'key or end')) {
      open.pop();
      at++;
      expects = 'comma or end';
    } else if (expects === 'comma or end') {
      if (character !== ',' || open.length === 0) return at;
      at++;
      expects = open.at(-1) === '}' ? 'key' : 'value';
    } else if (expects === 'colon') {
      if (character !== ':') return at;
      at++;
      expects = 'value';
    } else if (character === '"') {
      at = endOfCharacters(text, at + 1);
      if (text.charAt(at) !== '"') return at;
      at++;
      expects = expects.startsWith('key') ? 'colon' : 'comma or end';
    } else if (expects.startsWith('key')) {
      return at;
    } else if (character === '[' || character === '{') {
      open.push(character === '[' ? ']' : '}');
      at++;
      expects = character === '[' ? 'value or end' : 'key or end';
    } else {
      const end = endOf(NUMBER, text, at);
      const word = WORDS.find((each) => text.startsWith(each, at));
      if (end === at && word === undefined) return at;
      at = word === undefined ? end : at + word.length;
      expects = 'comma or end';
    }
    at = endOfBlanks(text, at);
  }
}

/** The end of the match at `at`; `at` if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The index of the quote that ends a string, or of the first character that a string cannot contain. */
function endOfCharacters(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '"' && text.charCodeAt(at) >= 0x20) {
    const next = text.charAt(at) === '\\' ? endOf(ESCAPE, text, at) : at + 1;
    if (next === at) break;
    at = next;
  }
  return at;
}

function endOfBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANKS.includes(text.charAt(at))) at++;
  return at;
}
