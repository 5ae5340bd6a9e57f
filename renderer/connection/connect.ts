import type {
  DesktopBridge,
  ShownLog,
  ThemeChoice,
  WindowCommand,
} from '../../shared/protocol/desktop-bridge.ts';
import type { LogId } from '../../shared/protocol/messages.ts';
import { type Transport, MessageReader } from '../../shared/protocol/transport.ts';
import { type PageAddress, pageAddress } from './page-address.ts';

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
  /** Lines for people: a description of the page, and the note of its maker; undefined for the program itself. */
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
interface FileManager {
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

type Message = string | ArrayBuffer;

/**
 * Talks to the host that served this page, by a WebSocket at `/socket`. Bulk data arrives as the response to a request
 * of `/stream`, which browsers read several times as fast; without it everything uses the WebSocket. The cookie set
 * with the page authorises both.
 */
function webSocketTransport({ protocol, host }: Location): Transport {
  const connection = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const socket = new WebSocket(
    `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/socket?connection=${connection}`,
  );
  socket.binaryType = 'arraybuffer';
  const listeners: ((message: Message) => void)[] = [];
  const deliver = (message: Message): void => listeners.forEach((listener) => listener(message));
  // Requests wait until it is known which channel is used: messages of one kind must not overtake each other.
  let waiting: Message[] | undefined = [];
  const stopped = new AbortController();
  const closed: ((reason: string) => void)[] = [];
  const end = (reason: string): void => {
    stopped.abort();
    silence.end();
    for (const listener of closed.splice(0)) listener(reason);
  };
  const silence = watchSilence((reason) => {
    // A broken line answers no closing either.
    end(reason);
    socket.close();
  });
  const readStream = async (): Promise<void> => {
    const response = await fetch(`/stream?connection=${connection}`, { signal: stopped.signal }).catch(
      () => undefined,
    );
    const messages = waiting ?? [];
    waiting = undefined;
    messages.forEach(deliver);
    if (response?.ok !== true || response.body === null) return;
    const pieces = response.body.getReader();
    const reader = new MessageReader(deliver);
    try {
      for (let next = await pieces.read(); !next.done; next = await pieces.read()) {
        silence.heard();
        reader.append(next.value);
      }
    } catch {
      // Treated like the end of the stream.
    }
    socket.close();
  };
  socket.addEventListener('open', () => void readStream());
  socket.addEventListener('close', ({ code, reason }) => end(closeReason(code, reason)));
  socket.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    silence.heard();
    if (waiting === undefined) deliver(data);
    else waiting.push(data);
  });
  return {
    send: (message) => socket.send(message),
    get queuedBytes() {
      return socket.bufferedAmount;
    },
    onMessage: (listener) => void listeners.push(listener),
    onClose: (listener) => void closed.push(listener),
    close: () => socket.close(),
  };
}

const NO_ANSWER =
  'Leanscope does not answer. Over ssh, run the ssh command again. If Leanscope was restarted, open the address that it printed.';

function closeReason(code: number, reason: string): string {
  if (reason !== '') return reason;
  return code === 1006 ? NO_ANSWER : `the connection was closed (${code}).`;
}

const OTHER_RUN = 'Leanscope was restarted. Open the address that it printed: this window then goes on.';

/**
 * Why a lost connection cannot be opened again; undefined if the server answers a request and accepts the cookie. Chromium
 * delays WebSockets by up to five seconds after some that failed, requests never.
 */
export async function serverObstacle(): Promise<string | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), SILENCE_MS);
  try {
    const { ok } = await fetch('/', { method: 'HEAD', signal: late.signal });
    return ok ? undefined : OTHER_RUN;
  } catch {
    return NO_ANSWER;
  } finally {
    clearTimeout(timer);
  }
}

/** A connection that has been silent for so long is asked for, and has so long to answer. */
const SILENCE_MS = 20_000;

/**
 * Calls `lost` once when nothing has arrived for a while and the server does not answer a request either. A line that is
 * broken below ssh, as after a laptop has slept, closes nothing: a log that grows would look like one that rests.
 */
function watchSilence(lost: (reason: string) => void): { heard(): void; end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let arrived = 0;
  let hasEnded = false;
  const wait = (): void => {
    const before = arrived;
    timer = setTimeout(() => (arrived === before ? void ask() : wait()), SILENCE_MS);
  };
  const ask = async (): Promise<void> => {
    const before = arrived;
    const reason = await serverObstacle();
    if (hasEnded) return;
    // A refusal is an answer, too: the line is there.
    if (reason !== NO_ANSWER || arrived > before) wait();
    else lost(reason);
  };
  wait();
  return {
    heard: () => void arrived++,
    end: () => {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}
