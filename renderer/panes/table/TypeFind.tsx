import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { take } from '../../widgets/key-name.ts';
import { Icon } from '../../widgets/icons.tsx';
import './table.css';

interface TypeFindProps {
  /** The letter that was typed in the list. */
  readonly first: string;
  /** Selects the nearest row whose name contains the text, from the selection on; for step 0 that may be itself. */
  readonly seek: (text: string, step: 0 | 1 | -1) => void;
  readonly isMissing: (text: string) => boolean;
  /** `returns`: the focus goes back to the list. */
  readonly onEnd: (returns: boolean) => void;
}

/** Find as you type: the selection goes to the next row whose name contains the text. Nothing is filtered or searched. */
export function TypeFind({ first, seek, onEnd, ...props }: TypeFindProps): ReactNode {
  const [text, setText] = useState(first);
  const isMissing = props.isMissing(text);
  const seekNow = useEffectEvent(seek);
  useEffect(() => seekNow(text, 0), [text]);

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { key } = event;
    if (key === 'Escape' || key === 'Enter') onEnd(true);
    else if (key === 'ArrowDown' || key === 'ArrowUp') seek(text, key === 'ArrowDown' ? 1 : -1);
    else return;
    take(event);
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
