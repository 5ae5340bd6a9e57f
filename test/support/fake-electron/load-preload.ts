import { readFileSync } from 'node:fs';
import type { DesktopBridge } from '../../../shared/protocol/desktop-bridge.ts';
import type { Transport } from '../../../shared/protocol/transport.ts';
import { inCheckout } from '../built-program.ts';
import { type FakeContents, later } from './fake-contents.ts';

/** A dropped file; those with a path come from the system. */
export interface FakeFile {
  readonly path: string;
}

export interface LoadedPreload {
  readonly bridge: DesktopBridge<FakeFile>;
  /** Every name that was put on `window`. */
  readonly exposed: readonly string[];
  /** Every module that the script asked for. */
  readonly required: readonly string[];
  /** What it sent, as [channel, ...content]. */
  readonly sent: unknown[][];
  /** The bridge's transport as the window's client uses it. */
  transport(): Transport;
}

type Listener = (event: unknown, ...content: unknown[]) => void;

/** Runs the built preload.cjs as Electron's sandbox would, connected to these contents; each call is a page load. */
export function loadPreload(contents: FakeContents): LoadedPreload {
  const listeners = new Map<string, Listener>();
  const sent: unknown[][] = [];
  const required: string[] = [];
  const exposed = new Map<string, DesktopBridge<FakeFile>>();
  contents.mainFrame.onSent = (channel, content) => listeners.get(channel)?.({}, ...content);
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: DesktopBridge<FakeFile>) => void exposed.set(name, api),
    },
    ipcRenderer: {
      on: (channel: string, listener: Listener) => void listeners.set(channel, listener),
      send: (channel: string, ...content: unknown[]) => {
        sent.push([channel, ...content]);
        const copy = structuredClone(content);
        later(() => contents.receive(channel, copy));
      },
    },
    webUtils: {
      getPathForFile: (file: FakeFile) => {
        if (typeof file.path !== 'string') throw new TypeError('not a File');
        return file.path;
      },
    },
  };
  const require = (name: string) => {
    required.push(name);
    return electron;
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- the built file, as a sandboxed script gets it
  const script = new Function('require', readFileSync(inCheckout('dist/electron/preload.cjs'), 'utf8')) as (
    require: (name: string) => unknown,
  ) => void;
  script(require);
  const bridge = exposed.get('leanscope')!;
  return {
    bridge,
    exposed: [...exposed.keys()],
    required,
    sent,
    transport: () => ({ ...bridge.transport, queuedBytes: 0 }),
  };
}
