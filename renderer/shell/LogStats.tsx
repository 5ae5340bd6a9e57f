import { type ReactNode, useState } from 'react';
import { formatCount, formatQuantity, formatRate, formatSpan } from '../../shared/text/format-value.ts';
import { hideErrors } from '../store/scope-actions.ts';
import { isPartial, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { Icon } from '../widgets/icons.tsx';
import { errorShare } from './error-share.ts';
import { isScoped } from './use-scope-chips.ts';

/** Counts of the log; dimmed while the file is read, because they are not final. */
export function LogStats({ log }: { readonly log: LogView }): ReactNode {
  const { summary, status } = log;
  const samples = summary?.samples ?? 0;
  const threads = summary?.threads ?? 0;
  const { counted } = unitsOf(log);
  // A frozen view keeps its time span.
  const [span, setSpan] = useState(status?.spanNs);
  if (!log.holdsDelivery && span !== status?.spanNs) setSpan(status?.spanNs);
  // Nothing was counted in a file that could not be opened.
  if (samples === 0 && (status?.state === 'failed' || status?.state === 'waiting')) return null;
  const average = averageRate(log);
  return (
    <dl className="stats" data-partial={isPartial(log) ? '' : undefined}>
      <Stat
        name={samples === 1 ? counted.one : counted.many}
        value={formatCount(samples)}
        // In a scope it says less than what is outside.
        rank={isScoped(log) ? 7 : 1}
        testId="sample-count"
      />
      <Stat
        name={threads === 1 ? 'thread' : 'threads'}
        value={formatCount(threads)}
        rank={11}
        testId="thread-count"
      />
      {average !== undefined && (
        <Stat name="on average" value={formatRate(average)} rank={12} testId="average-rate" />
      )}
      {span !== undefined && span > 0 && <Stat name="" value={formatSpan(span)} rank={10} testId="span" />}
    </dl>
  );
}

/** Samples per second of the time that the log spans, where it also has a rate of now. */
export function averageRate({ rate, holdsDelivery, status }: LogView): number | undefined {
  if (rate === undefined || holdsDelivery || status?.spanNs === undefined || status.spanNs <= 0)
    return undefined;
  return status.samples / (status.spanNs / 1e9);
}

interface StatProps {
  readonly name: string;
  readonly value: string;
  /** As `FittingRow` has it. */
  readonly rank: number;
  readonly testId: string;
}

function Stat({ name, value, rank, testId }: StatProps): ReactNode {
  return (
    <div className="stat" data-rank={rank}>
      <dt className={name === '' ? 'unseen' : undefined}>{name === '' ? 'span' : name}</dt>
      <dd data-testid={testId}>{value}</dd>
    </div>
  );
}

/** The share of samples without a stack, and whether all panes leave them out. Nothing where there are none. */
export function ErrorSwitch({ log }: { readonly log: LogView }): ReactNode {
  const isHidden = log.hidesErrors;
  const known = errorShare(log, isHidden);
  if (known === undefined) return null;
  const { errors, share, certainty } = known;
  return (
    <button
      type="button"
      role="switch"
      className={isHidden ? 'chip chip-on' : 'chip'}
      data-rank={isHidden ? '2' : '4'}
      data-listed={isHidden ? 'chip' : undefined}
      aria-label="Hide errors"
      aria-checked={isHidden}
      data-testid="hide-errors"
      data-tip={
        (isHidden
          ? `${formatQuantity(errors, 'sample')} without a stack hidden. Click to show them.`
          : `${formatQuantity(errors, 'sample')} without a stack. Click to hide them in all panes.`) +
        (certainty === undefined ? '' : ` ${certainty}.`)
      }
      onClick={() => hideErrors(!isHidden)}
    >
      <Icon name={isHidden ? 'hidden' : 'shown'} />
      {`${share} `}
      <span data-rank="5">{isHidden ? 'hidden' : 'errors'}</span>
    </button>
  );
}
