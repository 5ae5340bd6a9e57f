import { type ReactNode, useCallback, useMemo } from 'react';
import { TIME_PARTS } from '../../../shared/engine/views/time-pattern.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';
import type { ShownTimes } from '../../store/pane-views.ts';
import { type DrawingSize, useDrawing } from '../use-drawing.ts';
import { CELL_PADDING } from './columns.ts';
import { drawTimes } from './draw-times.ts';
import { ROW_HEIGHT } from './rows.ts';

export interface TimesColumnProps {
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
