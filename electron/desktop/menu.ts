import type { MenuItemConstructorOptions } from 'electron';
import type { WindowCommand } from '../../shared/protocol/desktop-bridge.ts';
import type { FileEntry } from '../../shared/protocol/messages.ts';

export interface MenuActions {
  chooseFiles(): void;
  openRecent(file: FileEntry): void;
  forgetRecent(): void;
  openSample(): void;
  showLicences(): void;
  openWebPage(url: string): void;
  /** For the window's content. */
  command(command: WindowCommand): void;
}

export interface MenuState {
  readonly recent: readonly FileEntry[];
  readonly isMac: boolean;
  readonly devTools: boolean;
}

/** An ampersand in a label would underline the letter behind it. */
const label = (text: string) => text.replaceAll('&', '&&');

const separator: MenuItemConstructorOptions = { type: 'separator' };

/**
 * The application's menu. Keys without a modifier belong to the window, which is where they can be typed into a search
 * field too; the menu only holds those with one.
 */
export function menuTemplate(state: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const { isMac } = state;
  const command = (text: string, name: WindowCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label: text,
    click: () => actions.command(name),
    ...(accelerator === undefined ? {} : { accelerator }),
  });

  const recent: MenuItemConstructorOptions = {
    label: 'Open Recent',
    enabled: state.recent.length > 0,
    submenu: [
      ...state.recent.map((file): MenuItemConstructorOptions => ({
        label: label(`${file.name} — ${file.folder}`),
        click: () => actions.openRecent(file),
      })),
      separator,
      { label: 'Clear List', click: () => actions.forgetRecent() },
    ],
  };

  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'Open…', accelerator: 'CmdOrCtrl+O', click: () => actions.chooseFiles() },
        recent,
        { label: 'Open Sample', click: () => actions.openSample() },
        separator,
        command('Export Flame Graph as SVG…', 'exportSvg', 'CmdOrCtrl+E'),
        separator,
        command('Close Log', 'closeLog', 'CmdOrCtrl+W'),
        isMac ? { role: 'close', accelerator: 'Shift+Cmd+W' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        separator,
        command('Find…', 'find', 'CmdOrCtrl+F'),
      ],
    },
    {
      label: '&View',
      submenu: [
        command('Tree', 'showTree', 'CmdOrCtrl+1'),
        command('Flat', 'showFlat', 'CmdOrCtrl+2'),
        command('Flame Graph', 'showFlame', 'CmdOrCtrl+3'),
        command('All Panes', 'showAllPanes', 'CmdOrCtrl+4'),
        separator,
        command('Freeze', 'toggleFreeze', 'CmdOrCtrl+Shift+F'),
        separator,
        {
          label: 'Theme',
          submenu: [
            command('As the System', 'systemTheme'),
            command('Light', 'lightTheme'),
            command('Dark', 'darkTheme'),
          ],
        },
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
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
        command('Keyboard Shortcuts', 'showKeys', 'CmdOrCtrl+/'),
        {
          label: 'Honest Profiler on the Web',
          click: () => actions.openWebPage('https://github.com/jvm-profiling-tools/honest-profiler'),
        },
        { label: 'Licences', click: () => actions.showLicences() },
        ...(isMac ? [] : [separator, { role: 'about' } as const]),
      ],
    },
  ];
}
