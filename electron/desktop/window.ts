import { BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import type { WindowCommand } from '../../shared/protocol/desktop-bridge.ts';
import { APP_PAGE } from './app-origin.ts';
import { CHANNELS } from './channels.ts';
import { CrashLimit } from './crash-limit.ts';
import { listenToPage, sendTo, type PageListener } from './ipc-transport.ts';
import { boundsFor, readPlace, SMALLEST, writePlace } from './window-place.ts';

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

/** Background before the page is painted: that of the light and of the dark theme. */
const ground = () => (nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff');

export interface MainWindowOptions {
  readonly preload: string;
  readonly icon: string;
  readonly placeFile: string;
  readonly devTools: boolean;
  readonly listener: PageListener;
  /** The page crashed too often, and the user chose to continue without the logs. */
  readonly closeLogs: () => void;
}

export function openMainWindow(options: MainWindowOptions): BrowserWindow {
  const place = readPlace(options.placeFile);
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
    backgroundColor: ground(),
    webPreferences: { ...SANDBOXED, preload: options.preload, devTools: options.devTools },
  });
  if (place?.isMaximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => {
    writePlace(options.placeFile, {
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
    });
  });
  listenToPage(window.webContents, options.listener);
  reloadAfterCrash(window, options.closeLogs);
  askWhenUnresponsive(window);
  void window.loadURL(APP_PAGE);
  return window;
}

/** Opens a window with a text that the page's protocol serves: the licences. */
export function openTextWindow(address: string, title: string, icon: string): void {
  const window = new BrowserWindow({
    width: 800,
    height: 700,
    title,
    icon,
    webPreferences: { ...SANDBOXED, devTools: false },
  });
  window.on('page-title-updated', (event) => event.preventDefault());
  void window.loadURL(address);
}

export function sendCommand(window: BrowserWindow, command: WindowCommand): void {
  sendTo(window.webContents, CHANNELS.command, command);
}

/** The page has no state that the host lacks: after a reload it follows the same logs. */
function reloadAfterCrash(window: BrowserWindow, closeLogs: () => void): void {
  const limit = new CrashLimit();
  const reload = () => {
    if (!window.isDestroyed()) window.webContents.reload();
  };
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    if (limit.allowsReload(Date.now())) {
      reload();
      return;
    }
    void dialog
      .showMessageBox(window, {
        type: 'error',
        message: 'The window keeps crashing.',
        detail: `It ended ${reason === 'oom' ? 'for lack of memory' : `with "${reason}"`} several times within minutes. The logs themselves are untouched.`,
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
