import { changeActive } from './actions.ts';
import type { TimeRange } from '../../../shared/scope/scope.ts';
import type { TimelineView } from '../../../shared/engine/views/timeline-columns.ts';
import { activeLog, fixedEnd, isFollowed } from '../state/selectors.ts';
import { withScope } from '../state/scope-history.ts';
import type { LogView } from '../state/window-state.ts';
import { useWindow } from '../state/window-store.ts';

/** Only samples of this time; undefined: of any. One step for undo. */
export function chooseRange(range: TimeRange | undefined): void {
  changeActive((log) => withRange(log, range));
}

/** The range ends at the newest sample on screen, and stands still while the log grows: it is frozen. One step for undo. */
export function endRangeNow(): void {
  changeActive(withEndNow);
}

/**
 * Freezes the view, or resumes it. Where samples have times, frozen is a range whose end stands still: the timeline goes
 * on, and undo, address and exports know it. Otherwise the worker holds on to what it shows until the view is resumed.
 */
export function toggleFreeze(): void {
  const log = activeLog(useWindow.getState());
  if (log === undefined || !isFollowed(log)) return;
  if (log.isHeld) changeActive((view) => ({ ...view, isHeld: false }));
  else if (fixedEnd(log) !== undefined) changeActive(withoutEnd);
  else if (log.timeline !== undefined) changeActive(withEndNow);
  else changeActive((view) => ({ ...view, isHeld: true }));
}

/** The log with a range that ends now; unchanged where the end stands still already, or samples have no times. */
function withEndNow(log: LogView): LogView {
  const { timeline, scope, status } = log;
  if (timeline === undefined || fixedEnd(log) !== undefined) return log;
  const newest = BigInt(timeline.first) + BigInt(timeline.last);
  const from =
    scope.range?.kind === 'latest' ? String(newest - BigInt(Math.round(scope.range.ns))) : scope.range?.from;
  const to = String(newest + 1n);
  const frozenBy = { to, samples: status?.samples ?? 0, before: scope.range };
  return { ...withRange(log, { kind: 'between', from, to }), frozenBy };
}

/** The range goes on with the log: it is what it was before it was frozen, or has no end. One step for undo. */
function withoutEnd(log: LogView): LogView {
  const { range } = log.scope;
  const to = fixedEnd(log);
  if (to === undefined || range?.kind !== 'between') return log;
  const open: TimeRange | undefined =
    range.from === undefined ? undefined : { kind: 'between', from: range.from, to: undefined };
  const next = log.frozenBy?.to === to ? log.frozenBy.before : open;
  return { ...withRange(log, next), frozenBy: undefined };
}

/** The log with another range, which ends a drag. One step for undo. */
export function withRange(log: LogView, range: TimeRange | undefined): LogView {
  return { ...withScope(log, { scope: { ...log.scope, range } }), beforeDrag: undefined };
}

/** Timeline, tracks and chart show this part of the time of the active log; undefined: all. */
export function zoomTimeline(zoom: TimelineView['zoom']): void {
  const timelineZoom = zoom && {
    from: Math.floor(zoom.from),
    to: Math.max(Math.ceil(zoom.to), zoom.from + 1),
  };
  changeActive((log) => ({ ...log, timelineZoom }));
}
