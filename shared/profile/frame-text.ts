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
/** A slash between packages. The one before the address of a hidden class, as in Shop$$Lambda/0x7f4a, is none. */
const PACKAGE_SLASH = /\/(?!0x[0-9a-f]+$)/gi;
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
    className: className.replaceAll(PACKAGE_SLASH, '.'),
    methodName,
    line: line === undefined ? NO_LINE : Number(line),
  };
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
