import type { ReactNode } from 'react';
import { dismissRestart } from '../store/actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import { restartText } from './restart-text.ts';

/** A banner while the window is disconnected from the host. */
export function ConnectionBanner(): ReactNode {
  const connection = useWindow((state) => state.connection);
  const wasOpen = useWindow((state) => state.version !== '');
  if (connection.state === 'open' || (connection.state === 'connecting' && !wasOpen)) return null;
  const text =
    connection.state === 'closed'
      ? `Disconnected: ${connection.reason}`
      : connection.state === 'lost'
        ? `Connection lost: ${connection.reason}. Trying again; what was read stays on screen.`
        : 'Connection lost. Trying again…';
  return (
    <div className="banner banner-problem" role="alert" data-testid="connection-banner">
      <Icon name="warning" />
      <span>{text}</span>
    </div>
  );
}

/** The file began anew on the same path: runs are never mixed, and this says which one is shown. */
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

/** The log's state, when it needs a message beside visible rows. */
export function DetailBanner({ log }: { readonly log: LogView }): ReactNode {
  const { status, summary } = log;
  // When nothing was read, the empty pane explains why.
  const isTold =
    status?.state === 'reading' ||
    status?.state === 'full' ||
    (status?.state === 'failed' && (summary?.samples ?? 0) > 0);
  if (!isTold || status.detail === undefined) return null;
  return (
    <div className="banner" role="status" data-testid="detail-banner">
      <Icon name="warning" />
      <span>{status.detail}</span>
    </div>
  );
}
