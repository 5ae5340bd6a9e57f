import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import { clockText } from '../../../shared/scope/time-text.ts';
import { formatCount, formatQuantity } from '../../../shared/text/format-value.ts';
import { HEATMAP_SCALES, type HeatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';

/** The time of a square and what is in it: `0:12.34 to 0:12.36: 7 samples, 2 with a match`. */
export function squareText(heatmap: HeatmapColumns, square: number, { counted }: ProfileUnits): string {
  const { samples, matches, selected, from, scale } = heatmap;
  const { rows, squareNs } = HEATMAP_SCALES[scale];
  const at = square - from * rows;
  const time = (ns: number): string => clockText(BigInt(Math.round(ns)), 3);
  const text = `${time(square * squareNs)} to ${time((square + 1) * squareNs)}`;
  if (at < 0 || at >= samples.length) return text;
  const parts = [formatQuantity(samples[at], counted.one, counted.many)];
  if (matches !== undefined && matches[at] > 0) parts.push(`${formatCount(matches[at])} with a match`);
  if (selected !== undefined && selected[at] > 0)
    parts.push(`${formatCount(selected[at])} with the selected method`);
  return `${text}: ${parts.join(', ')}`;
}
