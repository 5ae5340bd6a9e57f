import { type ReactNode, useId, useState } from 'react';
import { PATTERN_TEXTS } from '../../../shared/engine/views/time-pattern.ts';
import type { Finding, FindingsAnswer } from '../../../shared/findings/finding.ts';
import { findingMarkdown, findingTitle, nothingFoundText } from '../../../shared/summary/summary-text.ts';
import {
  capitalised,
  formatCount,
  formatQuantity,
  formatShare,
  formatShareRange,
} from '../../../shared/text/format-value.ts';
import { copyText, showOnly, changeActive } from '../../store/actions/actions.ts';
import type { ShownAnswer } from '../../store/panes/pane-views.ts';
import { goToMethod } from '../../store/actions/detail-actions.ts';
import { Button } from '../../widgets/Button.tsx';
import { Icon } from '../../widgets/icons.tsx';
import { elideMiddle, nameOfLabel } from '../../../shared/text/format-frame.ts';
import { OtherTypes } from './OtherTypes.tsx';
import { withTransform, withScope } from '../../store/state/scope-history.ts';
import { useWindow } from '../../store/state/window-store.ts';
import type { MethodRef } from '../../../shared/engine/query.ts';

type Targets = ShownAnswer['targets'];

interface FindingListProps {
  readonly findings: readonly Finding[];
  readonly answer: FindingsAnswer;
  readonly targets: Targets;
}

/** The findings, each of which opens; below them what is silenced, what could not be judged, and which samples tell it. */
export function FindingList({ findings, answer, targets }: FindingListProps): ReactNode {
  const { few, suppressed, notAssessed } = answer;
  return (
    <>
      {findings.map((finding) => (
        <FindingItem key={`${finding.id} ${finding.subject ?? ''}`} finding={finding} targets={targets} />
      ))}
      {findings.length === 0 ? (
        <p className="summary-note" data-testid="nothing-found">
          {unbroken(nothingFoundText(answer, answer.findings))}
        </p>
      ) : (
        few !== undefined && <p className="summary-note">{unbroken(`${capitalised(few)}.`)}</p>
      )}
      {suppressed.map(({ id, key, why }) => (
        <p key={`${id} ${key ?? ''}`} className="summary-note">
          Silenced: {id} {key} ({why})
        </p>
      ))}
      {notAssessed.length > 0 && (
        <p
          className="summary-note"
          data-testid="not-assessed"
          data-tip={notAssessed.map(({ title, why }) => `${title}: ${why}.`).join(' ')}
        >
          Not assessed: {formatQuantity(notAssessed.length, 'finding')}
        </p>
      )}
      <OtherTypes notAssessed={notAssessed} />
    </>
  );
}

/** `Sorting takes much of the time`, and when it is open why that is so, when it is wrong, and what to do. */
function FindingItem({
  finding,
  targets,
}: {
  readonly finding: Finding;
  readonly targets: Targets;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const content = useId();
  const { id, level, share } = finding;
  return (
    <div className="summary-finding" data-level={level} data-testid={`finding-${id}`}>
      <button
        type="button"
        className="summary-line"
        aria-expanded={isOpen}
        aria-controls={isOpen ? content : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Share of={share.value} />
        <span className="summary-words">
          {level === 'warn' && <Icon name="warning" />}
          {level === 'warn' && <span className="unseen">Warning: </span>}
          {finding.subject === undefined ? finding.title : `${finding.title}: `}
          {finding.subject !== undefined && (
            <span className="summary-subject">{nameOfLabel(finding.subject)}</span>
          )}
        </span>
        <span className="summary-turn" data-open={isOpen ? '' : undefined}>
          <Icon name="right" />
        </span>
      </button>
      {isOpen && (
        <div id={content} className="summary-detail">
          <FindingDetail finding={finding} />
          <div className="line">
            <Button
              className="button-small"
              tip="Show its samples alone, and select the method"
              onClick={() => showFinding(finding, targetOf(finding, targets))}
            >
              Show
            </Button>
            <Button
              className="button-small"
              tip="Copy the finding as Markdown"
              testId="copy-finding"
              onClick={() => void copyText(findingMarkdown(finding))}
            >
              Copy
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

function targetOf({ show, where }: Finding, targets: Targets): Targets[string] | undefined {
  return targets[show.select ?? ''] ?? targets[where.at(0)?.key ?? ''];
}

/** Frames that are shown of a stack, those next to its end. */
const MOST_FRAMES = 48;

function FindingDetail({ finding }: { readonly finding: Finding }): ReactNode {
  const { id, share, of, samples, where, evidence, why, doubt, next } = finding;
  const { threads, when, stacks } = evidence;
  const range = share.low === share.high ? '' : `, ${formatShareRange(share.low, share.high, 1)} likely`;
  const pools = threads.map(
    ({ pool, share: part }) => `${pool || 'threads without a name'} ${formatShare(part, 1, 0)}`,
  );
  return (
    <>
      <p>{why}</p>
      <p className="summary-dim">Doubt: {doubt}</p>
      <p>Next: {next}</p>
      <dl>
        <dt>Share</dt>
        <dd>{`${formatShare(share.value, 1, 1)} of ${of}${range}; ${formatCount(samples)} counted (${id})`}</dd>
        {where.length > 0 && (
          <>
            <dt>Where</dt>
            <dd>
              {where
                .map(({ key, share: part }) => `${nameOfLabel(key)} ${formatShare(part, 1, 1)}`)
                .join(', ')}
            </dd>
          </>
        )}
        {pools.length > 0 && (
          <>
            <dt>Threads</dt>
            <dd>{pools.join(', ')}</dd>
          </>
        )}
        {when !== undefined && (
          <>
            <dt>When</dt>
            <dd>{PATTERN_TEXTS[when]}</dd>
          </>
        )}
      </dl>
      {stacks.map(({ frames, share: part }, at) => (
        <details key={at}>
          <summary>{`Stack ${at + 1}, ${formatShare(part, 1, 1)}: ${nameOfLabel(frames[frames.length - 1] ?? '')}`}</summary>
          <ol>
            {frames
              .toReversed()
              .slice(0, MOST_FRAMES)
              .map((frame, depth) => (
                <li key={depth}>{frame}</li>
              ))}
            {frames.length > MOST_FRAMES && <li>{`… ${frames.length - MOST_FRAMES} more`}</li>}
          </ol>
        </details>
      ))}
    </>
  );
}

/** A time in which a method has much more than else; a click shows that time alone. */
export function Burst({ burst, targets }: { readonly burst: Finding; readonly targets: Targets }): ReactNode {
  const { period, share, subject = '' } = burst;
  if (period === undefined) return null;
  return (
    <button
      type="button"
      className="summary-line summary-burst"
      data-testid="summary-burst"
      data-tip={`${findingTitle(burst)}. ${burst.why} ${burst.doubt} A click shows this time alone.`}
      onClick={() => showFinding(burst, targetOf(burst, targets))}
    >
      <span className="summary-words">
        {unbroken(
          `${period.text.replace(' to ', '–')}: ${nameOfLabel(subject)} ${formatShare(share.value, 1, 1)} instead of ${formatShare(period.usual, 1, 1)}`,
        )}
      </span>
      <span className="summary-go">Show</span>
    </button>
  );
}

/** Longest name in a line, characters. */
const MOST_OF_NAME = 34;

/** A frame without its package, which the tooltip has. A long name is cut before its end, which tells it apart. */
export function Name({
  of,
  isStrong = false,
}: {
  readonly of: string;
  readonly isStrong?: boolean;
}): ReactNode {
  return (
    <span className="summary-name" data-strong={isStrong ? '' : undefined}>
      {elideMiddle(nameOfLabel(of), MOST_OF_NAME)}
    </span>
  );
}

/** A text whose percentages are not broken before their sign. */
export function unbroken(text: string): string {
  return text.replaceAll(' %', '\u00a0%');
}

/** A share in the column of numbers. */
export function Share({ of }: { readonly of: number }): ReactNode {
  return <span className="summary-share">{unbroken(formatShare(of, 1, 1))}</span>;
}

/**
 * Shows the samples of a finding alone, or the time of a burst, and selects its method: one step for undo. `target`: the
 * row of the method.
 */
function showFinding({ show, period }: Finding, target: MethodRef | undefined): void {
  changeActive((log) => {
    let { scope } = log;
    for (const key of show.keep) scope = withTransform(scope, { kind: 'keep', key, keys: 'fqmn' });
    const range =
      period === undefined ? scope.range : ({ kind: 'between', from: period.from, to: period.to } as const);
    return withScope(log, { scope: { ...scope, range } });
  });
  if (target !== undefined) goToMethod(target);
  else if (useWindow.getState().isSmall) showOnly('flame');
}
