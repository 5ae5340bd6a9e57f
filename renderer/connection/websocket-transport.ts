import type { Transport } from '../../shared/protocol/transport.ts';

/** Talks to the host that served this page. The cookie that came with the page is what lets us in. */
export function webSocketTransport(url: string): Transport {
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  return {
    send: (message) => socket.send(message),
    get queuedBytes() {
      return socket.bufferedAmount;
    },
    onMessage: (listener) => {
      socket.addEventListener('message', (event: MessageEvent<string | ArrayBuffer>) => listener(event.data));
    },
    onClose: (listener) => {
      socket.addEventListener('close', (event) => listener(closeReason(event.code, event.reason)), {
        once: true,
      });
    },
    close: () => socket.close(),
  };
}

function closeReason(code: number, reason: string): string {
  if (reason !== '') return reason;
  return code === 1006
    ? 'the host does not answer. If it was started anew, open the address that it printed'
    : `the host closed the connection (${code})`;
}
