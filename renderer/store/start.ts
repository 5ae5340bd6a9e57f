import type { Host, TextStorage } from '../connection/connect.ts';
import { type ClientEvent, HostClient } from '../connection/host-client.ts';
import { NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import type { MirrorEvent } from '../profile-worker/mirror-messages.ts';
import { copyText, showNotice } from './actions/actions.ts';
import { readWith } from './actions/log-actions.ts';
import { fetchDownload, loadTemplate, saveExported, Exports, isOfCancelledExport } from './export-view.ts';
import { compareWithAwaited } from './actions/compare-actions.ts';
import { followSelection } from './actions/detail-actions.ts';
import { keepScopesInAddress, keepTabs } from './links/session.ts';
import { readLogs } from './state/merged-logs.ts';
import { Mirrors } from './mirrors/mirrors.ts';
import { type Preferences, readPreferences } from './state/preferences.ts';
import { ProfileWorker } from './mirrors/profile-worker.ts';
import { receive, type WindowEvent } from './events/receive.ts';
import { askForSource, awaitsSource } from './source-search.ts';
import { subscribe, connectStore, useWindow } from './state/window-store.ts';
import { hostKey, type LogKey } from './state/window-state.ts';

const STORAGE_KEY = 'leanscope.preferences';

/** Connects store, host and mirrors; called once, before the first render. */
export function startWindow(host: Host): void {
  const schedule = (task: () => void, ms: number): void => void setTimeout(task, ms);
  const mayStart = (): boolean => useWindow.getState().connection.state === 'open';
  const startWorker = (): Worker => host.startWorker();
  const worker = new ProfileWorker({ start: startWorker, mayStart, onStopped: refill, schedule });
  const mirrors = new Mirrors({
    openPort: (log, onEvent) => worker.openPort(log, onEvent),
    onEvent: receiveMirrorEvent,
    onComputing: (log, computing) => dispatch({ type: 'computing', log, computing }),
    schedule,
  });
  const exports = new Exports({
    openPort(onEvent) {
      const onStopped = (): void =>
        onEvent({ type: 'failed', text: 'its regular expression took too long.' });
      const exporting = new ProfileWorker({ start: startWorker, mayStart, onStopped, schedule });
      return { ...exporting.openPort(EXPORT, onEvent), close: () => exporting.end() };
    },
    postToMirror: (log, request, transfer) => mirrors.post(log, request, transfer),
    onEvent: receiveMirrorEvent,
  });
  const client = new HostClient({
    openTransport: () => host.openTransport(),
    obstacle: host.obstacle,
    onEvent: receiveClientEvent,
    schedule,
  });
  connectStore({ host, client, mirrors });
  restorePreferences(storedText(() => host.storage('settings'), STORAGE_KEY));
  compareWithAwaited();
  if (host.address !== undefined) keepScopesInAddress(host.address);
  // The desktop opens its files again at the next start.
  const opensAgain = host.address === undefined;
  keepTabs(
    storedText(() => host.storage('tabs'), 'leanscope.tabs'),
    opensAgain,
    readWith,
  );
  // An estimate until the pane is measured: a first layout at nearly the right width costs less than a later one during
  // the first growth.
  useWindow.setState({ flameWidth: Math.floor(window.innerWidth * window.devicePixelRatio) });
  const followNow = followSelection(schedule);
  // Following the selection may have changed the state.
  subscribe(() => mirrors.sync(useWindow.getState()));
  subscribe((state) => exports.sync(state));
  subscribe(askForSource);

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
    if (event.type === 'exported') saveExported(event);
    if (log === undefined) return;
    if (event.type === 'applied') client.ack(log, event.epoch, event.revision);
    if (event.type === 'gap') client.send({ type: 'subscribe', log, samples: true });
  }

  /** Fills the copies of a worker that was started again because of an expression. */
  function refill(expression: string): void {
    dispatch({ type: 'stopped', expression });
    mirrors.restart();
    for (const log of readLogs(useWindow.getState())) {
      const { key, hostLog, file, chosen, selection, selectionTurn } = log;
      mirrors.post(key, { type: 'select', selection, turn: selectionTurn });
      if (file !== undefined) readWith(log, chosen ?? NOTHING_CHOSEN);
      if (hostLog === undefined) continue;
      client.send({ type: 'subscribe', log: hostLog, samples: true });
    }
  }

  const whenShown = subscribe(({ logs }) => {
    const shown = logs.find(({ summary }) => (summary?.samples ?? 0) > 0);
    if (shown === undefined) return;
    whenShown();
    requestIdleCallback(() => {
      mirrors.post(shown.key, { type: 'loadWriters' });
      if (useWindow.getState().capabilities.isPage !== true) void loadTemplate();
    });
  });

  host.files?.onSaved((name) => showNotice('info', `Saved ${name}`, 'showSaved'));

  window.leanscopeIdle = async () => {
    await untilIdle(mirrors, followNow);
    host.address?.flush();
  };
  client.connect();
}

/** In a worker that only writes a file. */
const EXPORT = '' as LogKey;

/** A text that is kept for the next start, unless storage is forbidden or full: then it lasts as long as the window. */
interface StoredText {
  read(): string | null;
  write(text: string): void;
}

function storedText(storage: () => TextStorage, key: string): StoredText {
  const tried = <Result>(task: (storage: TextStorage) => Result): Result | null => {
    try {
      return task(storage());
    } catch {
      return null;
    }
  };
  return {
    read: () => tried((stored) => stored.getItem(key)),
    write: (text) => void tried((stored) => stored.setItem(key, text)),
  };
}

function restorePreferences(storage: StoredText): void {
  useWindow.setState({ preferences: readPreferences(storage.read()) });
  let followed: Preferences | undefined;
  subscribe(({ preferences }, before) => {
    if (preferences !== before.preferences && preferences !== followed)
      storage.write(JSON.stringify(preferences));
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

async function untilIdle(mirrors: Mirrors, follow: () => void): Promise<void> {
  for (;;) {
    follow();
    const posted = mirrors.posted;
    await mirrors.barrier();
    // Drawing new rows may make panes request other rows, or another width, and scroll, which a later frame draws.
    await nextFrame();
    await nextFrame();
    if (mirrors.posted === posted && !awaitsSource(useWindow.getState())) return;
  }
}

/** Resolves after the next frame, and after what React does because of it, which it does in tasks of their own. */
async function nextFrame(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  for (let task = 0; task < 2; task++) await new Promise((resolve) => setTimeout(resolve));
}
