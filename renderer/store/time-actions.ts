import { withWanted } from './panes.ts';
import type { TimeRange } from '../../shared/scope/scope.ts';
import type { TimelineView } from '../../shared/views/timeline-columns.ts';
import type { HeatmapScaleName } from '../../shared/views/heatmap-columns.ts';
import type { ChartZoom } from '../profile-worker/pane-messages.ts';
import { changeLog } from './receive.ts';
import { withScope } from './scope-history.ts';
import type { LogView } from './window-state.ts';
import { useWindow } from './window-store.ts';

function changeActive(change: (log: LogView) => LogView): void {
  const { active } = useWindow.getState();
  if (active !== undefined) useWindow.setState((state) => changeLog(state, active, change));
}

/** Only samples of this time; undefined: of any. One step for undo. */
export function chooseRange(range: TimeRange | undefined): void {
  changeActive((log) => withRange(log, range));
}

/** The range ends at the newest sample on screen, and stands still while the log grows. One step for undo. */
export function endRangeNow(): void {
  changeActive((log) => {
    const { timeline, scope } = log;
    if (timeline === undefined || (scope.range?.kind === 'between' && scope.range.to !== undefined))
      return log;
    const newest = BigInt(timeline.first) + BigInt(timeline.last);
    const from =
      scope.range?.kind === 'latest'
        ? String(newest - BigInt(Math.round(scope.range.ns)))
        : scope.range?.from;
    return withRange(log, { kind: 'between', from, to: String(newest + 1n) });
  });
}

function withRange(log: LogView, range: TimeRange | undefined): LogView {
  return { ...withScope(log, { scope: { ...log.scope, range } }), scopeBeforeDrag: undefined };
}

/** What a range is dragged for. */
export type DraggedFor = 'scope' | 'baseline';

/** Shows a range that is being dragged. All of these are one step for undo: see `endRangeDrag`. */
export function dragRange(range: TimeRange | undefined, dragged: DraggedFor = 'scope'): void {
  changeActive((log) =>
    dragged === 'scope'
      ? { ...log, scopeBeforeDrag: log.scopeBeforeDrag ?? log.scope, scope: { ...log.scope, range } }
      : {
          ...log,
          baselineBeforeDrag: log.baselineBeforeDrag ?? { baseline: log.baseline },
          baseline: range && { range },
        },
  );
}

/** A range is being dragged. */
export function isDragging({
  scopeBeforeDrag,
  baselineBeforeDrag,
}: Pick<LogView, 'scopeBeforeDrag' | 'baselineBeforeDrag'>): boolean {
  return scopeBeforeDrag !== undefined || baselineBeforeDrag !== undefined;
}

/** The range that was dragged is chosen. */
export function endRangeDrag(): void {
  changeActive((log) => {
    const { scope, scopeBeforeDrag, baseline, baselineBeforeDrag } = log;
    if (baselineBeforeDrag !== undefined)
      return withScope(
        { ...log, baseline: baselineBeforeDrag.baseline, baselineBeforeDrag: undefined },
        { baseline },
      );
    // Meanwhile a key may have changed the rest of the scope.
    return scopeBeforeDrag === undefined
      ? log
      : withRange({ ...log, scope: { ...scope, range: scopeBeforeDrag.range } }, scope.range);
  });
}

/** The range is as it was before it was dragged. */
export function cancelDrag(): void {
  changeActive((log) => {
    const { scopeBeforeDrag, baselineBeforeDrag } = log;
    if (baselineBeforeDrag !== undefined)
      return { ...log, ...baselineBeforeDrag, baselineBeforeDrag: undefined };
    return scopeBeforeDrag === undefined
      ? log
      : { ...log, scope: { ...log.scope, range: scopeBeforeDrag.range }, scopeBeforeDrag: undefined };
  });
}

/** Shows this part of the time of the active log. */
export function zoomTimeline(timelineZoom: TimelineView['zoom']): void {
  changeActive((log) => ({ ...log, timelineZoom }));
}

/** These lanes of threads are on screen, or close to it. */
export function showLanes(from: number, count: number): void {
  useWindow.setState({ lanesView: { from, count } });
}

export function measureTimeline(timelineWidth: number): void {
  useWindow.setState({ timelineWidth });
}

/** So many columns of the heatmap fit in its width. */
export function measureHeatmap(heatmapFit: number): void {
  if (useWindow.getState().heatmapFit !== heatmapFit) useWindow.setState({ heatmapFit });
}

/** undefined: the finest scale at which the whole log fits. */
export function scaleHeatmap(scale: HeatmapScaleName | undefined): void {
  changeActive((log) => ({ ...log, panes: withWanted(log.panes, 'heatmap', { scale }) }));
}

/** These columns of the heatmap are on screen, or soon may be. */
export function scrollHeatmap(from: number, columns: number): void {
  changeActive((log) => {
    const { wanted } = log.panes.heatmap;
    if (wanted.from === from && wanted.columns === columns) return log;
    return { ...log, panes: withWanted(log.panes, 'heatmap', { from, columns }) };
  });
}

/** These threads are in the chart, as `Scope.threads`. The zoom stays around the same time. */
export function chartThreads(only: readonly string[]): void {
  changeActive((log) => ({ ...log, panes: withWanted(log.panes, 'chart', { only }) }));
}

/** These samples of the chart are shown; undefined: all. */
export function zoomChart(zoom: ChartZoom | undefined): void {
  changeActive((log) => {
    const { wanted } = log.panes.chart;
    const isSame = wanted.zoom?.from === zoom?.from && wanted.zoom?.to === zoom?.to;
    return isSame ? log : { ...log, panes: withWanted(log.panes, 'chart', { zoom }) };
  });
}
