import type { ReactNode } from 'react';
import type { Values } from '../../profile-worker/pane-messages.ts';
import type { Cell, Measure } from '../../../shared/engine/columns/column.ts';
import { cellOf } from '../../../shared/engine/columns/columns.ts';
import { CHANGE_TONES } from '../../../shared/engine/columns/compared-cells.ts';
import type { ShownColumn } from './columns.ts';

interface ValueColumnsProps {
  readonly columns: readonly ShownColumn[];
  /** Rows to draw, from the top; undefined for rows that have not arrived. */
  readonly rows: readonly (Values | undefined)[];
  /** Place of the first number's row and column, CSS pixels. */
  readonly top: number;
  readonly left: number;
  readonly measure: Measure;
}

/**
 * The numbers of all rows: one multi-line text per column. An element per number would be two hundred elements, and
 * most of what a new list of rows costs the browser. The bars beside shares are backgrounds of the rows.
 */
export function ValueColumns({ columns, rows, top, left, measure }: ValueColumnsProps): ReactNode {
  return (
    <div className="value-columns" style={{ top, left }} aria-hidden="true">
      {columns.map(({ id, draws, width }) => (
        <div key={id} className={`value-column value-${id}`} style={{ width }}>
          {draws === 'change' ? (
            <Changes cells={rows.map((row) => row && cellOf(id, row, measure))} />
          ) : (
            rows.map((row) => (row === undefined ? '' : cellOf(id, row, measure).text)).join('\n')
          )}
        </div>
      ))}
    </div>
  );
}

/** One text for each tone, over each other. */
function Changes({ cells }: { readonly cells: readonly (Cell | undefined)[] }): ReactNode {
  return CHANGE_TONES.map((tone) => (
    <div key={tone} className={`change change-${tone}`}>
      {cells.map((cell) => (cell?.tone === tone ? cell.text : '')).join('\n')}
    </div>
  ));
}
