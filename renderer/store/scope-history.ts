import type { Scope, Transform } from '../../shared/scope/scope.ts';
import type { LogView, ScopeStep } from './window-state.ts';

/** Scopes of a log that can be undone. */
const MOST_SCOPES = 100;

/** What of a log can be undone. */
function stepOf({ scope, where, split, baseline }: LogView): ScopeStep {
  return { scope, where, split, baseline };
}

/**
 * The log with another scope, filter of rows or other split methods chosen by the user; the same log where nothing
 * changes.
 */
export function withScope(log: LogView, change: Partial<ScopeStep>): LogView {
  const before = stepOf(log);
  if (JSON.stringify({ ...before, ...change }) === JSON.stringify(before)) return log;
  return {
    ...log,
    ...change,
    scopesBack: [...log.scopesBack, before].slice(-MOST_SCOPES),
    scopesForward: [],
  };
}

/** The log with the scope before; the same log where there is none. */
export function withScopeUndone(log: LogView): LogView {
  const { scopesBack, scopesForward } = log;
  const before = scopesBack.at(-1);
  if (before === undefined) return log;
  return {
    ...log,
    ...before,
    scopesBack: scopesBack.slice(0, -1),
    scopesForward: [...scopesForward, stepOf(log)],
  };
}

/** Undoes `withScopeUndone`. */
export function withScopeRedone(log: LogView): LogView {
  const { scopesBack, scopesForward } = log;
  const next = scopesForward.at(-1);
  if (next === undefined) return log;
  return {
    ...log,
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
