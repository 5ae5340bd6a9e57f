/** The part of a list that is on screen, as the window last asked for it. */
export interface RowWindow {
  from: number;
  count: number;
  /** Number of the request, echoed with the rows. */
  turn: number;
}

/** Rows that a window shows at first, until it says how many fit. */
export const INITIAL_WINDOW: RowWindow = { from: 0, count: 60, turn: 0 };

/**
 * How far growth, or sorting anew, moved what is on screen: the selected row, if it is on screen, else the row at the
 * top, is now so many rows further down. Without a selection a window at the very top stays at the top.
 */
export function shiftOf(
  window: RowWindow,
  before: Int32Array,
  selectedBefore: number,
  placeNow: (row: number) => number,
): number {
  const { from, count } = window;
  const selectionShows = selectedBefore >= from && selectedBefore < from + count;
  const anchor = selectionShows ? selectedBefore : from;
  if (anchor >= before.length || (!selectionShows && from === 0)) return 0;
  const place = placeNow(before[anchor]);
  return place < 0 ? 0 : Math.max(place - anchor, -from);
}
