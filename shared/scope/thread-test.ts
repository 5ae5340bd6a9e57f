/** Whether an entry of `Scope.threads` is an expression, `/…/`, and not a name. */
export function isExpression(thread: string): boolean {
  return thread.length > 2 && thread.startsWith('/') && thread.endsWith('/');
}

/**
 * A test for the name of a thread: any of these names, exactly, or an expression `/…/`. Throws a SyntaxError for an
 * invalid expression.
 */
export function threadTest(threads: readonly string[]): (name: string) => boolean {
  const names = new Set<string>();
  const expressions: RegExp[] = [];
  for (const thread of threads) {
    if (isExpression(thread)) expressions.push(new RegExp(thread.slice(1, -1), 'u'));
    else names.add(thread);
  }
  return (name) => names.has(name) || expressions.some((expression) => expression.test(name));
}
