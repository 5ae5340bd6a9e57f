import { type ReactNode, useCallback, useMemo } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import type { Values, Cell, Measure } from '../../../shared/engine/columns/column.ts';
import { cellOf } from '../../../shared/engine/columns/columns.ts';
import { CHANGE_TONES } from '../../../shared/engine/columns/compared-cells.ts';
import { type ShownColumn, CELL_PADDING } from './columns.ts';
import { TIME_PARTS } from '../../../shared/engine/views/time-pattern.ts';
import type { ShownTimes } from '../../store/panes/pane-views.ts';
import { type DrawingSize, useDrawing } from '../use-drawing.ts';
import { drawTimes } from '../TimesDrawing.tsx';
import { ROW_HEIGHT } from './rows.ts';

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

interface TimesColumnProps {
  /** Rows to draw, from the top; undefined for rows that have not arrived. */
  readonly rows: readonly (Row | undefined)[];
  readonly times: ShownTimes | undefined;
  /** Place of the column's first row, and its width; CSS pixels. */
  readonly top: number;
  readonly left: number;
  readonly width: number;
}

/** When each row has its samples: one canvas for all rows. */
export function TimesColumn({ rows, times, top, left, width }: TimesColumnProps): ReactNode {
  const placeOf = useMemo(() => new Map(times?.ids.map((id, at) => [id, at])), [times]);
  const height = rows.length * ROW_HEIGHT;
  const draw = useCallback(
    (context: CanvasRenderingContext2D, { pixelRatio }: DrawingSize) => {
      context.scale(pixelRatio, pixelRatio);
      for (const [at, row] of rows.entries()) {
        const place = row && placeOf.get(row.id);
        if (times === undefined || place === undefined) continue;
        const counts = times.counts.subarray(place * TIME_PARTS, (place + 1) * TIME_PARTS);
        const box = { left: CELL_PADDING, top: at * ROW_HEIGHT + 4, width: width - 2 * CELL_PADDING };
        drawTimes(context, counts, { ...box, height: ROW_HEIGHT - 8 });
      }
    },
    [rows, times, placeOf, width],
  );
  const canvas = useDrawing(width, height, draw);
  return (
    <canvas
      ref={canvas}
      className="times-column"
      style={{ top, left, width, height }}
      aria-hidden="true"
      data-testid="times-column"
    />
  );
}
