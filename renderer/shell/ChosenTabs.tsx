import { openDialog } from '../store/actions.ts';
import type { ReactNode } from 'react';
import { mergeable } from '../store/merge-actions.ts';
import { closeLogs } from '../store/tab-actions.ts';
import { chooseNoTabs, compareChosen } from '../store/tab-choice.ts';
import type { LogKey, LogView } from '../store/window-state.ts';
import { Icon } from '../widgets/icons.tsx';

/** What can be done with the tabs that are chosen together; nothing for none. */
export function ChosenTabs({
  chosen,
  active,
}: {
  readonly chosen: readonly LogView[];
  readonly active: LogKey | undefined;
}): ReactNode {
  const isOpen = chosen.length > 1;
  return (
    <div
      className={isOpen ? 'chosen-tabs' : undefined}
      role="group"
      aria-label="Chosen logs"
      data-testid="chosen-tabs"
    >
      <span role="status">{isOpen ? `${chosen.length} chosen` : ''}</span>
      {isOpen && (
        <>
          {active !== undefined && mergeable(chosen).length > 1 && (
            <button
              type="button"
              className="button button-small"
              onClick={() => openDialog({ kind: 'merge', log: active })}
            >
              Merge…
            </button>
          )}
          {chosen.length === 2 && (
            <button type="button" className="button button-small" onClick={compareChosen}>
              Compare
            </button>
          )}
          <button type="button" className="button button-small" onClick={() => closeLogs(chosen)}>
            Close
          </button>
          <button
            type="button"
            className="button button-small button-bare"
            aria-label="Choose no tabs"
            title="Choose no tabs"
            onClick={chooseNoTabs}
          >
            <Icon name="close" />
          </button>
        </>
      )}
    </div>
  );
}
