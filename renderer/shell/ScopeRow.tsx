import { memo, type ReactNode } from 'react';
import type { CompareBy } from '../../shared/engine/values/row-change.ts';
import type { Baseline } from '../../shared/scope/scope.ts';
import { threadNoun } from '../../shared/facts/choice.ts';
import { formatCount, formatQuantity, formatShare, formatSpan } from '../../shared/text/format-value.ts';
import { enterCurrentPane, enterPaneWhenShown } from '../panes/enter-pane.ts';
import { openDialog, prefer, showOnly } from '../store/actions/actions.ts';
import { COMPARE_PARTS, isMarked } from '../store/actions/compare-actions.ts';
import { comparabilityOf } from '../store/state/compared-names.ts';
import type { Place } from '../store/panes/pane-list.ts';
import { clearScope, hideErrors } from '../store/actions/scope-actions.ts';
import {
  hasSamples,
  isPartial,
  samplesInScope,
  shownCompareBy,
  shownSummary,
  unitsOf,
} from '../store/state/selectors.ts';
import { currentPane, shownPanes } from '../store/state/shown-panes.ts';
import type { LogView } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { Select } from '../widgets/Select.tsx';
import { ThreadsButton } from './ThreadsPanel.tsx';
import { CommandButton } from './TopRow.tsx';
import { type ScopePart, useScopeParts } from './use-scope-parts.ts';
import { MetricControl, placeChoices } from './ViewOptions.tsx';
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
    <section className="scope-row line wrap" aria-label="Scope" data-testid="scope">
      {isSmall && hasSamples(log) && <PaneSwitch />}
      <ol className="scope-path line wrap">
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
      <div className="scope-facts line wrap numbers">
        {(log.computing || isPartial(log)) && (
          <span
            className="scope-hint dim"
            role={log.computing ? 'status' : undefined}
            data-testid={log.computing ? 'computing' : 'so-far'}
          >
            {log.computing ? 'computing…' : 'so far'}
          </span>
        )}
        <NoteChip log={log} />
        {!isSmall && <MetricControl log={log} />}
        <Numbers log={log} />
        <ErrorSwitch log={log} />
        <span className="scope-steps">
          <CommandButton
            id="undo"
            icon="undo"
            label="Undo"
            testId="scope-undo"
            isOff={log.scopesBack.length === 0}
          />
          <CommandButton
            id="redo"
            icon="redo"
            label="Redo"
            testId="scope-redo"
            isOff={log.scopesForward.length === 0}
          />
        </span>
      </div>
    </section>
  );
});

/** Says that the two sides were not recorded in the same way. */
function CareHint({ log, baseline }: { readonly log: LogView; readonly baseline: Baseline }): ReactNode {
  const note = useWindow((state) => {
    const found = comparabilityOf(state, log, baseline);
    // Pages leave it out.
    return (found?.warnings.length ?? 0) > 0 ? found?.text : undefined;
  });
  if (note === undefined) return null;
  return (
    <span className="scope-hint dim" data-tip={note} tabIndex={0} data-testid="compare-care">
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
      <ElidedText text={text.slice(verb.length)} />
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
  const noun = threadNoun(log.status?.choices ?? []);
  const seconds = summary?.seconds ?? 0;
  const isNothingNew = summary !== undefined && isMarked(log) && inScope === 0;
  const isAll = inScope === samples;
  const tip = `${formatShare(inScope, samples, 1)} of all ${counted.many} are in scope`;
  return (
    <dl className="scope-numbers line" data-partial={isPartial(log) ? '' : undefined}>
      <div data-tip={isNothingNew ? COMPARE_PARTS : isAll ? undefined : tip}>
        <dt className="dim">{samples === 1 ? counted.one : counted.many}</dt>
        <dd className="scope-count">
          {!isAll && (
            <>
              <span data-testid="sample-count-in-scope">{formatCount(inScope)}</span>
              <span className="scope-whole"> of </span>
            </>
          )}
          <span className={isAll ? undefined : 'scope-whole'} data-testid="sample-count">
            {formatCount(samples)}
          </span>
        </dd>
      </div>
      <div className="scope-more">
        <dt className="dim">{threads === 1 ? noun : `${noun}s`}</dt>
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

/** The share of samples without a stack, and whether all panes leave them out. Nothing where there are none. */
function ErrorSwitch({ log }: { readonly log: LogView }): ReactNode {
  const isHidden = log.hidesErrors;
  const known = errorShare(log, isHidden);
  if (known === undefined) return null;
  const { errors, share } = known;
  return (
    <button
      type="button"
      role="switch"
      className="button chip"
      aria-label="Leave out samples without a stack"
      aria-checked={isHidden}
      data-testid="hide-errors"
      data-tip={
        `${formatQuantity(errors, 'sample')} in scope without a stack` +
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

interface ErrorShare {
  readonly errors: number;
  readonly share: string;
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
  return { errors, share: formatShare(errors, samplesInScope(summary), 1) };
}

/** Marks that the counts need an explanation, which is in the details panel. */
function NoteChip({ log }: { readonly log: LogView }): ReactNode {
  const notes = log.status?.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <button
      type="button"
      className="button chip"
      data-testid="note"
      data-tip={notes[0]}
      onClick={() => openDialog({ kind: 'details' })}
    >
      <Icon name="info" />
      {formatQuantity(notes.length, 'note')}
    </button>
  );
}

/** The switch between the panes of a small window. */
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
      isBare
      choices={hasTimes ? COMPARE_CHOICES : COMPARE_CHOICES.slice(0, 2)}
      value={by}
      onChange={(compareBy) => prefer({ compareBy })}
      hint="Shares of each side’s total, amounts, or amounts per second"
      testId="compare-by"
    />
  );
}
