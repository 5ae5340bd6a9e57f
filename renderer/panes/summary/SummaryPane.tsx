import { type KeyboardEvent, memo, type ReactNode, useState } from 'react';
import { PATTERN_TEXTS } from '../../../shared/engine/views/time-pattern.ts';
import { nameOfLabel } from '../../../shared/text/format-frame.ts';
import { formatShare } from '../../../shared/text/format-value.ts';
import type { ChangedMethod, Changes } from '../../../shared/summary/changes.ts';
import type { HotMethod, PathStep, Summary } from '../../../shared/summary/summary.ts';
import {
  allPathsText,
  answerText,
  burstsApart,
  lostText,
  poolsText,
  stepText,
} from '../../../shared/summary/summary-text.ts';
import { openDialog, prefer, select, showOnly } from '../../store/actions/actions.ts';
import type { ShownAnswer } from '../../store/panes/pane-views.ts';
import { goToMethod } from '../../store/actions/detail-actions.ts';
import { comparedSides, type SideWords } from '../../store/state/compared-names.ts';
import { isFrozen, mayGrow, showsPart } from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { Button } from '../../widgets/Button.tsx';
import { drawsSame } from '../../store/state/quiet-log.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { paneAction } from '../pane-keys.ts';
import { TimesDrawing } from '../TimesDrawing.tsx';
import { HotNow } from './HotNow.tsx';
import { Burst, FindingList, Name, Share, unbroken } from './Findings.tsx';
import { take } from '../../widgets/key-name.ts';
import '../pane-bar.css';
import './summary.css';

const drawsAlike = drawsSame('summary');

/**
 * The answer first: why it is slow, as sentences that go where they are about. While a log grows, what is under the pointer
 * stays as it is.
 */
export const SummaryPane = memo(function SummaryPane({ log }: { readonly log: LogView }): ReactNode {
  const news = log.panes.summary.shown;
  const isSmall = useWindow((state) => state.isSmall);
  const isReading = useWindow(showsPart);
  const [isHeld, setHeld] = useState(false);
  const [shown, setShown] = useState(news);
  const mustWait = isHeld && shown?.isPending === false && shown.asked === news?.asked;
  if (shown !== news && !mustWait) setShown(news);
  return (
    <section
      className="pane summary-pane"
      aria-label="Summary"
      data-pane="summary"
      data-testid="pane-summary"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <div className="pane-bar">
        <span className="summary-title">Summary</span>
        {(isReading || shown?.isOfPart === true) && <span className="header-note">so far</span>}
        {!isSmall && (
          <Button
            className="summary-close"
            icon="close"
            label="Close the summary"
            tip="Close the summary (9)"
            onClick={() => prefer({ summary: false })}
          />
        )}
      </div>
      {news?.isPending !== false && <div className="summary-progress" aria-hidden="true" />}
      <div
        className="summary-body"
        role="region"
        aria-label="Answers"
        tabIndex={0}
        aria-busy={news?.isPending !== false}
        onKeyDown={walkAnswers}
        data-stale={shown?.isPending === true ? '' : undefined}
      >
        {shown === undefined ? (
          <p className="summary-note summary-late">Looking where the samples are…</p>
        ) : (
          <Content shown={shown} />
        )}
      </div>
      {showsHotNow(log) && <HotNow recent={log.recent} isHeld={isHeld} />}
      {shown !== undefined && <Lost summary={shown.summary} />}
    </section>
  );
}, drawsAlike);

/** Methods that grow are measured: not while the view stands still, or has only the latest samples. */
function showsHotNow(log: LogView): boolean {
  return log.hasGrown && mayGrow(log) && !isFrozen(log) && log.scope.range?.kind !== 'latest';
}

/** Arrow keys, Home and End put the focus on an answer, Page Up and Page Down on the first of a part. */
function walkAnswers(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const answers = [...event.currentTarget.querySelectorAll<HTMLElement>('button, summary')];
  const at = answers.indexOf(document.activeElement as HTMLElement);
  const parts = answers.map((each) => each.closest('.summary-part'));
  const to = {
    ArrowDown: at + 1,
    ArrowUp: Math.max(0, at - 1),
    Home: 0,
    End: answers.length - 1,
    PageDown: parts.findIndex((part, index) => index > at && part !== parts[index - 1]),
    PageUp: parts.findLastIndex((part, index) => index < at && part !== parts[index - 1]),
  }[event.key];
  if (to === undefined) return;
  answers[to]?.focus();
  take(event);
}

/** Nothing is compared any more: the answer to that is on its way. */
const NO_WORDS: SideWords = { next: '', base: '' };

/** A selection changes none of it. */
const Content = memo(function Content({ shown }: { readonly shown: ShownAnswer }): ReactNode {
  const sides = useWindow(comparedSides);
  const { changes, summary, findings, targets } = shown;
  if (changes === undefined && summary.samples === 0)
    return <p className="summary-note">No sample is in this scope.</p>;
  const { bursts, others } = burstsApart(findings ?? { findings: [] });
  const where = changes === undefined || sides === undefined ? '' : ` ${sides.next}`;
  return (
    <>
      {changes === undefined ? (
        <Answer summary={summary} />
      ) : (
        <WhatChanged changes={changes} sides={sides ?? NO_WORDS} />
      )}
      {summary.requests !== undefined && <p className="summary-note">{summary.requests}</p>}
      {summary.path.length > 0 && (
        <Part title={`Hot path${where}`}>
          {summary.path.map((step, at) => (
            <Step key={`${at} ${step.id}`} step={step} summary={summary} />
          ))}
        </Part>
      )}
      {summary.methods.length > 0 && (
        <Part title={`Hottest methods${where}`}>
          {summary.methods.map((method) => (
            <Method key={method.ref.label} method={method} whole={summary.whole} />
          ))}
        </Part>
      )}
      {findings === undefined ? (
        <p className="summary-note summary-late">Looking for findings…</p>
      ) : (
        <Part title="Findings" of={findings.whole}>
          <FindingList findings={others} answer={findings} targets={targets} />
        </Part>
      )}
      {bursts.length > 0 && (
        <Part title="Bursts">
          {bursts.map((burst) => (
            <Burst key={burst.subject} burst={burst} targets={targets} />
          ))}
        </Part>
      )}
    </>
  );
});

interface PartProps {
  readonly title: string;
  /** The whole of its shares, where that is not the whole of the sentence. */
  readonly of?: string | undefined;
  readonly children: ReactNode;
}

function Part({ title, of, children }: PartProps): ReactNode {
  return (
    <section className="summary-part" aria-label={title}>
      <h2>{of === undefined ? title : `${title}, shares of ${of}`}</h2>
      {children}
    </section>
  );
}

/** The answer of a comparison: a sentence, what grew, what shrank. The parts below it are of its first side alone. */
function WhatChanged({
  changes,
  sides,
}: {
  readonly changes: Changes;
  readonly sides: SideWords;
}): ReactNode {
  const { answer, grew, shrank, certainty } = changes;
  const [next, base] = [`${changes.sides.next} ${sides.next}`, `${changes.sides.base} ${sides.base}`];
  return (
    <>
      {answer !== undefined && (
        <button
          type="button"
          className="summary-answer"
          data-testid="summary-answer"
          data-tip={answer.method.ref.label}
          onClick={() => goToMethod(answer.method.ref)}
        >
          <strong>{nameOfLabel(answer.method.ref.label)}</strong>
          {unbroken(` ${answer.text}`)}
        </button>
      )}
      <p className="summary-note" data-testid="summary-sides">
        {`${next}, ${base}; ${certainty}`}
      </p>
      {[
        { title: 'Grew', methods: grew },
        { title: 'Shrank', methods: shrank },
      ].map(
        ({ title, methods }) =>
          methods.length > 0 && (
            <Part key={title} title={title}>
              {methods.map((method) => (
                <Changed key={method.ref.label} method={method} />
              ))}
            </Part>
          ),
      )}
    </>
  );
}

function Changed({ method: { ref, change, base, next } }: { readonly method: ChangedMethod }): ReactNode {
  const values = base === '' ? `new ${next}` : next === '' ? `gone, had ${base}` : `${base} → ${next}`;
  return (
    <button
      type="button"
      className="summary-line summary-changed"
      data-testid="summary-changed"
      data-tip={`${ref.label}: in itself ${values}`}
      onClick={() => goToMethod(ref)}
    >
      <span className="summary-share">{change}</span>
      <Name of={ref.label} />
      <span className="summary-values">{values}</span>
    </button>
  );
}

/** The sentence that answers, its first words large. */
function Answer({ summary }: { readonly summary: Summary }): ReactNode {
  const told = answerText(summary);
  const { answer } = summary;
  if (told === undefined || answer === undefined) return null;
  const name = nameOfLabel(answer.method.ref.label);
  const [before, after] = splitOnce(told, name);
  return (
    <button
      type="button"
      className="summary-answer"
      data-testid="summary-answer"
      data-tip={answer.method.ref.label}
      onClick={() => goToMethod(answer.method.ref)}
    >
      {before}
      <strong>{name}</strong>
      <span className="summary-dim">{after}</span>
    </button>
  );
}

function splitOnce(text: string, by: string): readonly [before: string, after: string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + by.length)];
}

function Step({ step, summary }: { readonly step: PathStep; readonly summary: Summary }): ReactNode {
  const isAnswer = step.onAllPaths !== undefined;
  const shown = isAnswer ? step : (step.last ?? step);
  const others = step.last === undefined ? 0 : step.between + 1;
  const onAllPaths = allPathsText(step);
  return (
    <button
      type="button"
      className="summary-line"
      data-testid="summary-step"
      data-tip={`${stepText(step)}: ${formatShare(shown.share, 1)} of ${summary.whole}`}
      onClick={() => goToCall(shown)}
    >
      <Share of={shown.share} />
      <Name of={shown.label} isStrong={isAnswer} />
      {others > 0 && (
        <span className="summary-more">
          … {others}
          <span className="summary-frames">{others === 1 ? ' frame' : ' frames'}</span>
        </span>
      )}
      {onAllPaths !== undefined && (
        <span className="summary-under">{unbroken(`by this path, ${onAllPaths}`)}</span>
      )}
    </button>
  );
}

function Method({ method, whole }: { readonly method: HotMethod; readonly whole: string }): ReactNode {
  const { ref, self, total, when } = method;
  const pools = poolsText(method);
  const pattern = when === undefined ? '' : PATTERN_TEXTS[when.pattern];
  return (
    <button
      type="button"
      className="summary-line summary-method"
      data-testid="summary-method"
      data-tip={`${ref.label}: ${formatShare(self, 1)} of ${whole} in itself, ${formatShare(total, 1)} with what it calls`}
      onClick={() => goToMethod(ref)}
      onKeyDown={(event) =>
        paneAction(event, { kind: 'frame', label: ref.label }, undefined, () => undefined)
      }
    >
      <Share of={self} />
      <Name of={ref.label} />
      {when !== undefined && (
        <TimesDrawing counts={when.counts} width={48} height={12} className="summary-times" />
      )}
      <span className="summary-under">{[pattern, pools].filter((text) => text !== '').join(' · ')}</span>
    </button>
  );
}

function Lost({ summary }: { readonly summary: Summary }): ReactNode {
  if (summary.lost.length === 0) return null;
  return (
    <button
      type="button"
      className="summary-lost"
      data-testid="summary-lost"
      data-tip="Show what was lost, and what it means for the numbers"
      onClick={() => openDialog({ kind: 'details' })}
    >
      {lostText(summary)}
    </button>
  );
}

/** Selects a call of the hot path; a small window shows the call tree. */
function goToCall({ id, label }: Pick<PathStep, 'id' | 'label'>): void {
  select({ of: 'calls', id, label, kind: 'frame' }, undefined, 'summary');
  if (useWindow.getState().isSmall) showOnly('tree');
}
