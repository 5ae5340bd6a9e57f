/** Composes the desktop application: one host, its windows. */
import { readProjectOf } from '../host/project-of.ts';
import { type FindingsProject, NO_PROJECT } from '../../shared/findings/finding.ts';
import { printable } from '../../shared/text/printable.ts';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  app,
  BrowserWindow,
  Menu,
  nativeTheme,
  Notification,
  protocol,
  session,
  shell,
  type WebContents,
} from 'electron';
import type { WindowCommand } from '../../shared/protocol/desktop-bridge.ts';
import type { FileEntry, LogDescription, LogId } from '../../shared/protocol/messages.ts';
import { Host } from '../host/host.ts';
import type { ClientDialogs } from '../host/host-options.ts';
import { type HostSources, localSources } from '../host/host-sources.ts';
import { KeptRecordings } from '../host/kept-recordings.ts';
import { RecentFiles } from '../host/recent-files.ts';
import { tellingWriter } from '../host/stored-file.ts';
import { CAN_ATTACH } from '../jvm/platform.ts';
import type { SourceArguments } from '../runtime/find-runtime.ts';
import { APP_ORIGIN, APP_SCHEME, pageResponse, hardenSession } from './security.ts';
import {
  askUnsaved,
  chooseProfiles,
  chooseSources,
  chooseTarget,
  confirmEditor,
  firstFolder,
  reportFailedSave,
  saveDownloads,
} from './dialogs.ts';
import { CHANNELS } from './channels.ts';
import { reportAddress } from './reports.ts';
import type { EventLog } from './event-log.ts';
import { KeptFiles, type DesktopSettings, settingsFile } from './kept-files.ts';
import { LogNotices } from './log-notices.ts';
import { sendTo } from './ipc-transport.ts';
import { MainWindows, openTextWindow, sendCommand, showLog } from './window.ts';
import { placeFile } from './window-place.ts';
import { menuTemplate } from './menu.ts';
import { filesOf, type FilesToOpen, ownArguments, readInstanceData, sourcesOf } from './opened-files.ts';
import { readPageFiles } from '../host/page-files.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

const pathOf = (url: string) => fileURLToPath(new URL(url, import.meta.url));

// The build bundles this module into a file in dist/electron; the URLs are relative to that folder.
const PRELOAD = pathOf('./preload.cjs');
const WORKER = new URL('./log-worker.cjs', import.meta.url);
const PAGE_FOLDER = pathOf('../renderer');
/** The packaged program has these outside its archive: see asarUnpack in electron-builder.yml. */
const ASSETS = pathOf('../assets').replace('app.asar', 'app.asar.unpacked');
const ICON = join(ASSETS, 'icon.png');
const LICENCES = `${APP_ORIGIN}/licences.txt`;

interface DesktopStart {
  readonly filesToOpen: FilesToOpen;
  readonly sources: SourceArguments;
  /** Switches of Chromium on the command line. */
  readonly switches: readonly string[];
  readonly log: EventLog;
}

/** Everything that runs once Electron is ready. */
export class Desktop {
  readonly #write = tellingWriter((text) => {
    this.#log.note(text);
    this.#host.tellProblem(text);
  });
  /** Each change of the list also updates that of the operating system, and the menu. */
  readonly #recent = new RecentFiles(app.getPath('userData'), this.#write, (added) => {
    if (added !== undefined) app.addRecentDocument(added);
    else if (this.#recent.list().length === 0) app.clearRecentDocuments();
    this.#showMenu();
  });
  readonly #host: Host;
  readonly #stored = settingsFile(join(app.getPath('userData'), 'desktop.json'), this.#write);
  readonly #kept = new KeptFiles(join(app.getPath('userData'), 'open-files.json'), this.#write);
  #settings: DesktopSettings = this.#stored.load() ?? {};
  readonly #log: EventLog;
  readonly #switches: readonly string[];
  readonly #windows: MainWindows;
  /** The file that was saved last from a page. */
  readonly #saved = new WeakMap<WebContents, string>();
  /** Notifications on screen. Without a reference Electron may collect one, and its click would be lost. */
  readonly #notifications = new Set<Notification>();
  #isStopped = false;
  /** The user is asked about recordings that are not saved. */
  #isAsking = false;
  /** The window is closed because the program is to end. */
  #isQuitting = false;
  /** Recordings that the user wants to leave unsaved. */
  #left: readonly LogId[] = [];
  #startsAgain = false;

  readonly #sources: HostSources;

  /** Throws if a file of the program is missing. */
  constructor({ filesToOpen, sources, switches, log }: DesktopStart) {
    this.#log = log;
    this.#switches = switches;
    this.#sources = localSources({
      settingsFolder: app.getPath('userData'),
      write: this.#write,
      ...sources,
      dialogs: {
        choose: (kind) => this.#chooseSources(kind),
        confirmEditor: (command) => confirmEditor(this.#windows.front?.window, command),
      },
    });
    const pageFiles = readPageFiles(PAGE_FOLDER);
    protocol.handle(APP_SCHEME, (request) => pageResponse(pageFiles, request));
    hardenSession(session.defaultSession, !app.isPackaged);
    saveDownloads(session.defaultSession, {
      folder: () => this.#saveFolder,
      onSaved: (path, page) => this.#tellSaved(path, page),
      onFailed: (path) => reportFailedSave(this.#windows.front?.window, path),
    });
    const notices = new LogNotices((log, text) => this.#notify(log, text));
    const { project, problem } = projectHere();
    this.#host = new Host({
      version: app.getVersion(),
      capabilities: { openDialog: true, openDropped: true, ...(CAN_ATTACH ? { jvms: 'allowed' } : {}) },
      ...(CAN_ATTACH ? { jvms: { isAllowed: true } } : {}),
      workerUrl: WORKER,
      sampleFolder: ASSETS,
      recentFiles: this.#recent,
      keptRecordings: new KeptRecordings(join(app.getPath('userData'), 'recordings')),
      project,
      sources: this.#sources,
      onStatus: (log, status) => notices.hear(log, status),
      onLogs: () => this.#keepFiles(),
    });
    if (problem !== undefined) this.#host.tellProblem(problem);

    app.setAboutPanelOptions({
      applicationName: 'Leanscope',
      applicationVersion: app.getVersion(),
      copyright: 'Copyright © The Leanscope authors',
      iconPath: ICON,
    });
    nativeTheme.themeSource = this.#settings.theme ?? 'system';
    this.#windows = this.#newWindows();
    this.#showMenu();
    this.#windows.openNew();
    // The tab of a missing file says so; the file opens as soon as it appears.
    void this.#kept
      .restore((file, again) => this.#host.open(file, { show: false, remember: false, again }))
      .then(() => {
        if (!this.#isStopped) filesToOpen.deliverTo((files) => this.#open(files));
      });

    app.on('second-instance', (_event, argv, folder, data) => {
      // `argv` may be reordered and include Chromium's flags, so it is used only if `data` is missing or invalid.
      const given = readInstanceData(data);
      const args = ownArguments(argv, !app.isPackaged);
      const files = given?.files ?? filesOf(args, folder);
      if (this.#isStopped) {
        this.#openAtNextStart(files);
        return;
      }
      this.#sources.addForRun(given?.sources ?? sourcesOf(args, folder).roots);
      this.#windows.show();
      filesToOpen.add(files);
    });
    app.on('activate', () => {
      if (!this.#isStopped) this.#windows.show();
    });
    app.on('window-all-closed', () => {
      if (process.platform !== 'darwin') app.quit();
    });
    app.on('before-quit', () => (this.#isQuitting = true));
    app.on('will-quit', (event) => this.#stopHost(event));
  }

  #showMenu(): void {
    const state = {
      recent: this.#recent.list(),
      isMac: process.platform === 'darwin',
      devTools: !app.isPackaged,
      notifies: Notification.isSupported() ? this.#settings.notifies === true : undefined,
    };
    const template = menuTemplate(state, {
      chooseFiles: (window) =>
        void this.#chooseFiles(this.#windows.with(window)?.window).then((files) => this.#open(files)),
      openRecent: (file) => this.#openRecent(file),
      forgetRecent: () => this.#host.forgetRecent(),
      openSample: (sample) => void this.#host.openSample(sample, { show: true }),
      openNewWindow: () => this.#windows.openNew(),
      setNotifies: (notifies) => this.#store({ notifies }),
      reportProblem: () => void shell.openExternal(reportAddress()),
      showLogFolder: () => void shell.openPath(app.getPath('logs')),
      showLicences: () => openTextWindow(LICENCES, 'Licences', ICON),
      openWebPage: (url) => void shell.openExternal(url),
      command: (command, window) => this.#runCommand(command, window),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  /** Runs a command of the menu in the window that shows logs; any other window can only be closed. */
  #runCommand(command: WindowCommand, window: Electron.BaseWindow | undefined): void {
    // On macOS a dialog of the system has the focus, or all windows are hidden.
    if (window === undefined && process.platform === 'darwin') return;
    const main = window === undefined ? this.#windows.front : this.#windows.with(window);
    if (main !== undefined) sendCommand(main.window, command);
    else if (command === 'closeTab') window?.close();
  }

  #openRecent(file: FileEntry): void {
    const path = this.#recent.pathOf(file.id);
    if (path !== undefined) this.#open([path]);
  }

  #open(files: readonly string[]): void {
    if (this.#isStopped) {
      this.#openAtNextStart(files);
      return;
    }
    if (files.length > 0) this.#windows.show();
    void this.#openInTurn(files);
  }

  /** Opens one file after the other, so that the logs have the order of `files`. */
  async #openInTurn(files: readonly string[]): Promise<void> {
    for (const file of files) await this.#host.open(file, { show: true });
  }

  /** The program ends, for which recordings may hold it up: it starts again, with these files. */
  #openAtNextStart(files: readonly string[]): void {
    this.#kept.add(files);
    // A second call would start it a second time. The files of that are kept.
    if (!this.#startsAgain) startAgain(files, this.#switches);
    this.#startsAgain = true;
  }

  /** Stores which logs are open, except the sample recordings. */
  #keepFiles(): void {
    this.#kept.keep(this.#host.paths().filter((path) => !path.startsWith(ASSETS)));
  }

  /** The reader threads end with the process; recordings are stopped before it ends. */
  #stopHost(event: Electron.Event): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    // Recordings that run are stopped, and unsaved ones are kept.
    const isRecording =
      (this.#host.jvms?.recordings.count ?? 0) > 0 || this.#host.unsavedRecordings().length > 0;
    if (isRecording) event.preventDefault();
    void this.#host.stop().then(() => {
      if (isRecording) app.quit();
    });
  }

  #store(change: DesktopSettings): void {
    this.#settings = { ...this.#settings, ...change };
    this.#stored.save(this.#settings);
  }

  /** Starts in the folder of the file that was opened last. */
  #chooseFiles(window = this.#windows.front?.window): Promise<readonly string[]> {
    const folders = this.#recent.list().map(({ folder }) => folder);
    return chooseProfiles(window, folders);
  }

  async #chooseSources(kind: 'folder' | 'archive'): Promise<readonly string[]> {
    const folder = this.#settings.sourceFolder ?? '';
    const paths = await chooseSources(this.#windows.front?.window, kind, folder);
    if (paths.length > 0) this.#store({ sourceFolder: dirname(paths[0]) });
    return paths;
  }

  /** Shows a notification if the user wants it and no window of the program has the focus. */
  #notify(log: LogDescription, text: string): void {
    if (this.#settings.notifies !== true || BrowserWindow.getFocusedWindow() !== null) return;
    const { id, name } = log;
    const notification = new Notification({ title: name, body: text });
    this.#notifications.add(notification);
    notification.on('close', () => this.#notifications.delete(notification));
    notification.on('click', () => {
      this.#notifications.delete(notification);
      this.#windows.show();
      this.#host.show(id);
    });
    notification.show();
  }

  get #saveFolder(): string {
    return firstFolder([this.#settings.saveFolder ?? '']) ?? app.getPath('downloads');
  }

  #tellSaved(path: string, page: WebContents): void {
    this.#saved.set(page, path);
    this.#store({ saveFolder: dirname(path) });
    sendTo(page, CHANNELS.saved, basename(path));
  }

  #dialogsOf(window: BrowserWindow): ClientDialogs {
    const { webContents } = window;
    return {
      openDialog: () => this.#chooseFiles(window),
      chooseTarget: (name) => chooseTarget(window, this.#saveFolder, name),
      onSaved: (path) => this.#tellSaved(path, webContents),
    };
  }

  /** The last window is closed once the user has said what becomes of recordings that are not saved. */
  #mayClose(window: BrowserWindow): boolean {
    const unsaved = this.#host.unsavedRecordings().filter(({ id }) => !this.#left.includes(id));
    if (this.#windows.count > 1 || unsaved.length === 0) return true;
    if (this.#isAsking) return false;
    this.#isAsking = true;
    const quits = this.#isQuitting;
    void this.#leavesRecordings(window, unsaved).then((leaves) => {
      this.#isAsking = false;
      this.#isQuitting = false;
      if (!leaves || window.isDestroyed()) return;
      this.#left = unsaved.map(({ id }) => id);
      if (quits) app.quit();
      else window.close();
    });
    return false;
  }

  /** Whether nothing is lost by closing the window, or the user wants it. */
  async #leavesRecordings(window: BrowserWindow, unsaved: readonly LogDescription[]): Promise<boolean> {
    const answer = await askUnsaved(
      window,
      unsaved.map(({ name }) => name),
    );
    if (answer !== 'save') return answer === 'discard';
    for (const { id } of unsaved) {
      const { isSaved, messages } = await this.#host.saveRecording(id, this.#dialogsOf(window), true);
      for (const message of messages) if (message.type === 'problem') this.#host.tellProblem(message.text);
      if (!isSaved) return false;
    }
    return true;
  }

  #newWindows(): MainWindows {
    return new MainWindows({
      preload: PRELOAD,
      icon: ICON,
      place: placeFile(join(app.getPath('userData'), 'window.json'), this.#write),
      devTools: !app.isPackaged,
      listener: (window) => ({
        onConnect: (transport) => this.#host.connectClient(transport, this.#dialogsOf(window)),
        onDropped: (path) => this.#open([path]),
        onTheme: (theme) => {
          nativeTheme.themeSource = theme;
          this.#store({ theme });
        },
        onShown: ({ log, progress }) => {
          showLog(window, log === undefined ? undefined : this.#host.logOf(log)?.path, progress);
        },
        onReveal: (log) => {
          const path = this.#host.logOf(log)?.path;
          if (path !== undefined) shell.showItemInFolder(path);
        },
        onRevealSaved: () => {
          const path = this.#saved.get(window.webContents);
          if (path !== undefined) shell.showItemInFolder(path);
        },
      }),
      mayClose: (window) => this.#mayClose(window),
      closeLogs: () => {
        for (const { id } of this.#host.logs()) this.#host.close(id);
      },
      note: (text) => this.#log.note(text),
    });
  }
}

/** Has Electron start the program when it has ended, with these files and switches of Chromium. */
function startAgain(files: readonly string[], switches: readonly string[]): void {
  const { APPIMAGE } = process.env;
  app.relaunch({
    args: [...(app.isPackaged ? [] : [app.getAppPath()]), ...switches, '--', ...files],
    // The program itself is in a file system that goes with it.
    ...(APPIMAGE === undefined ? {} : { execPath: APPIMAGE }),
  });
}

/** The project file of the working directory, and why it cannot be used. */
function projectHere(): { readonly project: FindingsProject; readonly problem?: string } {
  try {
    return { project: readProjectOf(undefined) };
  } catch (error) {
    return {
      project: NO_PROJECT,
      problem: printable(errorMessage(error)),
    };
  }
}
