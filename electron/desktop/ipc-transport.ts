import type { IpcMainEvent, WebContents } from 'electron';
import type { Transport } from '../../shared/protocol/transport.ts';
import { APP_ORIGIN } from './app-origin.ts';
import { CHANNELS } from './channels.ts';
import { isFilePath } from './opened-files.ts';

/** Upper limit; the longest real message of a window is far shorter. */
const LONGEST_MESSAGE = 64 * 1024;

/** True for the main frame of these contents while it shows the application's page. */
export function isTrusted(event: IpcMainEvent, contents: WebContents): boolean {
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

/** Sends unless the page is gone: a frame can be disposed of between any two messages, and sending to it throws. */
export function sendTo(contents: WebContents, channel: string, ...content: readonly unknown[]): void {
  if (contents.isDestroyed() || contents.isCrashed()) return;
  const frame = contents.mainFrame;
  if (frame.isDestroyed() || frame.detached) return;
  frame.send(channel, ...content);
}

/** One page's connection to the host. Ends when the page disconnects, reloads or is destroyed. */
export class IpcTransport implements Transport {
  /** Electron does not report it; the acknowledgements of the protocol limit the bytes in flight. */
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

  /** A message of the page; its sender is already verified. */
  receive(message: string | ArrayBuffer): void {
    if (this.#isOpen) this.#deliver?.(message);
  }

  /** The page is destroyed; nothing more is sent. */
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
}

/**
 * Listens to messages of these contents only. Messages from another frame or origin, or of another type than the
 * channel carries, are ignored; the application's page never sends them.
 */
export function listenToPage(contents: WebContents, listener: PageListener): void {
  let current: IpcTransport | undefined;
  const leave = (reason: string) => {
    current?.end(reason);
    current = undefined;
  };
  const on = (channel: string, handle: (first: unknown, second: unknown) => void) =>
    contents.ipc.on(channel, (event, first: unknown, second: unknown) => {
      if (isTrusted(event, contents)) handle(first, second);
    });
  on(CHANNELS.connect, (connection) => {
    if (!Number.isSafeInteger(connection)) return;
    leave('the page was loaded anew');
    current = new IpcTransport(contents, connection as number);
    listener.onConnect(current);
  });
  on(CHANNELS.disconnect, (connection) => {
    if (connection === current?.connection) leave('closed by the page');
  });
  on(CHANNELS.message, (connection, message) => {
    if (current !== undefined && connection === current.connection && isMessage(message))
      current.receive(message);
  });
  on(CHANNELS.openDropped, (path) => {
    if (isFilePath(path)) listener.onDropped(path);
  });
  contents.on('render-process-gone', () => leave('the page is gone'));
  contents.once('destroyed', () => leave('the window was closed'));
}
