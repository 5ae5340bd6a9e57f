import type { Row, Selection } from '../../profile-worker/pane-messages.ts';
import { expand } from '../../store/actions.ts';
import { openDetail } from '../../store/detail-actions.ts';
import type { PaneId, RowsPaneId } from '../../store/panes.ts';
import { panesOnScreen } from '../../store/selectors.ts';
import { selectionOf } from '../../store/selection.ts';
import { useWindow } from '../../store/window-store.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { enterPaneWhenShown } from '../enter-pane.ts';

const ENTERED: readonly PaneId[] = ['callers', 'callersFlame'];

/** Shows the callers and callees of what is selected, and goes there. */
export function enterDetail({ of, id, label }: Selection): void {
  openDetail({ of, id, label });
  const pane = panesOnScreen(useWindow.getState()).find((each) => ENTERED.includes(each));
  if (pane !== undefined) enterPaneWhenShown(pane);
}

/** A double click on a row, or Enter: the callers and callees of a method. A thread is expanded or collapsed. */
export function openRow(pane: RowsPaneId, row: Row): void {
  if (row.kind === 'frame' || row.kind === 'error') enterDetail(selectionOf(pane, row));
  else expand(pane, row.id, 'toggle');
}

/** The same as a menu entry. */
export function detailEntry(selection: Selection): MenuEntry {
  const isMethod = selection.kind === 'frame' || selection.kind === 'error';
  return {
    text: 'Callers and callees',
    hint: 'Enter',
    disabled: !isMethod,
    run: () => enterDetail(selection),
  };
}
