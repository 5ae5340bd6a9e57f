import type { MenuItemConstructorOptions } from 'electron';
import { GUIDE, type WindowCommand } from '../../shared/protocol/desktop-bridge.ts';
import type { FileEntry, SampleId } from '../../shared/protocol/messages.ts';

interface MenuActions {
  /** `window`: the one that has the focus. */
  chooseFiles(window: Electron.BaseWindow | undefined): void;
  openRecent(file: FileEntry): void;
  forgetRecent(): void;
  openSample(sample: SampleId): void;
  showLicences(): void;
  openNewWindow(): void;
  setNotifies(notifies: boolean): void;
  reportProblem(): void;
  /** The folder with the log of the program and its crash reports. */
  showLogFolder(): void;
  openWebPage(url: string): void;
  /** Sends a command to the page of the window that has the focus; undefined: none of the program's windows has it. */
  command(command: WindowCommand, window: Electron.BaseWindow | undefined): void;
}

interface MenuState {
  readonly recent: readonly FileEntry[];
  readonly isMac: boolean;
  readonly devTools: boolean;
  /** Whether the user wants to be notified; undefined: the system has no notifications. */
  readonly notifies: boolean | undefined;
}

/** Escapes ampersands: a single one would mark the next letter as the item's access key. */
const label = (text: string) => text.replaceAll('&', '&&');

/** Electron gives null where no window has the focus, although its types say undefined. */
const windowOf = (window: Electron.BaseWindow | null | undefined) => window ?? undefined;

const separator: MenuItemConstructorOptions = { type: 'separator' };

/**
 * The application's menu. A key press goes to the page first, and to the menu only if the page does not handle it. Keys
 * without a modifier, or with Alt, are shown but not registered, because they may be typed text. macOS cannot show a key without
 * registering it, so there they are not shown.
 */
export function menuTemplate(state: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const { isMac } = state;
  const command = (text: string, name: WindowCommand, key?: string): MenuItemConstructorOptions => {
    const item: MenuItemConstructorOptions = {
      label: text,
      click: (_item, window) => actions.command(name, windowOf(window)),
    };
    if (key === undefined) return item;
    const isTyped = !key.includes('+') || key.startsWith('Alt+');
    if (!isTyped) return { ...item, accelerator: key };
    return isMac ? item : { ...item, accelerator: key, registerAccelerator: false };
  };

  const recent: MenuItemConstructorOptions = {
    label: 'Open Recent',
    enabled: state.recent.length > 0,
    submenu: [
      ...state.recent.map((file): MenuItemConstructorOptions => ({
        label: label(`${file.name} — ${file.folder}`),
        click: () => actions.openRecent(file),
      })),
      separator,
      { label: 'Clear Recent', click: () => actions.forgetRecent() },
    ],
  };

  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.openNewWindow() },
        {
          label: 'Open…',
          accelerator: 'CmdOrCtrl+O',
          click: (_item, window) => actions.chooseFiles(windowOf(window)),
        },
        recent,
        command('Attach to JVM…', 'attach', 'Alt+A'),
        {
          label: 'Open Sample',
          submenu: [
            { label: 'Honest Profiler Log', click: () => actions.openSample('honest-profiler') },
            { label: 'JFR Recording', click: () => actions.openSample('jfr') },
          ],
        },
        separator,
        command('Save Flame Graph as SVG…', 'export-svg', 'CmdOrCtrl+S'),
        separator,
        command('Compare…', 'compare', 'Alt+C'),
        command('Merge Logs…', 'mergeLogs'),
        command('Previous Log', 'previousTab', '['),
        command('Next Log', 'nextTab', ']'),
        command('Close Log', 'closeTab', 'CmdOrCtrl+W'),
        separator,
        isMac ? { role: 'close', accelerator: 'Shift+Cmd+W' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        // The roles would undo only what was typed, and the page's keys undo its scope, too.
        command('Undo', 'undo', 'CmdOrCtrl+Z'),
        command('Redo', 'redo', 'CmdOrCtrl+Shift+Z'),
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        separator,
        command('Search', 'search', 'CmdOrCtrl+F'),
      ],
    },
    {
      label: '&View',
      submenu: [
        command('Call Tree', 'showTree', '1'),
        command('Methods', 'showFlat', '2'),
        command('Flame Graph', 'showFlame', '3'),
        command('All Panes', 'showAll', '4'),
        separator,
        command('Freeze or Resume', 'freeze', 'Alt+Z'),
        ...(state.notifies === undefined
          ? []
          : [
              {
                label: 'Notify When a Log Restarts or Ends',
                type: 'checkbox',
                checked: state.notifies,
                click: ({ checked }) => actions.setNotifies(checked),
              } satisfies MenuItemConstructorOptions,
            ]),
        command('Turn the Flame Graph Over', 'flipFlame', 'Alt+I'),
        command('Reset Flame Graph Zoom', 'resetZoom', '0'),
        separator,
        command('Switch Theme', 'theme', 'Alt+Y'),
        { role: 'reload' },
        { label: 'Actual Size', role: 'resetZoom' },
        { role: 'zoomIn' },
        // Plus is on the key of the equals sign of many keyboards, and needs Shift there.
        { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(state.devTools ? [separator, { role: 'toggleDevTools' } as const] : []),
      ],
    },
    ...(isMac ? [{ role: 'windowMenu' } as const] : []),
    {
      role: 'help',
      label: '&Help',
      submenu: [
        command('Commands…', 'palette', 'CmdOrCtrl+K'),
        command('Keyboard Shortcuts', 'help', '?'),
        { label: 'Find a Hot Method in Five Minutes', click: () => actions.openWebPage(GUIDE) },
        {
          label: 'Honest Profiler on the Web',
          click: () => actions.openWebPage('https://github.com/jvm-profiling-tools/honest-profiler'),
        },
        separator,
        { label: 'Report a Problem…', click: () => actions.reportProblem() },
        { label: 'Show Log Folder', click: () => actions.showLogFolder() },
        separator,
        { label: 'Licences', click: () => actions.showLicences() },
        ...(isMac ? [] : [separator, { role: 'about' } as const]),
      ],
    },
  ];
}
