import type { ReactNode } from 'react';
import { hideErrors, search } from '../store/actions.ts';
import { awaitsSamples } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import './table/table.css';
import { emptyText } from './empty-text.ts';
import type { PaneLog } from './pane-log.ts';

const ACTIONS = {
  clearSearch: { text: 'Clear search', run: () => search('') },
  showErrors: { text: 'Show errors', run: () => hideErrors(false) },
} as const;

/** Stands in for rows where there are none: what is missing, why, and what to do. */
export function EmptyPane({
  log,
  isFlat = false,
}: {
  readonly log: PaneLog;
  readonly isFlat?: boolean;
}): ReactNode {
  const hidesErrors = useWindow((state) => state.hideErrors);
  const waits = useWindow(({ logs }) => logs.some((each) => each.key === log.key && awaitsSamples(each)));
  const text = waits ? undefined : emptyText(log, hidesErrors, isFlat);
  if (text === undefined) return null;
  return (
    <div className="pane-empty" role="status">
      <strong>{text.title}</strong>
      <span>{text.advice}</span>
      {text.action !== undefined && (
        <button type="button" className="button" onClick={ACTIONS[text.action].run}>
          {ACTIONS[text.action].text}
        </button>
      )}
    </div>
  );
}
