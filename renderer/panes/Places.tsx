import type { ReactNode } from 'react';
import { choosePane } from '../store/actions/actions.ts';
import type { PaneOfLog, Place } from '../store/panes/pane-list.ts';
import { definitionOf, type PaneId } from '../store/panes/panes.ts';
import { detailOf } from '../store/state/selectors.ts';
import {
  choicesBesideMethods,
  choicesFor,
  panesAt,
  panesBesideMethods,
  tabsOf,
} from '../store/state/shown-panes.ts';
import type { LogView } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { PANE_KINDS, PaneOf } from './pane-kinds.tsx';
import { RememberedSplit } from './RememberedSplit.tsx';
import { DetailPath, DetailTimes, FactsOfDetail, NoDetail } from './rows/Detail.tsx';
import './pane-bar.css';
import './rows/detail.css';

interface OfPlace {
  readonly place: Place;
  readonly log: LogView;
}

/** The pane that is chosen for a place. The flame graph and the chart have the choices of their place in a bar of their own. */
export function PlaceOfPanes({ place, log }: OfPlace): ReactNode {
  // The key of a place that shows one pane at a time.
  const shown = useWindow((state) => panesAt(place, state).join(' '));
  if (place !== 'tree') return <Panes panes={panesOf(shown)} log={log} />;
  return (
    <WithBar
      label="Tree"
      choices={choicesFor(place, log)}
      panes={panesOf(shown)}
      log={log}
      testId="tree-choice"
    />
  );
}

/** Beside the methods: the callers and callees of the selected one, or its source. */
export function BesideMethods({ log }: { readonly log: LogView }): ReactNode {
  const shown = useWindow((state) => panesBesideMethods(state).join(' '));
  return (
    <WithBar
      label="Beside the methods"
      choices={choicesBesideMethods(log)}
      panes={panesOf(shown)}
      log={log}
      testId="detail-choice"
    />
  );
}

const panesOf = (text: string): readonly PaneId[] => text.split(' ') as PaneId[];

interface WithBarProps {
  readonly label: string;
  readonly choices: readonly PaneOfLog[];
  readonly panes: readonly PaneId[];
  readonly log: LogView;
  readonly testId: string;
}

function WithBar({ label, choices, panes, log, testId }: WithBarProps): ReactNode {
  const { choice = '', kind: shownKind, isBesideMethods, tab } = definitionOf(panes[0]);
  const { Bar } = PANE_KINDS[shownKind];
  return (
    <div className="tree-place">
      <div className="pane-bar">
        <SegmentedControl
          label={label}
          choices={tabsOf(choices, log)}
          value={choice}
          onChange={(chosen) => choosePane('tree', chosen)}
          testId={testId}
        />
        {Bar !== undefined && <Bar log={log} />}
        {Bar === undefined && isBesideMethods === true && (
          <>
            <DetailPath path={log.detail} label={`${tab?.text.replace(',', ' and')} of`} />
            {detailOf(log) !== undefined && <DetailTimes log={log} />}
          </>
        )}
      </div>
      <div className="tree-place-body">
        <Panes panes={panes} log={log} />
      </div>
    </div>
  );
}

/** One pane, or two below each other. */
function Panes({ panes, log }: { readonly panes: readonly PaneId[]; readonly log: LogView }): ReactNode {
  const [first, second] = panes as readonly [PaneId, PaneId?];
  if (second === undefined) return <PaneOf key={first} pane={first} log={log} />;
  if (definitionOf(first).isOfMethod === true && detailOf(log) === undefined) return <NoDetail />;
  const areRows = definitionOf(first).kind === 'rows';
  const split = (
    <RememberedSplit
      {...(areRows
        ? { name: 'detail', usualShare: 55, leastSize: 60 }
        : { name: 'sandwich', usualShare: 50, leastSize: 80 })}
      direction="rows"
      label="Resize the callers"
    >
      <PaneOf pane={first} log={log} />
      <PaneOf pane={second} log={log} />
    </RememberedSplit>
  );
  if (!areRows) return split;
  return (
    <div className="detail-panes">
      <FactsOfDetail log={log} />
      <div className="detail-halves">{split}</div>
    </div>
  );
}
