import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../shared/protocol/messages.ts';
import { useChromium } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow, until } from '../support/window.ts';

const browser = useChromium();

test('H05: the token is in no entry of the history, whether the address was typed or came from a file', async () => {
  const { url } = await serve(goldenPath('hello'));
  const { origin, searchParams } = new URL(url);
  const token = searchParams.get('token')!;
  const opener = join(temporaryFolder(), 'open.html');
  writeFileSync(opener, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`);
  for (const start of [url, `file://${opener}`]) {
    // A context of its own, which has no cookie yet.
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    // From a file, the navigation is interrupted by the one to the address.
    await page.goto(start).catch(() => undefined);
    await until(page, () => window.leanscopeIdle !== undefined);
    expect(page.url()).toBe(`${origin}/`);
    const session = await context.newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    expect(entries.filter(({ url: visited }) => visited.includes(token))).toEqual([]);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(cookie.value).not.toBe(token);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.reload();
    await until(page, () => window.leanscopeIdle !== undefined);
  }
});

// The same machine by another name is another site. Another port of the same name is the same site, which has the cookie.
test.each(['localhost', '127.0.0.1'])('H03: a page of another server, on %s, gets nothing', async (host) => {
  const { url } = await serve(goldenPath('hello'));
  const { port } = new URL(url);
  const window = await LogWindow.open(browser(), url);
  await window.samplesShown(37);
  const cookies: (string | undefined)[] = [];
  const foreign = createServer((request, response) => {
    cookies.push(request.headers.cookie);
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>foreign</title>');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void foreign.close());
  await once(foreign, 'listening');
  const page = await window.page.context().newPage();
  await page.goto(`http://${host}:${(foreign.address() as AddressInfo).port}/`);
  const got = await page.evaluate(async (origin) => {
    const settled = (element: HTMLElement): Promise<string> =>
      new Promise((resolve) => {
        element.addEventListener('load', () => resolve('loaded'));
        element.addEventListener('error', () => resolve('nothing'));
        document.body.append(element);
      });
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`);
    const fetched = (init: RequestInit): Promise<string> =>
      fetch(`${origin}/`, { credentials: 'include', ...init }).then(
        ({ type, status }) => `${type} ${status}`,
        () => 'nothing',
      );
    return {
      socket: await new Promise((resolve) => {
        socket.onopen = () => resolve('open');
        socket.onclose = () => resolve('nothing');
      }),
      image: await settled(Object.assign(new Image(), { src: `${origin}/icon.svg` })),
      script: await settled(Object.assign(document.createElement('script'), { src: `${origin}/index.html` })),
      cors: await fetched({}),
      noCors: await fetched({ mode: 'no-cors' }),
      post: await fetched({ mode: 'no-cors', method: 'POST', body: 'x' }),
    };
  }, `http://127.0.0.1:${port}`);
  expect(Object.values(got)).toEqual(Object.values(got).map(() => 'nothing'));
  // Cookies have no port: on the same host, the requests above had it.
  expect(cookies.some((cookie) => cookie?.includes('leanscope'))).toBe(host === '127.0.0.1');
  // Nor by a form that leads there.
  const posted = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.evaluate((target) => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: target });
    document.body.append(form);
    form.submit();
  }, `http://127.0.0.1:${port}/`);
  expect((await posted).status()).toBe(403);
});

test('a ninth window says why it is not served, and is when another one closes', async () => {
  const { url } = await serve(goldenPath('hello'));
  const { page } = await LogWindow.open(browser(), url);
  // The connections of seven further windows.
  await page.evaluate(
    async (hello) => {
      const connect = (): Promise<WebSocket> =>
        new Promise((resolve) => {
          const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/socket`);
          socket.addEventListener('message', () => resolve(socket), { once: true });
          socket.addEventListener('open', () => socket.send(hello));
        });
      const sockets = await Promise.all(Array.from({ length: 7 }, connect));
      window.addEventListener('blur', () => sockets[0].close());
    },
    JSON.stringify({ type: 'hello', protocol: PROTOCOL_VERSION }),
  );
  const ninth = await LogWindow.open(browser(), url);
  await ninth
    .part('connection-banner')
    .getByText('Eight windows are connected, and there can be no more. Close one of them.')
    .waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await ninth.samplesShown(37);
});
