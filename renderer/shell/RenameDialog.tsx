import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { openRename, rename } from '../store/tab-actions.ts';
import { shownName } from '../store/tab-names.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { placeOf } from './use-log-menu.tsx';
import './rename.css';

/** Gives a log another name in this window. */
export function RenameDialog(): ReactNode {
  const log = useWindow(({ logs, renaming }) => logs.find(({ key }) => key === renaming));
  return (
    <Dialog
      title="Rename in this window"
      isOpen={log !== undefined}
      onClose={() => openRename(undefined)}
      className="rename"
      testId="rename"
    >
      {log !== undefined && <RenameForm log={log} />}
    </Dialog>
  );
}

function RenameForm({ log }: { readonly log: LogView }): ReactNode {
  const [text, setText] = useState(() => shownName(log));

  function apply(event: SyntheticEvent): void {
    event.preventDefault();
    rename(log.key, text);
    openRename(undefined);
  }

  return (
    <form onSubmit={apply}>
      <p className="rename-place" title={placeOf(log)}>
        {placeOf(log)}
      </p>
      <input
        type="text"
        ref={takesFocus}
        spellCheck={false}
        autoComplete="off"
        aria-label="Name of the tab"
        placeholder={log.name}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="rename-help">The file keeps its name. An empty name brings the file’s name back.</p>
      <div className="rename-commands">
        <button type="button" className="button" onClick={() => openRename(undefined)}>
          Cancel
        </button>
        <button type="submit" className="button button-primary">
          Rename
        </button>
      </div>
    </form>
  );
}

/** The dialog gives the focus to the element with this attribute; React's `autoFocus` focuses before it is shown. */
function takesFocus(element: HTMLInputElement | null): void {
  if (element === null) return;
  element.setAttribute('autofocus', '');
  element.select();
}
