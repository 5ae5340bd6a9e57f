import type { ReactNode } from 'react';
import { chooseTree } from '../../store/actions.ts';
import type { TreeChoice } from '../../store/preferences.ts';
import type { LogView } from '../../store/window-state.ts';
import { useWindow } from '../../store/window-store.ts';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import { BottomUpPane } from './BottomUpPane.tsx';
import { DetailPanes, DetailPath } from './DetailPanes.tsx';
import { TreePane } from './TreePane.tsx';
import './detail.css';

const CHOICES = [
  { value: 'calls', text: 'Call tree', hint: 'From threads to where samples end' },
  { value: 'bottom-up', text: 'Bottom-up', hint: 'From where samples end to who led there' },
  { value: 'detail', text: 'Callers, callees', hint: 'Of the selected method' },
] as const;

/** The place of the tree: the call tree, the bottom-up tree, or callers and callees of the selected method. */
export function TreePlace({ log }: { readonly log: LogView }): ReactNode {
  const tree = useWindow((state) => state.preferences.tree);
  return (
    <div className="tree-place">
      <div className="tree-place-bar">
        <SegmentedControl<TreeChoice>
          label="Tree"
          choices={CHOICES}
          value={tree}
          onChange={chooseTree}
          testId="tree-choice"
        />
        {tree === 'detail' && <DetailPath path={log.detail} />}
      </div>
      <div className="tree-place-body">
        {tree === 'calls' && <TreePane log={log} />}
        {tree === 'bottom-up' && <BottomUpPane log={log} />}
        {tree === 'detail' && <DetailPanes log={log} />}
      </div>
    </div>
  );
}

/** Callers and callees beside the methods. */
export function DetailPlace({ log }: { readonly log: LogView }): ReactNode {
  return (
    <div className="tree-place">
      <div className="tree-place-bar">
        <DetailPath path={log.detail} />
      </div>
      <div className="tree-place-body">
        <DetailPanes log={log} />
      </div>
    </div>
  );
}
