import type { FlameZoom } from '../../shared/engine/query.ts';
import type { FlameCrumb } from '../profile-worker/pane-messages.ts';
import { type FlamePaneId, isHalf } from './panes.ts';
import { isSameZoom, type PaneViews, type ZoomHistory } from './pane-views.ts';

/** Zooms of a log that are remembered. */
const MOST_ZOOMS = 100;

/** A log, as far as its zooms matter. */
type Zoomed = ZoomHistory & { readonly panes: PaneViews };

/** That of a pane. The top-down and the bottom-up graph have the log's: one of them is on screen. */
export function zoomsOf(log: Zoomed, pane: FlamePaneId): ZoomHistory {
  return isHalf(pane) ? log.panes[pane].zooms : log;
}

/** The log with another zoom of a pane. */
export function withPaneZoom<Log extends Zoomed>(
  log: Log,
  pane: FlamePaneId,
  change: <History extends ZoomHistory>(history: History) => History,
): Log {
  if (!isHalf(pane)) return change(log);
  const view = log.panes[pane];
  return { ...log, panes: { ...log.panes, [pane]: { ...view, zooms: change(view.zooms) } } };
}

/** A log or a pane with another zoom chosen by the user. */
export function withZoom<History extends ZoomHistory>(log: History, zoom: FlameZoom | undefined): History {
  if (isSameZoom(log.zoom, zoom)) return log;
  return { ...log, zoom, zoomsBack: [...log.zoomsBack, log.zoom].slice(-MOST_ZOOMS), zoomsForward: [] };
}

/** With the previous zoom; the same object where there is none. */
export function withZoomBack<History extends ZoomHistory>(log: History): History {
  const { zoom, zoomsBack, zoomsForward } = log;
  if (zoomsBack.length === 0) return log;
  return {
    ...log,
    zoom: zoomsBack.at(-1),
    zoomsBack: zoomsBack.slice(0, -1),
    zoomsForward: [...zoomsForward, zoom],
  };
}

/** Undoes `withZoomBack`. */
export function withZoomForward<History extends ZoomHistory>(log: History): History {
  const { zoom, zoomsBack, zoomsForward } = log;
  if (zoomsForward.length === 0) return log;
  return {
    ...log,
    zoom: zoomsForward.at(-1),
    zoomsBack: [...zoomsBack, zoom],
    zoomsForward: zoomsForward.slice(0, -1),
  };
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
export function zoomInForce({
  zoom,
  zoomedPath,
}: {
  readonly zoom: FlameZoom | undefined;
  readonly zoomedPath: string | undefined;
}): FlameZoom | undefined {
  return zoomedPath === undefined ? zoom : undefined;
}
