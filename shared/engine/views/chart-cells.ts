import { NONE } from '../../profile/columns.ts';
import type { Interval } from './timeline-columns.ts';

/** Stacks over time in cells of equal width. */
export interface ChartCells {
  /** Cell -> row of the tree in which most of its samples ended; NONE in a gap. */
  readonly leaf: Int32Array;
  /** Cell -> samples in the cells before it; one more than there are cells. */
  readonly before: Float64Array;
  /** Cell -> when it begins, ns after the earliest sample; one more than there are cells. */
  readonly times: Float64Array;
}

/** A sample stands for the time up to the next one, but for no more than so many times the usual time between two. */
const MOST_REACH = 1.5;
/** Distances from which the usual one is taken. */
const MOST_DISTANCES = 1_001;

/**
 * Divides a part of the time into cells. `at`: place -> ns after the earliest sample, ascending; `leaf`: place -> row of
 * the tree. O(samples in the part + cells).
 *
 *   at 0 10 20 70   leaf a a b c   [0, 90) in 9 cells      a a b - - - - c -
 */
export function linearCells(at: Float64Array, leaf: Int32Array, shown: Interval, cells: number): ChartCells {
  const found = new Int32Array(cells).fill(NONE);
  const votes = new Int32Array(cells);
  const before = new Float64Array(cells + 1);
  const usual = usualDistance(at);
  const cellOf = (time: number): number => ((time - shown.from) * cells) / (shown.to - shown.from);
  for (let place = firstFrom(at, shown.from - MOST_REACH * usual); place < at.length; place++) {
    const time = at[place];
    if (time >= shown.to) break;
    const next = place + 1 < at.length ? at[place + 1] : time + usual;
    const own = Math.floor(cellOf(time));
    const end = Math.min(cells, Math.round(cellOf(Math.min(next, time + MOST_REACH * usual))));
    for (let cell = Math.max(0, own + 1); cell < end; cell++)
      if (votes[cell] === 0) found[cell] = leaf[place];
    if (own < 0) continue;
    before[own + 1]++;
    // The majority where there is one (Boyer and Moore); otherwise one of them.
    if (votes[own] === 0) found[own] = leaf[place];
    votes[own] += found[own] === leaf[place] ? 1 : -1;
  }
  for (let cell = 0; cell < cells; cell++) before[cell + 1] += before[cell];
  const times = Float64Array.from(before, (_, cell) => shown.from + (cell * (shown.to - shown.from)) / cells);
  return { leaf: found, before, times };
}

/** All samples are equally wide: a cell each, or with some others where there are more of them than pixels. */
export function equalCells(at: Float64Array, leaf: Int32Array, pixels: number): ChartCells {
  const cells = Math.min(pixels, at.length);
  const places = at.map((_, place) => place);
  const inPlaces = linearCells(places, leaf, { from: 0, to: at.length }, cells);
  const end = (at.at(-1) ?? 0) + 1;
  const times = inPlaces.times.map((place) => at[Math.ceil(place)] ?? end);
  return { ...inPlaces, times };
}

/** The median of the times between two samples, of so many pairs at equal distances. */
function usualDistance(times: Float64Array): number {
  const pairs = Math.min(MOST_DISTANCES, times.length - 1);
  if (pairs <= 0) return 0;
  const distances = Float64Array.from({ length: pairs }, (_, at) => {
    const place = Math.floor((at * (times.length - 1)) / pairs);
    return times[place + 1] - times[place];
  });
  return distances.sort()[pairs >> 1];
}

/** The first place with a time that is not earlier. */
export function firstFrom(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
