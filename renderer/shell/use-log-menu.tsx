import { type MouseEvent, type ReactNode, useCallback, useState } from 'react';
import { copyText, openDialog } from '../store/actions/actions.ts';
import { closeLog, closeOthers, closeToTheRight, moveTab } from '../store/actions/tab-actions.ts';
import { mergeable } from '../store/state/merged-logs.ts';
import { shownName, type TabName } from '../store/state/log-names.ts';
import type { LogView } from '../store/state/window-state.ts';
import { services, useWindow } from '../store/state/window-store.ts';
import { Menu, type MenuEntry } from '../widgets/Menu.tsx';
import { keyOf } from './commands.ts';

/** The menu of a log, on its tab or its name in the top row; and the handler that opens it. */
export function useLogMenu(log: LogView): {
  readonly onContextMenu: (event: MouseEvent) => void;
  readonly menu: ReactNode;
} {
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>();
  // Only while the menu is open: the logs change with each answer, and this is a part of the top row.
  const logs = useWindow((state) => (at === undefined ? undefined : state.logs));
  const close = useCallback(() => setAt(undefined), []);
  return {
    onContextMenu: (event) => {
      event.preventDefault();
      setAt({ x: event.clientX, y: event.clientY });
    },
    menu: at !== undefined && logs !== undefined && (
      <Menu label={shownName(log)} entries={entriesOf(log, logs)} at={at} onClose={close} />
    ),
  };
}

/** The entries of the menu. */
function entriesOf(log: LogView, logs: readonly LogView[]): readonly MenuEntry[] {
  const { key, hostLog, isRecording } = log;
  const place = logs.findIndex((each) => each.key === key);
  // A file that the page reads itself has no path here, a recording none that lasts, and merged logs have several.
  const hasPath = hostLog !== undefined && !isRecording;
  const { files } = services().host;
  const isLast = place === logs.length - 1;
  const dialog = (kind: 'rename' | 'compare' | 'merge') => () => openDialog({ kind, log: key });
  const entries: readonly (MenuEntry | false)[] = [
    hasPath && files !== undefined && { text: 'Show in folder', run: () => files.showLog(hostLog) },
    {
      text: 'Copy',
      entries: [
        { text: 'Copy path', disabled: !hasPath, run: () => void copyText(pathOf(log)) },
        { text: 'Copy name', run: () => void copyText(log.name) },
      ],
    },
    { text: 'Rename…', hint: keyOf('renameTab'), run: dialog('rename') },
    { text: 'Compare…', run: dialog('compare') },
    mergeable(logs).length > 1 && { text: 'Merge logs…', run: dialog('merge') },
    logs.length > 1 && {
      text: 'Move',
      entries: [
        { text: 'Move left', disabled: place === 0, run: () => moveTab(key, place - 1) },
        { text: 'Move right', disabled: isLast, run: () => moveTab(key, place + 2) },
      ],
    },
    'separator',
    { text: 'Close', run: () => closeLog(key) },
    logs.length > 1 && {
      text: 'Close more',
      entries: [
        { text: 'Close others', run: () => closeOthers(key) },
        { text: 'Close to the right', disabled: isLast, run: () => closeToTheRight(key) },
      ],
    },
  ];
  return entries.filter((entry) => entry !== false);
}

/** The input that is read once more for another sample type: a noun. */
export function whatIsRead({ isRecording, merge }: Pick<LogView, 'isRecording' | 'merge'>): string {
  if (merge !== undefined) return 'these logs';
  return isRecording ? 'this recording' : 'this file';
}

/** The name of a tab, with what tells it apart from others. */
export function NameOfTab({ name, apart }: TabName): ReactNode {
  return (
    <>
      {name} <span className="mid">{apart}</span>
    </>
  );
}

/** Where a log is from: the tooltip of its name. */
export function placeOf(log: LogView): string {
  if (log.isRecording) return `Recording of ${log.name}, in ${log.folder}`;
  if (log.merge !== undefined) return `Merged: ${log.folder}`;
  return log.hostLog === undefined ? `${log.name}, ${log.folder}` : pathOf(log);
}

/** The path of a log as the host's system writes it. */
function pathOf({ folder, name }: LogView): string {
  const separator = folder.includes('/') ? '/' : '\\';
  return folder.endsWith(separator) ? `${folder}${name}` : `${folder}${separator}${name}`;
}
