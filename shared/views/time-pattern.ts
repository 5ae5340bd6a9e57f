/** Equal parts into which the time that is looked at is divided, to show when a row has its samples. */
export const TIME_PARTS = 24;

/**
 * How samples are spread over the time that is looked at, in a word. The time has TIME_PARTS equal parts.
 *
 *   once     all samples are in two neighbouring parts: in a twelfth of the time
 *   burst    not once, and half of them or more are in two neighbouring parts
 *   steady   neither, and at least half of the parts have some
 */
export type TimePattern = 'once' | 'burst' | 'steady';

/** The definitions, for users. */
export const PATTERN_MEANINGS: Readonly<Record<TimePattern, string>> = {
  once: 'All samples are within a twelfth of the time.',
  burst: 'At least half of the samples are within a twelfth of the time.',
  steady: 'At least half of 24 equal parts of the time have samples, and no twelfth has half of them.',
};

/** Of the numbers of samples in counts[from … from + TIME_PARTS); undefined where none of the words applies. */
export function timePattern(counts: ArrayLike<number>, from = 0): TimePattern | undefined {
  let sum = 0;
  let used = 0;
  let most = 0;
  for (let part = 0; part < TIME_PARTS; part++) {
    const count = counts[from + part];
    const next = part + 1 < TIME_PARTS ? counts[from + part + 1] : 0;
    sum += count;
    if (count > 0) used++;
    most = Math.max(most, count + next);
  }
  if (sum === 0) return undefined;
  if (most === sum) return 'once';
  if (most * 2 >= sum) return 'burst';
  return used * 2 >= TIME_PARTS ? 'steady' : undefined;
}
