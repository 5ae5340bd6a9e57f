import { memo, type ReactNode, type SyntheticEvent, useState } from 'react';
import { quietActiveLog } from '../store/quiet-log.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { AttachDialog } from './JvmPanel.tsx';
import { CompareDialog } from './CompareDialog.tsx';
import { FilterDialog } from './FilterDialog.tsx';
import { FreshLog } from './FreshLog.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { Palette } from './Palette.tsx';
import { RangeDialog } from './RangeDialog.tsx';
import { SourcesDialog } from './SourcesDialog.tsx';
import { StepDialog } from './StepDialog.tsx';
import { closeDialog } from '../store/actions.ts';
import { readLogs } from '../store/merged-logs.ts';
import { answerClosing, rename, unsavedRecordings } from '../store/tab-actions.ts';
import { shownName } from '../store/tab-names.ts';
import { Dialog, DialogCommands, takesFocus } from '../widgets/Dialog.tsx';
import { placeOf } from './use-log-menu.tsx';
import './rename.css';
import { formatQuantity } from '../../shared/text/format-value.ts';

/**
 * The dialogs over the window. They stay to give the focus back; a change of the log renders only those that show
 * something of it.
 */
export const Dialogs = memo(function Dialogs(): ReactNode {
  return (
    <>
      <Palette />
      <HelpDialog />
      <OfActiveLog>{(log) => <FilterDialog log={log} />}</OfActiveLog>
      <OfActiveLog>
        {(log) => <FreshLog of={log}>{(fresh) => <RangeDialog log={fresh} />}</FreshLog>}
      </OfActiveLog>
      <StepDialog />
      <RenameDialog />
      <CloseDialog />
      <MergeDialog />
      <CompareDialog />
      <SourcesDialog />
      <AttachDialog />
    </>
  );
});

function OfActiveLog({ children }: { readonly children: (log: LogView) => ReactNode }): ReactNode {
  const [quietLog] = useState(quietActiveLog);
  const log = useWindow(quietLog);
  return log && children(log);
}

/** Gives a log another name in this window. */
function RenameDialog(): ReactNode {
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

/** Asks what becomes of recordings that are not saved, before their logs are closed. */
function CloseDialog(): ReactNode {
  const closing = useWindow((state) => state.closing);
  const cancel = (): void => answerClosing('cancel');
  return (
    <Dialog
      title="Close an unsaved recording"
      isOpen={closing !== undefined}
      onClose={cancel}
      className="dialog-small"
      testId="closing"
    >
      {closing !== undefined && <Question />}
    </Dialog>
  );
}

function Question(): ReactNode {
  const text = useWindow((state) => {
    const unsaved = unsavedRecordings(
      state,
      (state.closing ?? []).map((key) => ({ key })),
    );
    const runs = unsaved.some((log) => state.jvms.recordings[log] === 'running');
    const [first] = unsaved;
    const name = readLogs(state).find(({ hostLog }) => hostLog === first)?.name;
    const what =
      unsaved.length === 1 && name !== undefined
        ? `The recording of ${name}`
        : formatQuantity(unsaved.length, 'recording');
    const verb = unsaved.length === 1 ? 'is' : 'are';
    return `${what} ${verb} not saved.${runs ? ' Closing ends what still runs.' : ''}`;
  });
  return (
    <>
      <p>{text}</p>
      <p className="dialog-help">
        A discarded recording can be opened from the recent files until five newer ones were discarded.
      </p>
      <div className="dialog-commands">
        <button type="button" className="button" onClick={() => answerClosing('cancel')}>
          Cancel
        </button>
        <button
          type="button"
          className="button"
          data-testid="discard"
          onClick={() => answerClosing('discard')}
        >
          Discard
        </button>
        <button
          type="button"
          className="button button-primary"
          data-testid="save-and-close"
          ref={takesFocus}
          onClick={() => answerClosing('save')}
        >
          Save…
        </button>
      </div>
    </>
  );
}
