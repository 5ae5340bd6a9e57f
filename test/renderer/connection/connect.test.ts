import { afterEach, expect, test, vi } from 'vitest';
import { serverObstacle } from '../../../renderer/connection/connect.ts';

afterEach(() => vi.unstubAllGlobals());

test('a lost connection is not opened again while the server does not answer, or is another one', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await serverObstacle()).toBe(
    'Leanscope does not answer. If it was restarted, open the address that it printed.',
  );
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 403 })));
  expect(await serverObstacle()).toBe(
    'Leanscope was restarted. Open the address that it printed: this window then goes on.',
  );
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
  expect(await serverObstacle()).toBeUndefined();
});
