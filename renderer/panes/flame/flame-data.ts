import type { FlameRow } from '../../mirror/mirror-messages.ts';

/** What the chart is fed with: a tree of plain objects, each with the row and the position in the list it is made from. */
export interface FrameDatum {
  readonly name: string;
  /** Weight with the children's. */
  readonly value: number;
  readonly children: FrameDatum[];
  readonly row: FlameRow;
  readonly index: number;
}

/** Rows nested by their parents, in one pass: no recursion, stacks of 1,500 frames are real. undefined: no rows. */
export function nestRows(rows: readonly FlameRow[]): FrameDatum | undefined {
  const data: FrameDatum[] = [];
  for (const [index, row] of rows.entries()) {
    const datum = { name: row.label, value: row.weight, children: [], row, index };
    data.push(datum);
    if (row.parent >= 0) data[row.parent].children.push(datum);
  }
  return data.at(0);
}
