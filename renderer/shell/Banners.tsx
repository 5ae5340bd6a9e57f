import type { ReactNode } from 'react';
import { formatQuantity } from '../../shared/text/format-value.ts';
import { dismissRestart } from '../store/actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';

/** The connection to the host, when it is not as it should be. */
export function ConnectionBanner(): ReactNode {
  const connection = useWindow((state) => state.connection);
  const wasOpen = useWindow((state) => state.version !== '');
  if (connection.state === 'open' || (connection.state === 'connecting' && !wasOpen)) return null;
  const text =
    connection.state === 'closed'
      ? `Connection closed: ${connection.reason}`
      : connection.state === 'lost'
        ? `Connection lost, retrying: ${connection.reason}. What was read stays on screen.`
        : 'Connection lost, retrying…';
  return (
    <div className="banner banner-problem" role="alert" data-testid="connection-banner">
      <Icon name="warning" />
      <span>{text}</span>
    </div>
  );
}

/** The log began anew on the same path: the samples of the run before are not mixed in. */
export function RestartBanner({ log }: { readonly log: LogView }): ReactNode {
  const { status } = log;
  if (status?.restart === undefined || log.dismissedRestart === status.epoch) return null;
  const { kind, at, samplesBefore } = status.restart;
  const time = new Date(at).toLocaleTimeString('en-GB');
  const shows = log.frozen && log.shownEpoch !== status.epoch;
  return (
    <div className="banner" role="status" data-testid="restart-banner">
      <Icon name="info" />
      <span>
        Log restarted at {time} ({kind}):{' '}
        {shows
          ? 'the frozen view still shows the run before.'
          : `showing the new run; the ${formatQuantity(samplesBefore, 'sample')} before are no longer shown.`}
      </span>
      <button type="button" className="button button-bare" aria-label="Dismiss" onClick={dismissRestart}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** What the log's state needs to say while there is something to see. */
export function DetailBanner({ log }: { readonly log: LogView }): ReactNode {
  const { status, summary } = log;
  // A log of which nothing was read says why in its pane.
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
