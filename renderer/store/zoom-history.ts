import type { FlameZoom } from '../profile-worker/pane-messages.ts';
import type { LogView } from './window-state.ts';

/** Zooms of a log that are remembered. */
const MOST_ZOOMS = 100;

/** The log with another zoom chosen by the user. */
export function withZoom(log: LogView, zoom: FlameZoom | undefined): LogView {
  if (isSameZoom(log.zoom, zoom)) return log;
  return { ...log, zoom, zoomsBack: [...log.zoomsBack, log.zoom].slice(-MOST_ZOOMS), zoomsForward: [] };
}

/** The log with the previous zoom; the same log where there is none. */
export function withZoomBack(log: LogView): LogView {
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
export function withZoomForward(log: LogView): LogView {
  const { zoom, zoomsBack, zoomsForward } = log;
  if (zoomsForward.length === 0) return log;
  return {
    ...log,
    zoom: zoomsForward.at(-1),
    zoomsBack: [...zoomsBack, zoom],
    zoomsForward: zoomsForward.slice(0, -1),
  };
}

export function isSameZoom(a: FlameZoom | undefined, b: FlameZoom | undefined): boolean {
  return a?.row === b?.row && a?.run?.first === b?.run?.first && a?.run?.last === b?.run?.last;
}
