import type { RowId } from './pane-messages.ts';

/** The part of a list that is on screen, as the window last asked for it. */
export interface RowWindow {
  from: number;
  count: number;
  /** Number of the request, echoed with the rows. */
  turn: number;
}

/** Rows that a window shows at first, until it says how many fit. */
export const INITIAL_WINDOW: RowWindow = { from: 0, count: 60, turn: 0 };

/** The row that keeps its place on screen when rows are added or removed around it, and its position among all rows. */
export interface Anchor {
  readonly id: RowId;
  readonly at: number;
}

/** The selected row, if it is on screen; else the row at the top, but not of a window at the very top. */
export function anchorOf(
  { from, count }: RowWindow,
  total: number,
  selectedAt: number,
  idAt: (at: number) => RowId,
): Anchor | undefined {
  const selectionShows = selectedAt >= from && selectedAt < from + count;
  if (!selectionShows && (from === 0 || from >= total)) return undefined;
  const at = selectionShows ? selectedAt : from;
  return { id: idAt(at), at };
}

/** By how many rows the window must move so that its anchor keeps its place on screen. `place`: where it is now, or -1. */
export function shiftTo({ from }: RowWindow, anchor: Anchor | undefined, place: number): number {
  return anchor === undefined || place < 0 ? 0 : Math.max(place - anchor.at, -from);
}
