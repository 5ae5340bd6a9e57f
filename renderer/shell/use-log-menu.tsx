import { type MouseEvent, type ReactNode, useCallback, useState } from 'react';
import { closeLog, closeOthers, copyText } from '../store/actions.ts';
import type { LogView } from '../store/window-state.ts';
import { services, useWindow } from '../store/window-store.ts';
import { Menu, type MenuEntry } from '../widgets/Menu.tsx';

/** The menu of a log, on its tab or its name in the top row; and the handler that opens it. */
export function useLogMenu(log: LogView): {
  readonly onContextMenu: (event: MouseEvent) => void;
  readonly menu: ReactNode;
} {
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>();
  const isOnly = useWindow((state) => state.logs.length < 2);
  const close = useCallback(() => setAt(undefined), []);
  return {
    onContextMenu: (event) => {
      event.preventDefault();
      setAt({ x: event.clientX, y: event.clientY });
    },
    menu: at !== undefined && (
      <Menu label={log.name} entries={entriesOf(log, isOnly)} at={at} onClose={close} />
    ),
  };
}

function entriesOf(log: LogView, isOnly: boolean): readonly MenuEntry[] {
  const { hostLog } = log;
  const { files } = services().host;
  return [
    ...(hostLog === undefined || files === undefined
      ? []
      : [{ text: 'Show in folder', run: () => files.showLog(hostLog) }]),
    // A file that the page reads itself has no path here.
    ...(hostLog === undefined ? [] : [{ text: 'Copy path', run: () => void copyText(pathOf(log)) }]),
    { text: 'Copy name', run: () => void copyText(log.name) },
    'separator',
    { text: 'Close', run: () => closeLog(log.key) },
    { text: 'Close others', disabled: isOnly, run: () => closeOthers(log.key) },
  ];
}

/** As the host's system writes it. */
export function pathOf({ folder, name }: Pick<LogView, 'folder' | 'name'>): string {
  const separator = folder.includes('/') ? '/' : '\\';
  return folder.endsWith(separator) ? `${folder}${name}` : `${folder}${separator}${name}`;
}
