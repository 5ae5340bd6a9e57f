import { type ReactNode, useState } from 'react';
import { formatCount, formatQuantity, formatShare, formatSpan } from '../../shared/text/format-value.ts';
import { hideErrors } from '../store/actions.ts';
import { errorSamples, shownState, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';

/** Counts of the log. While a file is read, the counts so far. */
export function LogStats({ log }: { readonly log: LogView }): ReactNode {
  const { summary, status } = log;
  const samples = summary?.samples ?? 0;
  const threads = summary?.threads ?? 0;
  const { counted } = unitsOf(log);
  // A frozen view keeps its time span.
  const [span, setSpan] = useState(status?.spanNs);
  if (!log.frozen && span !== status?.spanNs) setSpan(status?.spanNs);
  const state = shownState(log);
  const isPartial = state === undefined || state === 'reading';
  return (
    <dl className="stats" data-partial={isPartial ? '' : undefined}>
      <Stat
        name={samples === 1 ? counted.one : counted.many}
        value={formatCount(samples)}
        testId="sample-count"
      />
      <Stat name={threads === 1 ? 'thread' : 'threads'} value={formatCount(threads)} testId="thread-count" />
      {span !== undefined && span > 0 && <Stat name="" value={formatSpan(span)} testId="span" />}
      {isPartial && <span className="stats-partial">so far</span>}
    </dl>
  );
}

interface StatProps {
  readonly name: string;
  readonly value: string;
  readonly testId: string;
}

function Stat({ name, value, testId }: StatProps): ReactNode {
  return (
    <div className="stat">
      <dt className={name === '' ? 'unseen' : undefined}>{name === '' ? 'span' : name}</dt>
      <dd data-testid={testId}>{value}</dd>
    </div>
  );
}

/**
 * Samples without a stack: their share, and whether they are left out of all panes. Nothing where there are none. While
 * they are hidden the panes' own number is shown.
 */
export function ErrorSwitch({ log }: { readonly log: LogView }): ReactNode {
  const isHidden = useWindow((state) => state.hideErrors);
  const { status, summary } = log;
  const known = errorSamples(log);
  const hidden = summary?.hidden.samples ?? 0;
  const errors = isHidden && hidden > 0 ? hidden : known;
  if (errors === 0 || status === undefined) return null;
  const share = formatShare(errors, errors === known ? status.samples : (summary?.samples ?? 0), 1);
  return (
    <button
      type="button"
      role="switch"
      className={isHidden ? 'chip chip-on' : 'chip'}
      aria-label="Hide errors"
      aria-checked={isHidden}
      data-testid="hide-errors"
      data-tip={
        isHidden
          ? `${formatQuantity(errors, 'sample')} without a stack left out everywhere. Click to show them.`
          : `${formatQuantity(errors, 'sample')} without a usable stack. Click to leave them out everywhere.`
      }
      onClick={() => hideErrors(!isHidden)}
    >
      <Icon name={isHidden ? 'hidden' : 'shown'} />
      {share} {isHidden ? 'hidden' : 'errors'}
    </button>
  );
}
