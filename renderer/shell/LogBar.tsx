import type { ReactNode } from 'react';
import { formatCount, formatShare, formatSpan } from '../../shared/text/format-value.ts';
import { errorSamples, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { stateText } from './log-state.ts';
import { StatusChip } from './StatusChip.tsx';

/** What the log is doing and how much of it is on screen. */
export function LogBar({
  log,
  children,
}: {
  readonly log: LogView;
  readonly children: ReactNode;
}): ReactNode {
  const { status, summary } = log;
  const { progress } = stateText(log);
  const errors = errorSamples(log);
  const samples = summary?.samples ?? 0;
  const { counted } = unitsOf(log);
  // What only the host knows is about all that it has read: shown beside a view that is frozen or behind, it misleads.
  const isUpToDate = status?.samples === samples;
  return (
    <div className="log-bar">
      <StatusChip log={log} />
      <dl className="stats">
        <Stat
          name={samples === 1 ? counted.one : counted.many}
          value={formatCount(samples)}
          testId="sample-count"
        />
        <Stat
          name={summary?.threads === 1 ? 'thread' : 'threads'}
          value={formatCount(summary?.threads ?? 0)}
          testId="thread-count"
        />
        <Stat name="methods" value={formatCount(summary?.methods ?? 0)} testId="method-count" />
        {isUpToDate && status.spanNs !== undefined && status.spanNs > 0 && (
          <Stat name="span" value={formatSpan(status.spanNs)} testId="span" />
        )}
        {isUpToDate && errors > 0 && (
          <Stat
            name="errors"
            value={formatShare(errors, samples, 1)}
            testId="error-share"
            hint={`${formatCount(errors)} samples without a usable stack; the state chip says which`}
          />
        )}
      </dl>
      {log.computing && (
        <span className="computing" role="status" data-testid="computing">
          computing…
        </span>
      )}
      <div className="log-actions">{children}</div>
      {progress !== undefined && (
        <div
          className="progress"
          role="progressbar"
          aria-label="Reading the log"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.floor(progress * 100)}
        >
          <div style={{ transform: `scaleX(${progress})` }} />
        </div>
      )}
    </div>
  );
}

interface StatProps {
  readonly name: string;
  readonly value: string;
  readonly testId: string;
  readonly hint?: string;
}

function Stat({ name, value, testId, hint }: StatProps): ReactNode {
  return (
    <div className="stat" data-tip={hint}>
      <dt>{name}</dt>
      <dd data-testid={testId}>{value}</dd>
    </div>
  );
}
