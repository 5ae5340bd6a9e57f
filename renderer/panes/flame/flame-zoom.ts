import type { FlameZoom, ZoomedRow } from '../../../shared/engine/query.ts';
import { ALL_ROWS, type FlameLayout, isBlock, kindAt } from '../../../shared/engine/views/flame-columns.ts';
import type { FlameCrumb } from '../../profile-worker/pane-messages.ts';
import { findFrame, frameId } from '../../store/flame-walk.ts';

/** What a row zooms to. `shown`: the zoom of the layout, whose root is the parent of the first rows. */
export function zoomOfRow(
  layout: FlameLayout,
  row: number,
  shown: FlameZoom | undefined,
): FlameZoom | undefined {
  if (kindAt(layout, row) === 'all') return undefined;
  if (!isBlock(layout, row)) return { row: zoomedRow(layout, row), run: undefined };
  const parent = layout.parent[row];
  const isOfRun = parent === 0 && isBlock(layout, 0);
  return {
    row: isOfRun && shown !== undefined ? shown.row : zoomedRow(layout, parent),
    run: { first: zoomedRow(layout, row), last: lastRow(layout, row) },
  };
}

function zoomedRow({ id, stackEnds }: FlameLayout, row: number): ZoomedRow {
  return stackEnds === undefined || id[row] === ALL_ROWS
    ? id[row]
    : { end: stackEnds.end[row], caller: stackEnds.caller[row] };
}

/** The last row of a block. */
function lastRow({ lastId, stackEnds }: FlameLayout, row: number): ZoomedRow {
  return stackEnds === undefined
    ? lastId[row]
    : { end: stackEnds.lastEnd[row], caller: stackEnds.lastCaller[row] };
}

/** Widths that differ by less than this are the same zoom. */
const LEAST_ZOOM = 1.25;

/** The row that a step towards `row` zooms into: its first caller that is noticeably narrower than the root. */
export function rowTowards({ parent, weight }: FlameLayout, row: number): number {
  let narrowest = row;
  for (let at = row; at > 0; at = parent[at]) if (weight[at] * LEAST_ZOOM <= weight[0]) narrowest = at;
  return narrowest;
}

/**
 * The target of a zoom out: the nearest caller that is noticeably wider than the root; undefined for the complete
 * profile.
 */
export function zoomBefore(path: readonly FlameCrumb[], { weight }: FlameLayout): FlameZoom | undefined {
  return path.findLast((crumb) => crumb.weight >= weight[0] * LEAST_ZOOM)?.zoom;
}

/** Where a graph is at the start of an animation: left edge and width, as shares of the pane's width. */
export interface GraphPlace {
  readonly left: number;
  readonly width: number;
}

/** From where a layout grows or shrinks to fill the pane after a zoom; undefined where one is not part of the other. */
export function placeBefore(before: FlameLayout, after: FlameLayout): GraphPlace | undefined {
  if (before.length === 0 || after.length === 0) return undefined;
  const grown = findFrame(before, frameId(after, 0));
  if (grown > 0) {
    return { left: before.start[grown] / before.weight[0], width: before.weight[grown] / before.weight[0] };
  }
  const shrunk = findFrame(after, frameId(before, 0));
  if (shrunk <= 0) return undefined;
  const scale = after.weight[0] / after.weight[shrunk];
  return { left: (-after.start[shrunk] / after.weight[0]) * scale, width: scale };
}
