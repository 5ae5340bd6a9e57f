import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { inCheckout } from '../support/built-program.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenLog, goldenPath } from '../support/read-log.ts';
import { leanscope, serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow } from '../support/window.ts';

const { browser, open, openServerLog } = useWindows();

test('a log opens with its numbers, and rows open by pointer and by key', async () => {
  const window = await openServerLog();
  await window.showPane('tree');
  await window.chooseView('thread-grouping', 'name');
  expect(await window.part('thread-count').textContent()).toMatch(/^12\b/);
  expect(await window.rows('tree', 4)).toEqual([
    'main',
    '  java.util.regex.Pattern$BranchConn.match',
    '  java.util.regex.Pattern$GroupHead.match',
    '  ServerSim.main',
  ]);

  await window.treeRow('java.util.regex.Pattern$BranchConn.match').locator('.twisty').click();
  await window.settled();
  expect((await window.rows('tree', 3)).at(-1)).toBe('    java.util.regex.Pattern$GroupTail.match');

  await window.treeRow('main').click();
  await window.page.keyboard.press('ArrowLeft');
  await window.settled();
  expect((await window.rows('tree', 2)).map((row) => row.trimStart())).not.toContain(
    'java.util.regex.Pattern$BranchConn.match',
  );
  expect(window.problems).toEqual([]);
});

test('a window that comes to a log already read never says that the log is empty', async () => {
  const { url } = await serve(goldenPath('server-small'));
  const first = await LogWindow.open(browser(), url);
  await first.samplesShown(1553);
  const second = await browser().newPage();
  onTestFinished(() => second.close());
  // A busy host answers late: here the log's state arrives when its rows are on screen.
  const states: (() => void)[] = [];
  await second.routeWebSocket(/./, (socket) => {
    const host = socket.connectToServer();
    host.onMessage((message) => {
      const isState = typeof message === 'string' && message.startsWith('{"type":"status"');
      if (isState) states.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await second.addInitScript(() => {
    const said = new Set<string>();
    new MutationObserver(() => {
      for (const each of document.querySelectorAll('.empty-state')) said.add(each.textContent);
    }).observe(document, { childList: true, subtree: true });
    Object.assign(window, { said });
  });
  await second.goto(url);
  await second.locator('[data-row-id]').first().waitFor();
  expect(states).not.toEqual([]);
  // As long as it is not known that this is all, the numbers are marked: dimmed, and named in the headers.
  const marked = (): Promise<unknown> =>
    second.evaluate(() => ({
      notes: Array.from(
        document.querySelectorAll('.header-note, .flame-note'),
        ({ textContent }) => textContent,
      ),
      colours: ['.value-selfShare', '.header-note'].map(
        (selector) =>
          document.querySelector(selector) && getComputedStyle(document.querySelector(selector)!).color,
      ),
      busy: document.querySelector('.panes')?.getAttribute('aria-busy'),
    }));
  expect(await marked()).toEqual({
    notes: ['so far', 'so far', 'so far', 'so far'],
    colours: ['rgb(92, 98, 112)', 'rgb(92, 98, 112)'],
    busy: 'true',
  });
  // A small window has one pane, whichever it is.
  await second.setViewportSize({ width: 700, height: 450 });
  await expect.poll(() => second.locator('.pane').count()).toBe(1);
  for (const key of ['1', '2', '3']) {
    await second.keyboard.press(key);
    await expect.poll(() => second.locator('.pane').getByText('so far').count()).toBe(1);
  }
  // Directly behind the title, which is not shortened for it.
  const title = second.locator('.crumb[aria-current]');
  const [titleBox, noteBox] = [
    (await title.boundingBox())!,
    (await second.locator('.flame-note').boundingBox())!,
  ];
  expect(noteBox.x - titleBox.x - titleBox.width).toBeLessThan(16);
  expect(await title.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
  await second.setViewportSize({ width: 1280, height: 720 });
  await second.keyboard.press('4');
  for (const tell of states) tell();
  await second.locator('[data-state="idle"]').waitFor();
  // The panes are busy until they have the rows of the whole log.
  await expect.poll(marked).toEqual({ notes: [], colours: ['rgb(27, 29, 36)', null], busy: 'false' });
  expect(await second.evaluate(() => [...(window as unknown as { said: Set<string> }).said])).toEqual([]);
});

test('the start page waits until the host has said which logs are open', async () => {
  const { url } = await serve(goldenPath('hello'));
  const page = await browser().newPage();
  onTestFinished(() => page.close());
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.routeWebSocket(/./, (socket) => {
    const host = socket.connectToServer();
    host.onMessage((message) => {
      if (isHeld) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.goto(url);
  await page.getByTestId('open').first().waitFor();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  expect(await page.getByTestId('start-page').count()).toBe(0);
  isHeld = false;
  for (const send of held) send();
  await page.locator('[data-row-id]').first().waitFor();
});

test('numbers stand beside their names, also when the list is scrolled; it sorts by its headers and is narrowed by a search', async () => {
  const window = await openServerLog();
  await window.showPane('flat');
  const { stdout } = await leanscope('export', goldenPath('server-small'), '--format', 'csv');
  const counts = new Map(
    Array.from(stdout.matchAll(/^"(.*)",\d+,(\d+),/gm), ([, name, total]) => [name, Number(total)]),
  );
  const scroll = (by: number): Promise<void> =>
    window
      .part('pane-flat')
      .locator('.virtual-rows')
      .evaluate((element, top) => element.scrollBy({ top }), by);
  for (const scrolledBy of [0, 11, 1000]) {
    await scroll(scrolledBy);
    await window.settled();
    const shown = await window.numbers('flat', 'totalCount');
    expect(shown.size).toBeGreaterThan(20);
    for (const [name, text] of shown) expect(Number(text.replaceAll(',', '')), name).toBe(counts.get(name));
  }
  await scroll(-2000);
  await window.settled();

  expect(await window.rows('flat', 2)).toEqual([
    'java.util.regex.IntHashSet.contains',
    'java.util.regex.Pattern$GroupTail.match',
  ]);
  await window.part('pane-flat').getByRole('button', { name: 'Sort by Methods' }).click();
  await window.settled();
  const byName = await window.rows('flat', 10);
  expect(byName).toEqual([...byName].sort((a, b) => (a < b ? -1 : 1)));

  await window.search('hashset');
  expect(await window.rows('flat', 10)).toEqual(['java.util.regex.IntHashSet.contains']);
  await window.page.keyboard.press('Escape');
  await window.settled();
  expect((await window.rows('flat', 10)).length).toBe(10);
  expect(window.problems).toEqual([]);
});

test('frames and threads are grouped otherwise on demand; the tree finds matches in closed rows', async () => {
  const window = await openServerLog();
  await window.showPane('tree');
  expect((await window.rows('tree', 1))[0]).toBe('All threads');
  await window.chooseView('thread-grouping', 'name');
  expect((await window.rows('tree', 1))[0]).toBe('main');
  await window.chooseView('frame-grouping', 'line');
  expect((await window.rows('tree', 4)).at(-1)).toMatch(/^ {2}ServerSim\.main:\d+$/);

  // A search finds what is in closed rows.
  await window.search('JsonParser');
  await window.page.keyboard.press('Enter');
  await window.settled();
  const selected = window.part('pane-tree').locator('[aria-selected=true]');
  expect(await selected.locator('[title]').first().getAttribute('title')).toMatch(/JsonParser/);
  expect(await selected.isVisible()).toBe(true);
  expect(window.problems).toEqual([]);
});

test('the window and the command line export the same bytes', async () => {
  const window = await openServerLog({ colorScheme: 'dark' });
  await window.showPane('flame');
  const log = goldenPath('server-small');
  const command = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout } = await leanscope('export', log, ...args);
    expect(code).toBe(0);
    return stdout;
  };
  expect(await window.exported('export-lean')).toBe(await command('--format', 'lean'));
  expect(await window.exported('export-csv')).toBe(await command('--format', 'csv'));

  await window.search('match');
  await window.clickFrame('java.lang.Thread.run');
  await window.settled();
  const svg = await window.exported('export-svg');
  // As on screen: the graph is deeper than its pane, so its root is at the top.
  const zoomed = ['--search', 'match', '--root', 'java.lang.Thread.run', '--theme', 'dark', '--icicle'];
  // Besides the drawing each carries the profile with its own view: the window's, and that of the command line.
  const drawing = (text: string): string =>
    text.replace(/<metadata id="leanscope-profile">[^<]*<\/metadata>/, '');
  const commanded = await command('--format', 'svg', ...zoomed);
  expect(drawing(svg)).not.toBe(svg);
  expect(drawing(svg)).toBe(drawing(commanded));
  expect(window.problems).toEqual([]);
});

test('without a file the start page offers a sample that shows something real', async () => {
  const window = await open([]);
  await window.part('start-page').waitFor();
  const guide = await window.part('guide').getAttribute('href');
  expect(existsSync(inCheckout(guide!.split('/blob/main/')[1]))).toBe(true);
  await window.part('open-sample-honest-profiler').click();
  await window.samplesShown(5012);
  await window.showPane('flat');
  expect((await window.rows('flat', 40)).join('\n')).toMatch(/\bshop\./);
  expect(window.problems).toEqual([]);
});

test('a file dropped on the window opens, and so does one that is chosen: plain, gzip, gzip of several members', async () => {
  const window = await open([]);
  await window.part('start-page').waitFor();
  const bytes = Buffer.from(goldenLog('hello')).toString('base64');
  await window.page.evaluate((encoded) => {
    const content = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const dropped = new DataTransfer();
    dropped.items.add(new File([content], 'hello.hpl'));
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: dropped }),
      );
    }
  }, bytes);
  await window.samplesShown(37);

  const folder = temporaryFolder();
  const log = goldenLog('threads');
  const plain = join(folder, 'threads.hpl');
  writeFileSync(plain, log);
  await window.part('file-input').setInputFiles([plain]);
  await window.samplesShown(1617);
  await window.part('file-input').setInputFiles([goldenPath('control-a')]);
  await window.samplesShown(427);
  const cuts = [0, 1, 5_000, 30_000, 30_001, log.length];
  const members = cuts.slice(1).map((end, at) => gzipSync(log.subarray(cuts[at], end), { level: at % 2 }));
  const several = join(folder, 'threads.hpl.gz');
  writeFileSync(several, Buffer.concat(members));
  await window.part('file-input').setInputFiles([several]);
  await window.samplesShown(1617);
  expect(await window.part('tab').count()).toBe(4);
  expect(window.problems).toEqual([]);
});

test('several logs are tabs, and closing the last brings the start page back', async () => {
  const window = await open([goldenPath('hello'), goldenPath('control-a')]);
  await window.part('tab').nth(1).click();
  await window.samplesShown(427);
  await window.page.keyboard.press('[');
  await window.samplesShown(37);
  for (let left = 2; left > 0; left--) await window.page.locator('.log-close').first().click();
  await window.part('start-page').waitFor();
  expect(window.problems).toEqual([]);
});
