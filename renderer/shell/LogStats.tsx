import type { ReactNode } from 'react';
import {
  formatCount,
  formatQuantity,
  formatRate,
  formatShare,
  formatSpan,
} from '../../shared/text/format-value.ts';
import { hideErrors } from '../store/scope-actions.ts';
import { isPartial, samplesInScope, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { Icon } from '../widgets/icons.tsx';
import { isScoped } from './use-scope-chips.ts';
import { shareCertainty } from '../../shared/engine/columns/precision.ts';

/**
 * Counts of what is in scope, all of one state of the panes; dimmed while the file is read, because they are not final.
 */
export function LogStats({ log }: { readonly log: LogView }): ReactNode {
  const { summary, status } = log;
  const samples = summary?.samples ?? 0;
  const { counted } = unitsOf(log);
  // Nothing was counted in a file that could not be opened.
  if (samples === 0 && (status?.state === 'failed' || status?.state === 'waiting')) return null;
  const inScope = summary === undefined ? 0 : samplesInScope(summary);
  const all = summary?.threads ?? 0;
  const threads = summary?.threadsInScope ?? all;
  const average = averageRate(log);
  const seconds = summary?.seconds ?? 0;
  return (
    <dl className="stats" data-partial={isPartial(log) ? '' : undefined}>
      <Stat
        name={samples === 1 ? counted.one : counted.many}
        value={formatCount(samples)}
        part={inScope === samples ? undefined : formatCount(inScope)}
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
      {seconds > 0 && <Stat name="" value={formatSpan(seconds * 1e9)} rank={10} testId="span" />}
    </dl>
  );
}

/** Samples in scope per second of the time that is looked at, where the log also has a rate of now. */
export function averageRate({ rate, isHeld, summary }: LogView): number | undefined {
  const seconds = summary?.seconds ?? 0;
  if (summary === undefined || rate === undefined || isHeld || seconds <= 0) return undefined;
  return samplesInScope(summary) / seconds;
}

interface StatProps {
  readonly name: string;
  readonly value: string;
  /** The part of `value` in scope; undefined: all. */
  readonly part?: string | undefined;
  /** As `FittingRow` has it. */
  readonly rank: number;
  readonly testId: string;
}

function Stat({ name, value, part, rank, testId }: StatProps): ReactNode {
  return (
    <div className="stat" data-rank={rank}>
      <dt className={name === '' ? 'unseen' : undefined}>{name === '' ? 'span' : name}</dt>
      {part === undefined ? (
        <dd data-testid={testId}>{value}</dd>
      ) : (
        <dd>
          <span data-testid={`${testId}-in-scope`}>{part}</span>
          <span className="stat-whole"> of </span>
          <span className="stat-whole" data-testid={testId}>
            {value}
          </span>
        </dd>
      )}
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

interface ErrorShare {
  readonly errors: number;
  readonly share: string;
  /** How exactly the share is known. */
  readonly certainty: string | undefined;
}

/**
 * Samples in scope without a stack, and their share of all in scope, as the panes count them; undefined where the scope has
 * none. While some are hidden, it is known also where the scope has none, so that they can be shown again.
 */
export function errorShare(log: LogView, isHidden: boolean): ErrorShare | undefined {
  const { summary } = log;
  if (summary === undefined) return undefined;
  const { errors, hidden } = summary;
  if (errors === 0 && !(isHidden && hidden.samples > 0)) return undefined;
  const all = samplesInScope(summary);
  return {
    errors,
    share: formatShare(errors, all, 1),
    certainty: shareCertainty(errors, all, unitsOf(log))?.text,
  };
}
