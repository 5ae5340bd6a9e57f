import { type ReactNode, useEffect, useRef, useState } from 'react';
import { shownState } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { logFacts } from './log-facts.ts';
import { stateText } from './log-state.ts';

/** The log's state; a click unfolds what is known about its health. */
export function StatusChip({ log }: { readonly log: LogView }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const { tone, text } = stateText(log);
  const facts = logFacts(log);

  useEffect(() => {
    if (!isOpen) return;
    function onPointerDown(event: PointerEvent): void {
      if (event.target instanceof Node && element.current?.contains(event.target) !== true) setOpen(false);
    }
    window.addEventListener('pointerdown', onPointerDown, true);
    return () => window.removeEventListener('pointerdown', onPointerDown, true);
  }, [isOpen]);

  return (
    <div
      ref={element}
      className="chip-place"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
      }}
    >
      <button
        type="button"
        className={`chip tone-${tone}`}
        data-testid="status-chip"
        data-tone={tone}
        data-state={shownState(log)}
        aria-expanded={isOpen}
        data-tip={isOpen ? undefined : 'Details'}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="state-dot" aria-hidden="true" />
        <span className="chip-text">{text}</span>
      </button>
      {isOpen && facts.length > 0 && (
        <dl className="facts" data-testid="log-facts">
          {facts.map((fact) => (
            <div key={fact.name}>
              <dt>{fact.name}</dt>
              <dd>{fact.value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
