import type { MethodNames } from '../../profile/method-table.ts';

/** A name with a class: it contains no spaces or arguments, and has a method after the last dot. */
const QUALIFIED = /^([^\s;]*[^\s;.])\.([\w$<>-]+)$/;

/** A class file has no longer name. */
const LONGEST_CLASS = 65_535;

/** Java's packages and class, as async-profiler may write them. Packages of Go are in lower case. */
const SLASHED_CLASS = /^(?:[\p{L}_][\p{L}\p{N}_]*\/)+\p{Lu}[\p{L}\p{N}_$+]*$/u;

/**
 * Splits a function's name into class and method if it has both, so that frames can be shown without their package.
 *
 *   java.util.HashMap.get         java.util.HashMap   get
 *   java/util/HashMap.get         java.util.HashMap   get
 *   github.com/a/b.(*T).Run       github.com/a/b.(*T)   Run
 *   std::sort(int*, a.b)                              std::sort(int*, a.b)
 */
export function functionNames(name: string, file: string): MethodNames {
  const [, qualifier = '', methodName = name] = QUALIFIED.exec(name) ?? [];
  const isSlashed = qualifier.length <= LONGEST_CLASS && SLASHED_CLASS.test(qualifier);
  const className = isSlashed ? qualifier.replaceAll('/', '.') : qualifier;
  return { file, className, methodName: methodName === '' ? '(unnamed function)' : methodName };
}
