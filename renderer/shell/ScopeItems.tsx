import type { ReactNode } from 'react';
import { enterCurrentPane } from '../panes/enter-pane.ts';
import { COMPARE_PARTS } from '../store/compare-actions.ts';
import { clearScope } from '../store/scope-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { CompareBySelect } from './CompareBySelect.tsx';
import { hasNothingSinceMark, outsideSentence, outsideText } from './outside-text.ts';
import { ScopePanel } from './ScopePanel.tsx';
import { ScopeSteps } from './ScopeSteps.tsx';
import { isScoped, type ScopeChip, useScopeChips } from './use-scope-chips.ts';
import './scope.css';

/** CSS pixels to which a chip is shortened: its last letters, an ellipsis before them, and its button. */
const LEAST_CHIP = 128;
/** The same for a sentence, of which up to six letters more stay. */
const LEAST_SENTENCE = 176;
/** What is longer is in the panel, and said when the pointer or the focus is on it. */
const MOST_CHIP = 352;

/**
 * What the panes look at, in the row of the log's numbers: a chip for each choice, and what is outside. Where the row is
 * short chips are shortened, and then the last ones are only in the panel, which lists all of them.
 */
export function ScopeItems({
  log,
  controlKey,
}: {
  readonly log: LogView;
  readonly controlKey: string;
}): ReactNode {
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
      <ScopePanel log={log} chips={chips} controlKey={controlKey} />
      <Outside log={log} />
      {log.baseline !== undefined && (
        <div data-rank="4" data-listed="">
          <CompareBySelect log={log} testId="compare-by" />
        </div>
      )}
      {chips.length > 1 && (
        <button
          type="button"
          className="button"
          data-rank="5"
          data-listed=""
          data-testid="scope-clear"
          onClick={() => {
            clearScope();
            enterCurrentPane();
          }}
        >
          Show all
        </button>
      )}
      {/* At the end of the row: what a step adds or removes does not move them. */}
      <div className="scope-steps" data-rank="3" data-listed="">
        <ScopeSteps log={log} controlKey={controlKey} />
      </div>
    </div>
  );
}

function Chip({ chip }: { readonly chip: ScopeChip }): ReactNode {
  const { text, help, note, onOpen, onRemove, isSentence = false } = chip;
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
      <button
        type="button"
        className="button button-bare"
        aria-label={`Remove: ${text}`}
        data-tip={`Remove: ${text}`}
        onClick={() => {
          onRemove();
          enterCurrentPane();
        }}
      >
        <Icon name="close" />
      </button>
    </li>
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
