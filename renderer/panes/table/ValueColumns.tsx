import type { ReactNode } from 'react';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import type { Metric } from '../../../shared/values/metric.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { Values } from '../../profile-worker/pane-messages.ts';
import { cellOf, type Column } from './columns.ts';

interface ValueColumnsProps {
  readonly columns: readonly Column[];
  /** What is drawn, from the top; undefined for rows that have not come. */
  readonly rows: readonly (Values | undefined)[];
  /** Place of the first number's row and column, CSS pixels. */
  readonly top: number;
  readonly left: number;
  readonly metric: Metric;
  readonly units: ProfileUnits;
  readonly whole: ProfileSummary;
}

/**
 * The numbers of all rows, a text of as many lines for each column: an element for each number would be two hundred of
 * them, and most of what a new list of rows costs the browser. The bars behind shares are the rows' own.
 */
export function ValueColumns(props: ValueColumnsProps): ReactNode {
  const { columns, rows, top, left, metric, units, whole } = props;
  return (
    <div className="value-columns" style={{ top, left }} aria-hidden="true">
      {columns.map(({ id, width }) => (
        <div key={id} className={`value-column value-${id}`} style={{ width }}>
          {rows
            .map((row) => (row === undefined ? '' : cellOf(id, row, metric, units, whole).text))
            .join('\n')}
        </div>
      ))}
    </div>
  );
}
