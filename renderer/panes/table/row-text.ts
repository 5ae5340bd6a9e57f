import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import { cellOf, columnWithId } from '../../../shared/engine/columns/columns.ts';
import { markdownTable } from '../../../shared/text/markdown.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';
import type { ShownColumn } from './columns.ts';

/** A row as one line for the clipboard: its name and the numbers of the columns on screen, with tabs between them. */
export function rowText(row: Row, columns: readonly Pick<ShownColumn, 'id'>[], measure: Measure): string {
  const numbers = columns.flatMap(({ id }) => (isDrawn({ id }) ? [] : numberText(row, { id }, measure)));
  return [shownLabel(row.label), ...numbers].join('\t');
}

/** Rows with the numbers of the columns on screen as a table in Markdown, names behind a point for each level. */
export function rowsMarkdown(
  rows: readonly Row[],
  columns: readonly Pick<ShownColumn, 'id' | 'title'>[],
  measure: Measure,
): string {
  const shown = columns.filter((column) => !isDrawn(column));
  const top = Math.min(...rows.map(({ depth }) => depth));
  const name = ({ label, depth }: Row): string => '· '.repeat(depth - top) + shownLabel(label);
  return markdownTable({
    header: [...shown.map(({ title }) => title), 'Method'],
    rows: rows.map((row) => [...shown.map((column) => numberText(row, column, measure)), name(row)]),
  }).join('\n');
}

function isDrawn({ id }: Pick<ShownColumn, 'id'>): boolean {
  return columnWithId(id)?.draws === 'times';
}

/** With the unit that is in the column's title on screen. */
function numberText(row: Row, { id }: Pick<ShownColumn, 'id'>, measure: Measure): string {
  const { text } = cellOf(id, row, measure);
  return /\d/.test(text) ? `${text}${columnWithId(id)?.unit?.(measure) ?? ''}` : text;
}
