import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { closeDialog } from '../store/actions.ts';
import { rename } from '../store/tab-actions.ts';
import { shownName } from '../store/tab-names.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Dialog, DialogCommands, takesFocus } from '../widgets/Dialog.tsx';
import { placeOf } from './use-log-menu.tsx';
import './rename.css';

/** Gives a log another name in this window. */
export function RenameDialog(): ReactNode {
  const log = useWindow(({ logs, dialog }) =>
    dialog?.kind === 'rename' ? logs.find(({ key }) => key === dialog.log) : undefined,
  );
  return (
    <Dialog
      title="Rename in this window"
      isOpen={log !== undefined}
      onClose={() => closeDialog('rename')}
      className="dialog-small"
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
    closeDialog('rename');
  }

  return (
    <form onSubmit={apply}>
      <p className="rename-place" title={placeOf(log)}>
        {placeOf(log)}
      </p>
      <input
        type="text"
        className="text-field rename-field"
        ref={selectedWhenShown}
        spellCheck={false}
        autoComplete="off"
        aria-label="Name of the tab"
        placeholder={log.name}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="dialog-help">The file keeps its name. An empty name brings the file’s name back.</p>
      <DialogCommands submit="Rename" onCancel={() => closeDialog('rename')} />
    </form>
  );
}

function selectedWhenShown(element: HTMLInputElement | null): void {
  takesFocus(element);
  element?.select();
}
