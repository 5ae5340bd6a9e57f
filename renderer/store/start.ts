import type { Host } from '../connection/connect.ts';
import { type ClientEvent, HostClient } from '../connection/host-client.ts';
import type { MirrorEvent, WorkerEvents, WorkerRequest } from '../profile-worker/mirror-messages.ts';
import { copyText, readWith, showNotice } from './actions.ts';
import { fetchDownload, saveFile } from './export-view.ts';
import { compareWithAwaited } from './awaited-bases.ts';
import { Exports, isOfCancelledExport } from './exports.ts';
import { SelectionFollower } from './detail-actions.ts';
import { keepTabs } from './kept-tabs.ts';
import { keepScopesInAddress } from './linked-scopes.ts';
import { readLogs } from './merged-logs.ts';
import { Mirrors, type MirrorPort } from './mirrors.ts';
import { type Preferences, readPreferences } from './preferences.ts';
import { receive, type WindowEvent } from './receive.ts';
import { SourceSearcher } from './source-search.ts';
import { subscribe } from './subscribe.ts';
import { hostKey, type LogKey } from './window-state.ts';
import { connectStore, useWindow } from './window-store.ts';

const STORAGE_KEY = 'leanscope.preferences';
const TABS_KEY = 'leanscope.tabs';

/** Connects store, host and mirrors; called once, before the first render. */
export function startWindow(host: Host): void {
  const mirrors = new Mirrors({
    openPort: openMirrors(),
    onEvent: receiveMirrorEvent,
    onComputing: (log, computing) => dispatch({ type: 'computing', log, computing }),
    schedule: (task, ms) => setTimeout(task, ms),
  });
  const exports = new Exports({
    openPort: (onEvent) => openMirrors()(EXPORT, onEvent),
    postToMirror: (log, request, transfer) => mirrors.post(log, request, transfer),
    onEvent: receiveMirrorEvent,
  });
  const client = new HostClient({
    openTransport: () => host.openTransport(),
    obstacle: host.obstacle,
    onEvent: receiveClientEvent,
    schedule: (task, ms) => setTimeout(task, ms),
  });
  const follower = new SelectionFollower(useWindow.setState, (task, ms) => setTimeout(task, ms));
  const sources = new SourceSearcher(useWindow.setState, (request, wanted) =>
    client.send({ type: 'findSource', request, ...wanted }),
  );
  connectStore({ host, client, mirrors });
  restorePreferences();
  compareWithAwaited();
  if (host.address !== undefined) keepScopesInAddress(host.address);
  // The desktop opens its files again at the next start. In a browser names of files last as long as its tab: another
  // program may have the address of this host later.
  const isDesktop = host.address === undefined;
  const storage = (): Storage => (isDesktop ? localStorage : sessionStorage);
  keepTabs(
    { read: () => storage().getItem(TABS_KEY), write: (text) => storage().setItem(TABS_KEY, text) },
    isDesktop,
    readWith,
  );
  // An estimate until the pane is measured: a first layout at nearly the right width costs less than a later one during
  // the first growth.
  useWindow.setState({ flameWidth: Math.floor(window.innerWidth * window.devicePixelRatio) });
  subscribe((state) => follower.sync(state));
  // Following the selection may have changed the state.
  subscribe(() => mirrors.sync(useWindow.getState()));
  subscribe((state) => exports.sync(state));
  subscribe(() => sources.sync(useWindow.getState()));

  function dispatch(event: WindowEvent): void {
    useWindow.setState((state) => receive(state, event));
  }

  function receiveClientEvent(event: ClientEvent): void {
    switch (event.type) {
      case 'connection':
        dispatch(event);
        break;
      case 'delta':
        mirrors.post(hostKey(event.log), { type: 'delta', message: event.message }, [event.message]);
        break;
      case 'host': {
        const known = new Set(readLogs(useWindow.getState()).map((log) => log.key));
        dispatch({ ...event, now: performance.now() });
        if (event.message.type === 'download') fetchDownload(event.message.id, event.message.name);
        // After `hello` no log is subscribed to; later only a log that was just opened is new.
        for (const { key, hostLog } of readLogs(useWindow.getState())) {
          if (hostLog === undefined) continue;
          if (event.message.type === 'hello' || !known.has(key))
            client.send({ type: 'subscribe', log: hostLog, samples: true });
        }
      }
    }
  }

  function receiveMirrorEvent(key: LogKey, event: MirrorEvent): void {
    if (isOfCancelledExport(event, useWindow.getState())) return;
    if (event.type === 'exportSource') exports.write(key, event.source);
    dispatch({ type: 'mirror', log: key, event, now: performance.now() });
    if (event.type === 'copied') void copyText(event.text);
    const log = readLogs(useWindow.getState()).find((view) => view.key === key)?.hostLog;
    if (event.type === 'exported') saveFile(event.name, event.content);
    if (log === undefined) return;
    if (event.type === 'applied') client.ack(log, event.epoch, event.revision);
    if (event.type === 'gap') client.send({ type: 'subscribe', log, samples: true });
  }

  const whenShown = subscribe(({ logs }) => {
    const shown = logs.find(({ summary }) => (summary?.samples ?? 0) > 0);
    if (shown === undefined) return;
    whenShown();
    requestIdleCallback(() => mirrors.post(shown.key, { type: 'loadWriters' }));
  });

  host.files?.onSaved((name) => showNotice('info', `Saved ${name}`, 'showSaved'));

  window.leanscopeIdle = async () => {
    await untilIdle(mirrors, follower, sources);
    host.address?.flush();
  };
  client.connect();
}

/** In a worker that only writes a file. */
const EXPORT = '' as LogKey;

/** Starts a Web Worker for mirrors. Closing the port of its last log leaves it ready for others, unless it only exports. */
function openMirrors(): (log: LogKey, onEvent: (event: MirrorEvent) => void) => MirrorPort {
  const worker = new Worker(new URL('../profile-worker/mirror-worker.ts', import.meta.url), {
    type: 'module',
  });
  const listeners = new Map<string, (event: MirrorEvent) => void>();
  worker.onmessage = ({ data: { log, events } }: MessageEvent<WorkerEvents>) => {
    for (const event of events) listeners.get(log)?.(event);
  };
  worker.onerror = (error) => {
    const text = `The profile view stopped: ${error.message}`;
    for (const listener of listeners.values()) listener({ type: 'failed', text });
  };
  const post = (request: WorkerRequest, transfer: Transferable[]): void =>
    worker.postMessage(request, transfer);
  return (log, onEvent) => {
    listeners.set(log, onEvent);
    return {
      post: (requests, transfer = []) => post({ log, requests }, transfer),
      close() {
        listeners.delete(log);
        if (log === EXPORT) worker.terminate();
        else post({ log, requests: 'close' }, []);
      },
    };
  };
}

/** Storage may be forbidden, full, or hold anything. */
function restorePreferences(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORAGE_KEY);
  } catch {
    // Preferences then last as long as the window.
  }
  useWindow.setState({ preferences: readPreferences(stored) });
  let followed: Preferences | undefined;
  subscribe(({ preferences }, before) => {
    if (preferences === before.preferences || preferences === followed) return;
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
    } catch {
      // Preferences then last as long as the window.
    }
  });
  // All windows share one theme, because the frames around them do. A theme that another window has stored is applied here,
  // and not stored again.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== STORAGE_KEY) return;
    const { preferences } = useWindow.getState();
    const { theme } = readPreferences(newValue);
    if (theme === preferences.theme) return;
    followed = { ...preferences, theme };
    useWindow.setState({ preferences: followed });
  });
}

declare global {
  interface Window {
    /** For tests: resolves when all mirrors have answered, their answers are on screen, and the address says so. */
    leanscopeIdle?: () => Promise<void>;
  }
}

async function untilIdle(
  mirrors: Mirrors,
  follower: SelectionFollower,
  sources: SourceSearcher,
): Promise<void> {
  for (;;) {
    follower.flush();
    const posted = mirrors.posted;
    await mirrors.barrier();
    // Drawing new rows may make panes request other rows, or another width, and scroll, which a later frame draws.
    await nextFrame();
    await nextFrame();
    if (mirrors.posted === posted && !sources.isWaiting(useWindow.getState())) return;
  }
}

/** Resolves after the next frame, and after what React does because of it, which it does in tasks of their own. */
async function nextFrame(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  for (let task = 0; task < 2; task++) await new Promise((resolve) => setTimeout(resolve));
}
