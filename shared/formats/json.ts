import { tooManyValues } from '../facts/limit-damage.ts';
import type { KeepBytes } from '../bytes/keep-bytes.ts';
import type { Damage } from '../facts/damage.ts';
import { byteOffsetOf } from '../bytes/text-offset.ts';
import { jsonErrorAt } from './json-error.ts';
import { decodedText } from './decoded-text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The value of a JSON file, or the damage if it is not valid JSON. A text whose values need more memory than is allowed
 * is not parsed. `holds`: of the sink.
 */
export function parseJson(
  input: Uint8Array,
  holds: KeepBytes | undefined,
): { readonly value: unknown } | { readonly damage: Damage } {
  const needed = valueBytes(input);
  const isAllowed =
    needed <= valueBytesAllowed(input.length) && holds?.(Math.max(0, needed - FREE_BYTES)) !== false;
  if (!isAllowed) return { damage: tooManyValues({ byteOffset: 0, record: 0 }) };
  const text = decodedText(input);
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    const at = jsonErrorAt(text);
    return {
      damage: {
        what: 'JSON',
        byteOffset: byteOffsetOf(input, at),
        record: 0,
        found: at >= text.length ? 'the end of the file' : JSON.stringify(text.slice(at, at + 20)),
        expected: 'JSON',
      },
    };
  }
}

/** Bytes of V8's lists and objects, without their elements and properties. */
const LIST_BYTES = 40;
const OBJECT_BYTES = 56;
const POINTER_BYTES = 8;

/** Memory for the values of any text, however short. */
const BASE_BYTES = 64 << 20;
/** Further memory per byte of a text: profiles need 2 to 7, and lists of one number each 12. */
const BYTES_PER_TEXT_BYTE = 8;
/**
 * Memory for values that does not depend on how the text is stored. Beyond it they are held as the text is: a few bytes
 * of gzip may unpack to a long text. Unpacked by hand, the same file may have more.
 */
const FREE_BYTES = 256 << 20;
/** Most memory for values: they are in the heap with the text, which may have two gigabytes. */
const MOST_VALUE_BYTES = 1 << 30;

/** Most memory for the values of a JSON text of so many bytes. */
export function valueBytesAllowed(textBytes: number): number {
  return Math.min(BASE_BYTES + BYTES_PER_TEXT_BYTE * textBytes, MOST_VALUE_BYTES);
}

/** Roughly the memory of the values of a JSON text: what stands in strings is counted, too. */
function valueBytes(input: Uint8Array): number {
  let bytes = 0;
  for (const byte of input) {
    if (byte === 0x2c || byte === 0x3a) bytes += POINTER_BYTES;
    else if (byte === 0x5b) bytes += LIST_BYTES;
    else if (byte === 0x7b) bytes += OBJECT_BYTES;
  }
  return bytes;
}

/** The damage of valid JSON that does not have the structure of its format. */
export function unexpectedValue(what: string, found: unknown, expected: string): Damage {
  return { what, byteOffset: 0, record: 0, found: found === undefined ? 'nothing' : typeOf(found), expected };
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A number that is neither NaN nor infinite, else undefined. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
