import type { SampleTable } from '../profile/sample-table.ts';

/** Times [from, to) in ns, as those of a SampleTable; undefined: unbounded. */
export interface TimeBounds {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

export const UNBOUNDED: TimeBounds = { from: undefined, to: undefined };

/**
 * Bounds as numbers of the column `at`. Safe for comparison with each number of the column, because a bound outside the
 * range of exact doubles is rounded to a number that is outside as well.
 */
export function boundsAfterOrigin(
  { origin = 0n }: Pick<SampleTable, 'origin'>,
  { from, to }: TimeBounds,
): { readonly least: number; readonly end: number } {
  return {
    least: from === undefined ? -Infinity : Number(from - origin),
    end: to === undefined ? Infinity : Number(to - origin),
  };
}

/** Whether a row whose time is not a safe integer is within the bounds. */
export function isExactlyWithin(time: bigint, { from, to }: TimeBounds): boolean {
  return (from === undefined || time >= from) && (to === undefined || time < to);
}
