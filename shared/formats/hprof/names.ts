import { decodeModifiedUtf8 } from '../../text/modified-utf8.ts';

/**
 * Decodes text in the charset of the writer's platform, which the file does not name: UTF-8, modified or not, or else
 * Latin-1 (specs: hprof, section 3).
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decodeModifiedUtf8(bytes, 0, bytes.length);
  if (!text.includes('\ufffd')) return text;
  let latin = '';
  for (const byte of bytes) latin += String.fromCharCode(byte);
  return latin;
}

/** The suffix of a hidden class, as in `Foo/0x1234` and `Foo/123`. Its `/` does not become a dot. */
const HIDDEN_SUFFIX = /\/(?:0x[0-9a-f]+|\d+)$/i;

/** Replaces slashes by dots: HotSpot's heap dumps have slashes in class names. */
export function dottedClass(name: string): string {
  if (!name.includes('/')) return name;
  const suffix = HIDDEN_SUFFIX.exec(name)?.[0] ?? '';
  const rest = name.slice(0, name.length - suffix.length);
  return rest.includes('.') ? name : rest.replaceAll('/', '.') + suffix;
}

const THREAD_START = /^THREAD START \(obj=[^,]*, id = (\d+), name="/;

/**
 * Parses `THREAD START (obj=1, id = 200001, name="main", group="main")`. Names are not escaped, so the name extends to
 * the last `", group="` (specs: hprof, section 3), or to the end of a line that does not have it. Undefined if the line
 * does not begin like this.
 */
export function parseThreadStart(
  line: string,
): { readonly id: number; readonly name: string; readonly group: string | undefined } | undefined {
  const start = THREAD_START.exec(line);
  if (start === null) return undefined;
  const id = Math.min(Number(start[1]), Number.MAX_SAFE_INTEGER);
  const rest = line.slice(start[0].length);
  const between = rest.lastIndexOf('", group="');
  if (between < 0 || !rest.endsWith('")')) return { id, name: rest, group: undefined };
  return { id, name: rest.slice(0, between), group: rest.slice(between + '", group="'.length, -2) };
}
