import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { Icon } from './icons.tsx';
import './search-field.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly disabled: boolean;
  /** Called a moment after the last key, and at once on Enter. */
  readonly onSearch: (text: string) => void;
  readonly onFind: (direction: 1 | -1) => void;
  readonly onLeave: () => void;
  readonly result: { readonly text: string; readonly hint?: string };
  readonly problem: string | undefined;
  /** Only matches are shown. */
  readonly isOnly: boolean;
  readonly onOnly: () => void;
}

const PAUSE_MS = 120;

/**
 * Search text, with the result beside it. Enter and Shift+Enter select the next and previous match, Esc clears and
 * leaves.
 */
export function SearchField(props: SearchFieldProps): ReactNode {
  const { label, placeholder, value, result, onSearch, onFind, onLeave, problem } = props;
  /** Text that is typed and not searched yet. */
  const [draft, setDraft] = useState<string>();
  const text = draft ?? value;

  useEffect(() => {
    if (draft === undefined) return;
    const timer = setTimeout(() => {
      onSearch(draft);
      setDraft(undefined);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, onSearch]);

  function searchNow(next: string): void {
    setDraft(undefined);
    onSearch(next);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      searchNow(text);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      searchNow(text);
      onFind(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      if (text === '') onLeave();
      else searchNow('');
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      onLeave();
    }
  }

  return (
    <div className={text === '' ? 'search' : 'search search-filled'} role="search">
      <div className={problem === undefined ? 'search-box' : 'search-box search-wrong'}>
        <Icon name="search" />
        <input
          id="search-field"
          type="text"
          spellCheck={false}
          autoComplete="off"
          aria-label={label}
          aria-invalid={problem !== undefined}
          placeholder={placeholder}
          data-testid="search-field"
          value={text}
          disabled={props.disabled}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {text !== '' && (
          <>
            <span className="search-result" role="status" title={result.hint}>
              {draft === undefined ? result.text : ''}
            </span>
            <button
              type="button"
              aria-label="Only matches"
              aria-pressed={props.isOnly}
              data-testid="only-matches"
              data-tip="Show only matches and what leads to them (Ctrl Enter)"
              onClick={() => {
                searchNow(text);
                props.onOnly();
              }}
            >
              <Icon name="filter" />
            </button>
            <button
              type="button"
              aria-label="Previous match"
              data-tip="Previous match (Shift+Enter)"
              onClick={() => onFind(-1)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              aria-label="Next match"
              data-tip="Next match (Enter)"
              onClick={() => onFind(1)}
            >
              <Icon name="down" />
            </button>
            <button
              type="button"
              aria-label="Clear the find field"
              data-tip="Clear (Esc)"
              onClick={() => searchNow('')}
            >
              <Icon name="close" />
            </button>
          </>
        )}
      </div>
      {problem !== undefined && (
        <div className="search-problem" role="alert">
          {problem}
        </div>
      )}
    </div>
  );
}
