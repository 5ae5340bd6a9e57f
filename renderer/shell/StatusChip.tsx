import type { ReactNode } from 'react';
import { toggleDialog } from '../store/actions.ts';
import { closeLog } from '../store/tab-actions.ts';
import { shownName } from '../store/tab-names.ts';
import { isConnected, shownState } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useIsOpen, useWindow } from '../store/window-store.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { DetailsPanel } from './DetailsPanel.tsx';
import { useLogMenu } from './use-log-menu.tsx';
import { stateText } from './log-state.ts';
import { StateMark } from './StateMark.tsx';

const toggle = (isOpen: boolean): void => toggleDialog('details', isOpen);

/** The log's state, and its name when there are no tabs. The panel below has all details of the file. */
export function StatusChip({ log }: { readonly log: LogView }): ReactNode {
  const isOpen = useIsOpen('details');
  const hasTabs = useWindow((state) => state.logs.length > 1);
  const { tone, text } = stateText(
    log,
    useWindow((state) => isConnected(state, log)),
  );
  const { menu, onContextMenu } = useLogMenu(log);
  return (
    <div className="log-chip" onContextMenu={onContextMenu}>
      <Popover
        label="Details"
        isOpen={isOpen}
        onToggle={toggle}
        button={
          <>
            <StateMark tone={tone} />
            {hasTabs ? (
              <span className="unseen">Details, </span>
            ) : (
              <>
                <ElidedText className="chip-name" text={shownName(log)} />
                <span className="unseen">, </span>
              </>
            )}
            <span className="chip-text">{text}</span>
            <Icon name="down" />
          </>
        }
        buttonClass={`chip status-chip tone-${tone}`}
        buttonProps={{
          'data-testid': 'status-chip',
          'data-tone': tone,
          'data-state': shownState(log),
          'data-tip': 'Details (Alt Enter)',
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
      {menu}
    </div>
  );
}
