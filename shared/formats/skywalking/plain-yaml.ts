import { parseDocument } from 'yaml';

/** What such files need is far smaller. */
const MOST_BYTES = 16 << 20;

export interface PlainYaml {
  /** Maps, lists and texts; undefined when the text is no YAML. */
  readonly root: unknown;
  /** Why not, and the offset of the character where that was seen. */
  readonly problem: { readonly message: string; readonly at: number } | undefined;
}

/**
 * YAML in which every scalar is a text: read as YAML 1.1 the duration `20:0` would be the number 1200. Tags mean nothing:
 * the exporter's first line names a class of its own.
 */
export function readPlainYaml(bytes: Uint8Array): PlainYaml {
  if (bytes.length > MOST_BYTES) {
    return { root: undefined, problem: { message: `more than ${MOST_BYTES >> 20} MB of YAML`, at: 0 } };
  }
  try {
    const document = parseDocument(utf8.decode(bytes), {
      schema: 'failsafe',
      logLevel: 'silent',
      uniqueKeys: false,
      prettyErrors: false,
    });
    if (document.errors.length > 0) {
      const [{ message, pos }] = document.errors;
      return { root: undefined, problem: { message, at: pos[0] } };
    }
    return { root: document.toJS({ maxAliasCount: 100 }), problem: undefined };
  } catch (error) {
    // Lists in lists in lists, or aliases of aliases, are too much for the library; nothing that is a recording.
    const message = error instanceof Error ? error.message : String(error);
    return { root: undefined, problem: { message, at: 0 } };
  }
}

/** A map's value; undefined where there is no such key, or no map. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
    return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Empty for what is no text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** NaN for what is no whole number that is exact. */
export function wholeNumberOf(value: unknown): number {
  const number = /^-?\d{1,16}$/.test(textOf(value)) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? number : NaN;
}

const utf8 = new TextDecoder();
