/**
 * The API of the sandboxed page: one transport, dropped files, and the commands of the menu. This script runs in an
 * isolated world: exposed values are copied, so the page can neither access nor replace the objects of this script.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { DesktopBridge, WindowCommand } from '../../shared/protocol/desktop-bridge.ts';
import { CHANNELS } from './channels.ts';

/** This page's connection. Messages with another number were sent to the page before a reload. */
const connection = crypto.getRandomValues(new Uint32Array(1))[0];

/** Passes values on to a listener, and queues those that arrive before there is one. */
function createQueue<Content>(): {
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

const messages = createQueue<string | ArrayBuffer>();
const closed = createQueue<string>();
const commands = createQueue<WindowCommand>();
const saved = createQueue<string>();
ipcRenderer.on(CHANNELS.message, (_event, to: number, message: string | ArrayBuffer) => {
  if (to === connection) messages.put(message);
});
ipcRenderer.on(CHANNELS.closed, (_event, to: number, reason: string) => {
  if (to === connection) closed.put(reason);
});
ipcRenderer.on(CHANNELS.command, (_event, command: WindowCommand) => commands.put(command));
ipcRenderer.on(CHANNELS.saved, (_event, name: string) => saved.put(name));

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
      // The argument is not a File: the result is the same as for a file without a path.
    }
    if (path === '') return false;
    ipcRenderer.send(CHANNELS.openDropped, path);
    return true;
  },
  onCommand: (listener) => commands.listen(listener),
  setTheme: (theme) => ipcRenderer.send(CHANNELS.theme, theme),
  setShown: ({ log, progress }) => ipcRenderer.send(CHANNELS.shown, log, progress),
  revealLog: (log) => ipcRenderer.send(CHANNELS.reveal, log),
  onSaved: (listener) => saved.listen(listener),
  revealSaved: () => ipcRenderer.send(CHANNELS.revealSaved),
  platform: process.platform,
};

contextBridge.exposeInMainWorld('leanscope', bridge);
