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
 * How far growth moved what is on screen: the row that was at the top of the window is now so many rows further down.
 * A window at the very top stays at the top.
 */
export function shiftOf(window: RowWindow, before: Int32Array, placeNow: (row: number) => number): number {
  if (window.from === 0 || window.from >= before.length) return 0;
  const place = placeNow(before[window.from]);
  return place < 0 ? 0 : place - window.from;
}
