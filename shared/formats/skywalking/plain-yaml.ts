import { parseDocument } from 'yaml';

/** SkyWalking's files are much smaller. */
const MAX_BYTES = 16 << 20;

export interface PlainYaml {
  /** Maps, lists and texts; undefined if the text is not valid YAML. */
  readonly root: unknown;
  /** Why it is not valid. `at`: index of the character where the error was found. */
  readonly problem: { readonly message: string; readonly at: number } | undefined;
}

/**
 * Reads YAML with every scalar as text: in YAML 1.1, the duration `20:0` would be the number 1200. Tags are ignored,
 * because the exporter's first line is the tag of a Java class.
 */
export function readPlainYaml(bytes: Uint8Array): PlainYaml {
  if (bytes.length > MAX_BYTES) {
    return { root: undefined, problem: { message: `more than ${MAX_BYTES >> 20} MB of YAML`, at: 0 } };
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
    // The library throws if lists or aliases are nested too deeply, which no recording has.
    const message = error instanceof Error ? error.message : String(error);
    return { root: undefined, problem: { message, at: 0 } };
  }
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
