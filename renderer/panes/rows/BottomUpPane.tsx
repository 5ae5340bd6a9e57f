import { memo, type ReactNode } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import { expand } from '../../store/actions.ts';
import type { MenuEntry } from '../../widgets/Menu.tsx';
import { drawsSame, type PaneLog } from '../pane-log.ts';
import { RowsPane } from './RowsPane.tsx';

/** The methods in which samples ended, and below each one its callers. */
export const BottomUpPane = memo(function BottomUpPane({ log }: { readonly log: PaneLog }): ReactNode {
  return (
    <RowsPane
      pane="bottomUp"
      label="Bottom-up tree"
      rowsLabel="Bottom-up tree"
      log={log}
      ownEntries={ownEntries}
    />
  );
}, drawsSame('bottomUp'));

function ownEntries(row: Row): readonly MenuEntry[] {
  const toExpand = (how: 'all' | 'hot' | 'collapseAll') => () => expand('bottomUp', row.id, how);
  return [
    { text: 'Expand hot path', hint: 'Alt ↓', disabled: !row.expandable, run: toExpand('hot') },
    { text: 'Expand all below', hint: '*', disabled: !row.expandable, run: toExpand('all') },
    { text: 'Collapse all below', disabled: !row.expandable, run: toExpand('collapseAll') },
  ];
}
