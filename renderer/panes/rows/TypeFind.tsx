import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { seek } from '../../store/actions.ts';
import type { RowsPaneId } from '../../store/panes.ts';
import { Icon } from '../../widgets/icons.tsx';
import type { PaneLog } from '../pane-log.ts';

interface TypeFindProps {
  readonly pane: RowsPaneId;
  readonly log: PaneLog;
  /** The letter that was typed in the list. */
  readonly first: string;
  /** `returns`: the focus goes back to the list. */
  readonly onEnd: (returns: boolean) => void;
}

/** Find as you type: the selection goes to the next row whose name contains the text. Nothing is filtered or searched. */
export function TypeFind({ pane, log, first, onEnd }: TypeFindProps): ReactNode {
  const [text, setText] = useState(first);
  useEffect(() => seek(pane, text, 0), [pane, text]);
  const isMissing = log.sought?.pane === pane && log.sought.text === text && !log.sought.found;

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { key } = event;
    if (key === 'Escape' || key === 'Enter') onEnd(true);
    else if (key === 'ArrowDown' || key === 'ArrowUp') seek(pane, text, key === 'ArrowDown' ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className={isMissing ? 'type-find type-find-missing' : 'type-find'} data-testid="type-find">
      <Icon name="search" />
      <input
        // The list has lost the focus to it, and gets it back.
        autoFocus
        type="text"
        spellCheck={false}
        autoComplete="off"
        aria-label="Find in the list"
        aria-invalid={isMissing}
        value={text}
        onChange={(event) => (event.target.value === '' ? onEnd(true) : setText(event.target.value))}
        onKeyDown={onKeyDown}
        onBlur={() => onEnd(false)}
      />
      <span role="status">{isMissing ? 'not in this list' : ''}</span>
    </div>
  );
}
