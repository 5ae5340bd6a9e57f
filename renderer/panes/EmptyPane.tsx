import type { ReactNode } from 'react';
import { assertNever } from '../../shared/assert.ts';
import { openDialog, search, zoomTo } from '../store/actions.ts';
import { openLog, readAgain } from '../store/log-actions.ts';
import { NO_CONDITIONS } from '../../shared/engine/views/row-conditions.ts';
import { removeMark } from '../store/compare-actions.ts';
import { clearScope, filterRows, hideErrors } from '../store/scope-actions.ts';
import { awaitsSamples } from '../store/selectors.ts';
import type { LogKey } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { type EmptyAction, emptyText } from './empty-text.ts';

/** Stands in for rows where there are none. */
export function EmptyPane({
  log: { key },
  isFlat = false,
  isZoomed = false,
}: {
  readonly log: { readonly key: LogKey };
  readonly isFlat?: boolean;
  /** See `emptyText`. */
  readonly isZoomed?: boolean;
}): ReactNode {
  const log = useWindow(({ logs }) => logs.find((each) => each.key === key));
  const said = log === undefined || awaitsSamples(log) ? undefined : emptyText(log, isFlat, isZoomed);
  if (log === undefined || said === undefined) return null;
  const { title, text, action, reasons, isProblem } = said;
  return (
    <EmptyState
      title={title}
      text={text}
      where={
        said.isAboutFile !== true
          ? undefined
          : log.hostLog === undefined
            ? log.name
            : `${log.folder}/${log.name}`
      }
      action={action && { text: ACTIONS[action], run: () => act(action) }}
      reasons={reasons}
      isProblem={isProblem}
    />
  );
}

const ACTIONS: Readonly<Record<EmptyAction, string>> = {
  openAnother: 'Open another file…',
  tryAgain: 'Try again',
  showDetails: 'Show details',
  clearSearch: 'Clear search',
  showErrors: 'Show errors',
  clearScope: 'Show all',
  clearFilter: 'Show all rows',
  resetZoom: 'Reset zoom',
  removeMark: 'Remove the mark',
};

function act(action: EmptyAction): void {
  switch (action) {
    case 'openAnother':
      return openLog(document.querySelector<HTMLInputElement>('input[type=file]'));
    case 'tryAgain':
      return readAgain();
    case 'showDetails':
      return openDialog({ kind: 'details' });
    case 'clearSearch':
      return search('');
    case 'showErrors':
      return hideErrors(false);
    case 'clearScope':
      return clearScope();
    case 'clearFilter':
      return filterRows(NO_CONDITIONS);
    case 'resetZoom':
      return zoomTo(undefined);
    case 'removeMark':
      return removeMark();
    default:
      assertNever(action, 'action');
  }
}
