import type { MethodRef } from '../../shared/engine/query.ts';
import type { Finding } from '../../shared/findings/finding.ts';
import type { PathStep } from '../../shared/summary/summary.ts';
import { changeActive, select, showOnly } from './actions.ts';
import { withScope, withTransform } from './scope-history.ts';
import { useWindow } from './window-store.ts';

/** Selects a method, which all panes reveal; a small window shows the methods. */
export function goToMethod(method: MethodRef): void {
  select({ ...method, kind: 'frame' }, undefined, 'summary');
  if (useWindow.getState().isSmall) showOnly('flat');
}

/** Selects a call of the hot path; a small window shows the call tree. */
export function goToCall({ id, label }: Pick<PathStep, 'id' | 'label'>): void {
  select({ of: 'calls', id, label, kind: 'frame' }, undefined, 'summary');
  if (useWindow.getState().isSmall) showOnly('tree');
}

/**
 * Shows the samples of a finding alone, or the time of a burst, and selects its method: one step for undo. `target`: the
 * row of the method.
 */
export function showFinding({ show, period }: Finding, target: MethodRef | undefined): void {
  changeActive((log) => {
    let { scope } = log;
    for (const key of show.keep) scope = withTransform(scope, { kind: 'keep', key, keys: 'fqmn' });
    const range =
      period === undefined ? scope.range : ({ kind: 'between', from: period.from, to: period.to } as const);
    return withScope(log, { scope: { ...scope, range } });
  });
  if (target !== undefined) goToMethod(target);
  else if (useWindow.getState().isSmall) showOnly('flame');
}
