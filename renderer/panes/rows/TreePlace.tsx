import type { ReactNode } from 'react';
import { chooseTree } from '../../store/actions.ts';
import type { TreeChoice } from '../../store/preferences.ts';
import { shownBesideMethods } from '../../store/selectors.ts';
import type { LogView } from '../../store/window-state.ts';
import { useWindow } from '../../store/window-store.ts';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';
import { SourcePane } from '../source/SourcePane.tsx';
import { DetailTimes } from './DetailTimes.tsx';
import { BottomUpPane } from './BottomUpPane.tsx';
import { DetailPanes, DetailPath } from './DetailPanes.tsx';
import { TreePane } from './TreePane.tsx';
import '../pane-bar.css';
import './detail.css';

const CHOICES = [
  { value: 'calls', text: 'Call tree', hint: 'From threads to where samples end' },
  { value: 'bottom-up', text: 'Bottom-up', hint: 'From where samples end to their callers' },
  { value: 'detail', text: 'Callers, callees', hint: 'Of the selected method' },
  { value: 'source', text: 'Source', hint: 'Of the selected method, with its samples by line (6)' },
] as const;
const BESIDE_METHODS = [CHOICES[2], CHOICES[3]] as const;

const OF_DETAIL = 'Callers and callees of';
const OF_SOURCE = 'Source of';

/** The place of the tree: the call tree, the bottom-up tree, or callers and callees of the selected method, or its source. */
export function TreePlace({ log }: { readonly log: LogView }): ReactNode {
  const tree = useWindow((state) => state.preferences.tree);
  return (
    <div className="tree-place">
      <div className="pane-bar">
        <SegmentedControl<TreeChoice>
          label="Tree"
          choices={CHOICES}
          value={tree}
          onChange={chooseTree}
          testId="tree-choice"
        />
        {(tree === 'detail' || tree === 'source') && (
          <>
            <DetailPath path={log.detail} label={tree === 'detail' ? OF_DETAIL : OF_SOURCE} />
            <DetailTimes log={log} />
          </>
        )}
      </div>
      <div className="tree-place-body">
        {tree === 'calls' && <TreePane log={log} />}
        {tree === 'bottom-up' && <BottomUpPane log={log} />}
        {tree === 'detail' && <DetailPanes log={log} />}
        {tree === 'source' && <SourcePane log={log} />}
      </div>
    </div>
  );
}

/** Beside the methods: the callers and callees of the selected one, or its source. */
export function DetailPlace({ log }: { readonly log: LogView }): ReactNode {
  const shown = useWindow((state) => shownBesideMethods(state.preferences));
  return (
    <div className="tree-place">
      <div className="pane-bar">
        <SegmentedControl<TreeChoice>
          label="Beside the methods"
          choices={BESIDE_METHODS}
          value={shown}
          onChange={chooseTree}
          testId="detail-choice"
        />
        <DetailPath path={log.detail} label={shown === 'detail' ? OF_DETAIL : OF_SOURCE} />
        <DetailTimes log={log} />
      </div>
      <div className="tree-place-body">
        {shown === 'detail' ? <DetailPanes log={log} /> : <SourcePane log={log} />}
      </div>
    </div>
  );
}
