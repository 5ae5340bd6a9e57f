import type { FlamePaneId } from '../../store/panes/panes.ts';
import type { LogView } from '../../store/state/window-state.ts';
import {
  type FlameLayout,
  isBlock,
  kindAt,
  levelOf,
  matchesAt,
  ALL_ROWS,
} from '../../../shared/engine/views/flame-columns.ts';
import type { Orientation } from '../../store/state/preferences.ts';
import type { FlameZoom, ZoomedRow } from '../../../shared/engine/query.ts';
import type { FlameCrumb } from '../../profile-worker/pane-messages.ts';

/** Identity of a row while the graph grows: that of its call node, and for a block that of its first frame. */
export function frameId(layout: FlameLayout, row: number): string {
  return isBlock(layout, row) ? `block:${layout.id[row]}` : `${layout.id[row]}`;
}

/** `frameId` of the frame that is selected. */
export function selectedFrame(
  { selection, panes }: Pick<LogView, 'selection' | 'panes'>,
  pane: FlamePaneId,
): string | undefined {
  const { selected } = panes[pane];
  if (selected === undefined) return undefined;
  return selection?.kind === 'block' ? `block:${selected}` : `${selected}`;
}

/** The row with an id; -1 for none. A block is found before the root, if the root is a block made of it and others. */
export function findFrame(layout: FlameLayout, id: string | undefined): number {
  if (id === undefined) return -1;
  const number = Number(id.replace('block:', ''));
  for (let row = layout.id.indexOf(number, 1); row >= 0; row = layout.id.indexOf(number, row + 1))
    if (frameId(layout, row) === id) return row;
  return layout.length > 0 && frameId(layout, 0) === id ? 0 : -1;
}

export type FlameStep = 'caller' | 'callee' | 'left' | 'right' | 'root';

/** The row that a step leads to; the same one where there is none. `at` may be -1: then the root. */
export function stepFrame(layout: FlameLayout, at: number, step: FlameStep): number {
  if (layout.length === 0) return -1;
  if (at < 0 || step === 'root') return 0;
  switch (step) {
    case 'caller':
      return Math.max(layout.parent[at], 0);
    case 'callee': {
      const { from, to } = childrenOf(layout, at);
      let heaviest = at;
      for (let child = from; child < to; child++) {
        // Nothing is above samples without a stack: a step to the right leads there.
        if (kindAt(layout, child) === 'error') continue;
        if (heaviest === at || layout.weight[child] > layout.weight[heaviest]) heaviest = child;
      }
      return heaviest === at && from < to ? from : heaviest;
    }
    case 'left':
    case 'right': {
      const other = step === 'left' ? at - 1 : at + 1;
      const level = levelOf(layout, at);
      return other >= layout.levelStart[level] && other < layout.levelStart[level + 1] ? other : at;
    }
  }
}

/** Children of a row, [from, to): they are contiguous in the next level. */
export function childrenOf(layout: FlameLayout, at: number): { readonly from: number; readonly to: number } {
  const { levelStart, parent } = layout;
  const level = levelOf(layout, at);
  if (level + 2 >= levelStart.length) return { from: 0, to: 0 };
  const first = (wanted: number): number => {
    let low = levelStart[level + 1];
    let high = levelStart[level + 2];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (parent[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { from: first(at), to: first(at + 1) };
}

export type FlameKey =
  | { readonly type: 'step'; readonly step: FlameStep }
  | { readonly type: 'open' | 'zoom' | 'lines' | 'out' | 'menu' };

/**
 * The action of a key in the flame graph, by `keyName`. Up and down follow the layout on screen, so they depend on the orientation.
 */
export function flameKey(key: string, orientation: Orientation): FlameKey | undefined {
  const up = orientation === 'flame' ? 'callee' : 'caller';
  switch (key) {
    case 'ArrowUp':
      return { type: 'step', step: up };
    case 'ArrowDown':
      return { type: 'step', step: up === 'callee' ? 'caller' : 'callee' };
    case 'ArrowLeft':
      return { type: 'step', step: 'left' };
    case 'ArrowRight':
      return { type: 'step', step: 'right' };
    case 'Home':
      return { type: 'step', step: 'root' };
    case 'Enter':
      return { type: 'open' };
    case ' ':
      return { type: 'zoom' };
    case 'Alt+l':
      return { type: 'lines' };
    case 'Backspace':
      return { type: 'out' };
    case 'ContextMenu':
      return { type: 'menu' };
    default:
      return undefined;
  }
}

/** The zoom that a row leads to. `shown`: the zoom of the layout, whose root is the parent of the first rows. */
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

/** The frames that a search has found; the blocks with some, where none is wide enough to be drawn. */
export function matchingFrames(layout: FlameLayout): readonly number[] {
  const matching = rowsWhere(layout, (row) => matchesAt(layout, row));
  const frames = matching.filter((row) => !isBlock(layout, row));
  return frames.length > 0 ? frames : matching;
}

/** The frames whose difference from the baseline has the strongest colour; none where chance explains all. */
export function mostChangedFrames(layout: FlameLayout): readonly number[] {
  const { level = new Int8Array(layout.length) } = layout.difference ?? {};
  const most = level.reduce((strongest, each) => Math.max(strongest, Math.abs(each)), 1);
  return rowsWhere(layout, (row) => Math.abs(level[row]) === most);
}

function rowsWhere({ length }: FlameLayout, test: (row: number) => boolean): readonly number[] {
  return Array.from({ length }, (_, row) => row).filter(test);
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
