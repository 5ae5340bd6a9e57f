/**
 * The API of the sandboxed page: one transport, dropped files, and the commands of the menu. Runs in an isolated world:
 * exposed values are copied, so the page can neither access nor replace what this script uses.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { DesktopBridge, WindowCommand } from '../../shared/protocol/desktop-bridge.ts';
import { CHANNELS } from './channels.ts';

/** Number of this page's connection; it distinguishes messages to the page before a reload. */
const connection = crypto.getRandomValues(new Uint32Array(1))[0];

/** Queues what arrives before the page listens. */
function mailbox<Content>(): {
  put(content: Content): void;
  listen(listener: (content: Content) => void): void;
} {
  const waiting: Content[] = [];
  let deliver: ((content: Content) => void) | undefined;
  return {
    put: (content) => {
      if (deliver === undefined) waiting.push(content);
      else deliver(content);
    },
    listen: (listener) => {
      deliver = listener;
      for (const content of waiting.splice(0)) listener(content);
    },
  };
}

const messages = mailbox<string | ArrayBuffer>();
const closed = mailbox<string>();
const commands = mailbox<WindowCommand>();
ipcRenderer.on(CHANNELS.message, (_event, to: number, message: string | ArrayBuffer) => {
  if (to === connection) messages.put(message);
});
ipcRenderer.on(CHANNELS.closed, (_event, to: number, reason: string) => {
  if (to === connection) closed.put(reason);
});
ipcRenderer.on(CHANNELS.command, (_event, command: WindowCommand) => commands.put(command));

const bridge: DesktopBridge<File> = {
  transport: {
    send: (message) => ipcRenderer.send(CHANNELS.message, connection, message),
    onMessage: (listener) => {
      messages.listen(listener);
      ipcRenderer.send(CHANNELS.connect, connection);
    },
    onClose: (listener) => closed.listen(listener),
    close: () => ipcRenderer.send(CHANNELS.disconnect, connection),
  },
  openDropped: (file) => {
    let path = '';
    try {
      path = webUtils.getPathForFile(file);
    } catch {
      // Not a File: the same result as for a file without a path.
    }
    if (path === '') return false;
    ipcRenderer.send(CHANNELS.openDropped, path);
    return true;
  },
  onCommand: (listener) => commands.listen(listener),
  platform: process.platform,
};

contextBridge.exposeInMainWorld('leanscope', bridge);
