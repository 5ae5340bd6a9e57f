import type { SideWords } from '../../store/state/compared-names.ts';
import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { Scope } from '../../../shared/scope/scope.ts';
import { type ComparedWhole, rowChange } from '../../../shared/engine/values/row-change.ts';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { formatAmount, formatCount, formatQuantity, formatShare } from '../../../shared/text/format-value.ts';
import {
  type FlameCounts,
  type FlameLayout,
  type FlameRow,
  flameRow,
  isBlock,
  labelAt,
} from '../../../shared/engine/views/flame-columns.ts';
import { type Metric, weightName } from '../../../shared/engine/values/metric.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { ShareReference } from '../../../shared/engine/columns/column.ts';
import { childrenOf } from './flame-walk.ts';
import { type FlamePaneId, PANES } from '../../store/panes/panes.ts';
import { shareReference, wholeOfRows } from '../../store/state/selectors.ts';
import { changeText } from '../../../shared/engine/columns/compared-cells.ts';

/** The whole of the percentages of a frame. */
export interface FrameWhole {
  readonly samples: number;
  readonly of: ShareReference;
  /** Times are known. */
  readonly timed: boolean;
}

export function frameWhole(summary: ProfileSummary): FrameWhole {
  return { samples: wholeOfRows(summary).samples, of: shareReference(summary), timed: summary.timed };
}

/** One line about a frame: its weight, as a share of the profile and of the root on screen. */
export function frameDetails(
  row: FlameRow,
  root: FlameRow,
  whole: FrameWhole,
  metric: Metric,
  units: ProfileUnits,
): string {
  const { counted, value } = units;
  const share = (count: number): string => `${formatShare(count, whole.samples)} of ${whole.of}`;
  const parts = [`${formatQuantity(row.totalCount, counted.one, counted.many)} (${share(row.totalCount)})`];
  if (row.kind !== 'block' && row.selfCount > 0) {
    parts.push(`${formatCount(row.selfCount)} self (${share(row.selfCount)})`);
  }
  if (whole.timed && value !== undefined) parts.push(formatAmount(row.totalTime, value.unit));
  const isZoomed = root.kind !== 'all';
  if (isZoomed)
    parts.push(`${formatShare(row.weight, root.weight)} of the ${weightName(metric, units)} shown`);
  return parts.join(' · ');
}

/** The share of the frame nearer to the root, in a line; none for the root, and where it is the only frame above it. */
export function shareOfParent(
  layout: FlameLayout,
  at: number,
  metric: Metric,
  units: ProfileUnits,
): readonly string[] {
  const parent = at > 0 ? layout.parent[at] : -1;
  if (parent <= 0) return [];
  const share = formatShare(flameRow(layout, at).weight, flameRow(layout, parent).weight, 1);
  return [`${share} of the ${weightName(metric, units)} of ${shownLabel(labelAt(layout, parent))}`];
}

/** One line about a frame of a comparison: both sides, how it changed, and how sure that is. */
export function comparedDetails(
  layout: FlameLayout,
  at: number,
  compared: ComparedWhole,
  units: ProfileUnits,
  sides: SideWords = { next: 'new', base: 'base' },
): string {
  const { difference, totalCount, totalTime } = layout;
  if (difference === undefined || isBlock(layout, at)) return '';
  const samples = { base: difference.baseTotalCount[at], next: totalCount[at] };
  const isTime = compared.scale.metric === 'time';
  const values = isTime ? { base: difference.baseTotalTime[at], next: totalTime[at] } : samples;
  const change = rowChange(samples, values, compared);
  if (change === undefined) return 'one side has no samples yet';
  const side = (name: string, each: 'base' | 'next'): string => {
    const count = formatQuantity(samples[each], units.counted.one, units.counted.many);
    if (!isTime) return `${name} ${formatShare(samples[each], compared.samples[each])} (${count})`;
    const time = formatAmount(values[each], units.value?.unit ?? 'ns');
    if (compared.by !== 'share') return `${name} ${time} (${count})`;
    return `${name} ${formatShare(values[each], compared.scale[each])} (${time}, ${count})`;
  };
  const parts = [side(sides.base, 'base'), side(sides.next, 'next'), changeText(change, compared, units)];
  return parts.join(' \u00b7 ');
}

/** Least share of the weight at which grouped frames are mentioned. */
const LEAST_SHARE_SHOWN = 0.01;

/** A sentence that explains the graph to somebody who has never seen one, as long as nothing is selected. */
export function howToRead(pane: FlamePaneId, orientation: 'flame' | 'icicle', metric: Metric): string {
  const more = metric === 'time' ? 'The wider a frame, the more time' : 'The wider a frame, the more samples';
  const next = PANES[pane].of === 'bottom-up' ? 'What calls it' : 'What it calls';
  return `${more}. ${next} is ${orientation === 'icicle' ? 'below' : 'above'} it.`;
}

/** The number of frames that are drawn, and of those grouped in blocks, where these hold a hundredth or more. */
export function drawnText({ weight, frames, grouped, groupedWeight }: FlameCounts): string {
  const drawn = formatQuantity(frames, 'frame');
  if (groupedWeight < LEAST_SHARE_SHOWN * weight) return drawn;
  return `${drawn} · ${formatQuantity(grouped, 'narrow frame')} grouped`;
}

/** Weight of the frames of the selected method, none of which is in another, or samples of both sides; and in how many places. */
export function framesText(
  { parent, weight, difference, totalCount }: FlameLayout,
  rows: readonly number[],
  metric: Metric,
  units: ProfileUnits,
): string {
  const all = new Set(rows);
  const isInner = (row: number): boolean => {
    for (let up = parent[row]; up >= 0; up = parent[up]) if (all.has(up)) return true;
    return false;
  };
  const sumOf = (column: ArrayLike<number>): number =>
    rows.reduce((whole, row) => (isInner(row) ? whole : whole + column[row]), 0);
  const { counted, value } = units;
  const places = formatQuantity(rows.length, 'place');
  // Widths are of both sides together, each scaled.
  if (difference !== undefined)
    return `base ${formatQuantity(sumOf(difference.baseTotalCount), counted.one, counted.many)}, new ${formatCount(sumOf(totalCount))}, in ${places}`;
  const sum = sumOf(weight);
  const amount =
    metric === 'time'
      ? formatAmount(sum, value?.unit ?? 'ns')
      : formatQuantity(sum, counted.one, counted.many);
  return `${amount}, ${formatShare(sum, weight[0])} of what is shown, in ${places}`;
}

/** Why no frame of the selected method is drawn. */
export function notDrawnText(label: string, { transforms, threads, range }: Scope): string {
  if (transforms.some((each) => each.kind === 'drop' && each.key === label)) return 'dropped from the scope';
  return transforms.length + threads.length === 0 && range === undefined
    ? 'each of its frames is narrower than a pixel'
    : 'none in this scope is as wide as a pixel';
}

/** Explains the blocks, with their share of the weight. */
export function groupedText(
  { weight, groupedWeight }: FlameCounts,
  metric: Metric,
  units: ProfileUnits,
): string {
  const share = formatShare(groupedWeight, weight, 1);
  return `Frames narrower than a pixel are grouped: ${share} of ${weightName(metric, units)} end in them. Zoom in to see them.`;
}

/** The place of a row among its parent's children, from 1, and their number; as shown. */
export function placeAmongSiblings(
  layout: FlameLayout,
  at: number,
): { readonly position: number; readonly count: number } {
  if (at === 0) return { position: 1, count: 1 };
  const { from, to } = childrenOf(layout, layout.parent[at]);
  return { position: at - from + 1, count: to - from };
}
