import { parseExpression } from '../text/expression.ts';

/** Whether an entry of `Scope.threads` is an expression, `/…/`, and not a name. */
export function isExpression(thread: string): boolean {
  return thread.length > 2 && thread.startsWith('/') && thread.endsWith('/');
}

/** The names that `threads`, as `Scope.threads`, selects: all if it is empty. An invalid expression selects none. */
export function threadsAmong(names: readonly string[], threads: readonly string[]): ReadonlySet<string> {
  if (threads.length === 0) return new Set(names);
  const selected = new Set(threads.filter((thread) => !isExpression(thread)));
  for (const thread of threads.filter(isExpression)) {
    const { expression } = parseExpression(thread.slice(1, -1), 'u');
    for (const name of expression?.among(names) ?? []) selected.add(name);
  }
  return new Set(names.filter((name) => selected.has(name)));
}
