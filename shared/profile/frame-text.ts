import { NO_LINE } from './frame-table.ts';
import type { MethodNames } from './method-table.ts';

/** The parts of a frame that was written as text. */
export interface FrameText extends MethodNames {
  /** NO_LINE where none is given. */
  readonly line: number;
}

/** A class: names separated by dots or slashes; a hidden class may have its address after a plus. */
const CLASS = String.raw`[\p{L}_$][\p{L}\p{N}_$+\-]*(?:[./][\p{L}\p{N}_$+\-]+)*`;
const METHOD = String.raw`[\p{L}_$][\p{L}\p{N}_$\-]*|<init>|<clinit>`;
const JAVA_FRAME = new RegExp(`^(${CLASS})\\.(${METHOD})(?::(-?\\d{1,9}))?$`, 'u');
/**
 * Packages and a class, separated by slashes. Go separates packages so, too, and files are named so: a class begins with
 * an upper-case letter, or has a `$`. Behind the last slash may be the address or the number of a hidden class, as in
 * shop/Cart$$Lambda/0x7f4a and shop/Cart$$Lambda$88/1023892928: that slash is none between packages.
 */
const SLASHED_CLASS =
  /^((?:[\p{L}_$][\p{L}\p{N}_$]*\/)+)([$_]*\p{Lu}[^/]*|[\p{L}_][^/$]*\$[^/]*)(\/(?:0x[\da-fA-F]+|\d+))?$/u;
/** A frame without class and line, as exports write it. Only negative numbers: a positive one may belong to the name. */
const BARE_FRAME = /^()(.*):(-10[0-2])$/s;
/** Names in class files are not longer (JVMS 4.4.7), and matching a longer text would be slow. */
const LONGEST_NAME = 65_535;

/**
 * Parses a frame that a JVM tool has written as text. Text that does not look like a Java method becomes a method
 * without a class.
 *
 *   java/lang/Thread.run             java.lang.Thread   run
 *   Shop$$Lambda$83+0x7f4a.17.run:5  Shop$$Lambda$83+0x7f4a.17   run   line 5
 *   Compiler::compile_method         ''                 Compiler::compile_method
 *   byte[]                           ''                 byte[]
 */
export function frameFromText(text: string): FrameText {
  const parts = text.length <= LONGEST_NAME ? (JAVA_FRAME.exec(text) ?? BARE_FRAME.exec(text)) : null;
  if (parts === null) return { file: '', className: '', methodName: text, line: NO_LINE };
  const [, className, methodName, line] = parts as unknown as [string, string, string, string | undefined];
  return {
    file: '',
    className: dottedClass(className),
    methodName,
    line: line === undefined ? NO_LINE : Number(line),
  };
}

/** The name of a class with dots between its packages, as in Java: `java.util.HashMap` for `java/util/HashMap`. */
export function dottedClass(name: string): string {
  if (name.length > LONGEST_NAME || !name.includes('/')) return name;
  const parts = SLASHED_CLASS.exec(name);
  if (parts === null) return name;
  const [, packages, simpleName, hidden = ''] = parts as unknown as [
    string,
    string,
    string,
    string | undefined,
  ];
  return packages.replaceAll('/', '.') + simpleName + hidden;
}

/** `[http-worker-3 tid=42]`, `[tid=42]`. */
const THREAD = /^\[(?:(.*) )?tid=(\d+)\]$/s;

/** The thread that async-profiler writes as the first frame of a stack; undefined for any other frame. */
export function threadFromText(text: string): { readonly name: string; readonly tid: number } | undefined {
  const parts = THREAD.exec(text);
  if (parts === null) return undefined;
  const [, name = '', digits] = parts as unknown as [string, string | undefined, string];
  return { name: name === '' ? `tid=${digits}` : name, tid: Number(digits) };
}
