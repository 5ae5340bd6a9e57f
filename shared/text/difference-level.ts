/** Percentage points from which on a difference has the next stronger colour. */
const LEAST_POINTS: readonly number[] = [0, 0.5, 2, 5, 15];
/** The strongest colour of a difference; the weakest is 1. */
export const DIFFERENCE_LEVELS = LEAST_POINTS.length;

/** How strong the colour of a difference of two shares (fractions) is: above 0 it grew, below 0 it shrank. */
export function differenceLevel(difference: number): number {
  const points = Math.abs(difference) * 100;
  if (points === 0) return 0;
  return Math.sign(difference) * LEAST_POINTS.filter((least) => points >= least).length;
}
