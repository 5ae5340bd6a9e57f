import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { inCheckout } from './built-program.ts';
import type { FakeElectron } from './fake-electron/fake-electron.ts';
import {
  carried,
  PAGE_SCRIPT,
  PRELOAD_WORLD,
  preloadScript,
  revivedSent,
  SEND_BINDING,
} from './isolated-preload.ts';

/** Replaces app://leanscope/, which only Electron supports. No request for it reaches the network. */
const PAGE = 'https://leanscope.test/';

export interface DesktopPage {
  readonly page: Page;
  /** Errors and warnings of the console, and files that were not found. */
  readonly problems: readonly string[];
  /** Evaluates an expression in the world of the preload script. */
  readonly inPreload: (expression: string) => Promise<unknown>;
  /** Resolves when the page has received everything that was sent to it so far. */
  readonly delivered: () => Promise<void>;
}

/**
 * The page of the started program in a real browser, as Electron would show it: its files and headers are what the
 * program's own protocol answers, its preload script is the built one in a world of its own, and its messages go over the
 * program's IPC.
 */
export async function openDesktopPage(browser: Browser, electron: FakeElectron): Promise<DesktopPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
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
  const session = await context.newCDPSession(page);
  const receive = (payload: string): void => {
    const [channel, content] = revivedSent(payload);
    webContents.receive(channel, content);
  };
  /** The latest document's world of the preload script. */
  let world = 0;
  session.on('Runtime.executionContextCreated', ({ context: { id, name } }) => {
    if (name === PRELOAD_WORLD) world = id;
  });
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === SEND_BINDING) receive(payload);
  });
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: SEND_BINDING, executionContextName: PRELOAD_WORLD });
  const inPreload = async (expression: string): Promise<unknown> => {
    const { result } = await session.send('Runtime.evaluate', {
      expression,
      contextId: world,
      returnByValue: true,
    });
    return result.value as unknown;
  };
  let delivery = Promise.resolve();
  webContents.mainFrame.onSent = (channel, content) => {
    const deliver = `deliver(${JSON.stringify(channel)}, ${JSON.stringify(content.map(carried))})`;
    // A message in transit when the page closes is dropped, as in Electron.
    delivery = delivery
      .then(() => inPreload(deliver))
      .then(
        () => undefined,
        () => undefined,
      );
  };
  await session.send('Page.enable');
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: PAGE_SCRIPT });
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: preloadScript(readFileSync(inCheckout('dist/electron/preload.cjs'), 'utf8')),
    worldName: PRELOAD_WORLD,
  });
  await page.goto(PAGE);
  return { page, problems, inPreload, delivered: () => delivery };
}
