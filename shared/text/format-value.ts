/**
 * Formats numbers for panes, exports and the command line. The group separator is always a comma and the decimal mark a
 * point, whatever the locale: numbers are copied into tickets and compared between machines.
 */

const MINUS = '\u2212';
/** Shown for a share if the whole is not positive. */
const NO_VALUE = '\u2013';

/** `12,345`; fractional counts are `2.5` or `<0.01`; negative numbers have a minus sign, not a hyphen. */
export function formatCount(count: number): string {
  const size = Math.abs(count);
  if (!Number.isInteger(count) && size < 99.95) {
    if (size < 0.005) return `<${count < 0 ? MINUS : ''}0.01`;
    return (count < 0 ? MINUS : '') + String(Number(size.toFixed(size < 9.995 ? 2 : 1)));
  }
  const text = Math.abs(Math.round(count)).toString();
  let grouped = '';
  for (let at = 0; at < text.length; at++) {
    if (at > 0 && (text.length - at) % 3 === 0) grouped += ',';
    grouped += text[at];
  }
  return count < 0 ? MINUS + grouped : grouped;
}

/**
 * All digits, for programs: `12345678901`, `0.3`. Fractions have at most 15 digits, because the last of 17 digits of a
 * sum is inexact: 0.1 + 0.2 is 0.30000000000000004.
 */
export function countText(count: number): string {
  if (Number.isInteger(count)) return Math.abs(count) < 1e21 ? String(count) : String(BigInt(count));
  const text = String(Number(count.toPrecision(15)));
  return text.includes('e') ? Number(text).toFixed(20).replace(/0+$/, '') : text;
}

/** `1 sample`, `2 samples`. */
export function formatQuantity(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** At most six characters: `99,999`, `131 k`, `1.31 M`. */
export function formatRounded(count: number): string {
  if (count < 99_999.5) return formatCount(Math.round(count));
  const [value, unit] =
    count < 999_500 ? [count / 1e3, 'k'] : count < 999.5e6 ? [count / 1e6, 'M'] : [count / 1e9, 'G'];
  return `${Number(value.toPrecision(3))} ${unit}`;
}

/** `12.34 %`; `<0.01 %` for a positive share that would be rounded to 0; an en dash if the whole is not positive. */
export function formatShare(part: number, whole: number, digits = 2): string {
  if (!(whole > 0)) return NO_VALUE;
  const percent = (part / whole) * 100;
  const least = 10 ** -digits;
  if (percent > 0 && percent < least / 2) return `<${least.toFixed(digits)} %`;
  if (percent < 0) return `${MINUS}${(-percent).toFixed(digits)} %`;
  return `${percent.toFixed(digits)} %`;
}

/** `6.24 to 16.05 %`; both are fractions, 0 to 1. */
export function formatShareRange(low: number, high: number, digits = 2): string {
  return `${formatShare(low, 1, digits).replace(' %', '')} to ${formatShare(high, 1, digits)}`;
}

const NS_PER_UNIT: readonly (readonly [unit: string, ns: number])[] = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
];

/** Three significant digits: `1.24 s`, `12.4 ms`, `870 ns`; whole seconds from 1,000 s on. */
export function formatTime(ns: number): string {
  if (ns === 0) return '0';
  const size = Math.abs(ns);
  // The unit is chosen by the rounded value: 999.6 ms is shown as 1.00 s, not as 1000 ms.
  const [unit, factor] = NS_PER_UNIT.find(([, one]) => size >= one * 0.9995) ?? ['ns', 1];
  const value = size / factor;
  const digits = factor === 1 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  const text = digits === 0 ? formatCount(Math.round(value)) : value.toFixed(digits);
  return `${ns < 0 ? MINUS : ''}${text} ${unit}`;
}

/** All digits: `1,234,567 ns`. */
export function formatExactTime(ns: number): string {
  return `${formatCount(Math.round(ns))} ns`;
}

/** A duration: `820 ms`, `4.2 s`, `2 m 13 s`, `1 h 04 m`. */
export function formatSpan(ns: number): string {
  const seconds = ns / 1e9;
  if (Math.abs(seconds) < 1) return formatTime(ns);
  if (seconds < 59.95) return `${seconds < 0 ? MINUS : ''}${Math.abs(seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} m ${two(whole % 60)} s`;
  return `${formatCount(Math.floor(minutes / 60))} h ${two(minutes % 60)} m`;
}

function two(value: number): string {
  return value.toString().padStart(2, '0');
}

/** A rounded time or number of bytes: `12.4 ms`, `4.2 kB`. */
export function formatAmount(value: number, unit: 'ns' | 'bytes'): string {
  if (unit === 'ns') return formatTime(value);
  return value < 0 ? MINUS + formatBytes(-value) : formatBytes(value);
}

/** All digits: `1,234,567 ns`, `4,200 B`. */
export function formatExactAmount(value: number, unit: 'ns' | 'bytes'): string {
  return unit === 'ns' ? formatExactTime(value) : `${formatCount(value)} B`;
}

/** `512 B`, `4.2 kB`, `18.1 MB`: powers of 1000, as file managers show. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes / 1000;
  let unit = 0;
  const units = ['kB', 'MB', 'GB', 'TB'];
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 99.95 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}

/** Events per second: `248 /s`, `0.4 /s`, `0.03 /s`. */
export function formatRate(perSecond: number): string {
  if (perSecond > 0 && perSecond < 0.095) return `${perSecond < 0.005 ? '<0.01' : perSecond.toFixed(2)} /s`;
  return `${perSecond < 9.95 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond))} /s`;
}

/** The text with a capital first letter, for headings and choices. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The two largest units: `3 d 4 h`, `2 h 5 min`, `12 min`, `9 s`. */
export function uptimeText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
}

/** `+2.50`, `−0.13`: percentage points of a difference of fractions. */
export function pointsText(difference: number): string {
  const text = Math.abs(difference * 100).toFixed(2);
  // A value that is rounded to 0 keeps its sign: an interval from +0.00 on does not contain 0.
  return difference === 0 ? text : `${difference > 0 ? '+' : '\u2212'}${text}`;
}

/** `+1.20 to +3.80`. */
export function rangeText(low: number, high: number): string {
  return `${pointsText(low)} to ${pointsText(high)}`;
}

/** Why differences of `many` may be chance although they look real: they are not independent of each other. */
export function dependenceText(many: string): string {
  return `${capitalised(many)} are not independent of each other: two runs of one program differ by more than a 95 % interval says. No interval is known, and each change may be chance.`;
}
