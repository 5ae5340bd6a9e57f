import { appendFileSync, copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { type Bytes, frame, log, trace } from '../support/log-bytes.ts';
import { goldenLog, goldenPath } from '../support/read-log.ts';
import { cliOutput } from '../support/run-cli.ts';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow, type WindowOptions } from '../support/window.ts';

const LOG = goldenLog('server-small');

const { browser, open } = useWindows();

/** A log that grows, and a window that shows it from its first bytes on. */
async function watchedLog(
  firstBytes: number,
  options: WindowOptions = {},
): Promise<{ readonly path: string; readonly window: LogWindow }> {
  const path = join(temporaryFolder(), 'live.hpl');
  writeFileSync(path, LOG.subarray(0, firstBytes));
  const window = await open([path], options);
  await window.until(() => document.querySelector('[data-row-id]') !== null);
  await window.settled();
  return { path, window };
}

const samplesOf = async (window: LogWindow): Promise<number> =>
  Number(/[\d,]+/.exec((await window.part('sample-count').textContent()) ?? '')?.[0].replaceAll(',', ''));

test('expansion, selection, zoom and scroll stay while a real log grows, and the end equals the batch result', async () => {
  const { path, window } = await watchedLog(400_000);
  await window.showPane('all');
  await window.clickFrame('java.util.regex.Pattern$BranchConn.match');
  await window.scrollToTreeRow('java.util.regex.Pattern$BranchConn.match');
  await window.treeRow('java.util.regex.Pattern$BranchConn.match').locator('.twisty').click();
  // There is one selection: a frame that was clicked may be in a closed row of the tree.
  await window.treeRow('java.util.regex.Pattern$BranchConn.match').click();
  await window.settled();
  const scroller = window.part('pane-tree').locator('[role=treegrid]');
  await scroller.evaluate((element) => element.scrollBy({ top: 22 }));
  await window.settled();

  const selected = window.part('pane-tree').locator('[aria-selected=true]');
  const selectedId = await selected.getAttribute('data-row-id');
  const placeOnScreen = async (): Promise<number> => Math.round((await selected.boundingBox())!.y);
  const before = await placeOnScreen();

  for (let at = 400_000; at < LOG.length; at += 140_000) {
    const samples = await samplesOf(window);
    appendFileSync(path, LOG.subarray(at, at + 140_000));
    await expect.poll(() => samplesOf(window)).toBeGreaterThan(samples);
    await window.settled();
    expect(await selected.getAttribute('data-row-id')).toBe(selectedId);
    expect(await selected.getAttribute('aria-expanded')).toBe('true');
    expect(await placeOnScreen()).toBe(before);
    expect((await window.flameFrame())?.label).toBe('java.util.regex.Pattern$BranchConn.match');
  }
  // A log is live for hours: nothing asks for frames between two growths.
  await window.page.locator('[data-state=live]').first().waitFor();
  expect(await window.page.evaluate(() => document.getAnimations().map(String))).toEqual([]);
  await window.samplesShown(1553);
  expect(await window.exported('export-lean')).toBe(await cliOutput('export', path, '--format', 'lean'));
  expect(window.problems).toEqual([]);
});

test('a zoomed flame graph stays where it was scrolled to while its log grows', async () => {
  const { path, window } = await watchedLog(400_000, { height: 400 });
  await window.showPane('flame');
  await window.clickFrame('ServerSim.lambda$main$2');
  await window.settled();
  const scroller = window.page.locator('.flame-scroller');
  const scrolled = (): Promise<number> => scroller.evaluate((element) => Math.abs(element.scrollTop));
  await scroller.evaluate((element) => {
    const isFromTop = element.classList.contains('flame-icicle');
    element.scrollBy({ top: isFromTop ? element.scrollHeight : -element.scrollHeight });
  });
  await expect.poll(scrolled).toBeGreaterThan(0);
  await window.settled();
  const before = await scrolled();
  for (let at = 400_000; at < LOG.length; at += 140_000) {
    const samples = await samplesOf(window);
    appendFileSync(path, LOG.subarray(at, at + 140_000));
    await expect.poll(() => samplesOf(window)).toBeGreaterThan(samples);
    await window.settled();
    expect((await window.flameFrame())?.label).toBe('ServerSim.lambda$main$2');
    expect(await scrolled()).toBe(before);
  }
  expect(window.problems).toEqual([]);
});

test('a flame graph that becomes deeper than its pane while it grows does not turn over', async () => {
  const path = join(temporaryFolder(), 'live.hpl');
  const stack = (depth: number): readonly Bytes[] =>
    Array.from({ length: depth }, (_, level) => frame(depth - level, 0, 0));
  writeFileSync(path, log(trace(7, 1, ...stack(3))));
  const window = await open([path]);
  await window.samplesShown(1);
  const rootIsAtBottom = async (shown: LogWindow): Promise<boolean> => {
    const frames = await shown.flameFrames();
    return frames[0].y > frames.at(-1)!.y;
  };
  expect(await rootIsAtBottom(window)).toBe(false);
  appendFileSync(path, trace(7, 2, ...stack(100)));
  await window.samplesShown(2);
  expect((await window.flameFrames()).length).toBe(101);
  expect(await rootIsAtBottom(window)).toBe(false);
  const other = await open([path]);
  await other.samplesShown(2);
  expect(await rootIsAtBottom(other)).toBe(false);
  expect(window.problems).toEqual([]);
});

test('growth reaches the screen with nothing pressed; freezing stops the view and not the reading; rotation and deletion are said', async () => {
  const { path, window } = await watchedLog(400_000);
  await window.showPane('all');
  // A pane that is hidden under the pointer holds the order of its rows no longer.
  await window.part('pane-flat').locator('.virtual-rows').hover();
  await window.showPane('flame');
  await window.page.mouse.move(600, 200);
  await window.showPane('all');
  for (let at = 400_000, step = 0; step < 6; step++, at += 100_000) {
    const samples = await samplesOf(window);
    appendFileSync(path, LOG.subarray(at, at + 100_000));
    await expect.poll(() => samplesOf(window)).toBeGreaterThan(samples);
  }
  await window.settled();
  expect(await window.part('pane-flat').getByTestId('sort-now').count()).toBe(0);

  appendFileSync(path, LOG.subarray(1_000_000));
  await window.samplesShown(1553);

  // Rotation drains the old file. The new one is in order of time: no sample is added to a range that has ended.
  const next = goldenLog('control-a');
  renameSync(path, `${path}.1`);
  writeFileSync(path, next.subarray(0, 100_000));
  await expect.poll(() => samplesOf(window)).toBeLessThan(427);
  expect(await window.part('restart-banner').textContent()).toMatch(/replaced/);

  // Freezing: a range that ends now. The log and its timeline go on.
  await window.showPane('tree');
  const following = await window.part('timeline-follow').inputValue();
  await window.part('freeze').click();
  await window.settled();
  const rows = await window.rows('tree', 20);
  appendFileSync(path, next.subarray(100_000));
  await window.page.getByText(/frozen, [\d,]+ newer samples/).waitFor();
  await window.samplesShown(427);
  expect(await window.rows('tree', 20)).toEqual(rows);
  expect(await window.part('freeze').getAttribute('aria-pressed')).toBe('true');
  expect(await window.part('timeline-follow').inputValue()).not.toBe(following);

  // Another run waits until the view is resumed.
  writeFileSync(path, goldenLog('control-b'));
  await window.page.getByText(/still shows the 427 earlier samples, because it is frozen/).waitFor();
  expect(await window.rows('tree', 20)).toEqual(rows);
  await window.part('freeze').click();
  await window.samplesShown(459);
  expect(await window.part('timeline-follow').inputValue()).toBe(following);
  rmSync(path);
  await window.until(() => document.querySelector('[data-state=gone]') !== null);
  expect(await samplesOf(window)).toBe(459);
  expect(window.problems).toEqual([]);
});

test('a restart on the same path is never merged; what is truncated, or replaced by text or picture, leaves nothing', async () => {
  const { path, window } = await watchedLog(LOG.length);
  await window.samplesShown(1553);
  truncateSync(path, 0);
  appendFileSync(path, goldenLog('control-a'));
  await window.part('restart-banner').waitFor();
  await window.samplesShown(427);
  expect(await window.part('restart-banner').textContent()).toMatch(/the 1,553 earlier samples are not/);
  expect(await window.exported('export-lean')).toBe(await cliOutput('export', path, '--format', 'lean'));

  truncateSync(path, 0);
  await window.page.getByText('They appear here as soon as they are written.').first().waitFor();
  expect(await window.page.locator('[data-row-id]').count()).toBe(0);
  expect(await window.part('restart-banner').textContent()).toMatch(
    /has no samples; the 427 earlier samples are no longer shown/,
  );
  appendFileSync(path, LOG);
  await window.samplesShown(1553);

  const replacedBy = async (kind: string, told: RegExp): Promise<void> => {
    await window.page
      .getByText(new RegExp(`Not a supported profile: this looks like ${kind}`))
      .first()
      .waitFor();
    expect(await window.page.locator('[data-row-id]').count()).toBe(0);
    expect(await window.part('restart-banner').textContent()).toMatch(told);
  };
  writeFileSync(path, 'Dear diary,\n'.repeat(10));
  await replacedBy('plain text', /has no samples; the 1,553 earlier samples/);
  writeFileSync(`${path}.new`, LOG);
  renameSync(`${path}.new`, path);
  await window.samplesShown(1553);
  copyFileSync('assets/icon.png', `${path}.new`);
  renameSync(`${path}.new`, path);
  await replacedBy(
    'a PNG image',
    /^The file was replaced at .*has no samples; the 1,553 earlier samples are no longer shown/,
  );
  expect(window.problems).toEqual([]);
});

test('a log that is truncated while the connection is lost: nothing of it is left afterwards', async () => {
  const { path, window } = await watchedLog(LOG.length, { isOwn: true });
  await window.samplesShown(1553);
  const sockets: WebSocketRoute[] = [];
  let isRefusing = false;
  await window.page.routeWebSocket(/./, (socket) => {
    sockets.push(socket);
    if (isRefusing) void socket.close();
    else socket.connectToServer();
  });
  await window.page.reload();
  await window.samplesShown(1553);
  isRefusing = true;
  await sockets[0].close();
  await window.part('connection-banner').waitFor();
  truncateSync(path);
  isRefusing = false;
  await window.page.getByText('They appear here as soon as they are written.').first().waitFor();
  expect(await window.page.locator('[data-row-id]').count()).toBe(0);
  expect(await window.part('restart-banner').textContent()).toMatch(
    /the 1,553 earlier samples are no longer shown/,
  );
});

test('a lost connection is said, in the chip as well, in one text that stays while it is tried again', async () => {
  const { url, pid } = await serve(goldenPath('server-small'));
  const window = await LogWindow.open(browser(), url);
  await window.samplesShown(1553);
  const tries: string[] = [];
  window.page.on('request', (request) => tries.push(request.url()));
  process.kill(pid, 'SIGKILL');
  const banner = window.part('connection-banner');
  await banner.waitFor();
  expect(await window.part('status-chip').textContent()).toMatch(/not connected$/);
  const said = await banner.evaluateHandle((element) => {
    const texts = [element.textContent];
    new MutationObserver(() => texts.push(element.textContent)).observe(element, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    return texts;
  });
  await expect.poll(() => tries.length).toBeGreaterThan(1);
  expect(await said.jsonValue()).toEqual([await banner.textContent()]);
  expect(await banner.textContent()).toMatch(
    /^Connection lost, trying again\. What was read stays on screen\./,
  );
  expect((await window.rows('tree', 1))[0]).toBe('All threads');
});

test('what grew most of late is listed, and rows that keep their places say how many are to be re-sorted', async () => {
  const { path, window } = await watchedLog(400_000, { hasSummary: true });
  const { keyboard } = window.page;
  await window.showPane('all');
  expect(await window.part('hot-now').count()).toBe(0);
  // Rates are measured from the first growth on.
  const grow = async (from: number, to: number): Promise<void> => {
    const samples = await samplesOf(window);
    appendFileSync(path, LOG.subarray(from, to));
    await expect.poll(() => samplesOf(window)).toBeGreaterThan(samples);
  };
  await window.part('pane-flat').locator('[data-index]').nth(3).click();
  let at = 400_000;
  while (!/\d \/s/.test((await window.part('status-chip').textContent())!)) {
    await grow(at, at + 6_000);
    at += 6_000;
  }
  await grow(at, LOG.length - 10_000);
  const hot = window.part('hot-now').getByTestId('hot-now-method');
  await hot.nth(4).waitFor();
  expect(await window.part('hot-now').locator('h2').textContent()).toMatch(
    /^Hot now · samples per second, [\d.,]+ \/s in the last \d+ s$/,
  );
  expect(await objections(window)).toEqual([]);
  // By keys: the second one is selected in all panes.
  await hot.nth(1).focus();
  const chosen = /^(.*): [\d,]+ samples in itself, /.exec((await hot.nth(1).getAttribute('data-tip'))!)![1];
  await keyboard.press('Space');
  await window.settled();
  const related = window.part('pane-flat').locator(`[data-index][aria-selected=true] [title="${chosen}"]`);
  expect(await related.count()).toBe(1);

  // Rows kept their places under the selection.
  const chip = window.part('pane-flat').getByTestId('sort-now');
  expect(await chip.textContent()).toMatch(/^Re-sort \d+ rows?$/);
  await chip.click();
  await window.settled();
  await chip.waitFor({ state: 'detached' });

  rmSync(path);
  await window.page.getByText('file gone').first().waitFor();
  await window.part('hot-now').waitFor({ state: 'detached' });
  expect(window.problems).toEqual([]);
});
