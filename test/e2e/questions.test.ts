import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

/*
 * The five questions that users come with, each answered by keyboard alone, from the moment a recording is open. The keys
 * are written down, so that each further one that an answer costs is seen here: docs/decisions/keys-of-questions.md has the
 * counts, and those of other viewers.
 */
const { open, openRead } = useWindows();

/** The name of a method, as it is typed. */
const LETTERS = ['r', 'e', 's', 'i', 'z', 'e'];

const SHOP = 'assets/shop.jfr.gz';

async function openShop(): Promise<LogWindow> {
  const window = await openRead(SHOP, 1306, { width: 1440, height: 900, hasSummary: true });
  await answered(window);
  return window;
}

async function answered(window: LogWindow): Promise<void> {
  await window.settled();
  await window.page.locator('.summary-body[aria-busy=false]').waitFor();
}

/** Presses keys one after the other, each when the window has answered the one before. */
async function press(window: LogWindow, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await window.page.keyboard.press(key);
    await window.settled();
  }
}

test('why is it slow: no key, the answer is there', async () => {
  const window = await openShop();
  expect(await window.part('summary-answer').textContent()).toMatch(
    /^60\.6 % of CPU is in Ranking\.top, called by 6 threads http-worker-\* and main, steady over the whole time$/,
  );
  expect(window.problems).toEqual([]);
});

test('who calls a method: its name, and two keys; its callers are open to the last one', async () => {
  const window = await openShop();
  await press(window, '/', ...LETTERS, 'Enter', 'ArrowDown', 'Enter');
  const callers = (await window.rows('callers', 6)).map((name) => name.trim().split(' ')[0]);
  expect(callers).toEqual([
    'java.util.HashMap.resize',
    'java.util.HashMap.merge',
    'com.acme.shop.catalog.SearchIndex.score',
    'com.acme.shop.catalog.SearchIndex.search',
    'com.acme.shop.web.Server.search',
    expect.stringMatching(/^com\.acme\.shop\.web\.Server\$\$Lambda/),
  ]);
  expect(window.problems).toEqual([]);
});

test('which threads: they stand above the callers, with their shares', async () => {
  const window = await openShop();
  await press(window, '/', ...LETTERS, 'Enter', 'ArrowDown', 'Enter');
  expect(await window.part('detail-threads').textContent()).toBe('http-worker-* 86 %, main 14 %');
  expect(window.problems).toEqual([]);
});

test('what happened in this spike: four keys, from the answers to the last one', async () => {
  const window = await openShop();
  await press(window, 'Shift+F6', 'Shift+F6', 'End');
  const burst = await window.page.evaluate(() => document.activeElement!.textContent);
  expect(burst).toBe('0:17–0:38: DailyReport.revenueBySku 12.7\u00a0% instead of 0.3\u00a0%Show');
  await press(window, 'Enter');
  expect(await window.part('scope-chip').count()).toBe(1);
  await answered(window);
  const selected = window.part('pane-flat').locator('[aria-selected=true] [title]').first();
  expect(await selected.getAttribute('title')).toBe('com.acme.shop.report.DailyReport.revenueBySku');
  // The same time against the rest: what was different then.
  await press(window, 'Alt+m');
  await answered(window);
  expect(await window.part('summary-answer').textContent()).toBe(
    'DailyReport.revenueBySku grew from 0.3\u00a0% to 12.7\u00a0%',
  );
  expect(await window.part('summary-changed').first().textContent()).toBe(
    '+11.20TimSort.binarySort6.1 % → 17.3 %',
  );
  expect(window.problems).toEqual([]);
});

test('what changed since yesterday: the other tab is offered first', async () => {
  const folder = temporaryFolder();
  const bytes = gunzipSync(readFileSync('assets/shop.hpl.gz'));
  const [yesterday, today] = ['yesterday.hpl', 'today.hpl'].map((name) => join(folder, name));
  writeFileSync(yesterday, bytes.subarray(0, bytes.length / 2));
  writeFileSync(today, bytes);
  const window = await open([yesterday, today]);
  await window.part('tab').nth(1).waitFor();
  await window.settled();
  await press(window, 'Alt+c');
  await window.page.locator('[data-testid=compare-offer]:focus').waitFor();
  await press(window, 'Enter');
  await window.part('compare-by').waitFor();
  expect(await window.part('scope-chip').last().textContent()).toContain('yesterday');
  expect(window.problems).toEqual([]);
});

test('a method is found from the palette, too', async () => {
  const window = await openShop();
  await press(window, 'Control+k', ...LETTERS, 'Enter');
  await window.page.locator('[data-pane=flat] [aria-selected=true]').waitFor();
  expect(await window.part('search-field').inputValue()).toBe('resize');
  expect(window.problems).toEqual([]);
});
