import type { MethodNames } from '../../profile/method-table.ts';
import { decodeModifiedUtf8 } from '../../text/modified-utf8.ts';

/** A frame as a record or a line of text describes it. Frames that are equal in all fields are the same frame. */
export interface HprofFrame extends MethodNames {
  /** Greater than 0, or undefined. */
  readonly line: number | undefined;
  readonly isNative: boolean;
}

/** Frame in the stacks of a file -> what it is. Usually called once per frame. */
export type FrameOf = (frame: number) => HprofFrame;

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

/** What follows the `/` in the name of a hidden class: `Shop$$Lambda$14/0x00007f8ee0005510.run`, `…/123456.run`. */
const HIDDEN_REST = /^(?:0x[0-9a-f]+|\d+\.)/i;
const LOADER_AND_MODULE = 2;

/**
 * Parses a frame of a text file (specs: hprof, section 3). Android writes the text of StackTraceElement, which from
 * JDK 9 on begins with loader and module; the JDK's agent has a format of its own:
 *
 *   app//Gen.main(Gen.java:80)                       java.lang.Object.wait(Object.java:Native method)
 *   java.base@17.0.15/java.lang.Thread.sleep(Native Method)      a.B.c(<Unknown Source>:Unknown line)
 */
export function parseFrame(text: string): HprofFrame {
  const open = text.lastIndexOf('(');
  const qualified = withoutModule(open < 0 ? text : text.slice(0, open));
  const dot = qualified.lastIndexOf('.');
  const place = open < 0 ? '' : text.slice(open + 1, text.endsWith(')') ? -1 : undefined);
  return {
    className: dot < 0 ? '' : qualified.slice(0, dot),
    methodName: qualified.slice(dot + 1),
    ...parsePlace(place),
  };
}

/** Removes `loader/module@version/` and `module@version/`. */
function withoutModule(qualified: string): string {
  let rest = qualified;
  for (let dropped = 0; dropped < LOADER_AND_MODULE; dropped++) {
    const slash = rest.indexOf('/');
    if (slash < 0 || HIDDEN_REST.test(rest.slice(slash + 1))) break;
    rest = rest.slice(slash + 1);
  }
  return rest;
}

function parsePlace(place: string): Pick<HprofFrame, 'file' | 'line' | 'isNative'> {
  if (place === 'Native Method') return { file: '', line: undefined, isNative: true };
  const colon = place.lastIndexOf(':');
  const where = place.slice(colon + 1);
  const line = /^\d+$/.test(where) ? Number(where) : undefined;
  const isNative = where === 'Native method';
  const isPlace =
    colon >= 0 && (line !== undefined || isNative || where === 'Unknown line' || where === 'Compiled method');
  const file = isPlace ? place.slice(0, colon) : place;
  return {
    file: file === 'Unknown Source' || file === '<Unknown Source>' ? '' : file,
    line: isPlace && line !== undefined && line > 0 && line < 0x7fffffff ? line : undefined,
    isNative: isPlace && isNative,
  };
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
