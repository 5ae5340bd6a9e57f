import type { ReactNode } from 'react';
import { type Baseline, isEmptyScope } from '../../shared/scope/scope.ts';
import { transformHelp, transformText } from '../../shared/scope/scope-text.ts';
import { rangeText } from '../../shared/scope/time-text.ts';
import { threadsText } from '../../shared/scope/thread-pattern.ts';
import type { SplitMethod } from '../../shared/trees/grouping.ts';
import { certaintyOf } from '../../shared/views/precision.ts';
import { conditionsText } from '../../shared/views/conditions-text.ts';
import { NO_CONDITIONS } from '../../shared/views/row-conditions.ts';
import type { CompareBy } from '../../shared/values/compared-to.ts';
import { formatCount, formatShare } from '../../shared/text/format-value.ts';
import {
  clearScope,
  editStep,
  filterRows,
  hideErrors,
  redoScope,
  removeThread,
  removeTransform,
  undoScope,
} from '../store/scope-actions.ts';
import { comparedText } from '../store/compared-names.ts';
import { compareBy, compareWith } from '../store/compare-actions.ts';
import { joinLines, splitIn } from '../store/split-actions.ts';
import { openFilter, openRange, zoomTo } from '../store/actions.ts';
import { chooseRange } from '../store/time-actions.ts';
import { shownCompareBy, unitsOf, wholeFlame } from '../store/selectors.ts';
import type { LogView, ScopeStep } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { Select } from '../widgets/Select.tsx';
import './scope-bar.css';

/** So many split methods have one chip: the rows of each can be joined where it is. */
const MOST_SPLIT_CHIPS = 3;

/**
 * What the panes look at, one chip for each choice, in the order in which they are applied; and what is outside. Not
 * shown for a log that is shown whole and was so from the beginning, or is only zoomed without narrowing anything: the bar
 * would move the graph with the first click, and the title of the graph says where the zoom is.
 */
export function ScopeBar({
  log,
  controlKey,
}: {
  readonly log: LogView;
  readonly controlKey: string;
}): ReactNode {
  const { scope, baseline, scopesBack, scopesForward, timeline, where, hidesErrors } = log;
  const frames = useWindow((state) => state.preferences.frames);
  const split = splitIn(log.split, frames);
  const flame = useWindow((state) => wholeFlame(state));
  const narrows = useWindow((state) => state.preferences.zoomNarrows) && flame === 'flame';
  const zoom = zoomLabel(log, flame);
  const now: ScopeStep = { ...log, split };
  const isEverything = zoom === undefined && !isNarrowed(now);
  const needsBar = (step: ScopeStep): boolean => isNarrowed(step) || (step.zoom !== undefined && narrows);
  if (![now, ...scopesForward].some(needsBar)) return null;
  return (
    <div className="scope-bar" role="group" aria-label="Scope" data-testid="scope">
      <ul className="scope-chips">
        {scope.range !== undefined && (
          <Chip
            text={rangeText(scope.range, timeline && BigInt(timeline.first))}
            help="Only samples of this time"
            onOpen={() => openRange(true)}
            onRemove={() => chooseRange(undefined)}
          />
        )}
        {baseline !== undefined && <BaselineChip log={log} baseline={baseline} />}
        {scope.threads.map((thread) => (
          <Chip
            key={`thread ${thread}`}
            text={threadsText(thread)}
            help="Only samples of the selected threads"
            onRemove={() => removeThread(thread)}
          />
        ))}
        {scope.transforms.map((transform, at) => (
          <Chip
            key={`${at} ${transformText(transform)}`}
            text={transformText(transform)}
            help={transformHelp(transform)}
            onOpen={
              transform.kind === 'only' || transform.kind === 'fold'
                ? () => editStep({ transform, at })
                : undefined
            }
            onRemove={() => removeTransform(at)}
          />
        ))}
        {hidesErrors && (
          <Chip
            text="without errors"
            help="Samples whose stack the profiler could not walk are left out"
            onRemove={() => hideErrors(false)}
          />
        )}
        {zoom !== undefined && (
          <Chip
            text={`zoomed into ${zoom}`}
            help={`${narrows ? 'Flame graph, call tree and methods show' : 'The flame graph shows'} only what is below`}
            onRemove={() => zoomTo(undefined)}
          />
        )}
        {where.length > 0 && (
          <Chip
            text={`rows: ${conditionsText(where, unitsOf(log))}`}
            help="Only rows that pass, and the rows above them"
            onOpen={() => openFilter(true)}
            onRemove={() => filterRows(NO_CONDITIONS)}
          />
        )}
        {split.length < MOST_SPLIT_CHIPS ? (
          split.map(({ key, by }) => (
            <Chip
              key={`split ${key}`}
              text={`${by === 'line' ? 'lines' : 'BCIs'} of ${key}`}
              help="The rows of this method are split"
              onRemove={() => joinLines(key)}
            />
          ))
        ) : (
          <Chip
            text={`lines of ${split.length} methods`}
            help={`The rows of ${namesOf(split)} are split`}
            onRemove={() => joinLines(...split.map(({ key }) => key))}
          />
        )}
        {isEmptyScope(scope) && zoom === undefined && baseline === undefined && !hidesErrors && (
          <li className="scope-none">All samples</li>
        )}
      </ul>
      {baseline !== undefined && <CompareBySelect log={log} />}
      <Outside log={log} />
      <div className="scope-commands">
        <StepButton icon="undo" name="Undo" keys={`${controlKey}Z`} steps={scopesBack} onClick={undoScope} />
        <StepButton
          icon="redo"
          name="Redo"
          keys={`${controlKey}Shift Z`}
          steps={scopesForward}
          onClick={redoScope}
        />
        <button
          type="button"
          className="button"
          data-testid="scope-clear"
          disabled={isEverything}
          onClick={clearScope}
        >
          Show all
        </button>
      </div>
    </div>
  );
}

/** Something other than a zoom is chosen. */
function isNarrowed({ scope, where, split, baseline, hidesErrors }: ScopeStep): boolean {
  return (
    !isEmptyScope(scope) ||
    where.length > 0 ||
    split.length > 0 ||
    baseline !== undefined ||
    hidesErrors === true
  );
}

/** What the samples in scope are compared with. */
function BaselineChip({ log, baseline }: { readonly log: LogView; readonly baseline: Baseline }): ReactNode {
  const logs = useWindow((state) => state.logs);
  const { text, note } = comparedText({ logs }, log, baseline);
  return (
    <Chip
      text={text}
      help="The baseline of the differences"
      note={note}
      onRemove={() => compareWith(undefined)}
    />
  );
}

const COMPARE_CHOICES = [
  { value: 'share', text: 'Shares' },
  { value: 'amount', text: 'Amounts' },
  { value: 'rate', text: 'Per second' },
] as const;

/** What is compared of the two sides. */
function CompareBySelect({ log }: { readonly log: LogView }): ReactNode {
  const by = useWindow(({ preferences }) => shownCompareBy(log, preferences));
  const seconds = log.summary?.compared?.seconds;
  const hasTimes = seconds !== undefined && seconds.base > 0 && seconds.next > 0;
  return (
    <Select<CompareBy>
      label="Compare"
      choices={hasTimes ? COMPARE_CHOICES : COMPARE_CHOICES.slice(0, 2)}
      value={by}
      onChange={compareBy}
      hint="Shares of each side’s total, amounts, or amounts per second"
      testId="compare-by"
    />
  );
}

/** `Cart.add, Cart.price, Shop.run and 4 more` */
function namesOf(split: readonly SplitMethod[]): string {
  const names = split.slice(0, MOST_NAMES).map(({ key }) => key);
  const more = split.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const MOST_NAMES = 5;

/** The frame that is zoomed into in this graph; undefined where everything is shown. */
function zoomLabel({ zoom, panes }: LogView, flame: 'flame' | 'bottomUpFlame'): string | undefined {
  if (zoom === undefined) return undefined;
  const { shown } = panes[flame];
  // Until it is drawn, and where it is not in scope.
  return (shown?.zoom && shown.path.at(-1)?.label) ?? 'a frame';
}

function StepButton({
  icon,
  name,
  keys,
  steps,
  onClick,
}: {
  readonly icon: 'undo' | 'redo';
  readonly name: string;
  readonly keys: string;
  readonly steps: LogView['scopesBack'];
  readonly onClick: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="button button-bare"
      data-testid={`scope-${icon}`}
      aria-label={name}
      data-tip={`${name} (${keys})`}
      disabled={steps.length === 0}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function Chip({
  text,
  help,
  note,
  onOpen,
  onRemove,
}: {
  readonly text: string;
  readonly help: string;
  /** What there is to know besides. */
  readonly note?: string | undefined;
  /** Changes what the chip says; undefined where it can only be removed. */
  readonly onOpen?: (() => void) | undefined;
  readonly onRemove: () => void;
}): ReactNode {
  const tip = note === undefined ? `${help}: ${text}` : `${help}: ${text}. ${note}`;
  return (
    <li className="scope-chip" data-testid="scope-chip">
      {onOpen === undefined ? (
        <span className="chip-text" data-tip={tip}>
          <ElidedText text={text} />
        </span>
      ) : (
        <button type="button" className="chip-text" data-tip={tip} onClick={onOpen}>
          <ElidedText text={text} />
        </button>
      )}
      <button type="button" className="button button-bare" aria-label={`Remove: ${text}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  );
}

function Outside({ log }: { readonly log: LogView }): ReactNode {
  const isSmall = useWindow((state) => state.isSmall);
  const { summary } = log;
  if (summary === undefined) return null;
  const { samples, hidden } = summary;
  const outside = summary.outside.samples + summary.beyondZoom.samples;
  if (outside === 0) return null;
  const units = unitsOf(log);
  const { many, one } = units.counted;
  const share = formatShare(outside, samples - hidden.samples, 1);
  const counted = `${formatCount(outside)} ${outside === 1 ? one : many} outside (${share})`;
  const certainty = certaintyOf(outside, samples - hidden.samples, units)?.text;
  const tip = [...(isSmall ? [counted] : []), ...(certainty === undefined ? [] : [certainty])].join(' · ');
  return (
    <span className="scope-outside" data-testid="scope-outside" data-tip={tip === '' ? undefined : tip}>
      {isSmall ? `${share} outside` : counted}
    </span>
  );
}
