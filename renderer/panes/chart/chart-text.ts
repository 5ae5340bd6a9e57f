import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { clockText } from '../../../shared/scope/time-text.ts';
import { formatCount, formatQuantity } from '../../../shared/text/format-value.ts';
import type { ShownChart } from '../../store/pane-views.ts';

/** A time since the earliest sample. */
export function timeText(ns: number): string {
  return clockText(BigInt(Math.round(ns)), 3);
}

/** The samples of a row and when they were taken: `12 samples · 3 self · 0:03.12 to 0:03.24`. */
export function runText(
  { layout, begins, ends }: ShownChart,
  row: number,
  { counted }: ProfileUnits,
): string {
  const parts = [formatQuantity(layout.totalCount[row], counted.one, counted.many)];
  if (layout.selfCount[row] > 0) parts.push(`${formatCount(layout.selfCount[row])} self`);
  const [begin, end] = [timeText(begins[row]), timeText(ends[row])];
  parts.push(begin === end ? `at ${begin}` : `${begin} to ${end}`);
  return parts.join(' · ');
}

/** Which samples are on screen: `12 to 40 of 1,553 samples`. */
export function drawnSamples({ from, to, count }: ShownChart, { counted }: ProfileUnits): string {
  const all = formatQuantity(count, counted.one, counted.many);
  if (to - from >= count) return all;
  const first = formatCount(from + 1);
  return to - from === 1 ? `${first} of ${all}` : `${first} to ${formatCount(to)} of ${all}`;
}
