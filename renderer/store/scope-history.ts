import type { Scope, Transform } from '../../shared/scope/scope.ts';
import type { LogView, ScopeStep } from './window-state.ts';

/** Scopes of a log that can be undone. */
const MOST_SCOPES = 100;

/** What of a log can be undone. */
function stepOf({ scope, where, split, baseline }: LogView): ScopeStep {
  return { scope, where, split, baseline };
}

/**
 * The log with another scope, filter of rows, baseline or other split methods chosen by the user; the same log where
 * nothing changes. It no longer waits for a baseline where one is chosen, or none.
 */
export function withScope(log: LogView, change: Partial<ScopeStep>): LogView {
  const before = stepOf(log);
  const own = 'baseline' in change ? withoutAwaitedBase(log) : log;
  if (JSON.stringify({ ...before, ...change }) === JSON.stringify(before)) return own;
  return {
    ...own,
    ...change,
    scopesBack: [...log.scopesBack, before].slice(-MOST_SCOPES),
    scopesForward: [],
  };
}

/** A baseline that came later would replace what the user has chosen since. */
function withoutAwaitedBase(log: LogView): LogView {
  return log.awaitedBase === undefined ? log : { ...log, awaitedBase: undefined };
}

/** The log with the scope before, where there is one. It no longer waits for a baseline. */
export function withScopeUndone(log: LogView): LogView {
  const { scopesBack, scopesForward } = log;
  const before = scopesBack.at(-1);
  if (before === undefined) return withoutAwaitedBase(log);
  return {
    ...withoutAwaitedBase(log),
    ...before,
    scopesBack: scopesBack.slice(0, -1),
    scopesForward: [...scopesForward, stepOf(log)],
  };
}

/** Undoes `withScopeUndone`. */
export function withScopeRedone(log: LogView): LogView {
  const { scopesBack, scopesForward } = log;
  const next = scopesForward.at(-1);
  if (next === undefined) return withoutAwaitedBase(log);
  return {
    ...withoutAwaitedBase(log),
    ...next,
    scopesBack: [...scopesBack, stepOf(log)],
    scopesForward: scopesForward.slice(0, -1),
  };
}

/** The scope with a further transform, applied after the others. */
export function withTransform(scope: Scope, transform: Transform): Scope {
  return { ...scope, transforms: [...scope.transforms, transform] };
}

/** The scope without one of its transforms. */
export function withoutTransform(scope: Scope, at: number): Scope {
  return { ...scope, transforms: scope.transforms.toSpliced(at, 1) };
}

/** The scope without one of its threads; without the last one it has all threads. */
export function withoutThread(scope: Scope, thread: string): Scope {
  return { ...scope, threads: scope.threads.filter((each) => each !== thread) };
}
