import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { enterCurrentPane } from '../panes/enter-pane.ts';
import { prefer } from '../store/actions.ts';
import { COMPARE_PARTS, isMarked } from '../store/compare-actions.ts';
import { clearScope, redoScope, undoScope } from '../store/scope-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { isScoped, type ScopeChip, useScopeChips } from './use-scope-chips.ts';
import { tipOf } from './commands.ts';
import './scope.css';
import { useLeftOut } from '../widgets/FittingRow.tsx';
import { Popover } from '../widgets/Popover.tsx';
import type { CompareBy } from '../../shared/engine/values/compared-to.ts';
import { shownCompareBy, unitsOf } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import { Select } from '../widgets/Select.tsx';
import { shareCertainty } from '../../shared/engine/columns/precision.ts';
import { Button } from '../widgets/Button.tsx';
import { formatCount, formatShare } from '../../shared/text/format-value.ts';

/** CSS pixels to which a chip is shortened: its last letters, an ellipsis before them, and its button. */
const LEAST_CHIP = 128;
/** Least width of a sentence, which keeps up to six letters more. */
const LEAST_SENTENCE = 176;
/** Greatest width of a chip. The panel has the whole text, and so has the tooltip. */
const MOST_CHIP = 352;

/**
 * The scope of the panes, in the row of the log's numbers: a chip for each choice, and the share outside. Where the row is
 * short chips are shortened, and then the last ones are only in the panel, which lists all of them.
 */
export function ScopeItems({ log }: { readonly log: LogView }): ReactNode {
  const chips = useScopeChips(log);
  if (!isScoped(log) && log.scopesBack.length === 0 && log.scopesForward.length === 0) return null;
  return (
    <div className="scope" role="group" aria-label="Scope" data-testid="scope">
      <ul>
        {chips
          .filter(({ isSwitch }) => isSwitch !== true)
          .map((chip) => (
            <Chip key={chip.key} chip={chip} />
          ))}
      </ul>
      <ScopePanel log={log} chips={chips} />
      <Outside log={log} />
      {log.baseline !== undefined && (
        <div data-rank="4" data-listed="">
          <CompareBySelect log={log} testId="compare-by" />
        </div>
      )}
      {chips.length > 1 && (
        <Button
          data-rank="5"
          data-listed=""
          testId="scope-clear"
          onClick={() => {
            clearScope();
            enterCurrentPane();
          }}
        >
          Show all
        </Button>
      )}
      {/* At the end of the row: what a step adds or removes does not move them. */}
      <div className="scope-steps" data-rank="3" data-listed="">
        <ScopeSteps log={log} />
      </div>
    </div>
  );
}

function Chip({ chip }: { readonly chip: ScopeChip }): ReactNode {
  const { text, help, note, onOpen, onRemove, onSwap, isSentence = false } = chip;
  const tip = note === undefined ? `${help}: ${text}` : `${help}: ${text}. ${note}`;
  return (
    <li
      className="scope-chip"
      data-rank="2"
      data-rest-rank="5"
      data-least={isSentence ? LEAST_SENTENCE : LEAST_CHIP}
      data-most={MOST_CHIP}
      data-listed="chip"
      data-testid="scope-chip"
    >
      {onOpen === undefined ? (
        <span className="chip-text" data-tip={tip}>
          <ElidedText text={text} keepsWord={isSentence} />
        </span>
      ) : (
        <button type="button" className="chip-text" data-tip={tip} onClick={onOpen}>
          <ElidedText text={text} keepsWord={isSentence} />
        </button>
      )}
      {onSwap !== undefined && <SwapButton onSwap={onSwap} />}
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

function SwapButton({ onSwap }: { readonly onSwap: () => void }): ReactNode {
  return (
    <Button
      icon="swap"
      label="Swap the sides of the comparison"
      tip="Swap: what is new becomes the base"
      testId="compare-swap"
      onClick={onSwap}
    />
  );
}

/** `1,387 samples outside (89.3 %)`; in a short row `1,387 outside`. */
function Outside({ log }: { readonly log: LogView }): ReactNode {
  const outside = outsideText(log);
  if (outside === undefined) return null;
  const { count, counted, share, certainty } = outside;
  if (hasNothingSinceMark(log))
    return (
      <span
        className="scope-outside"
        data-rank="1"
        data-testid="scope-outside"
        data-tip={`${outsideSentence(outside)}. ${COMPARE_PARTS}`}
      >
        nothing new<span data-rank="8"> since the mark</span>
      </span>
    );
  return (
    <span
      className="scope-outside"
      data-rank="1"
      data-testid="scope-outside"
      data-tip={certainty ?? outsideSentence(outside)}
    >
      {count}
      <span data-rank="9"> {counted}</span> outside<span data-rank="8"> ({share})</span>
    </span>
  );
}

/** CSS pixels of its button, with a number and without; as in scope.css. */
const MORE_WIDTH = '62';
const BARE_WIDTH = '32';
/** The largest number for which the button has space. */
const MOST_COUNTED = 99;

interface ScopePanelProps {
  readonly log: LogView;
  readonly chips: readonly ScopeChip[];
}

/** Everything of the scope, behind a button that is there when something of it does not fit in the row: `+3`. */
function ScopePanel({ log, chips }: ScopePanelProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const leftOut = useLeftOut();
  const label = leftOut === 0 ? 'Scope' : `Scope: ${leftOut} more`;
  const outside = sentenceOf(outsideText(log));
  return (
    <Popover
      label="Scope"
      isOpen={isOpen}
      onToggle={setOpen}
      button={
        <>
          <Icon name="filter" />
          {leftOut > 0 && (leftOut > MOST_COUNTED ? `${MOST_COUNTED}+` : `+${leftOut}`)}
        </>
      }
      placeProps={{ 'data-rank': '0', 'data-more': MORE_WIDTH, 'data-bare': BARE_WIDTH }}
      buttonClass={[
        'chip scope-more',
        ...(isScoped(log) ? ['chip-on'] : []),
        ...(leftOut === 0 ? ['scope-more-bare'] : []),
      ].join(' ')}
      buttonProps={{
        'aria-label': label,
        'data-testid': 'scope-more',
        'data-tip': `What the panes look at. ${outside}`,
      }}
      panelClass="scope-panel"
      panelTestId="scope-panel"
      onLeave={enterCurrentPane}
    >
      {() => <ScopeList log={log} chips={chips} />}
    </Popover>
  );
}

const sentenceOf = (outside: OutsideText | undefined): string =>
  outside === undefined ? 'Nothing is outside' : outsideSentence(outside);

function ScopeList({ log, chips }: ScopePanelProps): ReactNode {
  const outside = outsideText(log);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The focus was on the button of a chip that is removed: Esc and Tab go on from the panel.
    if (document.activeElement === document.body)
      list.current?.closest<HTMLElement>('[role=dialog]')?.focus();
  }, [chips.length]);
  return (
    <div ref={list}>
      {chips.length > 0 && (
        <ul>
          {chips.map(({ key, text, help, note, onOpen, onRemove, onSwap }) => (
            <li key={key}>
              <div>
                {onOpen === undefined ? (
                  text
                ) : (
                  <button type="button" className="link" onClick={onOpen}>
                    {text}
                  </button>
                )}
                <p>{note === undefined ? help : `${help}. ${note}`}</p>
              </div>
              {onSwap !== undefined && <SwapButton onSwap={onSwap} />}
              <Button icon="close" label={`Remove: ${text}`} onClick={onRemove} />
            </li>
          ))}
        </ul>
      )}
      <p className="scope-sum">
        {sentenceOf(outside)}
        {outside?.certainty !== undefined && <span>{outside.certainty}</span>}
      </p>
      <div className="scope-commands">
        {log.baseline !== undefined && <CompareBySelect log={log} testId="scope-compare-by" />}
        <ScopeSteps log={log} />
        <Button testId="scope-panel-clear" aria-disabled={!isScoped(log)} onClick={clearScope}>
          Show all
        </Button>
      </div>
    </div>
  );
}

/** Undo and redo of what the panes look at. */
function ScopeSteps({ log: { scopesBack, scopesForward } }: { readonly log: LogView }): ReactNode {
  return (
    <>
      <StepButton icon="undo" name="Undo" steps={scopesBack} onClick={undoScope} />
      <StepButton icon="redo" name="Redo" steps={scopesForward} onClick={redoScope} />
    </>
  );
}

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
function CompareBySelect({ log, testId }: { readonly log: LogView; readonly testId: string }): ReactNode {
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
      testId={testId}
    />
  );
}

/** The samples that the scope leaves out. */
interface OutsideText {
  readonly count: string;
  /** `samples` */
  readonly counted: string;
  /** Share of all samples that are not hidden. */
  readonly share: string;
  /** The interval of the share; undefined where it is not a matter of chance. */
  readonly certainty: string | undefined;
}

/** `1,387 samples outside (89.3 %)` */
function outsideSentence({ count, counted, share }: OutsideText): string {
  return `${count} ${counted} outside (${share})`;
}

/** The log is marked, and all its samples are from before. */
function hasNothingSinceMark(log: LogView): boolean {
  const { summary } = log;
  return (
    summary !== undefined &&
    isMarked(log) &&
    summary.outside.samples >= summary.samples - summary.hidden.samples
  );
}

/** Undefined where nothing is outside, or nothing is known yet. */
function outsideText(log: LogView): OutsideText | undefined {
  const { summary } = log;
  if (summary === undefined) return undefined;
  const { samples, hidden } = summary;
  const outside = summary.outside.samples + summary.beyondZoom.samples;
  if (outside === 0) return undefined;
  const units = unitsOf(log);
  const all = samples - hidden.samples;
  return {
    count: formatCount(outside),
    counted: outside === 1 ? units.counted.one : units.counted.many,
    share: formatShare(outside, all, 1),
    certainty: shareCertainty(outside, all, units)?.text,
  };
}
