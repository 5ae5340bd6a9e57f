import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { cellOf, type Measure } from './cells.ts';
import type { Column } from './columns.ts';

/** A row as one line for the clipboard: its name and the numbers of the columns on screen, with tabs between them. */
export function rowText(row: Row, columns: readonly Column[], measure: Measure): string {
  const numbers = columns.filter(({ id }) => id !== 'when').map(({ id }) => numberText(id, row, measure));
  return [shownLabel(row.label), ...numbers].join('\t');
}

/** With the unit that is in the column's title on screen. */
function numberText(id: Column['id'], row: Row, measure: Measure): string {
  const { text } = cellOf(id, row, measure);
  return /\d/.test(text) ? `${text}${unitOf(id, measure)}` : text;
}

function unitOf(id: Column['id'], { compared }: Measure): string {
  switch (id) {
    case 'totalShare':
    case 'selfShare':
    case 'totalOtherShare':
    case 'selfOtherShare':
      return ' %';
    case 'totalRate':
    case 'selfRate':
      return ' /s';
    case 'totalBase':
    case 'selfBase':
    case 'totalNew':
    case 'selfNew':
      return compared?.by === 'share' ? ' %' : compared?.by === 'rate' ? ' /s' : '';
    case 'totalChange':
    case 'selfChange':
      return compared?.by === 'share' ? ' points' : compared?.by === 'rate' ? ' /s' : '';
    default:
      return '';
  }
}
