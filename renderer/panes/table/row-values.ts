import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import type { Metric } from '../../../shared/values/metric.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { Values } from '../../profile-worker/pane-messages.ts';
import { cellOf, type Column } from './columns.ts';
import { ROW_HEIGHT } from './rows.ts';

/** Of the bar behind a share, CSS pixels: free to either side of the column, above and below. */
const BAR_MARGIN_X = 6;
const BAR_MARGIN_Y = 3;

/** What one row says besides its name. */
export interface RowValues {
  /** For a screen reader. */
  readonly spoken: string;
  /** The exact values of what is rounded; undefined where nothing is. */
  readonly exact: string | undefined;
  /** Size and place of the bars, in CSS: that of the total share, then that of the self share. */
  readonly bars: { readonly backgroundSize: string; readonly backgroundPosition: string };
}

/** `left` is where the columns begin, CSS pixels. */
export function rowValues(
  columns: readonly Column[],
  left: number,
  row: Values,
  metric: Metric,
  units: ProfileUnits,
  whole: ProfileSummary,
): RowValues {
  const spoken: string[] = [];
  const exact: string[] = [];
  const bars = { totalShare: { at: 0, width: 0 }, selfShare: { at: 0, width: 0 } };
  let at = left;
  for (const { id, title, width } of columns) {
    const cell = cellOf(id, row, metric, units, whole);
    if (cell.text !== '') spoken.push(`${title} ${cell.text}`);
    if (cell.exact !== undefined) exact.push(`${title} ${cell.exact}`);
    if (id === 'totalShare' || id === 'selfShare') {
      bars[id] = { at: at + BAR_MARGIN_X, width: (width - 2 * BAR_MARGIN_X) * (cell.bar ?? 0) };
    }
    at += width;
  }
  const { totalShare, selfShare } = bars;
  const height = ROW_HEIGHT - 2 * BAR_MARGIN_Y;
  return {
    spoken: spoken.join(', '),
    exact: exact.length === 0 ? undefined : exact.join('\n'),
    bars: {
      backgroundSize: `${totalShare.width}px ${height}px, ${selfShare.width}px ${height}px`,
      backgroundPosition: `${totalShare.at}px ${BAR_MARGIN_Y}px, ${selfShare.at}px ${BAR_MARGIN_Y}px`,
    },
  };
}
