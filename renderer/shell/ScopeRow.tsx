import { memo, type ReactNode } from 'react';
import { formatCount, formatQuantity, formatShare, formatSpan } from '../../shared/text/format-value.ts';
import { shareCertainty } from '../../shared/engine/columns/precision.ts';
import type { CompareBy } from '../../shared/engine/values/row-change.ts';
import type { Baseline } from '../../shared/scope/scope.ts';
import { enterCurrentPane, enterPaneWhenShown } from '../panes/enter-pane.ts';
import { openDialog, prefer, showOnly } from '../store/actions.ts';
import { COMPARE_PARTS, isMarked } from '../store/compare-actions.ts';
import { comparabilityOf } from '../store/compared-names.ts';
import type { Place } from '../store/pane-list.ts';
import { clearScope, hideErrors, redoScope, undoScope } from '../store/scope-actions.ts';
import {
  currentPane,
  hasSamples,
  isPartial,
  shownSummary,
  shownCompareBy,
  shownPanes,
  unitsOf,
} from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { Select } from '../widgets/Select.tsx';
import { tipOf } from './commands.ts';
import { ThreadsButton } from './ThreadsPanel.tsx';
import { type ScopePart, useScopeParts } from './use-scope-parts.ts';
import { errorShare } from './scope-numbers.ts';
import { MetricControl } from './ViewOptions.tsx';
import { placeChoices } from './view-options.ts';
import './scope.css';

/**
 * The scope of all panes, as a path from all threads to what is left, and its numbers, all of one state of the panes. It
 * wraps where the window is narrow. It is there for every log, so that no pane moves when something is narrowed.
 */
export const ScopeRow = memo(function ScopeRow({ log }: { readonly log: LogView }): ReactNode {
  const isSmall = useWindow((state) => state.isSmall);
  const parts = useScopeParts(log);
  // Nothing was counted in a file that could not be opened.
  const { state } = log.status ?? {};
  if (!hasSamples(log) && (state === 'failed' || state === 'waiting' || state === 'gone')) return null;
  return (
    <section className="scope-row" aria-label="Scope" data-testid="scope">
      {isSmall && hasSamples(log) && <PaneSwitch />}
      <ol className="scope-path">
        <li>
          <ThreadsButton key={log.key} log={log} />
        </li>
        {parts.map((part) => (
          <Part key={part.key} part={part} />
        ))}
        {log.baseline !== undefined && (
          <li>
            <CompareBySelect log={log} />
            <CareHint log={log} baseline={log.baseline} />
          </li>
        )}
        {parts.length > 1 && (
          <li>
            <Button
              className="button-small"
              testId="scope-clear"
              onClick={() => {
                clearScope();
                enterCurrentPane();
              }}
            >
              Show all
            </Button>
          </li>
        )}
      </ol>
      {/* What comes and goes is at the left end: nothing else moves. */}
      <div className="scope-facts">
        {log.computing ? (
          <span className="scope-hint" role="status" data-testid="computing">
            computing…
          </span>
        ) : (
          isPartial(log) && (
            <span className="scope-hint" data-testid="so-far">
              so far
            </span>
          )
        )}
        <NoteChip log={log} />
        {!isSmall && <MetricControl log={log} />}
        <Numbers log={log} />
        <ErrorSwitch log={log} />
        <span className="scope-steps">
          <StepButton icon="undo" name="Undo" steps={log.scopesBack} onClick={undoScope} />
          <StepButton icon="redo" name="Redo" steps={log.scopesForward} onClick={redoScope} />
        </span>
      </div>
    </section>
  );
});

/** Says that the two sides were not recorded in the same way. */
function CareHint({ log, baseline }: { readonly log: LogView; readonly baseline: Baseline }): ReactNode {
  const note = useWindow((state) => {
    const found = comparabilityOf(state, log, baseline);
    return found !== undefined && found.warnings.length > 0 ? found.text : undefined;
  });
  if (note === undefined) return null;
  return (
    <span className="scope-hint" data-tip={note} tabIndex={0} data-testid="compare-care">
      Compare with care
    </span>
  );
}

function Part({ part }: { readonly part: ScopePart }): ReactNode {
  const { text, help, note, onOpen, onRemove, onSwap } = part;
  // A verb is never cut.
  const verb = text.slice(0, text.indexOf(' ') + 1);
  const content = (
    <>
      {verb}
      <ElidedText text={text.slice(verb.length)} keepsWord />
    </>
  );
  const shared = {
    className: 'chip-text',
    'data-tip': note === undefined ? `${help}: ${text}` : `${help}: ${text}. ${note}`,
  };
  return (
    <li className="scope-chip" data-testid="scope-chip">
      {onOpen === undefined ? (
        <span {...shared}>{content}</span>
      ) : (
        <button type="button" {...shared} onClick={onOpen}>
          {content}
        </button>
      )}
      {onSwap !== undefined && (
        <Button
          icon="swap"
          label="Swap the sides of the comparison"
          tip="Swap: what is new becomes the base"
          testId="compare-swap"
          onClick={onSwap}
        />
      )}
      <Button
        icon="close"
        label={`Remove: ${text}`}
        onClick={() => {
          onRemove();
          enterCurrentPane();
        }}
      />
    </li>
  );
}

/** The numbers of the scope: `29,649 of 201,605 samples`, its threads and its time. Dimmed while they are not final. */
function Numbers({ log }: { readonly log: LogView }): ReactNode {
  const { summary } = log;
  const { counted } = unitsOf(log);
  const samples = summary?.samples ?? 0;
  const inScope = summary === undefined ? 0 : shownSummary(summary).samples - summary.beyondZoom.samples;
  const threads = summary?.threadsInScope ?? summary?.threads ?? 0;
  const seconds = summary?.seconds ?? 0;
  const isNothingNew = summary !== undefined && isMarked(log) && inScope === 0;
  return (
    <dl className="scope-numbers" data-partial={isPartial(log) ? '' : undefined}>
      <div data-tip={isNothingNew ? COMPARE_PARTS : inScopeTip(log, inScope)}>
        <dt>{samples === 1 ? counted.one : counted.many}</dt>
        <dd className="scope-count">
          {inScope !== samples && (
            <>
              <span data-testid="sample-count-in-scope">{formatCount(inScope)}</span>
              <span className="scope-whole"> of </span>
            </>
          )}
          <span className={inScope === samples ? undefined : 'scope-whole'} data-testid="sample-count">
            {formatCount(samples)}
          </span>
        </dd>
      </div>
      <div className="scope-more">
        <dt>{threads === 1 ? 'thread' : 'threads'}</dt>
        <dd data-testid="thread-count">{formatCount(threads)}</dd>
      </div>
      {seconds > 0 && (
        <div className="scope-more">
          <dt className="unseen">span</dt>
          <dd data-testid="span">{formatSpan(seconds * 1e9)}</dd>
        </div>
      )}
    </dl>
  );
}

/** The share in scope and how exactly it is known; undefined where nothing is left out. */
function inScopeTip(log: LogView, inScope: number): string | undefined {
  const samples = log.summary?.samples ?? 0;
  if (inScope === samples) return undefined;
  const units = unitsOf(log);
  const share = `${formatShare(inScope, samples, 1)} of all ${units.counted.many} are in scope`;
  const certainty = shareCertainty(inScope, samples, units);
  return certainty === undefined ? share : `${share}: ${certainty.text}`;
}

/** The share of samples without a stack, and whether all panes leave them out. Nothing where there are none. */
function ErrorSwitch({ log }: { readonly log: LogView }): ReactNode {
  const isHidden = log.hidesErrors;
  const known = errorShare(log, isHidden);
  if (known === undefined) return null;
  const { errors, share, certainty } = known;
  return (
    <button
      type="button"
      role="switch"
      className={isHidden ? 'chip chip-on' : 'chip'}
      aria-label="Leave out samples without a stack"
      aria-checked={isHidden}
      data-testid="hide-errors"
      data-tip={
        `${formatQuantity(errors, 'sample')} in scope without a stack` +
        (certainty === undefined ? '' : `: ${certainty}`) +
        (isHidden ? '. Click to show them.' : '. Click to leave them out in all panes.')
      }
      onClick={() => hideErrors(!isHidden)}
    >
      <Icon name={isHidden ? 'hidden' : 'shown'} />
      no stack <span className="scope-share">{share}</span>
      <span className="unseen">{isHidden ? ' left out' : ''}</span>
    </button>
  );
}

/** Marks that the counts need an explanation, which is in the details panel. */
function NoteChip({ log }: { readonly log: LogView }): ReactNode {
  const notes = log.status?.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <button
      type="button"
      className="chip"
      data-testid="note"
      data-tip={notes[0]}
      onClick={() => openDialog({ kind: 'details' })}
    >
      <Icon name="info" />
      {formatQuantity(notes.length, 'note')}
    </button>
  );
}

/** Which pane a small window shows. */
function PaneSwitch(): ReactNode {
  const place = useWindow(shownPanes);
  return (
    <SegmentedControl<Place>
      label="Pane"
      // Callers and callees are of a method, which leads to them.
      choices={placeChoices().filter(
        ({ value }) => value !== (place === 'sandwich' ? 'summary' : 'sandwich'),
      )}
      value={place === 'all' ? 'flame' : place}
      onChange={(chosen) => {
        showOnly(chosen);
        enterPaneWhenShown(currentPane(useWindow.getState()));
      }}
      testId="pane-switch"
    />
  );
}

/** Undo or redo of what the panes look at. */
function StepButton({
  icon,
  name,
  steps,
  onClick,
}: {
  readonly icon: 'undo' | 'redo';
  readonly name: string;
  readonly steps: LogView['scopesBack'];
  readonly onClick: () => void;
}): ReactNode {
  return (
    <Button
      icon={icon}
      testId={`scope-${icon}`}
      label={name}
      tip={tipOf(icon, name)}
      // Not `disabled`: the last step that it takes would lose the focus.
      aria-disabled={steps.length === 0}
      onClick={onClick}
    />
  );
}

const COMPARE_CHOICES = [
  { value: 'share', text: 'Shares' },
  { value: 'amount', text: 'Amounts' },
  { value: 'rate', text: 'Per second' },
] as const;

/** Chooses the quantity that is compared. */
function CompareBySelect({ log }: { readonly log: LogView }): ReactNode {
  const by = useWindow(({ preferences }) => shownCompareBy(log, preferences));
  const seconds = log.summary?.compared?.seconds;
  const hasTimes = seconds !== undefined && seconds.base > 0 && seconds.next > 0;
  return (
    <Select<CompareBy>
      label="Compare"
      choices={hasTimes ? COMPARE_CHOICES : COMPARE_CHOICES.slice(0, 2)}
      value={by}
      onChange={(compareBy) => prefer({ compareBy })}
      hint="Shares of each side’s total, amounts, or amounts per second"
      testId="compare-by"
    />
  );
}
