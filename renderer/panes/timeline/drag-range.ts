import { changeActive } from '../../store/actions/actions.ts';
import { withRange } from '../../store/actions/time-actions.ts';
import { withScope } from '../../store/state/scope-history.ts';
import type { LogView } from '../../store/state/window-state.ts';
import type { TimeRange } from '../../../shared/scope/scope.ts';

/** Chooses a range, and offers what can be done with it. */
export function offerRange(range: TimeRange): void {
  changeActive((log) => ({ ...withRange(log, range), offeredRange: range }));
}

/** Nothing is offered any more. */
export function dismissOffer(): void {
  changeActive((log) => (log.offeredRange === undefined ? log : { ...log, offeredRange: undefined }));
}

/** The use of a range that is dragged. */
export type DraggedFor = 'scope' | 'baseline';

/** Shows a range that is being dragged. All of these are one step for undo: see `endRangeDrag`. */
export function dragRange(range: TimeRange | undefined, dragged: DraggedFor = 'scope'): void {
  changeActive((log) => ({
    ...log,
    beforeDrag: log.beforeDrag ?? { scope: log.scope, baseline: log.baseline },
    ...(dragged === 'scope' ? { scope: { ...log.scope, range } } : { baseline: range && { range } }),
  }));
}

/** The range that was dragged is chosen. */
export function endRangeDrag(): void {
  changeActive((log) => {
    const { scope, baseline, beforeDrag } = log;
    if (beforeDrag === undefined) return log;
    const before = withoutDrag(log, beforeDrag);
    const isOfScope = scope.range !== beforeDrag.scope.range;
    return isOfScope
      ? { ...withRange(before, scope.range), offeredRange: scope.range }
      : withScope(before, { baseline });
  });
}

/** The range is as it was before it was dragged. */
export function cancelDrag(): void {
  changeActive((log) => (log.beforeDrag === undefined ? log : withoutDrag(log, log.beforeDrag)));
}

/** The log with the ranges from before the drag. Meanwhile a key may have changed the rest of the scope. */
function withoutDrag(log: LogView, { scope, baseline }: NonNullable<LogView['beforeDrag']>): LogView {
  return { ...log, scope: { ...log.scope, range: scope.range }, baseline, beforeDrag: undefined };
}
