import type { ReactNode } from 'react';
import { formatQuantity } from '../../shared/text/format-value.ts';
import { answerClosing } from '../store/tab-actions.ts';
import { unsavedRecordings } from '../store/unsaved-recordings.ts';
import { useWindow } from '../store/window-store.ts';
import { Dialog, takesFocus } from '../widgets/Dialog.tsx';

/** Asks what becomes of recordings that are not saved, before their logs are closed. */
export function CloseDialog(): ReactNode {
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
    const name = state.logs.find(({ hostLog }) => hostLog === first)?.name;
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
