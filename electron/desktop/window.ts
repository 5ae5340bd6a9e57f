import { BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import type { WindowCommand } from '../../shared/protocol/desktop-bridge.ts';
import { APP_PAGE } from './app-origin.ts';
import { CHANNELS } from './channels.ts';
import { CrashLimit } from '../host/crash-limit.ts';
import type { WriteSettings } from '../host/settings-writer.ts';
import { showWhenDrawn } from './first-show.ts';
import { listenToPage, sendTo, type PageListener } from './ipc-transport.ts';
import { boundsFor, SMALLEST, type WindowPlace, writePlace } from './window-place.ts';

/** Web preferences of every window. Most equal Electron's defaults; set here in case a default changes. */
export const SANDBOXED = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const;

/** Background of the window until the page is painted; the same colours as in the page's themes. */
const pageBackground = () => (nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff');

export interface MainWindowOptions {
  readonly preload: string;
  readonly icon: string;
  /** Whether a window may be closed now. If not, it is closed later, or the user has kept it. */
  readonly mayClose: (window: BrowserWindow) => boolean;
  /** Is written when the window is closed. */
  readonly placeFile: string;
  readonly write: WriteSettings;
  readonly devTools: boolean;
  readonly listener: (window: BrowserWindow) => PageListener;
  /** The page crashed too often, and the user chose to continue without the logs. */
  readonly closeLogs: () => void;
  /** Notes that the page ended unexpectedly or hangs. */
  readonly note: (text: string) => void;
}

export interface MainWindow {
  readonly window: BrowserWindow;
  /** Does nothing before the window is first shown. */
  bringToFront(): void;
}

export function openMainWindow(options: MainWindowOptions, place: WindowPlace | undefined): MainWindow {
  const window = new BrowserWindow({
    ...boundsFor(
      place,
      screen.getAllDisplays().map((display) => display.workArea),
    ),
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    title: 'Leanscope',
    icon: options.icon,
    backgroundColor: pageBackground(),
    webPreferences: { ...SANDBOXED, preload: options.preload, devTools: options.devTools },
  });
  const bringToFront = showWhenDrawn(window, place);
  window.on('close', (event) => {
    if (!options.mayClose(window)) {
      event.preventDefault();
      return;
    }
    const place = {
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
      isFullScreen: window.isFullScreen(),
    };
    writePlace(options.placeFile, place, options.write);
  });
  followTheme(window);
  listenToPage(window.webContents, options.listener(window));
  reloadAfterCrash(window, options.closeLogs);
  askWhenUnresponsive(window);
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) =>
    options.note(`page ended: ${reason}, exit code ${exitCode}`),
  );
  window.on('unresponsive', () => options.note('page does not respond'));
  void window.loadURL(APP_PAGE);
  return { window, bringToFront };
}

/** The background shows where a window that is being enlarged is not painted yet. */
function followTheme(window: BrowserWindow): void {
  const onUpdated = () => window.setBackgroundColor(pageBackground());
  nativeTheme.on('updated', onUpdated);
  window.once('closed', () => nativeTheme.off('updated', onUpdated));
}

/** Opens a window with a text file that `protocol.ts` serves: the licences. */
export function openTextWindow(address: string, title: string, icon: string): void {
  const window = new BrowserWindow({
    width: 800,
    height: 700,
    title,
    icon,
    // Of the menu it can use little more than Close Log, which closes it.
    autoHideMenuBar: true,
    webPreferences: { ...SANDBOXED, devTools: false },
  });
  window.on('page-title-updated', (event) => event.preventDefault());
  void window.loadURL(address);
}

/** What the operating system shows of the window's log: its file in the title bar (macOS), and progress in the taskbar. */
export function showLog(window: BrowserWindow, path: string | undefined, progress: number | undefined): void {
  if (process.platform === 'darwin') window.setRepresentedFilename(path ?? '');
  // Negative: no bar.
  window.setProgressBar(progress ?? -1);
}

export function sendCommand(window: BrowserWindow, command: WindowCommand): void {
  sendTo(window.webContents, CHANNELS.command, command);
}

/**
 * After a reload the host sends the open logs again, and the page has kept their names, scopes and zoom: see `keepTabs`. What
 * was selected or opened is lost.
 */
function reloadAfterCrash(window: BrowserWindow, closeLogs: () => void): void {
  const limit = new CrashLimit();
  const reload = () => {
    if (!window.isDestroyed()) window.webContents.reload();
  };
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    if (limit.allowsRestart(Date.now())) {
      reload();
      return;
    }
    void dialog
      .showMessageBox(window, {
        type: 'error',
        message: 'The window keeps crashing.',
        detail: `It ended ${reason === 'oom' ? 'for lack of memory' : `with "${reason}"`} several times within five minutes. The log files are unchanged.`,
        buttons: ['Reload without the open logs', 'Reload', 'Close'],
        defaultId: 0,
        cancelId: 2,
      })
      .then(({ response }) => {
        limit.reset();
        if (response === 0) closeLogs();
        if (response === 2) window.destroy();
        else reload();
      });
  });
}

function askWhenUnresponsive(window: BrowserWindow): void {
  let question: AbortController | undefined;
  window.on('unresponsive', () => {
    if (question !== undefined) return;
    question = new AbortController();
    void dialog
      .showMessageBox(window, {
        type: 'warning',
        message: 'The window does not respond.',
        detail: 'Logs are still being read. Reloading keeps them open.',
        buttons: ['Wait', 'Reload'],
        defaultId: 0,
        cancelId: 0,
        signal: question.signal,
      })
      .then(({ response }) => {
        question = undefined;
        if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
      });
  });
  window.on('responsive', () => question?.abort());
}
