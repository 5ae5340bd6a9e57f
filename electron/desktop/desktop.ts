/** Composes the desktop application: one instance, one window, one host. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, type BrowserWindow, dialog, Menu, protocol, session, shell } from 'electron';
import type { FileEntry } from '../../shared/protocol/messages.ts';
import { LogHost, type Host, type RecentFileList } from '../host/host.ts';
import { RecentFiles } from '../host/recent-files.ts';
import { APP_ORIGIN, APP_SCHEME } from './app-origin.ts';
import { saveDownloads } from './downloads.ts';
import { menuTemplate } from './menu.ts';
import { FilesToOpen, filesOf, ownArguments, readHandedOver, type HandedOver } from './opened-files.ts';
import { answer, readPageFiles } from './protocol.ts';
import { hardenContents, hardenSession } from './security.ts';
import { openMainWindow, openTextWindow, sendCommand } from './window.ts';
import { PROFILE_EXTENSIONS } from './profile-extensions.ts';

const besides = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Bundled, this module lies flat in dist/electron. */
const PRELOAD = besides('./preload.cjs');
const WORKER = new URL('./log-worker.cjs', import.meta.url);
const PAGE_FOLDER = besides('../renderer');
const ICON = besides('../assets/icon.png');
/** Packaged beside the archive: see electron-builder.yml. */
const SAMPLES = besides('../assets').replace('app.asar', 'app.asar.unpacked');
const LICENCES = `${APP_ORIGIN}/licences.txt`;

/** To be called while Electron starts, before it is ready. */
export function runDesktop(files: readonly string[]): void {
  const handedOver: HandedOver = { files };
  if (!app.requestSingleInstanceLock({ ...handedOver })) {
    app.exit(0);
    return;
  }
  app.enableSandbox();
  app.setAppUserModelId('org.leanscope.desktop');
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  hardenContents(app, (url) => void shell.openExternal(url));

  const filesToOpen = new FilesToOpen();
  filesToOpen.add(files);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    filesToOpen.add([path]);
  });
  void app.whenReady().then(() => new Desktop(filesToOpen));
}

/** Ends the program when no window could be opened. */
export function exitDesktop(status: number): void {
  app.exit(status);
}

class Desktop {
  readonly #recent = new RecentFiles(app.getPath('userData'));
  readonly #host: Host;
  #window: BrowserWindow | undefined;

  constructor(filesToOpen: FilesToOpen) {
    const pageFiles = readPageFiles(PAGE_FOLDER);
    protocol.handle(APP_SCHEME, (request) => answer(pageFiles, request));
    hardenSession(session.defaultSession, !app.isPackaged);
    saveDownloads(session.defaultSession, app.getPath('downloads'));
    this.#host = new LogHost({
      version: app.getVersion(),
      capabilities: { openDialog: true, openDropped: true },
      workerUrl: WORKER,
      sampleFolder: SAMPLES,
      recentFiles: this.#recentFiles(),
      openDialog: () => this.#chooseFiles(),
    });

    app.setAboutPanelOptions({
      applicationName: 'Leanscope',
      applicationVersion: app.getVersion(),
      copyright: 'Copyright © The Leanscope authors',
      iconPath: ICON,
    });
    this.#showMenu();
    this.#openWindow();
    filesToOpen.deliverTo((files) => this.#open(files));

    app.on('second-instance', (_event, argv, folder, data) => {
      // `argv` may be reordered and include Chromium's flags, so it is used only without `additionalData`.
      const files = readHandedOver(data)?.files ?? filesOf(ownArguments(argv, !app.isPackaged), folder);
      this.#showWindow();
      filesToOpen.add(files);
    });
    app.on('activate', () => this.#showWindow());
    app.on('window-all-closed', () => {
      if (process.platform !== 'darwin') app.quit();
    });
    // Not awaited: the reader threads end with the process.
    app.on('will-quit', () => void this.#host.stop());
  }

  /** The recent files; the lists of the system and of the menu are updated with it. */
  #recentFiles(): RecentFileList {
    const recent = this.#recent;
    return {
      list: () => recent.list(),
      pathOf: (id) => recent.pathOf(id),
      add: (path) => {
        recent.add(path);
        app.addRecentDocument(path);
        this.#showMenu();
      },
      forget: () => {
        recent.forget();
        app.clearRecentDocuments();
        this.#showMenu();
      },
    };
  }

  #showMenu(): void {
    const state = {
      recent: this.#recent.list(),
      isMac: process.platform === 'darwin',
      devTools: !app.isPackaged,
    };
    const template = menuTemplate(state, {
      chooseFiles: () => void this.#chooseFiles().then((files) => this.#open(files)),
      openRecent: (file) => this.#openRecent(file),
      forgetRecent: () => this.#host.forgetRecent(),
      openSample: (sample) => void this.#host.openSample(sample, { show: true }),
      showLicences: () => openTextWindow(LICENCES, 'Licences', ICON),
      openWebPage: (url) => void shell.openExternal(url),
      command: (command) => {
        if (this.#window !== undefined) sendCommand(this.#window, command);
      },
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  #openRecent(file: FileEntry): void {
    const path = this.#recent.pathOf(file.id);
    if (path !== undefined) this.#open([path]);
  }

  #open(files: readonly string[]): void {
    if (files.length > 0) this.#showWindow();
    void this.#openInTurn(files);
  }

  /** Opens sequentially, so that the logs keep this order however long it takes to resolve each path. */
  async #openInTurn(files: readonly string[]): Promise<void> {
    for (const file of files) await this.#host.open(file, { show: true });
  }

  async #chooseFiles(): Promise<readonly string[]> {
    const options: Electron.OpenDialogOptions = {
      properties: ['openFile', 'multiSelections'],
      filters: [
        { name: 'Profiles', extensions: PROFILE_EXTENSIONS },
        { name: 'All files', extensions: ['*'] },
      ],
    };
    const { filePaths } = await (this.#window === undefined
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(this.#window, options));
    return filePaths;
  }

  #openWindow(): void {
    const window = openMainWindow({
      preload: PRELOAD,
      icon: ICON,
      placeFile: join(app.getPath('userData'), 'window.json'),
      devTools: !app.isPackaged,
      listener: {
        onConnect: (transport) => this.#host.connectClient(transport),
        onDropped: (path) => this.#open([path]),
      },
      closeLogs: () => {
        for (const { id } of this.#host.logs()) this.#host.close(id);
      },
    });
    this.#window = window;
    window.on('closed', () => {
      this.#window = undefined;
    });
  }

  #showWindow(): void {
    if (this.#window === undefined) this.#openWindow();
    else {
      if (this.#window.isMinimized()) this.#window.restore();
      this.#window.show();
      this.#window.focus();
    }
  }
}
