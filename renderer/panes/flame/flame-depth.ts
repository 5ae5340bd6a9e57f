/** A graph as it is drawn. */
export interface DrawnDepth {
  readonly zoom: FlameZoom | undefined;
  /** It is higher than its pane. */
  readonly isHigher: boolean;
  /** The user has zoomed or selected a frame. */
  readonly isUsed: boolean;
  readonly isAllRead: boolean;
}

/** Whether the graph of a log is deep, and hangs from the top; undefined: not to be decided yet. */
export function decidedDepth({ zoom, isHigher, isUsed, isAllRead }: DrawnDepth): boolean | undefined {
  // A part of a graph is less deep than all of it.
  if (zoom !== undefined) return undefined;
  // The first parts of a log are less deep, too.
  if (isHigher && !isUsed) return true;
  return isAllRead ? false : undefined;
}
import type { FlameZoom } from '../../../shared/engine/query.ts';
