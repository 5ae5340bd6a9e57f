import { afterEach, expect, test, vi } from 'vitest';
import { chooseHost, serverObstacle } from '../../../renderer/connection/connect.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a lost connection is not opened again while the server does not answer, or is another one', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await serverObstacle()).toBe(
    'Leanscope does not answer. Over ssh, run the ssh command again. If Leanscope was restarted, open the address that it printed.',
  );
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 403 })));
  expect(await serverObstacle()).toBe(
    'Leanscope was restarted. Open the address that it printed: this window then goes on.',
  );
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
  expect(await serverObstacle()).toBeUndefined();
});

/** A WebSocket that is open, and a server of whose answers nothing arrives once the line is broken. */
function openLine() {
  vi.useFakeTimers();
  const line = { isBroken: false, asked: 0, closings: 0 };
  const socket = Object.assign(new EventTarget(), { close: () => void line.closings++ });
  vi.stubGlobal('WebSocket', function WebSocket() {
    return socket;
  });
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    line.asked++;
    // A browser whose cookies were removed is refused, and its connection goes on.
    if (!line.isBroken) return Promise.resolve(new Response(null, { status: 403 }));
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  });
  const location = { protocol: 'http:', host: '127.0.0.1:18123', hash: '' };
  const window = { location, navigator: { userAgent: '' }, addEventListener: () => undefined };
  const transport = chooseHost(window as unknown as Window).openTransport();
  const reasons: string[] = [];
  transport.onClose((reason) => void reasons.push(reason));
  return { line, socket, reasons };
}

test('a line that is broken without being closed is lost, and one that is only silent is not', async () => {
  const { line, reasons } = openLine();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(line.asked).toBeGreaterThan(5);
  expect([reasons, line.closings]).toEqual([[], 0]);
  line.isBroken = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reasons).toEqual([expect.stringContaining('Leanscope does not answer.')]);
  expect(line.closings).toBe(1);
});

test('nothing is asked while messages arrive, nor after the connection was closed, which is told once', async () => {
  const { line, socket, reasons } = openLine();
  line.isBroken = true;
  for (let second = 0; second < 100; second++) {
    socket.dispatchEvent(new MessageEvent('message', { data: '{}' }));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect([line.asked, reasons]).toEqual([0, []]);
  socket.dispatchEvent(Object.assign(new Event('close'), { code: 1013, reason: 'Too many.' }));
  await vi.advanceTimersByTimeAsync(100_000);
  expect([line.asked, reasons]).toEqual([0, ['Too many.']]);
});
