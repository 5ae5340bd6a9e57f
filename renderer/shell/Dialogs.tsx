import { memo, type ReactNode, type SyntheticEvent, useState } from 'react';
import { kindOf } from '../../shared/scope/transforms.ts';
import { quietActiveLog } from '../store/quiet-log.ts';
import type { LogView, WindowDialog } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Attach } from './JvmPanel.tsx';
import { CompareForm } from './CompareDialog.tsx';
import { FilterForm } from './FilterDialog.tsx';
import { FreshLog } from './Panes.tsx';
import { Sheet } from './HelpDialog.tsx';
import { MergeForm } from './MergeDialog.tsx';
import { PageOptionsForm } from './PageDialog.tsx';
import { Palette } from './Palette.tsx';
import { RangeForm } from './RangeDialog.tsx';
import { Sources } from './SourcesDialog.tsx';
import { StepForm } from './StepDialog.tsx';
import { closeDialog } from '../store/actions.ts';
import { readLogs } from '../store/merged-logs.ts';
import { answerClosing, closingLogs, rename, unsavedRecordings } from '../store/tab-actions.ts';
import { shownName } from '../store/log-names.ts';
import { Dialog, DialogCommands, takesFocus } from '../widgets/Dialog.tsx';
import { placeOf } from './use-log-menu.tsx';
import './forms.css';
import { Button } from '../widgets/Button.tsx';
import { formatQuantity } from '../../shared/text/format-value.ts';

/** A dialog over the window. */
interface DialogKind {
  readonly title: string | ((dialog: WindowDialog) => string);
  readonly className: string;
  readonly testId: string;
  /** See `Dialog`. */
  readonly isBare?: true;
  readonly content: () => ReactNode;
}

/** The dialogs by their kinds. The others are panels of the active log. */
const DIALOGS: Readonly<Partial<Record<WindowDialog['kind'], DialogKind>>> = {
  palette: {
    title: 'Commands',
    className: 'palette',
    testId: 'palette',
    isBare: true,
    content: () => <Palette />,
  },
  help: { title: 'Keyboard shortcuts', className: 'help', testId: 'keys', content: () => <Sheet /> },
  filter: {
    ...{ title: 'Show only rows with', className: 'filter', testId: 'filter' },
    content: () => <OfActiveLog>{(log) => <FilterForm log={log} />}</OfActiveLog>,
  },
  range: {
    ...{ title: 'Time range', className: 'dialog-small', testId: 'range' },
    content: () => (
      <OfActiveLog>
        {(log) => <FreshLog of={log}>{(fresh) => <RangeForm log={fresh} />}</FreshLog>}
      </OfActiveLog>
    ),
  },
  step: {
    title: (dialog) => (dialog.kind === 'step' ? kindOf(dialog.transform).dialog?.title : undefined) ?? '',
    ...{ className: 'dialog-small', testId: 'step', content: () => <StepForm /> },
  },
  rename: {
    ...{ title: 'Rename in this window', className: 'dialog-small', testId: 'rename' },
    content: () => <Rename />,
  },
  closing: {
    ...{ title: 'Close an unsaved recording', className: 'dialog-small', testId: 'closing' },
    content: () => <Question />,
  },
  merge: {
    title: 'Merge logs',
    className: 'dialog-small merge',
    testId: 'merge',
    content: () => <MergeForm />,
  },
  page: {
    title: 'Page to send',
    className: 'dialog-small',
    testId: 'page',
    content: () => <PageOptionsForm />,
  },
  compare: { title: 'Compare', className: 'compare', testId: 'compare', content: () => <CompareForm /> },
  sources: { title: 'Sources', className: 'sources', testId: 'sources', content: () => <Sources /> },
  attach: { title: 'Attach to a JVM', className: 'attach', testId: 'attach', content: () => <Attach /> },
};

/** The dialog that is open. Its element stays to give the focus back. */
export const Dialogs = memo(function Dialogs(): ReactNode {
  const dialog = useWindow((state) => state.dialog);
  const shown = dialog && DIALOGS[dialog.kind];
  if (dialog === undefined || shown === undefined)
    return <Dialog title="" kind={undefined} onClose={() => undefined} />;
  const { title, content, ...rest } = shown;
  return (
    <Dialog
      {...rest}
      title={typeof title === 'string' ? title : title(dialog)}
      kind={dialog.kind}
      onClose={() => closeDialog(dialog.kind)}
    >
      {content()}
    </Dialog>
  );
});

function OfActiveLog({ children }: { readonly children: (log: LogView) => ReactNode }): ReactNode {
  const [quietLog] = useState(quietActiveLog);
  const log = useWindow(quietLog);
  return log && children(log);
}

/** Gives a log another name in this window. */
function Rename(): ReactNode {
  const log = useWindow(({ logs, dialog }) =>
    dialog?.kind === 'rename' ? logs.find(({ key }) => key === dialog.log) : undefined,
  );
  return log && <RenameForm log={log} />;
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
function Question(): ReactNode {
  const text = useWindow((state) => {
    const unsaved = unsavedRecordings(
      state,
      closingLogs(state).map((key) => ({ key })),
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
        <Button onClick={() => answerClosing('cancel')}>Cancel</Button>
        <Button testId="discard" onClick={() => answerClosing('discard')}>
          Discard
        </Button>
        <Button
          className="button-primary"
          testId="save-and-close"
          ref={takesFocus}
          onClick={() => answerClosing('save')}
        >
          Save…
        </Button>
      </div>
    </>
  );
}
