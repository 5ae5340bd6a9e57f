/**
 * All that the sandboxed page gets: one transport, the way in for dropped files, and the menu's commands. Runs in its
 * own world; what is exposed is copied across, so the page can neither reach nor replace what is used here.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { DesktopBridge, WindowCommand } from '../../shared/protocol/desktop-bridge.ts';
import { CHANNELS } from './channels.ts';

/** This page's own connection: what was meant for the page before a reload is told apart by it. */
const connection = crypto.getRandomValues(new Uint32Array(1))[0];

/** What came before somebody listened is kept for him. */
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
      // Not a File: a page that asks for that gets the same answer as for a file without a path.
    }
    if (path === '') return false;
    ipcRenderer.send(CHANNELS.openDropped, path);
    return true;
  },
  onCommand: (listener) => commands.listen(listener),
  platform: process.platform,
};

contextBridge.exposeInMainWorld('leanscope', bridge);
