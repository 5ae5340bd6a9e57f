import type { FlameZoom } from '../../shared/engine/query.ts';
import type { Scope, Transform } from '../../shared/scope/scope.ts';
import { type FlamePaneId, isHalf } from './panes.ts';
import { NO_ZOOM, type ZoomHistory } from './pane-views.ts';
import { withPaneZoom, withZoom, zoomsOf } from './zoom-history.ts';
import { isSameZoom } from './pane-views.ts';
import type { LogView, ScopeStep } from './window-state.ts';

/** Scopes of a log that can be undone. */
const MOST_SCOPES = 100;

/** The part of a log that can be undone. */
export function stepOf({ scope, where, split, baseline, hidesErrors, zoom }: LogView): ScopeStep {
  return { scope, where, split, baseline, hidesErrors, zoom };
}

/**
 * The log with another scope, filter of rows, baseline, zoom or other split methods chosen by the user, or with errors
 * hidden or shown; the same log where nothing changes. It no longer waits for a baseline where one is chosen, or none.
 */
export function withScope(log: LogView, change: Partial<ScopeStep>): LogView {
  const before = stepOf(log);
  const own = 'baseline' in change ? withoutAwaitedBase(log) : log;
  if (isSameStep({ ...before, ...change }, before)) return own;
  const tried = change.baseline?.log === undefined ? change.baseline : undefined;
  return {
    ...withStep(own, { ...before, ...change }),
    triedBaseline: tried,
    scopesBack: [...log.scopesBack, before].slice(-MOST_SCOPES),
    scopesForward: [],
  };
}

/** The log with a step applied. The zoom before it can be returned to. */
function withStep(log: LogView, { zoom, ...rest }: ScopeStep): LogView {
  const zoomedPath = isSameZoom(log.zoom, zoom) ? log.zoomedPath : undefined;
  return withZoom({ ...log, ...rest, zoomedPath }, zoom);
}

function isSameStep(a: ScopeStep, b: ScopeStep): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The log with another zoom of a pane. That of the whole graph is a part of its scope: one step for undo. */
export function withZoomStep(
  log: LogView,
  pane: FlamePaneId,
  change: <History extends ZoomHistory>(zooms: History) => History,
): LogView {
  const changed = withPaneZoom(log, pane, change);
  if (changed.zoom === log.zoom) return changed;
  const { zoom, zoomsBack, zoomsForward } = changed;
  return { ...withScope(log, { zoom }), zoom, zoomsBack, zoomsForward };
}

/** The log without the zoom of its graph, and without earlier ones: they name rows of another graph, or of another file. */
export function withoutZooms(log: LogView): LogView {
  const { scopesBack, scopesForward } = log;
  const zoomed = { ...log, ...NO_ZOOM, zoomedPath: undefined };
  const [back, forward] = [scopesBack, scopesForward].map((steps) =>
    changingSteps(
      steps.map((step) => ({ ...step, zoom: undefined })),
      stepOf(zoomed),
    ),
  );
  return { ...zoomed, scopesBack: back, scopesForward: forward };
}

/** Steps of which the last is next to `now`, without those that change nothing any more. */
export function changingSteps(steps: readonly ScopeStep[], now: ScopeStep): readonly ScopeStep[] {
  const kept: ScopeStep[] = [];
  for (const step of steps.toReversed())
    if (!isSameStep({ ...now, ...step }, { ...now, ...(kept.at(-1) ?? now) })) kept.push(step);
  return kept.reverse();
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
    ...withStep(withoutAwaitedBase(log), before),
    scopesBack: scopesBack.slice(0, -1),
    scopesForward: [...scopesForward, stepOf(log)],
  };
}

/** The log as it was before the last step, which is forgotten. */
export function withStepRefused(log: LogView): LogView {
  return { ...withScopeUndone(log), scopesForward: log.scopesForward, triedBaseline: undefined };
}

/** Undoes `withScopeUndone`. */
export function withScopeRedone(log: LogView): LogView {
  const { scopesBack, scopesForward } = log;
  const next = scopesForward.at(-1);
  if (next === undefined) return withoutAwaitedBase(log);
  return {
    ...withStep(withoutAwaitedBase(log), next),
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

/**
 * The log as its zooms were before the first click of a double click, which is meant for something else. The same log where
 * the zoom is another one by now.
 */
export function withoutZoomOf(
  log: LogView,
  pane: FlamePaneId,
  before: LogView,
  clicked: FlameZoom | undefined,
): LogView {
  if (log.key !== before.key || !isSameZoom(zoomsOf(log, pane).zoom, clicked)) return log;
  if (isSameZoom(zoomsOf(before, pane).zoom, clicked)) return log;
  const { zoom, zoomsBack, zoomsForward } = zoomsOf(before, pane);
  const own = withPaneZoom(log, pane, (history) => ({ ...history, zoom, zoomsBack, zoomsForward }));
  if (isHalf(pane)) return own;
  const { scopesBack, scopesForward, zoomedPath } = before;
  return { ...own, scopesBack, scopesForward, zoomedPath };
}
