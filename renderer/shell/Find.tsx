import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { foundOnly } from '../../shared/engine/views/row-conditions.ts';
import { formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import { enterCurrentPane } from '../panes/enter-pane.ts';
import { find, search, toggleOnlyMatches } from '../store/actions/actions.ts';
import { hasSamples, shownSummary, unitsOf } from '../store/state/selectors.ts';
import type { LogView } from '../store/state/window-state.ts';
import { Button } from '../widgets/Button.tsx';
import { Icon } from '../widgets/icons.tsx';

const PAUSE_MS = 120;

/**
 * Finds methods, a moment after the last key, with the result beside the text. Enter and Shift+Enter select the next and
 * previous match, Esc clears and leaves.
 */
export function Find({ log }: { readonly log: LogView }): ReactNode {
  /** Text that is typed and not searched yet. */
  const [draft, setDraft] = useState<string>();
  const text = draft ?? log.searchText;
  const result = searchResult(log);
  const problem = log.search?.text === log.searchText ? log.search.problem : undefined;

  useEffect(() => {
    if (draft === undefined) return;
    const timer = setTimeout(() => searchNow(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);

  function searchNow(next: string): void {
    setDraft(undefined);
    search(next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    if (key === 'Enter') {
      searchNow(text);
      // The window has a command for these keys.
      if (event.ctrlKey || event.metaKey) return;
      find(shiftKey ? -1 : 1);
    } else if (key === 'Escape' && text !== '') {
      searchNow('');
    } else if (key === 'Escape' || key === 'ArrowDown') {
      enterCurrentPane();
    } else return;
    event.preventDefault();
    if (key === 'Escape') event.stopPropagation();
  }

  return (
    <div className={text === '' ? 'search' : 'search search-filled'} role="search">
      <div className="search-box line">
        <Icon name="search" />
        <input
          id="search-field"
          type="text"
          spellCheck={false}
          autoComplete="off"
          aria-label="Find methods"
          aria-invalid={problem !== undefined}
          placeholder="Find"
          data-testid="search-field"
          value={text}
          // While copies are filled again, what is being typed keeps the focus.
          disabled={!hasSamples(log) && log.searchText === ''}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {text !== '' && (
          <>
            <span className="search-result dim numbers" role="status" title={result.hint}>
              {draft === undefined ? result.text : ''}
            </span>
            <Button
              icon="filter"
              label="Only matches"
              tip="Show only matches and what leads to them (Ctrl Enter)"
              aria-pressed={foundOnly(log.where) !== undefined}
              testId="only-matches"
              onClick={() => {
                searchNow(text);
                toggleOnlyMatches();
              }}
            />
            <Button icon="up" label="Previous match (Shift+Enter)" onClick={() => find(-1)} />
            <Button icon="down" label="Next match (Enter)" onClick={() => find(1)} />
            <Button icon="close" label="Clear the find field (Esc)" onClick={() => searchNow('')} />
          </>
        )}
      </div>
      {problem !== undefined && (
        <div className="search-problem wrong" role="alert">
          {problem}
        </div>
      )}
    </div>
  );
}

/** The result in the search field: the selected match, or the share that was found. */
export function searchResult(log: LogView): { readonly text: string; readonly hint?: string } {
  const { search: result, summary, searchText } = log;
  if (result?.text !== searchText || result.problem !== undefined) return { text: '' };
  if (result.names === 0) return { text: 'no match' };
  if (log.match !== undefined) {
    return { text: `${formatCount(log.match.position)} of ${formatCount(log.match.total)}` };
  }
  const names = formatQuantity(result.names, 'name');
  if (summary === undefined) return { text: names };
  const share = formatShare(result.samples, shownSummary(summary).samples, 1);
  return { text: `${names} · ${share}`, hint: `${names}, in ${share} of ${unitsOf(log).counted.many}` };
}
