import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { AccessControl } from '../../../electron/headless/access.ts';
import { createFileServer, refusalText, WaitingConnections } from '../../../electron/headless/http-server.ts';
import { startServer } from '../../../electron/headless/serve.ts';
import { Downloads } from '../../../electron/host/recording-files.ts';
import type { Transport } from '../../../shared/protocol/transport.ts';
import { rawRequest, requestText } from '../../support/raw-request.ts';
import { testSize } from '../../support/test-size.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { testUnless } from '../../support/test-unless.ts';

const PAGE = '<!doctype html><title>secret page</title>';

async function start() {
  const outside = temporaryFolder();
  const folder = join(outside, 'renderer');
  writeFileSync(join(outside, 'secret.html'), 'outside');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), PAGE);
  const transports: Transport[] = [];
  const heard: (string | ArrayBuffer)[] = [];
  const downloads = new Downloads();
  onTestFinished(() => downloads.close());
  const host = {
    downloads,
    connectClient: (transport: Transport) => {
      transports.push(transport);
      transport.onMessage((message) => heard.push(message));
    },
  };
  const server = await startServer({ host, rendererFolder: folder, port: 0 });
  onTestFinished(() => server.close());
  const { port } = server;
  const token = new URL(server.url).searchParams.get('token')!;
  const exchanged = await fetch(server.url, { redirect: 'manual' });
  const cookie = exchanged.headers.getSetCookie()[0].split(';')[0];
  return { server, port, token, cookie, transports, heard, downloads };
}

const handshake = [
  ['Upgrade', 'websocket'],
  ['Connection', 'Upgrade'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
] as const;

const upgradeText = (path: string, headers: readonly (readonly [string, string])[]): string =>
  [
    `GET ${path} HTTP/1.1`,
    ...[...headers, ...handshake].map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

/** Hosts as they come: none, one, or two; `PORT` is the server's. */
const HOSTS: readonly (readonly string[])[] = [
  ['127.0.0.1:PORT'],
  ['localhost:PORT'],
  ['evil.com'],
  ['evil.com:PORT'],
  ['localhost.evil.com:PORT'],
  ['127.0.0.1.evil.com:PORT'],
  ['localhost6:PORT'],
  ['10.0.2.555:PORT'],
  ['127.1:PORT'],
  ['0177.0.0.1:PORT'],
  ['0x7f.1:PORT'],
  ['2130706433:PORT'],
  ['127.0.0.1.:PORT'],
  ['LOCALHOST:PORT'],
  ['127.0.0.1:1'],
  ['127.0.0.1'],
  ['127.0.0.1:0PORT'],
  ['[::ffff:127.0.0.1]:PORT'],
  ['[::1]:PORT'],
  ['user@127.0.0.1:PORT'],
  [''],
  [],
  ['127.0.0.1:PORT', '127.0.0.1:PORT'],
  ['127.0.0.1:PORT', 'evil.com'],
  ['evil.com', '127.0.0.1:PORT'],
];

const ORIGINS: readonly (readonly string[])[] = [
  [],
  ['http://127.0.0.1:PORT'],
  ['http://localhost:PORT'],
  ['null'],
  ['https://127.0.0.1:PORT'],
  ['http://127.0.0.1:1'],
  ['http://127.0.0.1'],
  ['http://evil.com'],
  ['HTTP://127.0.0.1:PORT'],
  ['http://127.0.0.1:PORT/'],
  [''],
  ['http://127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
];

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'] as const;
const FURTHER_METHODS = ['PUT', 'PATCH'] as const;
const ADDRESSES = ['/', '/index.html'] as const;

const [methods, addresses, secretCount] = testSize<[readonly string[], readonly string[], number]>(
  [METHODS, ADDRESSES.slice(0, 1), 6],
  [[...METHODS, ...FURTHER_METHODS], ADDRESSES, 8],
);
const ROWS = HOSTS.length * ORIGINS.length * secretCount * methods.length * addresses.length;

test(
  `H01 H02: of ${ROWS} combinations of host, origin, secret, method and path, only the right ones are answered`,
  { timeout: 0 },
  async () => {
    const { port, token, cookie } = await start();
    const at = (text: string) => text.replace('PORT', String(port));
    const allSecrets = {
      none: { query: '', headers: [] },
      token: { query: `?token=${token}`, headers: [] },
      'wrong token': { query: `?token=${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, headers: [] },
      cookie: { query: '', headers: [['Cookie', cookie]] },
      'wrong cookie': { query: '', headers: [['Cookie', `${cookie.slice(0, -1)}~`]] },
      "another port's cookie": {
        query: '',
        headers: [['Cookie', cookie.replace(`${port}=`, `${port + 1}=`)]],
      },
      'token elsewhere': { query: `?t=${token}`, headers: [['Authorization', `Bearer ${token}`]] },
      'no token': { query: '?token=', headers: [['Cookie', `${cookie.split('=')[0]}=`]] },
    } as const;
    const secrets = Object.entries(allSecrets).slice(0, secretCount);
    const wrong: string[] = [];
    let asked = 0;
    for (const hosts of HOSTS) {
      for (const origins of ORIGINS) {
        const rows = secrets.flatMap(([secret, { query, headers }]) =>
          addresses.flatMap((address) =>
            methods.map((method) => ({ secret, path: `${address}${query}`, headers, method })),
          ),
        );
        await Promise.all(
          rows.map(async ({ secret, path, headers, method }) => {
            const response = await rawRequest(
              port,
              requestText(method, path, [
                ...hosts.map((host) => ['Host', at(host)] as const),
                ...origins.map((origin) => ['Origin', at(origin)] as const),
                ...headers,
              ]),
            );
            asked++;
            const isOurHost = hosts.length === 1 && ['127.0.0.1:PORT', 'localhost:PORT'].includes(hosts[0]);
            const isOurOrigin = origins.length === 1 && origins[0] === `http://${hosts[0]}`;
            const isRead = method === 'GET' || method === 'HEAD';
            const isAdmitted = isOurHost && (isOurOrigin || (origins.length === 0 && isRead));
            const right =
              isAdmitted && secret === 'cookie' && isRead
                ? response.status === 200 && response.body === (method === 'GET' ? PAGE : '')
                : isAdmitted && secret === 'token' && method === 'GET'
                  ? response.headers.includes(`Set-Cookie: ${cookie};`) && !response.body.includes('secret')
                  : response.status >= 400 &&
                    response.status < 500 &&
                    response.body === (method === 'HEAD' ? '' : refusalText(response.status, port)) &&
                    !response.headers.includes('Set-Cookie');
            if (!right)
              wrong.push(
                `${method} ${path} ${secret} host ${String(hosts)} origin ${String(origins)}: ${response.status}`,
              );
          }),
        );
      }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBe(ROWS);
  },
);

test('H01: a WebSocket needs host, origin, cookie and path', async () => {
  const { port, token, cookie } = await start();
  const at = (text: string) => text.replace('PORT', String(port));
  const good = { hosts: ['127.0.0.1:PORT'], origins: ['http://127.0.0.1:PORT'], cookie, path: '/socket' };
  const ask = async (change: Partial<typeof good>) => {
    const request = { ...good, ...change };
    const response = await rawRequest(
      port,
      upgradeText(request.path, [
        ...request.hosts.map((host) => ['Host', at(host)] as const),
        ...request.origins.map((origin) => ['Origin', at(origin)] as const),
        ...(request.cookie === '' ? [] : [['Cookie', request.cookie] as const]),
      ]),
    );
    expect(response.body).toBe('');
    return response.status;
  };
  expect(await ask({})).toBe(101);
  expect(await ask({ hosts: ['localhost:PORT'], origins: ['http://localhost:PORT'] })).toBe(101);
  for (const hosts of HOSTS.slice(1))
    expect(await ask({ hosts: [...hosts] }), String(hosts)).toBeGreaterThan(399);
  for (const origins of ORIGINS.filter(
    (origin) => origin[0] !== 'http://127.0.0.1:PORT' || origin.length > 1,
  ))
    expect(await ask({ origins: [...origins] }), `origin ${String(origins)}`).toBe(403);
  expect(await ask({ cookie: '' })).toBe(403);
  expect(await ask({ cookie: '', path: `/socket?token=${token}` })).toBe(403);
  expect(await ask({ cookie: `${cookie}x` })).toBe(403);
  for (const path of ['/', '/socket/', '/Socket', '//socket', '/socket%00', 'http://127.0.0.1/socket'])
    expect(await ask({ path }), path).toBeGreaterThan(399);
});

test('H06: no path leads out of the folder', async () => {
  const { port, cookie } = await start();
  for (const path of [
    '/../secret.html',
    '/%2e%2e/secret.html',
    '/..%2fsecret.html',
    '/%2e%2e%2fsecret.html',
    '/..\\secret.html',
    '/..%5csecret.html',
    '/%252e%252e/secret.html',
    '/assets/../../secret.html',
    '/./index.html',
    '//index.html',
    '/index.html/',
    '/index.html%00',
    '/INDEX.HTML',
    '/etc/passwd',
    '//etc/passwd',
    '/__proto__',
    '/constructor',
    `/${'a'.repeat(3_000)}`,
    'http://127.0.0.1/index.html',
    '*',
    'index.html',
  ]) {
    const { status, body } = await rawRequest(
      port,
      requestText('GET', path, [
        ['Host', `127.0.0.1:${port}`],
        ['Cookie', cookie],
      ]),
    );
    expect(`${path} ${status >= 400 && status < 500} ${body}`).toBe(
      `${path} true ${refusalText(status, port)}`,
    );
  }
});

test('another port of the browser is told the ssh command that forwards the right one', () => {
  expect(refusalText(421, 18_123)).toContain('ssh -C -L 18123:127.0.0.1:18123 HOST');
});

test('H12: bytes that are no request are answered by 400 or nothing, and the server lives', async () => {
  const { port, cookie } = await start();
  const host = `Host: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n`;
  for (const request of [
    '\0\0\0\0\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(100_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}X : y\r\n\r\n`,
    `GET /\tx HTTP/1.1\r\n${host}\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  ]) {
    const { status, body } = await rawRequest(port, request).catch(() => ({ status: 0, body: '' }));
    expect(status === 0 || (status >= 400 && status < 500), request.slice(0, 40)).toBe(true);
    expect(body).toBe('');
  }
  expect((await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } })).status).toBe(200);
});

test('a connection that is closed because it asks nothing is told so: a browser then repeats its request', () => {
  const server = createFileServer({
    files: new Map(),
    access: () => new AccessControl(0),
    port: () => 0,
    connections: new WaitingConnections(),
    openStream: () => undefined,
  });
  const said = (code: string): string => {
    const socket = new PassThrough();
    server.emit('clientError', Object.assign(new Error(code), { code }), socket);
    return String(socket.read()).split('\r\n')[0];
  };
  expect(said('ERR_HTTP_REQUEST_TIMEOUT')).toBe('HTTP/1.1 408 Request Timeout');
  expect(said('HPE_INVALID_METHOD')).toBe('HTTP/1.1 400 Bad Request');
});

const FRAGMENTS = testSize(2_000, 20_000);
const GUESSES = testSize(1_000, 10_000);

test(
  `H04: ${GUESSES} wrong tokens change nothing but the pace, and the right one still works`,
  { timeout: 0 },
  async () => {
    const { server, port } = await start();
    const seen = new Map<number, number>();
    const guess = (number: number) =>
      rawRequest(port, requestText('GET', `/?token=${number}`, [['Host', `127.0.0.1:${port}`]]));
    for (let batch = 0; batch < GUESSES / 50; batch++) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => guess(batch * 50 + at)));
      for (const { status, body } of answers) {
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(body).toBe(refusalText(status, port));
      }
    }
    expect(Object.fromEntries(seen)).toEqual({ 403: 100, 429: GUESSES - 100 });
    expect((await fetch(server.url, { redirect: 'manual' })).headers.getSetCookie().length).toBe(1);
  },
);

const CONNECTIONS = testSize(300, 10_000);
/** So many at once: a process may have a thousand descriptors only. */
const AT_ONCE = 250;

test(
  `H07: ${CONNECTIONS} connections that never finish asking do not keep others from being served`,
  { timeout: 0 },
  async () => {
    const { port, cookie } = await start();
    const origin = `http://127.0.0.1:${port}`;
    const window = new WebSocket(`ws://127.0.0.1:${port}/socket`, { headers: { cookie, origin } });
    onTestFinished(() => window.terminate());
    await new Promise((resolve) => window.once('open', resolve));
    let closed = 0;
    const open = new Set<Socket>();
    onTestFinished(() => open.forEach((socket) => socket.destroy()));
    for (let opened = 0; opened < CONNECTIONS;) {
      const next = Math.min(CONNECTIONS, opened + AT_ONCE);
      for (; opened < next; opened++) {
        const socket = connect(port, '127.0.0.1');
        open.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          closed++;
          open.delete(socket);
        });
        socket.write('GET / HTTP/1.1\r\nX-');
      }
      await waitFor(() => closed >= opened - 64, 'all but the latest 64 to be closed');
      expect((await fetch(`${origin}/`, { headers: { cookie } })).status).toBe(200);
    }
    expect(window.readyState).toBe(WebSocket.OPEN);
    // One more was opened for the request.
    expect(open.size).toBeGreaterThanOrEqual(63);
  },
);

testUnless(process.platform === 'linux' ? undefined : 'its sockets are read from /proc')(
  'H11: it listens on 127.0.0.1 and nowhere else',
  async () => {
    const { port } = await start();
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    // There is no table of IPv6 where that is off.
    const listening = ['/proc/net/tcp', '/proc/net/tcp6']
      .filter((table) => existsSync(table))
      .flatMap((table) => readFileSync(table, 'utf8').split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => state === '0A' && local.endsWith(`:${hex}`))
      .map(([, local]) => local);
    expect(listening).toEqual([`0100007F:${hex}`]);
  },
);

test('H08: a client that misuses its socket is disconnected, and the others stay', async () => {
  const { port, cookie, heard } = await start();
  const open = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
      headers: { cookie, origin: `http://127.0.0.1:${port}` },
    });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('open', resolve));
    return socket;
  };
  const codeOf = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));
  const good = await open();

  const large = await open();
  large.send('x'.repeat(1 << 20));
  expect(await codeOf(large)).toBe(1009);

  const fragments = await open();
  for (let at = 0; at < FRAGMENTS; at++) fragments.send('x'.repeat(40), { fin: false });
  expect(await codeOf(fragments)).toBe(1009);

  const garbage = await open();
  const { _socket: wire } = garbage as unknown as { readonly _socket: NodeJS.WritableStream };
  wire.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]));
  expect([1002, 1006]).toContain(await codeOf(garbage));

  const invalidText = await open();
  invalidText.send(Buffer.from([0xc3, 0x28]), { binary: false });
  expect(await codeOf(invalidText)).toBe(1007);

  const pings = await open();
  for (let at = 0; at < 5_000; at++) pings.ping();
  const cut = await open();
  cut.terminate();

  good.send('still here');
  await waitFor(() => heard.includes('still here'), 'the good client to be heard');
  pings.close();
});

test('eight clients, not nine, and the ninth is told why', async () => {
  const { port, cookie, transports } = await start();
  const headers = { cookie, origin: `http://127.0.0.1:${port}` };
  const open = (): WebSocket => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, { headers });
    onTestFinished(() => socket.terminate());
    return socket;
  };
  const sockets = Array.from({ length: 8 }, open);
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))));
  const ninth = open();
  const refusal = await new Promise<string>((resolve) =>
    ninth.once('close', (code, reason) => resolve(`${code} ${reason.toString()}`)),
  );
  expect(refusal).toBe('1013 Eight windows are connected, and there can be no more. Close one of them.');
  expect(transports).toHaveLength(8);
  sockets[0].close();
  await waitFor(() => sockets[0].readyState === WebSocket.CLOSED, 'one to leave');
  const again = open();
  await waitFor(() => transports.length === 9, 'the next one to be connected');
  await waitFor(() => again.readyState === WebSocket.OPEN, 'its connection');
});

test('a port that is taken is an error', async () => {
  const { server } = await start();
  const host = { connectClient: () => undefined };
  await expect(startServer({ host, rendererFolder: temporaryFolder(), port: server.port })).rejects.toThrow(
    'EADDRINUSE',
  );
});

test('a file is sent once; one that somebody has removed is not there', async () => {
  const { port, cookie, downloads } = await start();
  const ask = async (id: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/download/${id}`, { headers: { cookie } });
    return `${response.status} ${response.ok ? await response.text() : ''}`;
  };
  const id = await downloads.offer('a.jfr', (path) => writeFile(path, 'recorded'));
  expect([await ask(id), await ask(id), await ask('../secret.html')]).toEqual([
    '200 recorded',
    '404 ',
    '404 ',
  ]);
  let folder = '';
  const removed = await downloads.offer('a.jfr', (path) => {
    folder = dirname(path);
    return Promise.resolve();
  });
  rmSync(folder, { recursive: true });
  expect(await ask(removed)).toBe('404 ');
});
