import type { RowKind, Values } from '../../profile-worker/pane-messages.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { cellOf } from '../../../shared/engine/columns/columns.ts';
import { CELL_PADDING, type ShownColumn } from './columns.ts';
import { boldWidth, normalWidth } from './name-width.ts';

/** Widest name that is measured, CSS pixels: no screen is wider. */
const MOST_MEASURED = 4000;

/** Width of a name in a row, CSS pixels. */
export function labelWidth(label: string, kind: RowKind): number {
  const widthOf = kind === 'thread' || kind === 'all' ? boldWidth : normalWidth;
  let sum = 0;
  for (const character of label) {
    sum += widthOf(character);
    if (sum > MOST_MEASURED) break;
  }
  return Math.ceil(sum);
}

/** The least width at which a column shows all numbers of these rows, its title, and where it has some, its bars. */
export function fittedWidth(
  column: ShownColumn | undefined,
  rows: readonly Values[],
  measure: Measure,
): number {
  if (column === undefined) return 0;
  // Bars have no width of their own: they keep the usual one.
  if (column.draws === 'bar' || column.draws === 'times') return column.width;
  const needed = rows.map((row) => labelWidth(cellOf(column.id, row, measure).text, 'frame'));
  return Math.max(labelWidth(column.title, 'thread'), ...needed) + 2 * CELL_PADDING;
}
