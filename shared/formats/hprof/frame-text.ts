import type { FrameSource } from './frame-columns.ts';

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
export function parseFrameText(text: string): FrameSource {
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

function parsePlace(place: string): Pick<FrameSource, 'file' | 'line' | 'isNative'> {
  if (place === 'Native Method') return { file: '', line: undefined, isNative: true };
  const colon = place.lastIndexOf(':');
  const where = place.slice(colon + 1);
  const line = /^\d+$/.test(where) ? Number(where) : undefined;
  const isNative = where === 'Native method';
  const isPlace =
    colon >= 0 && (line !== undefined || isNative || where === 'Unknown line' || where === 'Compiled method');
  return {
    file: fileName(isPlace ? place.slice(0, colon) : place),
    line: isPlace && line !== undefined && line > 0 && line < 0x7fffffff ? line : undefined,
    isNative: isPlace && isNative,
  };
}

function fileName(file: string): string {
  return file === 'Unknown Source' || file === '<Unknown Source>' ? '' : file;
}
