import type { FlameCrumb, FlameZoom } from '../profile-worker/pane-messages.ts';
import { isSameZoom } from './same-zoom.ts';
import { isHalf, type FlamePaneId, type HalfPaneId } from './panes.ts';

/** Zooms of a log that are remembered. */
const MOST_ZOOMS = 100;

/** The zoom of a flame graph, and those that can be returned to. */
export interface ZoomHistory {
  readonly zoom: FlameZoom | undefined;
  /** Earlier zooms, and those undone by going back; the nearest last. */
  readonly zoomsBack: readonly (FlameZoom | undefined)[];
  readonly zoomsForward: readonly (FlameZoom | undefined)[];
}

export const NO_ZOOM: ZoomHistory = { zoom: undefined, zoomsBack: [], zoomsForward: [] };

/** The zooms of the graphs of callers and callees, each its own. */
export type HalfZooms = Readonly<Record<HalfPaneId, ZoomHistory>>;

export const NO_HALF_ZOOMS: HalfZooms = { callersFlame: NO_ZOOM, calleesFlame: NO_ZOOM };

/** A log, as far as its zooms matter. */
type Zoomed = ZoomHistory & { readonly halfZooms: HalfZooms };

/** That of a pane. The top-down and the bottom-up graph have the log's: one of them is on screen. */
export function zoomsOf(log: Zoomed, pane: FlamePaneId): ZoomHistory {
  return isHalf(pane) ? log.halfZooms[pane] : log;
}

/** The log with another zoom of a pane. */
export function withPaneZoom<Log extends Zoomed>(
  log: Log,
  pane: FlamePaneId,
  change: <History extends ZoomHistory>(history: History) => History,
): Log {
  if (!isHalf(pane)) return change(log);
  return { ...log, halfZooms: { ...log.halfZooms, [pane]: change(log.halfZooms[pane]) } };
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
