import type { MethodNames } from '../../profile/method-table.ts';

/** A name that has a class in front: no blanks or arguments, and a method behind the last dot. */
const QUALIFIED = /^([^\s;]*[^\s;.])\.([\w$<>-]+)$/;

/**
 * A function's name in two parts where it has them, so that frames can be shown without their package. Together they
 * are the name again.
 *
 *   java.util.HashMap.get         java.util.HashMap   get
 *   github.com/a/b.(*T).Run       github.com/a/b.(*T)   Run
 *   std::sort(int*, a.b)                              std::sort(int*, a.b)
 */
export function functionNames(name: string, file: string): MethodNames {
  const [, className = '', methodName = name] = QUALIFIED.exec(name) ?? [];
  return { file, className, methodName: methodName === '' ? '(unnamed function)' : methodName };
}
