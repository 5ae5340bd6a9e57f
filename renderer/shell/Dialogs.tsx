import { memo, type ReactNode, useState } from 'react';
import { kindOf } from '../../shared/scope/transforms.ts';
import { closeDialog } from '../store/actions/actions.ts';
import { activeLog } from '../store/state/selectors.ts';
import { rename } from '../store/actions/tab-actions.ts';
import { shownName } from '../store/state/log-names.ts';
import type { LogKey, LogView, WindowDialog } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { DialogForm, takesFocus, TextField } from '../widgets/Form.tsx';
import { CompareForm } from './CompareDialog.tsx';
import { FilterForm } from './FilterDialog.tsx';
import { Sheet } from './HelpDialog.tsx';
import { Attach } from './JvmPanel.tsx';
import { ClosingQuestion, MergeForm, PageOptionsForm } from './LogDialogs.tsx';
import { Palette } from './Palette.tsx';
import { RangeForm, StepForm } from './ScopeDialogs.tsx';
import { Sources } from './SourcesDialog.tsx';
import { placeOf } from './use-log-menu.tsx';
import './dialogs.css';

/** A dialog over the window. Its test id is its kind, if there is no other one. */
interface DialogKind {
  readonly title: string | ((dialog: WindowDialog) => string);
  /** Its width is that of a small one, if there is no class. */
  readonly className?: string;
  readonly testId?: string;
  /** See `Dialog`. */
  readonly isBare?: true;
  readonly content: ReactNode;
}

/** The dialogs by their kinds. The others are panels of the active log. */
const DIALOGS: Readonly<Partial<Record<WindowDialog['kind'], DialogKind>>> = {
  palette: { title: 'Commands', className: 'palette', isBare: true, content: <Palette /> },
  help: { title: 'Keyboard shortcuts', className: 'help', testId: 'keys', content: <Sheet /> },
  filter: {
    title: 'Show only rows with',
    className: 'filter',
    content: <OfActiveLog>{(log) => <FilterForm log={log} />}</OfActiveLog>,
  },
  range: { title: 'Time range', content: <OfActiveLog>{(log) => <RangeForm log={log} />}</OfActiveLog> },
  step: {
    title: (dialog) => (dialog.kind === 'step' ? kindOf(dialog.transform).dialog?.title : undefined) ?? '',
    content: <StepForm />,
  },
  rename: { title: 'Rename in this window', content: <RenameForm /> },
  closing: { title: 'Close an unsaved recording', content: <ClosingQuestion /> },
  merge: { title: 'Merge logs', content: <MergeForm /> },
  page: { title: 'Page to send', content: <PageOptionsForm /> },
  compare: { title: 'Compare', content: <CompareForm /> },
  sources: { title: 'Sources', className: 'sources', content: <Sources /> },
  attach: { title: 'Attach to a JVM', className: 'attach', content: <Attach /> },
};

/** The dialog that is open. Its element stays to give the focus back. */
export const Dialogs = memo(function Dialogs(): ReactNode {
  const dialog = useWindow((state) => state.dialog);
  const shown = dialog && DIALOGS[dialog.kind];
  if (dialog === undefined || shown === undefined)
    return <Dialog title="" kind={undefined} onClose={() => undefined} />;
  const { title, content, className = 'dialog-small', testId = dialog.kind, isBare } = shown;
  return (
    <Dialog
      {...{ className, testId, isBare }}
      title={typeof title === 'string' ? title : title(dialog)}
      kind={dialog.kind}
      onClose={() => closeDialog(dialog.kind)}
    >
      {content}
    </Dialog>
  );
});

function OfActiveLog({ children }: { readonly children: (log: LogView) => ReactNode }): ReactNode {
  const log = useWindow(activeLog);
  return log && children(log);
}

/** Gives a log another name in this window. */
function RenameForm(): ReactNode {
  const log = useWindow(({ logs, dialog }) =>
    dialog?.kind === 'rename' ? logs.find(({ key }) => key === dialog.log) : undefined,
  );
  const [text, setText] = useState(log && shownName(log));
  if (log === undefined || text === undefined) return null;

  function apply(key: LogKey, name: string): void {
    rename(key, name);
    closeDialog('rename');
  }
  return (
    <DialogForm submit="Rename" onSubmit={() => apply(log.key, text)}>
      <p className="dialog-help cut" title={placeOf(log)}>
        {placeOf(log)}
      </p>
      <TextField
        ref={selectedWhenShown}
        aria-label="Name of the tab"
        placeholder={log.name}
        value={text}
        onText={setText}
      />
      <p className="dialog-help">The file keeps its name. An empty name brings the file’s name back.</p>
    </DialogForm>
  );
}

function selectedWhenShown(element: HTMLInputElement | null): void {
  takesFocus(element);
  element?.select();
}
