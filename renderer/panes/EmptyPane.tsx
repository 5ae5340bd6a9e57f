import type { ReactNode } from 'react';
import { awaitsSamples } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import './table/table.css';
import { emptyText } from './empty-text.ts';
import type { PaneLog } from './pane-log.ts';

/** Stands in for rows where there are none. */
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
    </div>
  );
}
