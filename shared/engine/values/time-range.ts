import type { SampleTable } from '../../profile/sample-table.ts';

/** Times [from, to) in ns, as those of a SampleTable; undefined: unbounded. */
export interface TimeBounds {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
  /** The times among them that are left out; undefined: none. */
  readonly except?: Omit<TimeBounds, 'except'> | undefined;
}

/** Bounds, and the same in words: since the earliest sample. */
export interface NamedBounds {
  readonly bounds: TimeBounds;
  readonly text: string;
}

export const UNBOUNDED: TimeBounds = { from: undefined, to: undefined };

/** [least, end) of the column `at`. */
export interface NumberBounds {
  readonly least: number;
  readonly end: number;
}

/**
 * Bounds as numbers of the column `at`. Safe for comparison with each number of the column, because a bound outside the
 * range of exact doubles is rounded to a number that is outside as well.
 */
export function boundsAfterOrigin(
  { origin = 0n }: Pick<SampleTable, 'origin'>,
  { from, to }: TimeBounds,
): NumberBounds {
  return {
    least: from === undefined ? -Infinity : Number(from - origin),
    end: to === undefined ? Infinity : Number(to - origin),
  };
}

/** A test of rows of the table: whether their time is within the bounds and not in what these leave out. */
export function withinTest(samples: SampleTable, bounds: TimeBounds): (row: number) => boolean {
  const { at } = samples;
  const within = boundsAfterOrigin(samples, bounds);
  const except = bounds.except && boundsAfterOrigin(samples, bounds.except);
  const isIn = (ns: number, { least, end }: NumberBounds): boolean => ns >= least && ns < end;
  return (row) => {
    if (at.bigints?.has(row) === true) return isExactlyWithin(samples.timeOf(row), bounds);
    return isIn(at.ns[row], within) && !(except !== undefined && isIn(at.ns[row], except));
  };
}

/** Whether a time is within the bounds and not in what these leave out. */
export function isExactlyWithin(time: bigint, { from, to, except }: TimeBounds): boolean {
  const isBetween = (from === undefined || time >= from) && (to === undefined || time < to);
  return isBetween && !(except !== undefined && isExactlyWithin(time, except));
}

/** A time whose ends are known. */
export interface TimeSpan {
  readonly from: bigint;
  readonly to: bigint;
}

/** The part of a time that is within another one; it may end before it begins, and is empty then. */
export function boundedBy({ from, to }: Pick<TimeBounds, 'from' | 'to'>, outer: TimeSpan): TimeSpan {
  return {
    from: from === undefined || from < outer.from ? outer.from : from,
    to: to === undefined || to > outer.to ? outer.to : to,
  };
}

export function lengthOf({ from, to }: TimeSpan): bigint {
  return to > from ? to - from : 0n;
}
