import type { IpcMainEvent, WebContents } from 'electron';
import type { ShownLog, ThemeChoice } from '../../shared/protocol/desktop-bridge.ts';
import type { LogId } from '../../shared/protocol/messages.ts';
import type { Transport } from '../../shared/protocol/transport.ts';
import { APP_ORIGIN } from './security.ts';
import { CHANNELS } from './channels.ts';
import { isFilePath } from './opened-files.ts';
import { isTheme } from './kept-files.ts';

/** Longer messages are ignored. The page sends none: its longest has a few thousand characters. */
const LONGEST_MESSAGE = 64 * 1024;

/** True if the event comes from the main frame of these contents and that frame shows the application's page. */
function isTrusted(event: IpcMainEvent, contents: WebContents): boolean {
  if (event.sender !== contents || contents.isDestroyed()) return false;
  const frame = event.senderFrame;
  return (
    frame !== null &&
    !frame.isDestroyed() &&
    !frame.detached &&
    frame.parent === null &&
    frame.frameTreeNodeId === contents.mainFrame.frameTreeNodeId &&
    frame.origin === APP_ORIGIN
  );
}

const isMessage = (value: unknown): value is string | ArrayBuffer =>
  (typeof value === 'string' && value.length <= LONGEST_MESSAGE) ||
  (value instanceof ArrayBuffer && value.byteLength <= LONGEST_MESSAGE);

/** Sends unless the page no longer exists: a frame may be destroyed at any time, and sending to it would throw. */
export function sendTo(contents: WebContents, channel: string, ...content: readonly unknown[]): void {
  if (contents.isDestroyed() || contents.isCrashed()) return;
  const frame = contents.mainFrame;
  if (frame.isDestroyed() || frame.detached) return;
  frame.send(channel, ...content);
}

/** One page's connection to the host. Ends when the page disconnects, reloads or is destroyed. */
export class IpcTransport implements Transport {
  /** Electron does not report this number. The protocol's acknowledgements limit the queued bytes instead. */
  readonly queuedBytes = 0;
  readonly connection: number;
  readonly #contents: WebContents;
  #deliver: ((message: string | ArrayBuffer) => void) | undefined;
  #onClose: ((reason: string) => void) | undefined;
  #isOpen = true;

  constructor(contents: WebContents, connection: number) {
    this.connection = connection;
    this.#contents = contents;
  }

  send(message: string | ArrayBuffer): void {
    if (this.#isOpen) sendTo(this.#contents, CHANNELS.message, this.connection, message);
  }

  onMessage(listener: (message: string | ArrayBuffer) => void): void {
    this.#deliver = listener;
  }

  onClose(listener: (reason: string) => void): void {
    this.#onClose = listener;
  }

  close(): void {
    if (!this.#isOpen) return;
    sendTo(this.#contents, CHANNELS.closed, this.connection, 'The program ended the connection.');
    this.end('closed by the host');
  }

  /** Passes on a message of the page, whose sender has been verified. */
  receive(message: string | ArrayBuffer): void {
    if (this.#isOpen) this.#deliver?.(message);
  }

  /** Ends the connection without a message to the page, which has disconnected or no longer exists. */
  end(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onClose?.(reason);
  }
}

export interface PageListener {
  /** Connects a page as a client of the host. */
  onConnect(transport: Transport): void;
  onDropped(path: string): void;
  onTheme(theme: ThemeChoice): void;
  onShown(shown: ShownLog): void;
  onReveal(log: LogId): void;
  onRevealSaved(): void;
}

const isLogId = (value: unknown): value is LogId => Number.isSafeInteger(value);

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

/**
 * Listens to messages of these contents only. Messages from another frame or origin, or of another type than the
 * channel carries, are ignored; the application's page never sends them.
 */
export function listenToPage(contents: WebContents, listener: PageListener): void {
  let current: IpcTransport | undefined;
  const endCurrent = (reason: string) => {
    current?.end(reason);
    current = undefined;
  };
  const on = (channel: string, handle: (first: unknown, second: unknown) => void) =>
    contents.ipc.on(channel, (event, first: unknown, second: unknown) => {
      if (isTrusted(event, contents)) handle(first, second);
    });
  on(CHANNELS.connect, (connection) => {
    if (!Number.isSafeInteger(connection)) return;
    endCurrent('the page was reloaded');
    current = new IpcTransport(contents, connection as number);
    listener.onConnect(current);
  });
  on(CHANNELS.disconnect, (connection) => {
    if (connection === current?.connection) endCurrent('closed by the page');
  });
  on(CHANNELS.message, (connection, message) => {
    if (current !== undefined && connection === current.connection && isMessage(message))
      current.receive(message);
  });
  on(CHANNELS.openDropped, (path) => {
    if (isFilePath(path)) listener.onDropped(path);
  });
  on(CHANNELS.theme, (theme) => {
    if (isTheme(theme)) listener.onTheme(theme);
  });
  on(CHANNELS.shown, (log, progress) => {
    listener.onShown({
      log: isLogId(log) ? log : undefined,
      progress: isShare(progress) ? progress : undefined,
    });
  });
  on(CHANNELS.reveal, (log) => {
    if (isLogId(log)) listener.onReveal(log);
  });
  on(CHANNELS.revealSaved, () => listener.onRevealSaved());
  contents.on('render-process-gone', () => endCurrent('the process of the page has ended'));
  contents.once('destroyed', () => endCurrent('the window was closed'));
}
