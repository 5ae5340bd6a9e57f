import type { Scope, Transform } from '../../shared/scope/scope.ts';
import type { LogView } from './window-state.ts';

/** Scopes of a log that can be undone. */
const MOST_SCOPES = 100;

/** The log with another scope chosen by the user; the same log where it is the same scope. */
export function withScope(log: LogView, scope: Scope): LogView {
  if (JSON.stringify(scope) === JSON.stringify(log.scope)) return log;
  return {
    ...log,
    scope,
    scopesBack: [...log.scopesBack, log.scope].slice(-MOST_SCOPES),
    scopesForward: [],
  };
}

/** The log with the scope before; the same log where there is none. */
export function withScopeUndone(log: LogView): LogView {
  const { scope, scopesBack, scopesForward } = log;
  const before = scopesBack.at(-1);
  if (before === undefined) return log;
  return {
    ...log,
    scope: before,
    scopesBack: scopesBack.slice(0, -1),
    scopesForward: [...scopesForward, scope],
  };
}

/** Undoes `withScopeUndone`. */
export function withScopeRedone(log: LogView): LogView {
  const { scope, scopesBack, scopesForward } = log;
  const next = scopesForward.at(-1);
  if (next === undefined) return log;
  return {
    ...log,
    scope: next,
    scopesBack: [...scopesBack, scope],
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
