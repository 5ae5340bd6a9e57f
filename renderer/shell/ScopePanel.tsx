import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { enterCurrentPane } from '../panes/enter-pane.ts';
import { clearScope } from '../store/scope-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { useLeftOut } from '../widgets/FittingRow.tsx';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { CompareBySelect } from './CompareBySelect.tsx';
import { outsideSentence, type OutsideText, outsideText } from './outside-text.ts';
import { ScopeSteps } from './ScopeSteps.tsx';
import { isScoped, type ScopeChip } from './use-scope-chips.ts';

/** CSS pixels of its button, with a number and without; as in scope.css. */
const MORE_WIDTH = '62';
const BARE_WIDTH = '32';
/** The largest number for which the button has space. */
const MOST_COUNTED = 99;

interface ScopePanelProps {
  readonly log: LogView;
  readonly chips: readonly ScopeChip[];
  readonly controlKey: string;
}

/** Everything of the scope, behind a button that is there when something of it does not fit in the row: `+3`. */
export function ScopePanel({ log, chips, controlKey }: ScopePanelProps): ReactNode {
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
      {() => <ScopeList log={log} chips={chips} controlKey={controlKey} />}
    </Popover>
  );
}

const sentenceOf = (outside: OutsideText | undefined): string =>
  outside === undefined ? 'Nothing is outside' : outsideSentence(outside);

function ScopeList({ log, chips, controlKey }: ScopePanelProps): ReactNode {
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
          {chips.map(({ key, text, help, note, onOpen, onRemove }) => (
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
              <button
                type="button"
                className="button button-bare"
                aria-label={`Remove: ${text}`}
                onClick={onRemove}
              >
                <Icon name="close" />
              </button>
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
        <ScopeSteps log={log} controlKey={controlKey} />
        <button
          type="button"
          className="button"
          data-testid="scope-panel-clear"
          aria-disabled={!isScoped(log)}
          onClick={clearScope}
        >
          Show all
        </button>
      </div>
    </div>
  );
}
