import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { inCheckout } from './built-program.ts';
import type { FakeElectron } from './fake-electron/fake-electron.ts';

/** Replaces app://leanscope/, which only Electron supports. No request for it reaches the network. */
const PAGE = 'https://leanscope.test/';

type Carried = string | number | { readonly base64: string };

/** Runs in the page before its scripts: Electron's side of the preload script, and the built script itself. */
const asPreload = (source: string) => `{
  const listeners = new Map();
  const revive = (value) =>
    value?.base64 === undefined ? value : Uint8Array.from(atob(value.base64), (c) => c.charCodeAt(0)).buffer;
  window.deliver = (channel, content) => listeners.get(channel)?.({}, ...content.map(revive));
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => (window[name] = api) },
    ipcRenderer: {
      on: (channel, listener) => listeners.set(channel, listener),
      send: (channel, ...content) => window.sendToMain(channel, content),
    },
    webUtils: { getPathForFile: () => '' },
  };
  (function (require, process) {
${source}
  })(() => electron, { platform: 'linux' });
}`;

const carried = (value: unknown): Carried =>
  value instanceof ArrayBuffer
    ? { base64: Buffer.from(value).toString('base64') }
    : (value as string | number);

export interface DesktopPage {
  readonly page: Page;
  /** Errors and warnings of the console, and files that were not found. */
  readonly problems: readonly string[];
  /** Resolves when the page has received everything that was sent to it so far. */
  readonly delivered: () => Promise<void>;
}

/**
 * The page of the started program in a real browser, as Electron would show it: its files and headers are what the
 * program's own protocol answers, its preload script is the built one, and its messages go over the program's IPC.
 */
export async function openDesktopPage(browser: Browser, electron: FakeElectron): Promise<DesktopPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await context.route('**/*', async (route) => {
    const request = route.request();
    const url = request.url().replace(PAGE, 'app://leanscope/');
    const response = electron.request(url, request.method());
    if (response.status !== 200) problems.push(`${response.status} ${request.url()}`);
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });

  const { webContents } = electron.windows[0];
  await page.exposeFunction('sendToMain', (channel: string, content: unknown[]) =>
    webContents.receive(channel, content),
  );
  let delivery = Promise.resolve();
  webContents.mainFrame.onSent = (channel, content) => {
    const deliver = `window.deliver(${JSON.stringify(channel)}, ${JSON.stringify(content.map(carried))})`;
    // A message in transit when the page closes is dropped, as in Electron.
    delivery = delivery
      .then(() => page.evaluate(deliver))
      .then(
        () => undefined,
        () => undefined,
      );
  };
  await page.addInitScript(asPreload(readFileSync(inCheckout('dist/electron/preload.cjs'), 'utf8')));
  await page.goto(PAGE);
  return { page, problems, delivered: () => delivery };
}
