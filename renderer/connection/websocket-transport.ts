import { MessageReader } from '../../shared/protocol/message-stream.ts';
import type { Transport } from '../../shared/protocol/transport.ts';

type Message = string | ArrayBuffer;

/**
 * Talks to the host that served this page, by a WebSocket at `/socket`. Bulk data arrives as the response to a request
 * of `/stream`, which browsers read several times as fast; without it everything uses the WebSocket. The cookie set
 * with the page authorises both.
 */
export function webSocketTransport({ protocol, host }: Location): Transport {
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
      for (let next = await pieces.read(); !next.done; next = await pieces.read()) reader.append(next.value);
    } catch {
      // Treated like the end of the stream.
    }
    socket.close();
  };
  socket.addEventListener('open', () => void readStream());
  socket.addEventListener('close', () => stopped.abort());
  socket.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (waiting === undefined) deliver(data);
    else waiting.push(data);
  });
  return {
    send: (message) => socket.send(message),
    get queuedBytes() {
      return socket.bufferedAmount;
    },
    onMessage: (listener) => void listeners.push(listener),
    onClose: (listener) => {
      socket.addEventListener('close', (event) => listener(closeReason(event.code, event.reason)), {
        once: true,
      });
    },
    close: () => socket.close(),
  };
}

const NO_ANSWER = 'Leanscope does not answer. If it was restarted, open the address that it printed.';

function closeReason(code: number, reason: string): string {
  if (reason !== '') return reason;
  return code === 1006 ? NO_ANSWER : `the connection was closed (${code}).`;
}

const OTHER_RUN = 'Leanscope was restarted. Open the address that it printed: this window then goes on.';

/**
 * Why a lost connection cannot be opened again; undefined if the server answers a request and accepts the cookie. Chromium
 * delays WebSockets by up to five seconds after some that failed, requests never.
 */
export function serverObstacle(): Promise<string | undefined> {
  return fetch('/', { method: 'HEAD' }).then(
    ({ ok }) => (ok ? undefined : OTHER_RUN),
    () => NO_ANSWER,
  );
}
