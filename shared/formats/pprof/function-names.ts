import { dottedClass } from '../../profile/frame-text.ts';
import type { MethodNames } from '../../profile/method-table.ts';

/** A name with a class: it contains no spaces or arguments, and has a method after the last dot. */
const QUALIFIED = /^([^\s;]*[^\s;.])\.([\w$<>-]+)$/;

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
  return {
    file,
    className: dottedClass(qualifier),
    methodName: methodName === '' ? '(unnamed function)' : methodName,
  };
}
