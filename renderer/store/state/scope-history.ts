import { splitMethodOf } from '../../../shared/engine/trees/grouping.ts';
import { type FlameZoom, isSameZoom } from '../../../shared/engine/query.ts';
import type { Scope, Transform } from '../../../shared/scope/scope.ts';
import type { FlameCrumb, Reveal } from '../../profile-worker/pane-messages.ts';
import { type FlamePaneId, isHalf, isRowsPane, PANE_IDS } from '../panes/panes.ts';
import { withSelected } from '../panes/pane-views.ts';
import type { LogView, ScopeStep } from './window-state.ts';

/** Scopes of a log that can be undone. */
const MOST_SCOPES = 100;

/** The part of a log that can be undone. */
export function stepOf({ scope, where, split, baseline, hidesErrors, keepsZoom, zoom }: LogView): ScopeStep {
  return { scope, where, split, baseline, hidesErrors, keepsZoom, zoom };
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

/**
 * The log with a step applied. A zoom that stays is the same object. A comparison has an order of its own: unless
 * something is selected, its rows begin at the top, and so do those of the log after it.
 */
function withStep(log: LogView, { zoom, ...rest }: ScopeStep): LogView {
  const isReordered = (log.baseline === undefined) !== (rest.baseline === undefined);
  // A method that was split before and is joined again is named by itself on the path of callers.
  const joined = log.split.filter(({ key }) => !rest.split.some((each) => each.key === key));
  return {
    ...log,
    ...rest,
    ...(joined.length > 0 && {
      detail: log.detail.map((method) => ({
        ...method,
        label: splitMethodOf(method.label, joined)?.key ?? method.label,
      })),
    }),
    ...(isSameZoom(log.zoom, zoom) ? {} : { zoom, zoomedPath: undefined }),
    ...(isReordered && log.selection === undefined ? { panes: withSelected(log.panes, {}, TOPS) } : {}),
  };
}

/** The first row of each pane of rows. */
const TOPS: readonly Reveal[] = PANE_IDS.filter(isRowsPane).map((pane) => ({
  kind: 'rows',
  pane,
  at: 0,
  start: 0,
}));

function isSameStep(a: ScopeStep, b: ScopeStep): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The zoom of a pane. The top-down and the bottom-up graph have the log's: one of them is on screen. */
export function zoomOf({ zoom, panes }: LogView, pane: FlamePaneId): FlameZoom | undefined {
  return isHalf(pane) ? panes[pane].zoom : zoom;
}

/**
 * The log with another zoom of a pane. That of the whole graph is one step for undo, and one of the graph alone until it is
 * kept.
 */
export function withZoom(log: LogView, pane: FlamePaneId, zoom: FlameZoom | undefined): LogView {
  if (isSameZoom(zoomOf(log, pane), zoom)) return log;
  if (isHalf(pane)) return withZoomNow(log, pane, zoom);
  return withScope(log, { zoom, keepsZoom: zoom !== undefined && log.zoom !== undefined && log.keepsZoom });
}

/** The log whose present zoom of a pane is another one, without a step. */
export function withZoomNow(log: LogView, pane: FlamePaneId, zoom: FlameZoom | undefined): LogView {
  const { panes } = log;
  return isHalf(pane) ? { ...log, panes: { ...panes, [pane]: { ...panes[pane], zoom } } } : { ...log, zoom };
}

/** The part of a step that shows all of the graph. */
export const NO_ZOOM = { zoom: undefined, keepsZoom: false } as const;

/** The log without the zoom of its graph, and without earlier ones: they name rows of another graph, or of another file. */
export function withoutZooms(log: LogView): LogView {
  const left = withSteps(log, (step) => ({ ...step, ...NO_ZOOM }));
  return { ...left, zoomedPath: undefined };
}

/** The log with its step and all earlier and undone ones changed in some way, without those that change nothing then. */
export function withSteps(log: LogView, change: (step: ScopeStep) => ScopeStep): LogView {
  const now = change(stepOf(log));
  const changing = (steps: readonly ScopeStep[]): readonly ScopeStep[] => {
    const kept: ScopeStep[] = [];
    for (const step of steps.map(change).reverse())
      if (!isSameStep(step, kept.at(-1) ?? now)) kept.push(step);
    return kept.reverse();
  };
  return {
    ...log,
    ...now,
    scopesBack: changing(log.scopesBack),
    scopesForward: changing(log.scopesForward),
  };
}

/** A baseline that came later would replace what the user has chosen since. */
function withoutAwaitedBase(log: LogView): LogView {
  return log.awaitedBase === undefined ? log : { ...log, awaitedBase: undefined };
}

/** The log with the last step of one of its lists, and its present one in the other. It no longer waits for a baseline. */
function withLast(log: LogView, ...[of, to]: readonly ('scopesBack' | 'scopesForward')[]): LogView {
  const own = withoutAwaitedBase(log);
  const step = log[of].at(-1);
  if (step === undefined) return own;
  return { ...withStep(own, step), [of]: log[of].slice(0, -1), [to]: [...log[to], stepOf(log)] };
}

export const withScopeUndone = (log: LogView): LogView => withLast(log, 'scopesBack', 'scopesForward');
export const withScopeRedone = (log: LogView): LogView => withLast(log, 'scopesForward', 'scopesBack');

/** The log as it was before the last step, which is forgotten. */
export function withStepRefused(log: LogView): LogView {
  return { ...withScopeUndone(log), scopesForward: log.scopesForward, triedBaseline: undefined };
}

/** The scope with a further transform, applied after the others. */
export function withTransform(scope: Scope, transform: Transform): Scope {
  return { ...scope, transforms: [...scope.transforms, transform] };
}

/** The path to a zoomed frame, as text. Frames of one name are told apart by their callers, of which some may be left out. */
export function zoomedPathText({
  path,
  pathLeftOut,
}: {
  readonly path: readonly FlameCrumb[];
  readonly pathLeftOut: number;
}): string {
  // The first step is everything.
  return [pathLeftOut, ...path.slice(1).map(({ label }) => label)].join('\n');
}

/** The zoom of a log, by which rows are narrowed and files are written; undefined while it is not known what it shows. */
export function zoomInForce({ zoom, zoomedPath }: LogView): FlameZoom | undefined {
  return zoomedPath === undefined ? zoom : undefined;
}
