import { parseExpression } from '../text/expression.ts';

/** Whether an entry of `Scope.threads` is an expression, `/…/`, and not a name. */
export function isExpression(thread: string): boolean {
  return thread.length > 2 && thread.startsWith('/') && thread.endsWith('/');
}

const parsed = (thread: string): ReturnType<typeof parseExpression> =>
  parseExpression(thread.slice(1, -1), 'u');

/** Why an entry of `Scope.threads` is no valid expression; undefined for a valid one, and for a name. */
export function threadProblem(thread: string): string | undefined {
  return isExpression(thread) ? parsed(thread).problem : undefined;
}

/** The names that `threads`, as `Scope.threads`, selects: all if it is empty. An invalid expression selects none. */
export function threadsAmong(names: readonly string[], threads: readonly string[]): ReadonlySet<string> {
  if (threads.length === 0) return new Set(names);
  const found = threads.filter(isExpression).map((thread) => parsed(thread).expression?.among(names));
  return new Set(names.filter((name) => threads.includes(name) || found.some((among) => among?.has(name))));
}
