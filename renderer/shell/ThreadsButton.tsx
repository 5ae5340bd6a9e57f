import type { ReactNode } from 'react';
import { toggleDialog } from '../store/actions.ts';
import { hasSamples } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useIsOpen, useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { ThreadsPanel } from './ThreadsPanel.tsx';

const toggle = (isOpen: boolean): void => toggleDialog('threads', isOpen);

/**
 * The list of threads, from which those are chosen that the panes look at. A small window has no space for the button:
 * there the view options and a key open the list, and the button is there as long as it is open.
 */
export function ThreadsButton({ log }: { readonly log: LogView }): ReactNode {
  const isOpen = useIsOpen('threads');
  const isSmall = useWindow((state) => state.isSmall);
  const areChosen = log.scope.threads.length > 0;
  if (isSmall && !isOpen) return null;
  return (
    <Popover
      label="Threads"
      isOpen={isOpen}
      onToggle={toggle}
      button={
        <>
          <Icon name="threads" />
          <span className="button-text">Threads</span>
        </>
      }
      buttonClass={areChosen ? 'button button-on' : 'button'}
      buttonProps={{
        'aria-label': areChosen ? 'Threads, some are chosen' : 'Threads',
        'data-testid': 'threads',
        'data-tip': 'Threads: which ones the panes look at (Alt J)',
      }}
      isDisabled={!hasSamples(log)}
      panelClass="threads-panel"
      panelTestId="threads-panel"
    >
      {() => <ThreadsPanel log={log} />}
    </Popover>
  );
}
