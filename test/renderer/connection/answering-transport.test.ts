import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answeringTransport } from '../../../renderer/connection/answering-transport.ts';

/** Addresses of the WebSockets that were opened. */
let sockets: string[];
const location = { protocol: 'http:', host: '127.0.0.1:7' } as Location;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  sockets = [];
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      constructor(address: string) {
        super();
        sockets.push(address);
      }
      close(): void {
        this.dispatchEvent(Object.assign(new Event('close'), { code: 1000, reason: 'closed' }));
      }
    },
  );
});

afterEach(() => vi.unstubAllGlobals());

/** Opens a transport to a server that answers like this; returns why it was closed. */
async function openTo(answer: () => Promise<Response>): Promise<{ reasons: string[]; close: () => void }> {
  vi.stubGlobal('fetch', answer);
  const reasons: string[] = [];
  const transport = answeringTransport(location);
  transport.onClose((reason) => reasons.push(reason));
  await turn();
  return { reasons, close: () => transport.close() };
}

test('no WebSocket is opened to a server that does not answer, or that is another one', async () => {
  const gone = await openTo(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(gone.reasons).toEqual([
    'Leanscope does not answer. If it was restarted, open the address that it printed.',
  ]);
  const other = await openTo(() => Promise.resolve(new Response(null, { status: 403 })));
  expect(other.reasons).toEqual([
    'Leanscope was restarted. Open the address that it printed: this window then goes on.',
  ]);
  expect(sockets).toEqual([]);
});

test('one is opened to a server that accepts the cookie, and its end is told', async () => {
  const there = await openTo(() => Promise.resolve(new Response()));
  expect(sockets).toEqual([
    expect.stringMatching(/^ws:\/\/127\.0\.0\.1:7\/socket\?connection=[0-9a-f]{32}$/),
  ]);
  expect(there.reasons).toEqual([]);
  there.close();
  expect(there.reasons).toEqual(['closed']);
});
