import { memo, type ReactNode, useState } from 'react';
import { kindOf } from '../../shared/scope/transforms.ts';
import { closeDialog } from '../store/actions/actions.ts';
import { rename } from '../store/actions/tab-actions.ts';
import { shownName } from '../store/state/log-names.ts';
import type { LogView, WindowDialog } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { DialogForm, selectedWhenShown, TextField } from '../widgets/Form.tsx';
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
interface ShownDialog {
  readonly title: string;
  readonly width?: number;
  readonly className?: string;
  readonly testId?: string;
  /** See `Dialog`. */
  readonly isBare?: true;
  readonly content: ReactNode;
}

/** A dialog by its kind; undefined for the panels of the active log. `log`: the one that it is about. */
function shownDialog(dialog: WindowDialog, log: LogView | undefined): ShownDialog | undefined {
  switch (dialog.kind) {
    case 'palette':
      return { title: 'Commands', width: 620, className: 'palette', isBare: true, content: <Palette /> };
    case 'help':
      return {
        title: 'Keyboard shortcuts',
        width: 1120,
        className: 'help',
        testId: 'keys',
        content: <Sheet />,
      };
    case 'sources':
      return { title: 'Sources', width: 720, content: <Sources /> };
    case 'attach':
      return { title: 'Attach to a JVM', width: 760, content: <Attach /> };
    case 'closing':
      return { title: 'Close an unsaved recording', content: <ClosingQuestion /> };
    case 'step':
      return { title: kindOf(dialog.transform).dialog?.title ?? '', content: <StepForm {...dialog} /> };
  }
  if (log === undefined) return undefined;
  switch (dialog.kind) {
    case 'filter':
      return { title: 'Show only rows with', width: 720, content: <FilterForm log={log} /> };
    case 'range':
      return { title: 'Time range', content: <RangeForm log={log} /> };
    case 'rename':
      return { title: 'Rename in this window', content: <RenameForm log={log} /> };
    case 'merge':
      return { title: 'Merge logs', content: <MergeForm first={log.key} /> };
    case 'page':
      return { title: 'Page to send', content: <PageOptionsForm log={log} {...dialog} /> };
    case 'compare':
      return {
        title: 'Compare',
        className: 'compare',
        content: <CompareForm log={log} report={dialog.report} />,
      };
  }
  return undefined;
}

/** The dialog that is open. Its element stays to give the focus back. */
export const Dialogs = memo(function Dialogs(): ReactNode {
  const dialog = useWindow((state) => state.dialog);
  const log = useWindow(({ logs, active }) => {
    if (dialog === undefined) return undefined;
    const shown = 'log' in dialog ? dialog.log : active;
    return logs.find(({ key }) => key === shown);
  });
  const shown = dialog && shownDialog(dialog, log);
  if (dialog === undefined || shown === undefined)
    return <Dialog title="" kind={undefined} onClose={() => undefined} />;
  const { content, testId = dialog.kind, ...rest } = shown;
  return (
    <Dialog {...rest} testId={testId} kind={dialog.kind} onClose={() => closeDialog(dialog.kind)}>
      {content}
    </Dialog>
  );
});

/** Gives a log another name in this window. */
function RenameForm({ log }: { readonly log: LogView }): ReactNode {
  const [text, setText] = useState(shownName(log));

  function apply(): void {
    rename(log.key, text);
    closeDialog('rename');
  }
  return (
    <DialogForm submit="Rename" onSubmit={apply}>
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
