import { type Expression, parseExpression } from '../text/expression.ts';

/** Whether an entry of `Scope.threads` is an expression, `/…/`, and not a name. */
export function isExpression(thread: string): boolean {
  return thread.length > 2 && thread.startsWith('/') && thread.endsWith('/');
}

/**
 * A test for the name of a thread: any of these names, exactly, or an expression `/…/`. Throws a SyntaxError for an
 * invalid expression, or one that could take for ever.
 */
export function threadTest(threads: readonly string[]): (name: string) => boolean {
  const names = new Set<string>();
  const expressions: Expression[] = [];
  for (const thread of threads) {
    if (!isExpression(thread)) {
      names.add(thread);
      continue;
    }
    const { expression, problem } = parseExpression(thread.slice(1, -1), 'u');
    if (problem !== undefined) throw new SyntaxError(problem);
    expressions.push(expression);
  }
  return (name) => names.has(name) || expressions.some((expression) => expression.test(name));
}
