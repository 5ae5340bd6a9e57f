import type { Damage } from '../facts/damage.ts';
import { jsonErrorAt } from './json-error.ts';
import { decodedText } from './decoded-text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value of a JSON file, or the damage if it is not valid JSON. */
export function parseJson(input: Uint8Array): { readonly value: unknown } | { readonly damage: Damage } {
  const text = decodedText(input);
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    const at = jsonErrorAt(text);
    return {
      damage: {
        what: 'JSON',
        byteOffset: Math.min(input.length, new TextEncoder().encode(text.slice(0, at)).length),
        record: 0,
        found: at >= text.length ? 'the end of the file' : JSON.stringify(text.slice(at, at + 20)),
        expected: 'JSON',
      },
    };
  }
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
