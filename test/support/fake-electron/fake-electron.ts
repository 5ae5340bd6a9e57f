import { EventEmitter } from 'node:events';
import { FakeContents } from './fake-contents.ts';

type Options = Record<string, unknown> & { readonly webPreferences: Record<string, unknown> };

/** What the program did, in the order it did it. */
export type Journal = string[];

export interface FakeWindow extends EventEmitter {
  readonly options: Options;
  readonly webContents: FakeContents;
  readonly addresses: string[];
}

export interface FakeMenuItem {
  readonly label?: string;
  readonly role?: string;
  readonly accelerator?: string;
  readonly submenu?: readonly FakeMenuItem[];
  readonly click?: () => void;
}

export interface FakeOptions {
  readonly userData: string;
  readonly isPackaged?: boolean;
  /** False: another instance has the lock. */
  readonly isFirstInstance?: boolean;
}

export interface FakeElectron {
  /** What `import … from 'electron'` gives. */
  readonly modules: unknown;
  readonly app: EventEmitter;
  readonly session: FakeSession;
  readonly windows: readonly FakeWindow[];
  readonly journal: Journal;
  /** Answers of the next dialogs, in order. */
  readonly answers: unknown[];
  becomeReady(): Promise<void>;
  /** What the program would pass to an instance that is already running. */
  lock(): unknown;
  privileges(): unknown;
  request(url: string, method?: string): Response;
  /** A menu item by its labels or roles, such as 'File > Open…'. */
  menuItem(path: string): FakeMenuItem;
}

type Handler = (...args: never[]) => unknown;

export class FakeSession extends EventEmitter {
  readonly handlers = new Map<string, Handler | null>();
  readonly webRequest = {
    onBeforeRequest: (handler: Handler) => void this.handlers.set('onBeforeRequest', handler),
  };
  setPermissionRequestHandler = (handler: Handler) => void this.handlers.set('permissionRequest', handler);
  setPermissionCheckHandler = (handler: Handler) => void this.handlers.set('permissionCheck', handler);
  setDevicePermissionHandler = (handler: Handler) => void this.handlers.set('devicePermission', handler);
  setDisplayMediaRequestHandler = (handler: Handler | null) =>
    void this.handlers.set('displayMedia', handler);
}

/** A fake of every Electron function that the program uses; it only records calls. */
export function fakeElectron(options: FakeOptions): FakeElectron {
  const journal: Journal = [];
  const windows: FakeWindow[] = [];
  const answers: unknown[] = [];
  const ready = withResolvers();
  let lock: unknown;
  let menu: readonly FakeMenuItem[] = [];
  let answerRequest: ((request: Request) => Response) | undefined;
  let privileges: unknown;

  const app = Object.assign(new EventEmitter(), {
    isPackaged: options.isPackaged ?? false,
    whenReady: () => ready.promise,
    enableSandbox: () => journal.push('enableSandbox'),
    requestSingleInstanceLock: (data: unknown) => {
      lock = structuredClone(data);
      return options.isFirstInstance ?? true;
    },
    exit: (code: number) => journal.push(`exit ${String(code)}`),
    quit: () => journal.push('quit'),
    getPath: () => options.userData,
    getVersion: () => '0.1.0',
    setAppUserModelId: () => undefined,
    setAboutPanelOptions: () => undefined,
    addRecentDocument: (path: string) => journal.push(`addRecentDocument ${path}`),
    clearRecentDocuments: () => journal.push('clearRecentDocuments'),
  });

  class BrowserWindow extends EventEmitter implements FakeWindow {
    readonly options: Options;
    readonly webContents = new FakeContents();
    readonly addresses: string[] = [];
    #isDestroyed = false;

    constructor(options: Options) {
      super();
      this.options = options;
      windows.push(this);
      app.emit('web-contents-created', {}, this.webContents);
    }

    loadURL(url: string): Promise<void> {
      this.addresses.push(url);
      return Promise.resolve();
    }
    show = () => journal.push('show');
    focus = () => journal.push('focus');
    restore = () => journal.push('restore');
    maximize = () => journal.push('maximize');
    isMinimized = () => false;
    isMaximized = () => false;
    isDestroyed = () => this.#isDestroyed;
    getNormalBounds = () => ({ x: 10, y: 20, width: 1000, height: 700 });
    destroy(): void {
      this.#isDestroyed = true;
      this.webContents.destroyed = true;
      this.webContents.emit('destroyed');
      this.emit('closed');
    }
    close(): void {
      this.emit('close');
      this.destroy();
    }
  }

  const session = new FakeSession();
  const modules = {
    app,
    BrowserWindow,
    dialog: {
      showOpenDialog: (...args: unknown[]) => {
        journal.push('showOpenDialog');
        return Promise.resolve(answers.shift() ?? { canceled: true, filePaths: [], args });
      },
      showMessageBox: (_window: unknown, { message }: { readonly message: string }) => {
        journal.push(`showMessageBox ${message}`);
        return Promise.resolve(answers.shift() ?? { response: 0 });
      },
    },
    Menu: {
      buildFromTemplate: (template: readonly FakeMenuItem[]) => template,
      setApplicationMenu: (template: readonly FakeMenuItem[]) => void (menu = template),
    },
    nativeTheme: { shouldUseDarkColors: true },
    protocol: {
      registerSchemesAsPrivileged: (schemes: unknown) => void (privileges = schemes),
      handle: (_scheme: string, handler: (request: Request) => Response) => void (answerRequest = handler),
    },
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }] },
    session: { defaultSession: session },
    shell: {
      openExternal: (url: string) => {
        journal.push(`openExternal ${url}`);
        return Promise.resolve();
      },
    },
  };

  return {
    modules,
    app,
    session,
    windows,
    journal,
    answers,
    becomeReady: async () => {
      ready.resolve(undefined);
      await ready.promise;
      await Promise.resolve();
    },
    lock: () => lock,
    privileges: () => privileges,
    request: (url, method = 'GET') => answerRequest!({ url, method } as Request),
    menuItem: (path) => {
      let items = menu;
      let item: FakeMenuItem | undefined;
      for (const name of path.split(' > ')) {
        item = items.find(({ label, role }) => (label ?? role ?? '').replace('&', '') === name);
        if (item === undefined) throw new Error(`no menu item ${path}`);
        items = item.submenu ?? [];
      }
      return item!;
    },
  };
}

function withResolvers(): { promise: Promise<undefined>; resolve: (value: undefined) => void } {
  let resolve!: (value: undefined) => void;
  const promise = new Promise<undefined>((done) => (resolve = done));
  return { promise, resolve };
}
