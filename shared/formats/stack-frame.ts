import { NATIVE_BCI, NO_BCI, NO_LINE } from '../profile/frame-table.ts';
import type { MethodNames } from '../profile/method-table.ts';

/** A frame as a line of text or a record describes it. */
export interface StackFrame extends MethodNames {
  /** Greater than 0, or NO_LINE. */
  readonly line: number;
  readonly bci: number;
}

/** The part behind the `/` in the name of a hidden class: `Shop$$Lambda$14/0x00007f8ee0005510.run`, `…/123456.run`. */
const HIDDEN_REST = /^(?:0x[0-9a-f]+|\d+\.)/i;
const LOADER_AND_MODULE = 2;
/** The text in place of a line number. The JDK's hprof agent writes it also where it has none. */
const LINE = /^(?:(\d+)|(Native method)|Unknown line|Compiled method)$/;

/**
 * Parses a frame as StackTraceElement, the VM and the JDK's hprof agent write it. Loader and module, which JDK 9 and
 * later write, are removed; `hasModules`: also before the file.
 *
 *   demo.shop.Shop.pause(Shop.java:47)                           java.lang.Object.wait(Object.java:Native method)
 *   app//demo.shop.Shop.pause(Shop.java:47)                      a.B.c(<Unknown Source>:Unknown line)
 *   java.base/java.lang.Thread.sleep(Native Method)
 *   java.lang.Thread.run(java.base@17.0.15/Thread.java:840)
 *   demo.Shop$$Lambda$88/0x00007f9318007c10.run(Unknown Source)  a hidden class: the number is part of its name
 */
export function parseStackFrame(text: string, hasModules: boolean): StackFrame {
  const open = text.lastIndexOf('(');
  const close = text.lastIndexOf(')');
  const inBrackets = open < 0 ? '' : text.slice(open + 1, close > open ? close : undefined);
  const place = hasModules ? inBrackets.slice(inBrackets.lastIndexOf('/') + 1) : inBrackets;
  const names = namesOf(withoutModule(open < 0 ? text : text.slice(0, open)));
  if (place === 'Native Method') return { file: '', ...names, line: NO_LINE, bci: NATIVE_BCI };
  const colon = place.lastIndexOf(':');
  const found = colon < 0 ? null : LINE.exec(place.slice(colon + 1));
  const file = found === null ? place : place.slice(0, colon);
  const line = Number(found?.[1] ?? 0);
  return {
    file: file === 'Unknown Source' || file === '<Unknown Source>' ? '' : file,
    ...names,
    line: line > 0 && line < 0x7fff_ffff ? line : NO_LINE,
    bci: found?.at(2) === undefined ? NO_BCI : NATIVE_BCI,
  };
}

/** Class and name of `demo.shop.Shop.pause`. */
export function namesOf(method: string): { readonly className: string; readonly methodName: string } {
  const dot = method.lastIndexOf('.');
  return { className: method.slice(0, Math.max(0, dot)), methodName: method.slice(dot + 1) };
}

/** Removes `loader/module@version/` and `module@version/`. */
function withoutModule(method: string): string {
  let rest = method;
  for (let dropped = 0; dropped < LOADER_AND_MODULE; dropped++) {
    const slash = rest.indexOf('/');
    if (slash < 0 || HIDDEN_REST.test(rest.slice(slash + 1))) break;
    rest = rest.slice(slash + 1);
  }
  return rest;
}
