import { type ReactNode, useState } from 'react';
import type { LogView } from '../store/window-state.ts';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { ViewOptions } from './ViewOptions.tsx';

/** The button that opens the view options. `isNarrow`: they include those that do not fit in the top row. */
export function ViewMenu({
  log,
  isNarrow,
}: {
  readonly log: LogView | undefined;
  readonly isNarrow: boolean;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label="View"
      isOpen={isOpen}
      onToggle={setOpen}
      button={
        <>
          <Icon name="view" />
          <span className="button-text">View</span>
        </>
      }
      buttonClass="button"
      buttonProps={{
        'aria-label': 'View',
        'data-testid': 'view',
        'data-tip': 'Panes, frames, threads, colours, theme',
      }}
    >
      {() => <ViewOptions log={log} isNarrow={isNarrow} onLeave={() => setOpen(false)} />}
    </Popover>
  );
}
