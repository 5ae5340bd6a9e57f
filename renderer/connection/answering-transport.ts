import type { Transport } from '../../shared/protocol/transport.ts';
import { NO_ANSWER, webSocketTransport } from './websocket-transport.ts';

const OTHER_RUN = 'Leanscope was restarted. Open the address that it printed: this window then goes on.';

/**
 * The transport of a connection that was lost before: the WebSocket is opened only if the server answers a request and
 * accepts the cookie. Chromium delays WebSockets by up to five seconds after some that failed, requests never.
 */
export function answeringTransport(location: Location): Transport {
  let opened: Transport | undefined;
  const onMessages: Parameters<Transport['onMessage']>[0][] = [];
  const onCloses: Parameters<Transport['onClose']>[0][] = [];
  const asking = new AbortController();
  const end = (reason: string): void => onCloses.forEach((listener) => listener(reason));
  void fetch('/', { method: 'HEAD', signal: asking.signal }).then(
    ({ ok }) => {
      if (!ok) {
        end(OTHER_RUN);
        return;
      }
      opened = webSocketTransport(location);
      for (const listener of onMessages) opened.onMessage(listener);
      opened.onClose(end);
    },
    () => end(NO_ANSWER),
  );
  return {
    send: (message) => opened?.send(message),
    get queuedBytes() {
      return opened?.queuedBytes ?? 0;
    },
    onMessage: (listener) => void onMessages.push(listener),
    onClose: (listener) => void onCloses.push(listener),
    close: () => {
      asking.abort();
      opened?.close();
    },
  };
}
