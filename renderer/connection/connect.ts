import type {
  DesktopBridge,
  ShownLog,
  ThemeChoice,
  WindowCommand,
} from '../../shared/protocol/desktop-bridge.ts';
import type { LogId } from '../../shared/protocol/messages.ts';
import type { Transport } from '../../shared/protocol/transport.ts';
import { type PageAddress, pageAddress } from './page-address.ts';
import { serverObstacle, webSocketTransport } from './websocket-transport.ts';

declare global {
  interface Window {
    /** Set by the desktop's preload script; absent in a browser. */
    readonly leanscope?: DesktopBridge<File>;
  }
}

/** Where texts outlast a page; both may throw, for example where storage is forbidden. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** A way to the host, and what only some hosts can do. */
export interface Host {
  /** A fresh Web Worker with the mirrors of logs. */
  startWorker(): Worker;
  /** Where settings are kept, and where the tabs are. May throw. */
  storage(of: 'settings' | 'tabs'): TextStorage;
  /** What the page is and what its maker says, lines for people; undefined for the program itself. */
  readonly about?: readonly string[];
  /** A fresh transport that is about to open. */
  openTransport(): Transport;
  /** Why a lost connection cannot be opened again: see `HostClientOptions`. */
  readonly obstacle?: () => Promise<string | undefined>;
  /** False when the host cannot reach the file: the window reads it itself. */
  openDropped(file: File): boolean;
  readonly isMac: boolean;
  /** Commands of a menu outside the window. */
  onCommand(listener: (command: WindowCommand) => void): void;
  /** undefined where the page has no address that is seen. */
  readonly address: PageAddress | undefined;
  /** Passes the theme on to what is around the page. */
  setTheme(theme: ThemeChoice): void;
  /** Passes on what the window shows. */
  setShown(shown: ShownLog): void;
  /** undefined: there is no file manager. */
  readonly files: FileManager | undefined;
}

/** The system's file manager. */
export interface FileManager {
  showLog(log: LogId): void;
  /** A file was saved; `name` without its folder. */
  onSaved(listener: (name: string) => void): void;
  showSaved(): void;
}

/** The only place that distinguishes the desktop from a browser. */
export function chooseHost(window: Window): Host {
  const bridge = window.leanscope;
  const startWorker = (): Worker =>
    new Worker(new URL('../mirror-worker.ts', import.meta.url), { type: 'module' });
  if (bridge !== undefined) {
    return {
      startWorker,
      storage: () => window.localStorage,
      openTransport: () => ({ ...bridge.transport, queuedBytes: 0 }),
      openDropped: (file) => bridge.openDropped(file),
      address: undefined,
      isMac: bridge.platform === 'darwin',
      onCommand: (listener) => bridge.onCommand(listener),
      setTheme: (theme) => bridge.setTheme(theme),
      setShown: (shown) => bridge.setShown(shown),
      files: {
        showLog: (log) => bridge.revealLog(log),
        onSaved: (listener) => bridge.onSaved(listener),
        showSaved: () => bridge.revealSaved(),
      },
    };
  }
  return {
    startWorker,
    // Names of files last as long as the browser's tab: another program may have the address of this host later.
    storage: (of) => (of === 'settings' ? window.localStorage : window.sessionStorage),
    openTransport: () => webSocketTransport(window.location),
    obstacle: serverObstacle,
    openDropped: () => false,
    address: pageAddress(window),
    isMac: window.navigator.userAgent.includes('Mac OS X'),
    onCommand: () => undefined,
    setTheme: () => undefined,
    setShown: () => undefined,
    files: undefined,
  };
}
