import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { inCheckout } from '../support/built-program.ts';
import { useChromium } from '../support/opened-window.ts';
import { openDesktopPage } from '../support/desktop-page.ts';
import { preventable } from '../support/fake-electron/fake-contents.ts';
import { FakeDownload } from '../support/fake-electron/fake-download.ts';
import { startDesktop } from '../support/fake-electron/start-desktop.ts';
import { goldenPath } from '../support/read-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { until } from '../support/window.ts';

const browser = useChromium();

const SAMPLE = inCheckout('assets/shop.hpl.gz');

test('the page works under the desktop’s policy, over its preload script and IPC', async () => {
  const electron = startDesktop([SAMPLE]);
  await electron.becomeReady();
  const { page, problems } = await openDesktopPage(browser(), electron);
  await page.getByTestId('sample-count').filter({ hasText: '5,012' }).waitFor();

  electron.choose('View > Call Tree');
  const tree = page.getByTestId('pane-tree');
  await tree.locator('[data-index="0"] [title="All threads"]').waitFor();
  electron.choose('View > Methods');
  const methods = page.getByTestId('pane-flat').locator('[data-index="0"]');
  await methods.click();

  // By the menu, the scope is undone and done again; in a text field, what was typed.
  await page.keyboard.press('Alt+Shift+K');
  const chip = page.getByTestId('scope-chip');
  await chip.waitFor();
  electron.choose('Edit > Undo');
  await chip.waitFor({ state: 'detached' });
  electron.choose('Edit > Redo');
  await chip.waitFor();
  electron.choose('Edit > Search');
  const search = page.getByTestId('search-field');
  await until(page, () => document.activeElement instanceof HTMLInputElement);
  await page.keyboard.type('a');
  electron.choose('Edit > Undo');
  await expect.poll(() => search.inputValue()).toBe('');
  electron.choose('Edit > Redo');
  await expect.poll(() => search.inputValue()).toBe('a');
  await page.keyboard.press('Backspace');
  await methods.click();
  electron.choose('Edit > Undo');
  await chip.waitFor({ state: 'detached' });

  electron.choose('View > Flame Graph');
  await until(page, () => (window.leanscopeFrames?.() ?? []).length > 100);

  expect(electron.nativeTheme.themeSource).toBe('system');
  electron.choose('View > Switch Theme');
  await waitFor(() => electron.nativeTheme.themeSource === 'light', 'the theme');

  const download = page.waitForEvent('download');
  electron.choose('File > Save Flame Graph as SVG…');
  expect((await download).suggestedFilename()).toMatch(/\.svg$/);
  expect(problems).toEqual([]);
});

test('the preload script has a world of its own: its functions are proxied, bytes arrive, nothing leaks', async () => {
  const electron = startDesktop([SAMPLE]);
  await electron.becomeReady();
  const { page, problems, inPreload } = await openDesktopPage(browser(), electron);
  await page.getByTestId('sample-count').filter({ hasText: '5,012' }).waitFor();

  // The page has the bridge and nothing else of the preload script, and cannot replace it.
  const seen = await page.evaluate(() => {
    const leaked = ['require', 'process', 'deliver', 'sendToMain', 'electron'].filter(
      (name) => name in window,
    );
    const { leanscope } = window as unknown as { leanscope: Record<string, unknown> };
    const [send] = [leanscope.transport as { send: () => void }].map((transport) => transport.send);
    (window as unknown as Record<string, unknown>).fromPage = 1;
    Reflect.set(window, 'leanscope', 'replaced');
    Reflect.set(leanscope, 'platform', 'replaced');
    return {
      leaked,
      names: Object.keys(leanscope).sort(),
      types: Object.values(leanscope)
        .map((value) => typeof value)
        .sort(),
      platform: (window as unknown as { leanscope: { platform: string } }).leanscope.platform,
      // The function of the page, not that of the script, whose text names Electron's channel.
      isProxy: !send.toString().includes('ipcRenderer'),
    };
  });
  expect(seen).toEqual({
    leaked: [],
    names: [
      'onCommand',
      'onSaved',
      'openDropped',
      'platform',
      'revealLog',
      'revealSaved',
      'setShown',
      'setTheme',
      'transport',
    ],
    types: [...Array<string>(7).fill('function'), 'object', 'string'],
    platform: 'linux',
    isProxy: true,
  });
  expect(await inPreload('[typeof fromPage, typeof leanscope, typeof deliver].join(" ")')).toBe(
    'undefined undefined function',
  );

  // What the page does to the objects of its world does not reach the script.
  await page.evaluate(() => {
    window.atob = () => 'x';
    JSON.parse = () => 'x';
  });
  electron.choose('View > Switch Theme');
  await waitFor(() => electron.nativeTheme.themeSource === 'light', 'the theme');

  // Files of the page reach it as files.
  const dropped = await page.evaluate(() => {
    const { leanscope } = window as unknown as { leanscope: { openDropped(file: unknown): boolean } };
    return [new File([], 'a.hpl'), new File([], 'image.pasted'), { path: '/etc/passwd' }].map((file) =>
      leanscope.openDropped(file),
    );
  });
  expect(dropped).toEqual([true, false, false]);
  expect(problems).toEqual([]);
});

test('the system shows what is read; a log’s menu and the notice of a saved file lead to the file manager; commands leave what is beneath a dialog', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const { page, problems, delivered } = await openDesktopPage(browser(), electron);

  // Without its deltas the page has nothing of the log.
  const { mainFrame } = electron.windows[0].webContents;
  const deliver = mainFrame.onSent!;
  const held: (() => void)[] = [];
  mainFrame.onSent = (channel, content) => {
    if (content[1] instanceof ArrayBuffer) held.push(() => deliver(channel, content));
    else deliver(channel, content);
  };
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
  onTestFinished(() => void Object.defineProperty(process, 'platform', platform));
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
  electron.app.emit('open-file', preventable().event, SAMPLE);
  const shown = (): readonly string[] =>
    electron.journal.filter((line) => /^(?:progress|represents)/u.test(line)).slice(-2);
  await waitFor(() => shown().includes('progress 0'), 'the log in the taskbar');
  expect(shown()).toEqual([`represents ${SAMPLE}`, 'progress 0']);
  mainFrame.onSent = deliver;
  for (const deliverNow of held) deliverNow();
  await page.getByTestId('sample-count').filter({ hasText: '5,012' }).waitFor();
  await waitFor(() => shown().includes('progress -1'), 'no progress');
  expect(shown()).toEqual([`represents ${SAMPLE}`, 'progress -1']);
  Object.defineProperty(process, 'platform', platform);

  const shownItems = (): readonly string[] =>
    electron.journal.filter((line) => line.startsWith('showItemInFolder'));
  await page.getByTestId('status-chip').click({ button: 'right' });
  const items = page.getByRole('menuitem');
  expect(await items.allTextContents()).toEqual(['Show in folder', 'Copy', 'Rename…F2', 'Compare…', 'Close']);
  await items.first().click();
  await waitFor(() => shownItems().length === 1, 'the file of the log');
  expect(shownItems()).toEqual([`showItemInFolder ${SAMPLE}`]);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByTestId('status-chip').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy path' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(SAMPLE);

  const download = page.waitForEvent('download');
  electron.choose('File > Save Flame Graph as SVG…');
  await download;
  new FakeDownload(electron, 'shop.svg').end('completed', '/pictures/shop.svg');
  await page.getByTestId('notice').filter({ hasText: 'Saved shop.svg' }).waitFor();
  await page.getByTestId('show-saved').click();
  await waitFor(() => shownItems().length === 2, 'the saved file');
  expect(shownItems()[1]).toBe('showItemInFolder /pictures/shop.svg');

  // Menu commands do not change what is beneath an open dialog.
  electron.choose('Help > Keyboard Shortcuts');
  await page.locator('dialog[open]').waitFor();
  electron.choose('File > Close Log');
  electron.choose('View > Methods');
  await delivered();
  // What the page leaves to the menu, acts there.
  await page.evaluate(() => {
    window.addEventListener('keydown', ({ key, defaultPrevented }) => {
      document.body.dataset.keys = `${document.body.dataset.keys ?? ''} ${key} ${String(defaultPrevented)}`;
    });
  });
  for (const key of ['o', 'w', 'c']) await page.keyboard.press(`Control+${key}`);
  expect(await page.evaluate(() => document.body.dataset.keys)).toBe(
    ' Control false o true Control false w true Control false c false',
  );
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await page.getByTestId('pane-tree').waitFor();
  await page.getByTestId('sample-count').filter({ hasText: '5,012' }).waitFor();
  electron.choose('View > Methods');
  await page.getByTestId('pane-tree').waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

test('the start page offers samples, and the menu opens one; what is smuggled into the page does not run, load or reach out', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const { page, problems } = await openDesktopPage(browser(), electron);
  await page
    .getByText(/sample/i)
    .first()
    .waitFor();
  electron.choose('File > Open Sample > Honest Profiler Log');
  await page.getByTestId('sample-count').filter({ hasText: '5,012' }).waitFor();
  expect(problems).toEqual([]);

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

test('the next start has the scope and the reading options of a file, and says which file is missing', async () => {
  const folder = temporaryFolder();
  const [file, other] = ['app.hpl', 'gone.hpl'].map((name) => join(folder, name));
  copyFileSync(goldenPath('server-small'), file);
  copyFileSync(goldenPath('hello'), other);
  const userData = temporaryFolder();
  const session = async (args: readonly string[], stored?: string): Promise<Page> => {
    const electron = startDesktop(args, { userData });
    await electron.becomeReady();
    const { page, problems } = await openDesktopPage(browser(), electron);
    // Each of these pages has a storage of its own.
    if (stored !== undefined) {
      await page.evaluate((text) => localStorage.setItem('leanscope.tabs', text), stored);
      await page.reload();
    }
    onTestFinished(() => expect(problems).toEqual([]));
    return page;
  };
  const first = await session([other, file]);
  await first.getByTestId('sample-count').filter({ hasText: '1,553' }).waitFor();
  await first.getByTestId('choices').click();
  await first.getByTestId('choice-cut').click();
  await first.keyboard.press('Escape');
  const truncated = first.getByTestId('pane-tree').locator('[title="(truncated)"]');
  await truncated.waitFor();
  // The rows of all that was read again.
  await first.evaluate(() => window.leanscopeIdle?.());
  await truncated.click();
  await first.keyboard.press('Delete');
  const chips = (page: Page): Promise<string[]> => page.getByTestId('scope-chip').allTextContents();
  await expect.poll(() => chips(first)).toEqual(['Drop samples with (truncated)']);
  const outside = await first.getByTestId('sample-count-in-scope').textContent();
  const kept = await first.evaluate(() => localStorage.getItem('leanscope.tabs'));
  rmSync(other);

  const second = await session([], kept!);
  await second.getByRole('tab', { selected: true, name: 'app.hpl' }).waitFor();
  await expect.poll(() => chips(second)).toEqual(['Drop samples with (truncated)']);
  await expect.poll(() => second.getByTestId('sample-count-in-scope').textContent()).toBe(outside);
  await second.getByRole('tab', { name: 'gone.hpl' }).click();
  await second.locator('[data-state=waiting]').first().waitFor();
});
