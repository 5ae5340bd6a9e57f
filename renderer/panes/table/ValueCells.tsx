import type { CSSProperties, ReactNode } from 'react';
import type { Metric } from '../../../shared/views/grouping.ts';
import type { ProfileSummary, Values } from '../../mirror/mirror-messages.ts';
import { cellOf, type Column } from './columns.ts';

interface ValueCellsProps {
  readonly columns: readonly Column[];
  readonly row: Values;
  readonly metric: Metric;
  readonly whole: ProfileSummary;
}

/** The numbers of one row. */
export function ValueCells({ columns, row, metric, whole }: ValueCellsProps): ReactNode {
  return columns.map(({ id, width }) => {
    const { text, exact, bar } = cellOf(id, row, metric, whole);
    return (
      <span
        key={id}
        className={`value-cell value-${id}`}
        style={bar === undefined ? { width } : ({ width, '--bar': bar } as CSSProperties)}
        data-bar={bar === undefined ? undefined : ''}
        title={exact}
        aria-hidden="true"
      >
        {text}
      </span>
    );
  });
}

/** What a screen reader says of a row, after its name. */
export function spokenValues(
  columns: readonly Column[],
  row: Values,
  metric: Metric,
  whole: ProfileSummary,
): string {
  return columns
    .map(({ id, title }) => ({ title, text: cellOf(id, row, metric, whole).text }))
    .filter(({ text }) => text !== '')
    .map(({ title, text }) => `${title} ${text}`)
    .join(', ');
}
