import type { ReactNode } from 'react';
import { toggleDialog } from '../store/actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useIsOpen } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { RecentPanel } from './RecentPanel.tsx';

const toggle = (isOpen: boolean): void => toggleDialog('recent', isOpen);

/** Opens the list of what grew most of late. Only for a log that grows, or has grown while the window was open. */
export function RecentChip({ log }: { readonly log: LogView }): ReactNode {
  const isOpen = useIsOpen('recent');
  if (!log.hasGrown && !isOpen) return null;
  return (
    <Popover
      label="Hot now"
      isOpen={isOpen}
      onToggle={toggle}
      button={
        <>
          <Icon name="growth" />
          <span data-rank="12">Hot now</span>
        </>
      }
      buttonClass="chip"
      buttonProps={{
        'aria-label': 'Hot now',
        'data-testid': 'recent',
        'data-tip': 'Methods that grew most in the last 30 s (Alt Shift H)',
      }}
      // In a small window the chip may fit only while its list is open.
      placeProps={{ 'data-rank': isOpen ? '0' : '4' }}
      panelClass="recent-panel"
      panelTestId="recent-panel"
    >
      {() => <RecentPanel log={log} />}
    </Popover>
  );
}
