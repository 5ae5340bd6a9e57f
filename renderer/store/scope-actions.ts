import { EMPTY_SCOPE, type Scope, type Transform } from '../../shared/scope/scope.ts';
import { type ThreadsOfRow, withoutThreads } from '../../shared/scope/thread-pattern.ts';
import { type Conditions, NO_CONDITIONS } from '../../shared/views/row-conditions.ts';
import { changeLog } from './receive.ts';
import {
  withoutThread,
  withoutTransform,
  withScope,
  withScopeRedone,
  withScopeUndone,
  withTransform,
} from './scope-history.ts';
import { withNamesOfJoined } from './split-actions.ts';
import type { LogView } from './window-state.ts';
import { useWindow } from './window-store.ts';

function changeActive(change: (log: LogView) => LogView): void {
  const { active } = useWindow.getState();
  if (active !== undefined) useWindow.setState((state) => changeLog(state, active, change));
}

/** Changes the scope of the active log: one step for undo. */
function changeScope(change: (scope: Scope) => Scope): void {
  changeActive((log) => withScope(log, { scope: change(log.scope) }));
}

export function addTransform(transform: Transform): void {
  changeScope((scope) => withTransform(scope, transform));
}

export function removeTransform(at: number): void {
  changeScope((scope) => withoutTransform(scope, at));
}

/** Only samples of these threads: names, or `/…/`. */
export function selectThreads(threads: readonly string[]): void {
  changeScope((scope) => ({ ...scope, threads }));
}

export function leaveOutThreads(threads: ThreadsOfRow): void {
  changeScope((scope) => ({ ...scope, threads: withoutThreads(scope.threads, threads) }));
}

export function removeThread(thread: string): void {
  changeScope((scope) => withoutThread(scope, thread));
}

/** Does not suggest again to collapse this package. */
export function keepPackage(prefix: string): void {
  changeActive((log) => ({ ...log, keptPackages: [...log.keptPackages, prefix] }));
}

/** Shows all samples and all rows again, compared with nothing. */
export function clearScope(): void {
  changeActive((log) => withScope(log, { scope: EMPTY_SCOPE, where: NO_CONDITIONS, baseline: undefined }));
}

/** Which rows the panes of rows of the active log show. */
export function filterRows(where: Conditions): void {
  changeActive((log) => withScope(log, { where }));
}

export function undoScope(): void {
  changeActive((log) => withNamesOfJoined(withScopeUndone(log), log.split));
}

export function redoScope(): void {
  changeActive((log) => withNamesOfJoined(withScopeRedone(log), log.split));
}
