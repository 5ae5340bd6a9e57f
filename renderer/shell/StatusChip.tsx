import type { ReactNode } from 'react';
import { elideMiddle } from '../../shared/text/format-frame.ts';
import { closeLog, openDetails } from '../store/actions.ts';
import { shownState } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { DetailsPanel } from './DetailsPanel.tsx';
import { stateText } from './log-state.ts';

const MOST_CHARACTERS = 28;

/** The log's state, and its name when there are no tabs. The panel below has all details of the file. */
export function StatusChip({ log }: { readonly log: LogView }): ReactNode {
  const isOpen = useWindow((state) => state.detailsAreOpen);
  const hasTabs = useWindow((state) => state.logs.length > 1);
  const { tone, text } = stateText(log);
  return (
    <div className="log-chip">
      <Popover
        label="Details"
        isOpen={isOpen}
        onToggle={openDetails}
        button={
          <>
            <span className="state-dot" aria-hidden="true" />
            {!hasTabs && <span className="chip-name">{elideMiddle(log.name, MOST_CHARACTERS)}</span>}
            <span className="chip-text">{text}</span>
            <Icon name="down" />
          </>
        }
        buttonClass={`chip status-chip tone-${tone}`}
        buttonProps={{
          'data-testid': 'status-chip',
          'data-tone': tone,
          'data-state': shownState(log),
          'data-tip': 'Details (D)',
        }}
        panelClass="details"
        panelTestId="details"
      >
        {() => <DetailsPanel log={log} />}
      </Popover>
      {!hasTabs && (
        <button
          type="button"
          className="button button-bare log-close"
          aria-label="Close"
          title="Close"
          onClick={() => closeLog(log.key)}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
