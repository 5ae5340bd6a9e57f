/** Parts of the time of a chosen length, which begin at its multiples. */
import { formatCount } from '../text/format-value.ts';
import { clockText, isDate } from './time-range.ts';

/** Sums of more parts need too much memory. */
const MOST_CHOSEN_PARTS = 1_000;

/** The profile has more of the chosen parts than can be counted. */
export class TooManyParts extends Error {
  override readonly name = 'TooManyParts';
}

/** Throws TooManyParts. `what`: as a clause whose object is the number. */
export function requireFew(count: bigint | number, what: string): void {
  if (count <= MOST_CHOSEN_PARTS) return;
  throw new TooManyParts(
    `${what} ${formatCount(Number(count))}, and at most ${formatCount(MOST_CHOSEN_PARTS)} parts are counted`,
  );
}

/** The beginning of the part that a time is in. `earliest`: the earliest sample, where parts begin if it has no date. */
export function partStart(time: bigint, length: bigint, earliest: bigint): bigint {
  const within = (time - (isDate(earliest) ? 0n : earliest)) % length;
  return time - (within < 0n ? within + length : within);
}

export function partName(from: bigint, length: bigint, earliest: bigint): string {
  return isDate(earliest) ? dateText(from, length) : clockText(from - earliest);
}

/**
 * The day with which all of these names of parts begin: `2026-11-28`. Undefined if there is none, or a name has nothing
 * besides.
 */
export function dayOfParts(names: readonly string[]): string | undefined {
  const days = new Set(names.map((name) => /^(\d{4}-\d\d-\d\d) ./.exec(name)?.[1]));
  return days.size === 1 ? [...days][0] : undefined;
}

/** The name of a part within a day that is said elsewhere: `10:00`. */
export function nameInDay(name: string, day: string | undefined): string {
  return day === undefined ? name : name.slice(day.length + 1);
}

const SECOND_NS = 1_000_000_000n;
const MINUTE_NS = 60n * SECOND_NS;
const DAY_NS = 1_440n * MINUTE_NS;

/** The beginning of a part as a date in UTC, as fine as its length is: `2026-11-28 10:00`. */
function dateText(from: bigint, length: bigint): string {
  const text = new Date(Number(from / 1_000_000n)).toISOString();
  const digits =
    length % DAY_NS === 0n ? 10 : length % MINUTE_NS === 0n ? 16 : length % SECOND_NS === 0n ? 19 : 23;
  return text.slice(0, digits).replace('T', ' ');
}
