import type { ReactNode } from 'react';

interface RankMarksProps<Row> {
  /** Rows to draw, from the top; undefined for rows that have not arrived. */
  readonly rows: readonly (Row | undefined)[];
  /** Place of the first mark, CSS pixels. */
  readonly top: number;
  readonly left: number;
  readonly isMarked: (row: Row, above: Row | undefined) => boolean;
}

/** A sign before the number of each row that may be below the row above it only by chance: one text for all rows. */
export function RankMarks<Row>({ rows, top, left, isMarked }: RankMarksProps<Row>): ReactNode {
  return (
    <div className="rank-marks" style={{ top, left }} aria-hidden="true" data-testid="rank-marks">
      {rows.map((row, at) => (row !== undefined && isMarked(row, rows[at - 1]) ? '\u2248' : '')).join('\n')}
    </div>
  );
}
