import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { ColumnId, Measure } from '../../../shared/engine/columns/column.ts';
import { cellOf, columnWithId } from '../../../shared/engine/columns/columns.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';

/** A row as one line for the clipboard: its name and the numbers of the columns on screen, with tabs between them. */
export function rowText(row: Row, columns: readonly { readonly id: ColumnId }[], measure: Measure): string {
  const numbers = columns.flatMap(({ id }) => {
    const { text } = cellOf(id, row, measure);
    const { draws, unit } = columnWithId(id) ?? {};
    // With the unit that is in the column's title on screen.
    return draws === 'times' ? [] : /\d/.test(text) ? `${text}${unit?.(measure) ?? ''}` : text;
  });
  return [shownLabel(row.label), ...numbers].join('\t');
}
