import { NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import { deltasOfLogs, headOf } from '../../shared/page/packed-page.ts';
import type { PageHead } from '../../shared/page/page-head.ts';
import type { ClientMessage } from '../../shared/protocol/client-messages.ts';
import { setLogOfDelta, type Transport } from '../../shared/protocol/transport.ts';
import {
  type Epoch,
  type HostMessage,
  type LogId,
  type LogStatus,
  PROTOCOL_VERSION,
} from '../../shared/protocol/messages.ts';
import type { Host, TextStorage } from './connect.ts';
import { pageAddress } from './page-address.ts';

/** A log of the page. */
interface PageLog {
  readonly id: LogId;
  readonly name: string;
  readonly status: LogStatus;
  /** Messages of a host. */
  readonly deltas: readonly ArrayBuffer[];
}

const ELSEWHERE =
  'This page has only its own profile. To open files, use Leanscope itself: npx leanscope FILE';

/**
 * A page to send is its own host: it has the profiles that its maker packed into it, and reads nothing else. `data`: the
 * unpacked profiles; `startWorker`: from the page's own code.
 */
export function pageHost(window: Window, data: Uint8Array, startWorker: () => Worker): Host {
  const { json, end } = headOf(data);
  // Whoever could change it could change the code of the page, too.
  const head = json as PageHead;
  const logs = deltasOfLogs(data, head, end).map((deltas, at) => pageLog(head.logs[at], at + 1, deltas));
  let tell: (message: HostMessage) => void = () => undefined;
  const settings = ownStorage(head.preferences);
  const tabs = ownStorage(undefined);
  return {
    startWorker,
    storage: (of) => (of === 'settings' ? settings : tabs),
    about: [head.about, head.note].filter((line) => line !== ''),
    openTransport: () => {
      const transport = pageTransport(head, logs);
      tell = transport.tell;
      return transport;
    },
    openDropped: () => {
      tell({ type: 'problem', text: ELSEWHERE });
      return true;
    },
    address: pageAddress(window, head.view),
    isMac: window.navigator.userAgent.includes('Mac OS X'),
    onCommand: () => undefined,
    setTheme: () => undefined,
    setShown: () => undefined,
    files: undefined,
  };
}

/** Several pages may be open as files: browsers would give all of them one storage. */
function ownStorage(first: string | undefined): TextStorage {
  let kept: string | null = first ?? null;
  return { getItem: () => kept, setItem: (_, text) => (kept = text) };
}

function pageLog(
  { name, facts }: PageHead['logs'][number],
  id: number,
  deltas: readonly ArrayBuffer[],
): PageLog {
  const { counted, value } = facts.units;
  const losses = facts.losses.map((loss) => ({ ...loss, advice: loss.advice }));
  const status: LogStatus = {
    ...NO_LOG_FACTS,
    ...facts,
    losses,
    units: { counted, value },
    epoch: 0 as Epoch,
    state: 'idle',
    detail: undefined,
    restart: undefined,
    fileBytes: 0,
    readBytes: 0,
  };
  for (const message of deltas) setLogOfDelta(message, id as LogId);
  return { id: id as LogId, name, status, deltas };
}

function pageTransport(
  { madeBy }: PageHead,
  logs: readonly PageLog[],
): Transport & { readonly tell: (message: HostMessage) => void } {
  const listeners: ((message: string | ArrayBuffer) => void)[] = [];
  const deliver = (message: string | ArrayBuffer): void => listeners.forEach((listener) => listener(message));
  const tell = (message: HostMessage): void => deliver(JSON.stringify(message));
  const answer = (message: ClientMessage): void => {
    if (message.type === 'openDialog') return tell({ type: 'problem', text: ELSEWHERE });
    if (message.type !== 'subscribe') return;
    const log = logs.find(({ id }) => id === message.log);
    if (log === undefined) return;
    tell({ type: 'status', log: log.id, status: log.status });
    // The window passes them on to its worker, which they are then gone to.
    for (const delta of log.deltas) deliver(delta.slice(0));
  };
  queueMicrotask(() =>
    tell({
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      version: madeBy,
      run: 'page',
      capabilities: { openDialog: true, openDropped: true, isPage: true },
      samples: [],
      formats: [],
      recent: [],
      logs: logs.map(({ id, name }) => ({ id, name, folder: '' })),
    }),
  );
  return {
    tell,
    queuedBytes: 0,
    send: (message) => {
      if (typeof message === 'string') queueMicrotask(() => answer(JSON.parse(message) as ClientMessage));
    },
    onMessage: (listener) => void listeners.push(listener),
    onClose: () => undefined,
    close: () => listeners.splice(0),
  };
}
