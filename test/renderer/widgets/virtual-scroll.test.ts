import { expect, test } from 'vitest';
import {
  contentHeight,
  type Extent,
  hasDrifted,
  heldWithin,
  isRequested,
  missingRows,
  MOST_PIXELS,
  positionToReveal,
  positionWithin,
  type RowRange,
  rowsToFetch,
  scrolled,
  scrollTopOf,
  visibleRows,
} from '../../../renderer/widgets/virtual-scroll.ts';

const few: Extent = { rows: 1_000, rowHeight: 22, viewport: 440 };
const millions: Extent = { rows: 5_000_000, rowHeight: 22, viewport: 440 };
const lastPosition = 5_000_000 * 22 - 440;

test('a thousand rows: the scroll bar is the position', () => {
  expect(contentHeight(few)).toBe(22_000);
  expect(scrolled({ scrollTop: 0, position: 0 }, 12_345, few)).toEqual({
    scrollTop: 12_345,
    position: 12_345,
  });
  expect(scrollTopOf(12_345, few)).toBe(12_345);
  expect([-1, 12_345, 22_000].map((position) => positionWithin(position, few))).toEqual([0, 12_345, 21_560]);
  expect(positionWithin(48, { ...few, rows: 2 })).toBe(0);
  expect(hasDrifted({ scrollTop: 5, position: 5 }, few)).toBe(false);
});

test('five million rows: the content keeps below what browsers lay out, and both ends can be reached', () => {
  expect(contentHeight(millions)).toBe(MOST_PIXELS);
  const end = MOST_PIXELS - 440;
  expect(scrolled({ scrollTop: end / 2, position: lastPosition / 2 }, end, millions).position).toBe(
    lastPosition,
  );
  expect(scrolled({ scrollTop: 900, position: 7_000 }, 0, millions).position).toBe(0);
  expect(scrollTopOf(lastPosition, millions)).toBeCloseTo(end);
  expect(visibleRows(lastPosition, millions)).toEqual({ from: 4_999_980, count: 20 });
});

test('five million rows: the wheel moves rows pixel by pixel, the scroll bar in proportion', () => {
  const here = { scrollTop: 7_000_000, position: 51_333_000 };
  expect(scrolled(here, 7_000_100, millions)).toEqual({ scrollTop: 7_000_100, position: 51_333_100 });
  expect(scrolled(here, 6_999_900, millions)).toEqual({ scrollTop: 6_999_900, position: 51_332_900 });
  const dragged = scrolled(here, 1_000_000, millions).position;
  expect(dragged / lastPosition).toBeCloseTo(1_000_000 / (MOST_PIXELS - 440));
});

test('five million rows: wheeling on and on never runs into the end of the bar before the end of the rows', () => {
  let state = { scrollTop: 14_900_000, position: scrollPosition(14_900_000) };
  let corrections = 0;
  for (let step = 0; step < 20_000; step++) {
    state = scrolled(state, state.scrollTop + 100, millions);
    if (hasDrifted(state, millions)) {
      state = { ...state, scrollTop: scrollTopOf(state.position, millions) };
      corrections++;
    }
  }
  expect(corrections).toBeGreaterThan(100);
  expect(state.position - scrollPosition(14_900_000)).toBe(lastPosition - scrollPosition(14_900_000));
});

function scrollPosition(scrollTop: number): number {
  return (scrollTop / (MOST_PIXELS - 440)) * lastPosition;
}

test('rows in part are visible too, and no row beyond the last', () => {
  expect(visibleRows(0, few)).toEqual({ from: 0, count: 20 });
  expect(visibleRows(11, few)).toEqual({ from: 0, count: 21 });
  expect(visibleRows(22 * 999, few)).toEqual({ from: 999, count: 1 });
  expect(visibleRows(0, { ...few, rows: 0 })).toEqual({ from: 0, count: 0 });
  expect(visibleRows(0, { ...few, rows: 3 })).toEqual({ from: 0, count: 3 });
});

test('a viewport either side is fetched, and small moves fetch nothing new', () => {
  expect(rowsToFetch(0, few)).toEqual({ from: 0, count: 80 });
  expect(rowsToFetch(100 * 22, few)).toEqual({ from: 80, count: 80 });
  expect(rowsToFetch(103 * 22, few)).toEqual({ from: 80, count: 80 });
  for (let position = 0; position < 20_000; position += 7) {
    const seen = visibleRows(position, few);
    const { from, count } = rowsToFetch(position, few);
    expect(from).toBeLessThanOrEqual(seen.from);
    expect(from + count).toBeGreaterThanOrEqual(seen.from + seen.count);
  }
});

test('a viewport that becomes lower and higher again fetches nothing, a far lower one and other rows do', () => {
  const lower: Extent = { ...few, viewport: 330 };
  const asked = rowsToFetch(0, few);
  expect(rowsToFetch(0, lower).count).toBeLessThan(asked.count);
  const isAsked = (position: number, extent: Extent, before?: RowRange, shift = 0): boolean =>
    isRequested(rowsToFetch(position, extent), visibleRows(position, extent), before && { ...before, shift });
  expect(isAsked(0, few)).toBe(false);
  expect(isAsked(0, lower, asked)).toBe(true);
  expect(isAsked(0, few, asked)).toBe(true);
  expect(isAsked(0, few, rowsToFetch(0, lower))).toBe(false);
  expect(isAsked(0, { ...few, viewport: 100 }, asked)).toBe(false);
  expect(isAsked(100 * 22, lower, asked)).toBe(false);
  // A row was put above them: it is asked for when it can be seen, and not before.
  expect(isAsked(22, few, asked, 1)).toBe(true);
  expect(isAsked(0, few, asked, 1)).toBe(false);
  // Likewise behind them, where rows above have gone.
  expect(isAsked(0, few, asked, 20 - asked.count)).toBe(true);
  expect(isAsked(0, few, asked, 19 - asked.count)).toBe(false);
});

test('rows are missing before and behind those that have come', () => {
  const drawn = { from: 10, count: 5 };
  const come = (from: number, count: number): string =>
    missingRows(drawn, { from, count })
      .map((range) => `${range.from}-${range.from + range.count - 1}`)
      .join(' ');
  expect(come(0, 100)).toBe('');
  expect(come(0, 12)).toBe('12-14');
  expect(come(12, 100)).toBe('10-11');
  expect(come(12, 1)).toBe('10-11 13-14');
  expect(come(0, 10)).toBe('10-14');
  expect(come(15, 9)).toBe('10-14');
  expect(come(0, 0)).toBe('10-14');
});

test('revealing scrolls as little as it can and leaves a row of context', () => {
  const at = 100 * 22;
  expect(positionToReveal(105, at, few)).toBe(at);
  expect(positionToReveal(100, at, few)).toBe(99 * 22);
  expect(positionToReveal(119, at, few)).toBe(101 * 22);
  expect(positionToReveal(0, at, few)).toBe(0);
  expect(positionToReveal(999, at, few)).toBe(22_000 - 440);
  expect(positionToReveal(50, 0, { ...few, viewport: 22 })).toBe(50 * 22);
});

test('a remembered position is held against the rows that there are', () => {
  const at = (position: number): { scrollTop: number; position: number } => ({
    scrollTop: position,
    position,
  });
  const short = { ...few, rows: 30 };
  const remembered = [at(5_000), at(100), at(0)];
  expect(remembered.map((each) => heldWithin(each, few))).toEqual(remembered);
  expect(remembered.map((each) => heldWithin(each, short))).toEqual([at(220), at(100), at(0)]);
  expect(heldWithin(at(5_000), { ...few, rows: 3 })).toEqual(at(0));
  // Rows that are drawn are there.
  const { from, count } = visibleRows(heldWithin(at(5_000), short).position, short);
  expect([from, count]).toEqual([10, 20]);
  // Until there are rows, and until the place is measured, it waits for them.
  expect(heldWithin(at(5_000), { ...few, rows: 0 })).toEqual(at(5_000));
  expect(heldWithin(at(5_000), { ...short, viewport: 0 })).toEqual(at(5_000));
  // Where the bar is in proportion, both go to the end.
  const held = heldWithin(at(lastPosition + 7_000), millions);
  expect(held).toEqual({ position: lastPosition, scrollTop: MOST_PIXELS - 440 });
});
