import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { type RunningServer, startServer } from '../../../electron/headless/serve.ts';
import { MessageReader, type Transport } from '../../../shared/protocol/transport.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A host that keeps the transports it is given, and answers what it hears. */
class Echo {
  readonly transports: Transport[] = [];
  readonly closed: string[] = [];

  connectClient(transport: Transport): void {
    this.transports.push(transport);
    transport.onMessage((message) => transport.send(message));
    transport.onClose((reason) => this.closed.push(reason));
  }
}

async function start(): Promise<RunningServer & { readonly echo: Echo }> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title>');
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'main.js'), 'main();');
  writeFileSync(join(folder, 'assets', 'main.js.map'), '{}');
  const echo = new Echo();
  const server = await startServer({ host: echo, rendererFolder: folder, port: 0 });
  onTestFinished(() => server.close());
  return { ...server, echo };
}

/** What a browser keeps after it was given an address with a token. */
async function cookieOf(server: RunningServer, url = server.url): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/enter']);
  expect(await response.text()).toBe('');
  const [cookie] = response.headers.getSetCookie();
  expect(cookie).toMatch(
    new RegExp(`^leanscope-${server.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
  );
  return cookie.split(';')[0];
}

test('the printed address becomes a cookie and a clean address, again and again', async () => {
  const server = await start();
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  const cookie = await cookieOf(server);
  expect(await cookieOf(server)).toBe(cookie);
  const known = await fetch(server.url, { redirect: 'manual', headers: { cookie } });
  expect([known.status, known.headers.get('location')]).toEqual([303, '/enter']);
  const page = await fetch(new URL('/', server.url), { headers: { cookie } });
  expect(await page.text()).toBe('<!doctype html><title>page</title>');
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self' ws://127.0.0.1:${server.port} ws://localhost:${server.port}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  const script = await fetch(new URL('/assets/main.js', server.url), { headers: { cookie } });
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await script.text()).toBe('main();');
  // Its name has a hash of its content.
  expect(script.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  const missing = await fetch(new URL('/assets/other.js', server.url), { headers: { cookie } });
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

test('H05: the address that the command opens itself works once, and then only with its cookie', async () => {
  const server = await start();
  const [once, another] = [server.createOnceUrl(), server.createOnceUrl()];
  expect(new Set([once, another, server.url]).size).toBe(3);
  // What is no navigation does not use it up.
  expect((await fetch(once, { method: 'HEAD' })).status).toBe(403);
  const cookie = await cookieOf(server, once);
  const statusOf = async (url: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(url, { redirect: 'manual', headers })).status;
  expect(await statusOf(once, {})).toBe(403);
  expect(await statusOf(once, { cookie })).toBe(303);
  expect(await statusOf(another, {})).toBe(303);
  expect(await statusOf(another, {})).toBe(403);
  // A browser that has the cookie uses it up, too.
  const third = server.createOnceUrl();
  expect(await statusOf(third, { cookie })).toBe(303);
  expect(await statusOf(third, {})).toBe(403);
  expect(await statusOf(server.url, {})).toBe(303);
});

test('H05: a browser that came from elsewhere is sent on by a page of this site, which tells nothing', async () => {
  const server = await start();
  for (const [site, location] of [
    ['none', '/'],
    ['same-origin', '/'],
    ['same-site', '/enter'],
    ['cross-site', '/enter'],
  ]) {
    const response = await fetch(server.url, { redirect: 'manual', headers: { 'sec-fetch-site': site } });
    expect([site, response.headers.get('location')]).toEqual([site, location]);
  }
  const entry = await fetch(new URL('/enter', server.url));
  // A script that keeps no cookies gets it, too.
  expect((await fetch(server.url)).url).toBe(entry.url);
  expect([entry.status, entry.headers.get('refresh'), entry.headers.getSetCookie()]).toEqual([
    200,
    '0; url=/',
    [],
  ]);
  expect(await entry.text()).toBe('<!doctype html><title>Leanscope</title><link rel="icon" href="data:,">');
  // It is public for reading only, and a wrong token is none.
  expect((await fetch(new URL('/enter?token=x', server.url))).status).toBe(403);
  expect((await fetch(new URL('/enter', server.url), { method: 'POST' })).status).toBe(403);
  expect((await fetch(new URL('/enter/', server.url))).status).toBe(403);
});

test('messages of both kinds cross the socket', async () => {
  const server = await start();
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/socket`, {
    headers: { cookie: await cookieOf(server), origin: `http://127.0.0.1:${server.port}` },
  });
  const heard: unknown[] = [];
  socket.binaryType = 'arraybuffer';
  socket.on('message', (data, isBinary) =>
    heard.push(isBinary ? new Uint8Array(data as ArrayBuffer) : Buffer.from(data as ArrayBuffer).toString()),
  );
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send('grüße');
  socket.send(new Uint8Array([1, 2, 3]));
  await waitFor(() => heard.length === 2, 'both messages');
  expect(heard).toEqual(['grüße', new Uint8Array([1, 2, 3])]);
  server.echo.transports[0].close();
  await waitFor(() => socket.readyState === WebSocket.CLOSED, 'the socket to close');
  await waitFor(() => server.echo.closed.length === 1, 'the host to hear of it');
});

/** A page's two connections: what came by the socket, and by the stream. */
async function connectPage(server: RunningServer, connection: string) {
  const cookie = await cookieOf(server);
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/socket?connection=${connection}`, {
    headers: { cookie, origin: `http://127.0.0.1:${server.port}` },
  });
  const bySocket: string[] = [];
  socket.on('message', (data, isBinary) => bySocket.push(isBinary ? 'binary' : (data as Buffer).toString()));
  await new Promise((resolve) => socket.once('open', resolve));
  const stopped = new AbortController();
  const response = await fetch(new URL(`/stream?connection=${connection}`, server.url), {
    headers: { cookie },
    signal: stopped.signal,
  });
  const byStream: string[] = [];
  const reader = new MessageReader((message) => byStream.push(new Uint8Array(message).join(' ')));
  const read = async (): Promise<void> => {
    for await (const piece of response.body!) reader.append(piece);
  };
  const whenStreamEnds = response.ok ? read().catch(() => undefined) : undefined;
  return {
    socket,
    bySocket,
    byStream,
    status: response.status,
    whenStreamEnds,
    abort: () => stopped.abort(),
  };
}

const NAME = '0123456789abcdef0123456789abcdef';

test('binary messages go by the stream that the page has asked for, and both end together', async () => {
  const server = await start();
  const page = await connectPage(server, NAME);
  page.socket.send('text');
  page.socket.send(new Uint8Array([1, 2, 3]));
  await waitFor(() => page.bySocket.length + page.byStream.length === 2, 'both messages');
  expect([page.bySocket, page.byStream]).toEqual([['text'], ['1 2 3']]);
  server.echo.transports[0].close();
  await page.whenStreamEnds;
  await waitFor(() => server.echo.closed.length === 1, 'the host to hear of it');
});

test('a stream that ends ends the connection, so that the page opens another', async () => {
  const server = await start();
  const page = await connectPage(server, NAME);
  page.abort();
  await waitFor(() => server.echo.closed.length === 1, 'the host to hear of it');
  await waitFor(() => page.socket.readyState === WebSocket.CLOSED, 'the socket to close');
});

test('there is a stream for each connection that asks for it once, and for no other', async () => {
  const server = await start();
  const names = Array.from({ length: 5 }, (_, page) => `${page}`.repeat(32));
  const pages: Awaited<ReturnType<typeof connectPage>>[] = [];
  for (const name of names) pages.push(await connectPage(server, name));
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 503]);
  pages[4].socket.send(new Uint8Array([1]));
  await waitFor(() => pages[4].bySocket.length === 1, 'the message by the socket');
  const cookie = await cookieOf(server);
  const statusOf = async (path: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(new URL(path, server.url), { headers })).status;
  expect(await statusOf(`/stream?connection=${names[0]}`, { cookie })).toBe(404);
  expect(await statusOf(`/stream?connection=${NAME}`, { cookie })).toBe(404);
  expect(await statusOf('/stream', { cookie })).toBe(404);
  expect(await statusOf(`/stream?connection=${names[4]}`, {})).toBe(403);
});
