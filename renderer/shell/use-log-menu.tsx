import { type MouseEvent, type ReactNode, useCallback, useState } from 'react';
import { copyText, openDialog } from '../store/actions.ts';
import { saveRecording, stopRecording } from '../store/jvm-actions.ts';
import {
  activate,
  chooseAllTabs,
  closeLog,
  closeLogs,
  closeOthers,
  closeToTheRight,
  compareChosen,
  meantLogs,
  moveTab,
} from '../store/tab-actions.ts';
import { mergeable } from '../store/merged-logs.ts';
import { shownName } from '../store/log-names.ts';
import type { LogView } from '../store/window-state.ts';
import { services, useWindow } from '../store/window-store.ts';
import { Menu, type MenuEntry } from '../widgets/Menu.tsx';
import { keyOf } from './commands.ts';
import { samplingCommand } from './SamplingButton.tsx';

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
      <Menu label={shownName(log)} entries={entriesFor(log, logs)} at={at} onClose={close} />
    ),
  };
}

/** The entries of the menu. Where the log is one of several chosen tabs, they apply to all of these. */
function entriesFor(log: LogView, logs: readonly LogView[]): readonly MenuEntry[] {
  const chosen = meantLogs(useWindow.getState(), log.key);
  if (chosen.length < 2) return entriesOf(log, logs);
  const count = chosen.length;
  return [
    ...(mergeable(chosen).length > 1
      ? [{ text: `Merge ${count} logs…`, run: () => openDialog({ kind: 'merge', log: log.key }) }]
      : []),
    ...(count === 2 ? [{ text: 'Compare the two logs', run: compareChosen }] : []),
    { text: `Close ${count} logs`, hint: 'Del', run: () => closeLogs(chosen) },
    'separator',
    { text: 'Choose all', run: chooseAllTabs },
    { text: 'Choose only this one', run: () => activate(log.key) },
  ];
}

function entriesOf(log: LogView, logs: readonly LogView[]): readonly MenuEntry[] {
  const count = logs.length;
  const place = logs.findIndex(({ key }) => key === log.key);
  const { hostLog } = log;
  // A file that the page reads itself has no path here, a recording none that lasts, and merged logs have several.
  const hasPath = hostLog !== undefined && !log.isRecording;
  const { files } = services().host;
  const isLast = place === count - 1;
  return [
    ...(!hasPath || files === undefined
      ? []
      : [{ text: 'Show in folder', run: () => files.showLog(hostLog) }]),
    {
      text: 'Copy',
      entries: [
        ...(hasPath ? [{ text: 'Copy path', run: () => void copyText(pathOf(log)) }] : []),
        { text: 'Copy name', run: () => void copyText(log.name) },
      ],
    },
    { text: 'Rename…', hint: keyOf('renameTab'), run: () => openDialog({ kind: 'rename', log: log.key }) },
    { text: 'Compare…', run: () => openDialog({ kind: 'compare', log: log.key }) },
    ...(mergeable(logs).length > 1
      ? [{ text: 'Merge logs…', run: () => openDialog({ kind: 'merge', log: log.key }) }]
      : []),
    ...recordingEntries(log),
    ...(count < 2
      ? []
      : [
          {
            text: 'Move',
            entries: [
              { text: 'Move left', disabled: place === 0, run: () => moveTab(log.key, place - 1) },
              { text: 'Move right', disabled: isLast, run: () => moveTab(log.key, place + 2) },
            ],
          },
        ]),
    'separator',
    { text: 'Close', run: () => closeLog(log.key) },
    ...(count < 2
      ? []
      : [
          {
            text: 'Close more',
            entries: [
              { text: 'Close others', run: () => closeOthers(log.key) },
              { text: 'Close to the right', disabled: isLast, run: () => closeToTheRight(log.key) },
            ],
          },
        ]),
  ];
}

/** As the buttons in the top row, which a narrow window has no place for. */
function recordingEntries({ hostLog, isRecording }: LogView): readonly MenuEntry[] {
  if (hostLog === undefined) return [];
  const { samplings, recordings } = useWindow.getState().jvms;
  const sampling = samplingCommand(hostLog, samplings[hostLog]);
  return [
    ...(sampling === undefined ? [] : [sampling]),
    ...(recordings[hostLog] === 'running'
      ? [{ text: 'Stop recording', run: () => stopRecording(hostLog) }]
      : []),
    ...(isRecording ? [{ text: 'Save recording as…', run: () => saveRecording(hostLog) }] : []),
  ];
}

/** The input that is read once more for another sample type: a noun. */
export function whatIsRead({ isRecording, merge }: Pick<LogView, 'isRecording' | 'merge'>): string {
  if (merge !== undefined) return 'these logs';
  return isRecording ? 'this recording' : 'this file';
}

/** Where a log is, for the tooltip of its name. */
export function placeOf(log: Pick<LogView, 'hostLog' | 'folder' | 'name' | 'isRecording' | 'merge'>): string {
  if (log.isRecording) return `Recording of ${log.name}, in ${log.folder}`;
  if (log.merge !== undefined) return `Merged: ${log.folder}`;
  return log.hostLog === undefined ? `${log.name}, ${log.folder}` : pathOf(log);
}

/** As the host's system writes it. */
export function pathOf({ folder, name }: Pick<LogView, 'folder' | 'name'>): string {
  const separator = folder.includes('/') ? '/' : '\\';
  return folder.endsWith(separator) ? `${folder}${name}` : `${folder}${separator}${name}`;
}
