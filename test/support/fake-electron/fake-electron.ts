import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { checkMenu, type FakeMenuItem, findItem } from './fake-menu.ts';
import { FakeSession } from './fake-session.ts';
import { FakeTheme } from './fake-theme.ts';
import { FakeWindow, type WindowOptions } from './fake-window.ts';

/** What the program did, in the order it did it. */
export type Journal = string[];

export interface FakeOptions {
  readonly userData: string;
  readonly isPackaged?: boolean;
  /** False: another instance has the lock. */
  readonly isFirstInstance?: boolean;
  /** Arguments of the process; those before `--` that begin with `--` are switches of Chromium. */
  readonly args?: readonly string[];
}

export interface FakeElectron {
  /** What `import … from 'electron'` gives. */
  readonly modules: unknown;
  readonly app: EventEmitter;
  readonly session: FakeSession;
  readonly nativeTheme: FakeTheme;
  /** Chromium's switches, as they are now. */
  readonly switches: ReadonlySet<string>;
  readonly windows: readonly FakeWindow[];
  readonly journal: Journal;
  /** Answers of the next dialogs, in order. */
  readonly answers: unknown[];
  /** The notifications of the system, as they came. */
  readonly notifications: readonly EventEmitter[];
  /** Options of the dialogs that were shown. */
  readonly dialogs: readonly Readonly<Record<string, unknown>>[];
  /** The window of each of them; undefined: none. */
  readonly dialogWindows: readonly (FakeWindow | undefined)[];
  becomeReady(): Promise<void>;
  /** What the program would pass to an instance that is already running. */
  lock(): unknown;
  privileges(): unknown;
  /** Options of the About dialog. */
  aboutPanel(): Readonly<Record<string, unknown>>;
  /** How crash reports were started. */
  crashReports(): unknown;
  request(url: string, method?: string): Response;
  menu(): readonly FakeMenuItem[];
  /** A menu item by its labels or roles, such as 'File > Open…'. */
  menuItem(path: string): FakeMenuItem;
  /** Chooses a menu item while this window has the focus, the first one unless told; null: none has it. */
  choose(path: string, window?: FakeWindow | null): void;
}

/**
 * A fake of every Electron function that the program uses. It records calls, and throws where Electron does: what needs
 * the 'ready' event before it, what must come earlier after it, windows when they are destroyed, and invalid menus.
 */
export function fakeElectron(options: FakeOptions): FakeElectron {
  const journal: Journal = [];
  const windows: FakeWindow[] = [];
  const answers: unknown[] = [];
  const notifications: EventEmitter[] = [];
  const dialogs: Record<string, unknown>[] = [];
  const dialogWindows: (FakeWindow | undefined)[] = [];
  const ready = withResolvers();
  let isReady = false;
  let lock: unknown;
  let menu: readonly FakeMenuItem[] = [];
  let answerRequest: ((request: Request) => Response) | undefined;
  let privileges: unknown;
  let crashReports: unknown;
  let aboutPanel: Readonly<Record<string, unknown>> = {};

  const afterReady = (what: string) => {
    if (!isReady) throw new Error(`${what} can only be used after app is ready`);
  };
  const beforeReady = (what: string) => {
    if (isReady) throw new Error(`${what} can only be called before app is ready`);
  };

  const args = options.args ?? [];
  const switches = new Set(
    args
      .slice(0, args.includes('--') ? args.indexOf('--') : undefined)
      .filter((arg) => arg.startsWith('--'))
      .map((arg) => arg.slice(2)),
  );

  const paths = new Map<string, string>();
  const app = Object.assign(new EventEmitter(), {
    isPackaged: options.isPackaged ?? false,
    whenReady: () => ready.promise,
    enableSandbox: () => {
      beforeReady('app.enableSandbox()');
      journal.push('enableSandbox');
      switches.delete('no-sandbox');
    },
    commandLine: {
      hasSwitch: (name: string) => switches.has(name.split('=')[0]),
      appendSwitch: (name: string, value?: string) => {
        beforeReady('app.commandLine.appendSwitch()');
        switches.add(value === undefined ? name : `${name}=${value}`);
      },
    },
    requestSingleInstanceLock: (data: unknown) => {
      lock = structuredClone(data);
      return options.isFirstInstance ?? true;
    },
    exit: (code: number) => journal.push(`exit ${String(code)}`),
    quit: () => journal.push('quit'),
    relaunch: ({ args }: { readonly args: readonly string[] }) => journal.push(`relaunch ${args.join(' ')}`),
    getAppPath: () => '/checkout',
    getPath: (name: string) =>
      paths.get(name) ?? (name === 'userData' ? options.userData : join(options.userData, name)),
    setPath: (name: string, path: string) => {
      if (name === 'crashDumps') beforeReady("app.setPath('crashDumps')");
      paths.set(name, path);
    },
    getVersion: () => '0.1.0',
    setAppUserModelId: () => undefined,
    setAboutPanelOptions: (panel: Readonly<Record<string, unknown>>) => void (aboutPanel = panel),
    addRecentDocument: (path: string) => journal.push(`addRecentDocument ${path}`),
    clearRecentDocuments: () => journal.push('clearRecentDocuments'),
  });

  class BrowserWindow extends FakeWindow {
    static getFocusedWindow = () => windows.find((window) => window.hasFocus) ?? null;
    constructor(options: WindowOptions) {
      afterReady('BrowserWindow');
      super(options, journal);
      windows.push(this);
      app.emit('web-contents-created', {}, this.webContents);
    }
  }

  /** Dialogs take the window that they belong to, if any, and their options. */
  const showDialog = (name: string, args: [object, object?]): Record<string, unknown> => {
    afterReady(`dialog.${name}`);
    const [window, options] = args.length === 2 ? args : [undefined, args[0]];
    if (window instanceof FakeWindow && window.isDestroyed())
      throw new TypeError('Object has been destroyed');
    dialogs.push(options as Record<string, unknown>);
    dialogWindows.push(window as FakeWindow | undefined);
    return dialogs.at(-1)!;
  };

  class Notification extends EventEmitter {
    static isSupported = () => true;
    readonly #options: { readonly title: string; readonly body: string };
    constructor(options: { readonly title: string; readonly body: string }) {
      afterReady('Notification');
      super();
      this.#options = options;
      notifications.push(this);
    }
    show(): void {
      journal.push(`notify ${this.#options.title}: ${this.#options.body}`);
    }
  }

  const session = new FakeSession();
  const nativeTheme = new FakeTheme();
  const modules = {
    app,
    BrowserWindow,
    crashReporter: {
      start: (started: { readonly submitURL?: string; readonly uploadToServer?: boolean }) => {
        beforeReady('crashReporter.start()');
        if (started.uploadToServer !== false && started.submitURL === undefined)
          throw new Error('submitURL must be specified when uploadToServer is true');
        crashReports = started;
      },
    },
    dialog: {
      showErrorBox: (title: string, content: string) =>
        void journal.push(`showErrorBox ${title}: ${content}`),
      showOpenDialog: (...args: [object, object?]) => {
        showDialog('showOpenDialog', args);
        return Promise.resolve(answers.shift() ?? { canceled: true, filePaths: [] });
      },
      showSaveDialog: (...args: [object, object?]) => {
        showDialog('showSaveDialog', args);
        return Promise.resolve(answers.shift() ?? { canceled: true, filePath: '' });
      },
      showMessageBox: (...args: [object, object?]) => {
        const { message } = showDialog('showMessageBox', args);
        journal.push(`showMessageBox ${String(message)}`);
        return Promise.resolve(answers.shift() ?? { response: 0 });
      },
    },
    Menu: {
      buildFromTemplate: checkMenu,
      setApplicationMenu: (template: readonly FakeMenuItem[]) => void (menu = template),
    },
    nativeTheme,
    Notification,
    protocol: {
      registerSchemesAsPrivileged: (schemes: unknown) => {
        beforeReady('protocol.registerSchemesAsPrivileged');
        privileges = schemes;
      },
      handle: (_scheme: string, handler: (request: Request) => Response) => {
        afterReady('protocol.handle');
        answerRequest = handler;
      },
    },
    screen: {
      getAllDisplays: () => {
        afterReady('screen');
        return [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }];
      },
    },
    session: {
      get defaultSession() {
        afterReady('session');
        return session;
      },
    },
    shell: {
      openExternal: (url: string) => {
        journal.push(`openExternal ${url}`);
        return Promise.resolve();
      },
      openPath: (path: string) => {
        journal.push(`openPath ${path}`);
        return Promise.resolve('');
      },
      showItemInFolder: (path: string) => void journal.push(`showItemInFolder ${path}`),
    },
  };

  return {
    modules,
    app,
    session,
    nativeTheme,
    switches,
    windows,
    journal,
    answers,
    dialogs,
    dialogWindows,
    notifications,
    becomeReady: async () => {
      isReady = true;
      ready.resolve(undefined);
      await ready.promise;
      await Promise.resolve();
    },
    lock: () => lock,
    privileges: () => privileges,
    aboutPanel: () => aboutPanel,
    crashReports: () => crashReports,
    request: (url, method = 'GET') => answerRequest!({ url, method } as Request),
    menu: () => menu,
    menuItem: (path) => findItem(menu, path),
    choose: (path, window = windows[0]) => {
      const item = findItem(menu, path);
      // As BaseWindow.getFocusedWindow() gives it.
      item.click!(item, window, {});
    },
  };
}

function withResolvers(): { promise: Promise<undefined>; resolve: (value: undefined) => void } {
  let resolve!: (value: undefined) => void;
  const promise = new Promise<undefined>((done) => (resolve = done));
  return { promise, resolve };
}
