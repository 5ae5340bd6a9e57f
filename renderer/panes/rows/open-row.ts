import type { Row, Selection } from '../../profile-worker/pane-messages.ts';
import { expand } from '../../store/actions.ts';
import { openDetail, openSource } from '../../store/detail-actions.ts';
import type { PaneId, RowsPaneId } from '../../store/panes.ts';
import { panesOnScreen } from '../../store/selectors.ts';
import { selectionOf } from '../../store/selection.ts';
import { useWindow } from '../../store/window-store.ts';
import type { MenuEntry, MenuItem } from '../../widgets/Menu.tsx';
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

/** Shows the source of a method, and goes there. */
function enterSource({ of, id, label }: Selection): void {
  openSource({ of, id, label });
  enterPaneWhenShown('source');
}

/** The entries about a single method, in the menus of rows and frames. `shows`: other ways to show it. */
export function methodEntries(selection: Selection, shows: readonly MenuEntry[] = []): readonly MenuEntry[] {
  const isMethod = selection.kind === 'frame' || selection.kind === 'error';
  const source: MenuItem = {
    ...{ text: 'Show source', hint: '6', disabled: selection.kind !== 'frame' },
    run: () => enterSource(selection),
  };
  return [
    {
      ...{ text: 'Callers and callees', hint: 'Enter', disabled: !isMethod },
      run: () => enterDetail(selection),
    },
    { text: 'Show', entries: [source, ...shows] },
  ];
}
