import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { formatAmount, formatCount, formatQuantity, formatShare } from '../../../shared/text/format-value.ts';
import { type Metric, weightName } from '../../../shared/values/metric.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { FlameRow } from '../../profile-worker/pane-messages.ts';
import type { ShownFlame } from '../../store/panes.ts';

/** One line about a frame: what it weighs, of everything and of what is shown. */
export function frameDetails(
  row: FlameRow,
  root: FlameRow,
  whole: ProfileSummary,
  metric: Metric,
  units: ProfileUnits,
): string {
  const { counted, value } = units;
  const parts = [
    `${formatQuantity(row.totalCount, counted.one, counted.many)} (${formatShare(row.totalCount, whole.samples)})`,
  ];
  if (row.kind !== 'remainder' && row.selfCount > 0) {
    parts.push(`${formatCount(row.selfCount)} self (${formatShare(row.selfCount, whole.samples)})`);
  }
  if (whole.timed && value !== undefined) parts.push(formatAmount(row.totalTime, value.unit));
  const isZoomed = root.kind !== 'all';
  if (isZoomed)
    parts.push(`${formatShare(row.weight, root.weight)} of the ${weightName(metric, units)} shown`);
  return parts.join(' · ');
}

/** How much of the graph is drawn, and what the remainder blocks hold: nothing is left out silently. */
export function drawnText(
  { rows, smaller, smallerWeight }: ShownFlame,
  metric: Metric,
  units: ProfileUnits,
): string {
  const drawn = rows.filter((row) => row.kind !== 'remainder').length;
  const frames = `${formatQuantity(drawn, 'frame')} drawn`;
  if (smaller === 0) return frames;
  const share = formatShare(smallerWeight, rows[0].weight, 1);
  return `${frames} · ${formatQuantity(smaller, 'smaller frame')} (${share} of ${weightName(metric, units)}) folded`;
}

/** Which of its parent's children a frame is, from 1, and how many there are; as shown. */
export function placeAmongSiblings(
  rows: readonly FlameRow[],
  at: number,
): { readonly position: number; readonly count: number } {
  const { parent } = rows[at];
  let first = at;
  while (first > 0 && rows[first - 1].parent === parent) first--;
  let end = at + 1;
  while (end < rows.length && rows[end].parent === parent) end++;
  return { position: at - first + 1, count: end - first };
}
