import type { ReactNode } from 'react';
import { dismissRestart } from '../store/actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import { restartText } from './restart-text.ts';

/** A banner while the window is disconnected from the host. */
export function ConnectionBanner(): ReactNode {
  const connection = useWindow((state) => state.connection);
  if (connection.state === 'open' || connection.state === 'connecting') return null;
  const text =
    connection.state === 'closed'
      ? `Disconnected: ${connection.reason}`
      : `Connection lost, trying again. What was read stays on screen. Reason: ${connection.reason}`;
  return (
    <div className="banner banner-problem" role="alert" data-testid="connection-banner">
      <Icon name="warning" />
      <span>{text}</span>
    </div>
  );
}

/** Shown after the file was truncated or replaced: which run is on screen. Samples of two runs are never merged. */
export function RestartBanner({ log }: { readonly log: LogView }): ReactNode {
  const text = restartText(log);
  if (text === undefined || log.dismissedRestart === log.status?.epoch) return null;
  return (
    <div className="banner" role="status" data-testid="restart-banner">
      <Icon name="info" />
      <span>{text}</span>
      <button type="button" className="button button-bare" aria-label="Dismiss" onClick={dismissRestart}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** The explanation of the log's state, where rows are on screen beside it. */
export function DetailBanner({ log }: { readonly log: LogView }): ReactNode {
  const { status, summary } = log;
  // When nothing was read, the empty pane explains why.
  const isTold =
    status?.state === 'reading' ||
    status?.state === 'full' ||
    ((status?.state === 'failed' || status?.state === 'ended') && (summary?.samples ?? 0) > 0);
  if (!isTold || status.detail === undefined) return null;
  return (
    <div className="banner" role="status" data-testid="detail-banner">
      <Icon name="warning" />
      <span>{status.detail}</span>
    </div>
  );
}
