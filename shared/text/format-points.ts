/** `+2.50`, `−0.13`: percentage points of a difference of fractions. */
export function pointsText(difference: number): string {
  const text = Math.abs(difference * 100).toFixed(2);
  // Also of what is rounded to 0: an interval from +0.00 on does not contain 0.
  return difference === 0 ? text : `${difference > 0 ? '+' : '\u2212'}${text}`;
}

/** `+1.20 to +3.80`. */
export function rangeText(low: number, high: number): string {
  return `${pointsText(low)} to ${pointsText(high)}`;
}
