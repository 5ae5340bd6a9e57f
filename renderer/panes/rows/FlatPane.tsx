import { memo, type ReactNode } from 'react';
import { splitFrameLabel } from '../../../shared/text/format-frame.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { findCalls, search } from '../../store/actions.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { thenEnter } from '../enter-pane.ts';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { RowsPane } from './RowsPane.tsx';

/** One row per method, wherever it was called from. */
export const FlatPane = memo(function FlatPane({ log }: { readonly log: PaneLog }): ReactNode {
  return <RowsPane pane="flat" label="Methods" rowsLabel="Methods" log={log} ownShows={ownShows} />;
}, drawsSame('flat'));

/** Shows the method in the call tree. */
function enterTree(row: Row): void {
  thenEnter('tree', () => findCalls('tree', row))();
}

function ownShows(row: Row): readonly MenuEntry[] {
  return [
    { text: 'Find in call tree', run: () => enterTree(row) },
    { text: 'Find in flame graph', run: thenEnter('flame', () => findCalls('flame', row)) },
    { text: `Search for ${splitFrameLabel(row.label).name}`, run: () => search(row.label) },
  ];
}
