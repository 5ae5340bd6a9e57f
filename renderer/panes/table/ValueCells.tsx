import type { ReactNode } from 'react';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import type { Metric } from '../../../shared/views/grouping.ts';
import type { ProfileSummary, Values } from '../../mirror/mirror-messages.ts';
import { cellOf, type Column } from './columns.ts';
import { ROW_HEIGHT } from './rows.ts';

interface ValueCellsProps {
  readonly columns: readonly Column[];
  readonly row: Values;
  readonly metric: Metric;
  readonly units: ProfileUnits;
  readonly whole: ProfileSummary;
}

/** The numbers of one row. */
export function ValueCells({ columns, row, metric, units, whole }: ValueCellsProps): ReactNode {
  return columns.map(({ id, width }) => {
    const { text, exact, bar } = cellOf(id, row, metric, units, whole);
    return (
      <span
        key={id}
        className={`value-cell value-${id}`}
        style={bar === undefined ? { width } : { width, backgroundSize: barSize(bar, width) }}
        title={exact}
        aria-hidden="true"
      >
        {text}
      </span>
    );
  });
}

/** Of the bar behind a number, in CSS: 3 pixels free above and below, 6 at its ends. */
function barSize(bar: number, width: number): string {
  return `${(width - 12) * bar}px ${ROW_HEIGHT - 6}px`;
}

/** What a screen reader says of a row, after its name. */
export function spokenValues(
  columns: readonly Column[],
  row: Values,
  metric: Metric,
  units: ProfileUnits,
  whole: ProfileSummary,
): string {
  return columns
    .map(({ id, title }) => ({ title, text: cellOf(id, row, metric, units, whole).text }))
    .filter(({ text }) => text !== '')
    .map(({ title, text }) => `${title} ${text}`)
    .join(', ');
}
