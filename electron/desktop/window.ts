import { BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import type { WindowCommand } from '../../shared/protocol/desktop-bridge.ts';
import { APP_PAGE } from './security.ts';
import { CHANNELS } from './channels.ts';
import { CrashLimit } from '../host/log-threads.ts';
import { listenToPage, type PageListener, sendTo } from './ipc-transport.ts';
import { boundsFor, type placeFile, SMALLEST, type WindowPlace } from './window-place.ts';

/** Web preferences of every window. Most equal Electron's defaults; set here in case a default changes. */
const SANDBOXED = {
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

interface MainWindowOptions {
  readonly preload: string;
  readonly icon: string;
  /** Whether a window may be closed now. If not, it is closed later, or the user has kept it. */
  readonly mayClose: (window: BrowserWindow) => boolean;
  /** Is written when the window is closed. */
  readonly place: ReturnType<typeof placeFile>;
  readonly devTools: boolean;
  readonly listener: (window: BrowserWindow) => PageListener;
  /** The page crashed too often, and the user chose to continue without the logs. */
  readonly closeLogs: () => void;
  /** Notes that the page ended unexpectedly or hangs. */
  readonly note: (text: string) => void;
}

interface MainWindow {
  readonly window: BrowserWindow;
  /** Does nothing before the window is first shown. */
  bringToFront(): void;
}

function openMainWindow(options: MainWindowOptions, place: WindowPlace | undefined): MainWindow {
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
    options.place.save({
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
      isFullScreen: window.isFullScreen(),
    });
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
    // Little more of the menu applies to it than Close Log, which closes it.
    autoHideMenuBar: true,
    webPreferences: { ...SANDBOXED, devTools: false },
  });
  window.on('page-title-updated', (event) => event.preventDefault());
  void window.loadURL(address);
}

/** Shows the window's log to the operating system: its file in the title bar (macOS), and progress in the taskbar. */
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

/** After this time a window is shown even if its page has neither been drawn nor loaded. */
const LONGEST_HIDDEN_MS = 2000;

/**
 * Shows a new, hidden window when its page is drawn, so that it does not flash; at the latest when the page is loaded or
 * after two seconds. Under Wayland a hidden window may never be drawn (electron/electron#48859).
 *
 * Returns a function that brings the window to the front; it does nothing while the window waits to be shown.
 */
function showWhenDrawn(
  window: BrowserWindow,
  place: Pick<WindowPlace, 'isMaximized' | 'isFullScreen'> | undefined,
): () => void {
  let isWaiting = true;
  const stopWaiting = () => {
    isWaiting = false;
    clearTimeout(timer);
  };
  const show = () => {
    if (!isWaiting) return;
    stopWaiting();
    // Not before this: maximizing shows a hidden window, and so does full screen.
    if (place?.isMaximized === true) window.maximize();
    window.show();
    if (place?.isFullScreen === true) window.setFullScreen(true);
  };
  const timer = setTimeout(show, LONGEST_HIDDEN_MS);
  window.once('ready-to-show', show);
  window.webContents.once('did-finish-load', show);
  window.once('closed', stopWaiting);
  return () => {
    if (isWaiting) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
}

/** From one window to the next, so that both can be seen; device-independent pixels. */
const OFFSET = 24;

/**
 * The windows that show logs, all of the same host. In front is the one that had the focus last: dialogs belong to it, and
 * it comes forward when a file is opened from outside.
 */
export class MainWindows {
  readonly #options: MainWindowOptions;
  /** The last one is in front. */
  #open: readonly MainWindow[] = [];

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  get front(): MainWindow | undefined {
    return this.#open.at(-1);
  }

  get count(): number {
    return this.#open.length;
  }

  with(window: Electron.BaseWindow | undefined): MainWindow | undefined {
    return this.#open.find((each) => each.window === window);
  }

  /** The first window is where the last one was; another one is beside the one in front. */
  openNew(): void {
    const { front } = this;
    const opened = openMainWindow(
      this.#options,
      front === undefined ? this.#options.place.load() : placeBeside(front),
    );
    this.#open = [...this.#open, opened];
    opened.window.on('focus', () => {
      this.#open = [...this.#open.filter((each) => each !== opened), opened];
    });
    opened.window.on('closed', () => {
      this.#open = this.#open.filter((each) => each !== opened);
    });
  }

  /** Opens a window if there is none. */
  show(): void {
    if (this.front === undefined) this.openNew();
    else this.front.bringToFront();
  }
}

function placeBeside({ window }: MainWindow): WindowPlace {
  const { x, y, width, height } = window.getNormalBounds();
  return {
    bounds: { x: x + OFFSET, y: y + OFFSET, width, height },
    isMaximized: false,
    isFullScreen: false,
  };
}
