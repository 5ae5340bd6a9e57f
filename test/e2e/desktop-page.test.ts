import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../support/built-program.ts';
import { launchChromium } from '../support/chromium.ts';
import { openDesktopPage } from '../support/desktop-page.ts';
import { startDesktop } from '../support/fake-electron/start-desktop.ts';
import { waitFor } from '../support/wait-for.ts';

useBuiltProgram();

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const SAMPLE = inCheckout('assets/shop.hpl.gz');

test('the page works under the desktop’s policy, over its preload script and IPC', async () => {
  const electron = startDesktop([SAMPLE]);
  await electron.becomeReady();
  const { page, problems } = await openDesktopPage(browser, electron);
  await page.getByTestId('sample-count').filter({ hasText: '5,012' }).waitFor();

  electron.menuItem('View > Call Tree').click!();
  const tree = page.getByTestId('pane-tree');
  await tree.locator('[data-index="0"] [title="All Threads"]').waitFor();
  electron.menuItem('View > Methods').click!();
  await page.getByTestId('pane-flat').locator('[data-index="0"]').waitFor();
  electron.menuItem('View > Flame Graph').click!();
  await page.waitForFunction(() => (window.leanscopeFrames?.() ?? []).length > 100);

  const download = page.waitForEvent('download');
  electron.menuItem('File > Save Flame Graph as SVG…').click!();
  expect((await download).suggestedFilename()).toMatch(/\.svg$/);
  expect(problems).toEqual([]);
});

test('the start page offers samples, and the menu opens one', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const { page, problems } = await openDesktopPage(browser, electron);
  await page
    .getByText(/sample/i)
    .first()
    .waitFor();
  electron.menuItem('File > Open Sample > Honest Profiler Log').click!();
  await page.getByTestId('sample-count').filter({ hasText: '5,012' }).waitFor();
  expect(problems).toEqual([]);
});

test('what is smuggled into the page does not run, load or reach out', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const { page } = await openDesktopPage(browser, electron);
  const violations: string[] = [];
  await page.exposeFunction('violated', (directive: string) => void violations.push(directive));
  await page.evaluate(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      (window as unknown as { violated(directive: string): void }).violated(effectiveDirective),
    );
    const add = (tag: string, attribute: string, value: string) => {
      const element = document.createElement(tag);
      if (attribute === '') element.textContent = value;
      else element.setAttribute(attribute, value);
      document.body.append(element);
      element.click();
    };
    add('script', '', 'window.injected = true');
    add('button', 'onclick', 'window.injected = true');
    add('img', 'src', 'https://evil.example/x.png');
    add('iframe', 'src', 'https://leanscope.test/');
    add('style', '', 'body { display: none }');
    void fetch('https://evil.example/').catch(() => undefined);
  });
  await waitFor(() => violations.length >= 6, 'six refusals');
  expect(violations.sort()).toEqual([
    'connect-src',
    'frame-src',
    'img-src',
    'script-src-attr',
    'script-src-elem',
    'style-src-elem',
  ]);
  expect(await page.evaluate('window.injected')).toBeUndefined();
});
