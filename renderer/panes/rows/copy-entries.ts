import { shownLabel } from '../../../shared/text/format-frame.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { copyOf, copyText } from '../../store/actions.ts';
import type { RowsPaneId } from '../../store/panes.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';

/** What the menu of a row copies in every pane of rows. */
export function copyEntries(pane: RowsPaneId, row: Row, onCopyRow: () => void): readonly MenuEntry[] {
  return [
    { text: 'Copy row', hint: 'Ctrl C', run: onCopyRow },
    { text: 'Copy name', run: () => void copyText(shownLabel(row.label)) },
    {
      text: 'Copy name and file',
      disabled: row.kind !== 'frame',
      run: () => copyOf(pane, row.id, 'location'),
    },
  ];
}
