import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serve } from '../support/served.ts';
import { LogWindow } from '../support/window.ts';

const { browser, open } = useWindows();

test('open logs are merged in a dialog, by keys; the tab has one root per log, grows, and is there after a reload', async () => {
  const folder = temporaryFolder();
  for (const name of ['a', 'b']) mkdirSync(join(folder, name));
  const log = gunzipSync(readFileSync(goldenPath('hello')));
  const growing = join(folder, 'b/app.hpl');
  copyFileSync(goldenPath('hello'), join(folder, 'a/app.hpl'));
  writeFileSync(growing, log.subarray(0, log.length / 2));
  const window = await open([join(folder, 'a/app.hpl'), growing], { width: 900, height: 600 });
  const { page } = window;
  await window.part('tab').nth(1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Merge logs…' }).click();
  await window.part('merge').waitFor();
  // The focus is on the log whose menu it was.
  await page.keyboard.press('Space');
  expect(await window.part('merge').getByRole('alert').textContent()).toBe('Choose at least two logs.');
  expect(await window.part('merge-apply').isDisabled()).toBe(true);
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('cluster');
  expect(await objections(window)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.title()).toBe('cluster – Leanscope');
  // The tab that it was opened from had the focus.
  expect(await window.page.locator('[role=tab]:focus').getAttribute('aria-selected')).toBe('true');

  appendFileSync(growing, log.subarray(log.length / 2));
  await window.samplesShown(74);
  await window.chooseView('thread-grouping', 'group');
  await window.showPane('tree');
  expect(await labels(window)).toEqual(['a/app.hpl', 'b/app.hpl']);

  await page.reload();
  await window.samplesShown(74);
  await expect.poll(() => labels(window)).toEqual(['a/app.hpl', 'b/app.hpl']);

  // The link merges them on another server, too.
  const hash = await window.fragment();
  expect(hash).toBe('#log=cluster&merged=groups&part=a/app.hpl&part=b/app.hpl');
  const { url } = await serve(join(folder, 'a/app.hpl'), growing);
  const other = await LogWindow.open(browser(), `${url}${hash}`);
  await other.samplesShown(74);
  await expect.poll(() => other.page.title()).toBe('cluster – Leanscope');
});

test('the address that serve says shows several files merged, and a file without a tab is read on', async () => {
  const folder = temporaryFolder();
  const growing = join(folder, 'b.hpl');
  const log = gunzipSync(readFileSync(goldenPath('hello')));
  writeFileSync(growing, log.subarray(0, log.length / 2));
  const window = await open([goldenPath('hello'), growing, '--merge-files', 'groups']);
  await expect.poll(() => window.page.title()).toMatch(/ \+ b\.hpl – Leanscope$/);
  await window.part('tab').nth(1).click({ button: 'middle' });
  await expect.poll(() => window.part('tab').count()).toBe(2);
  appendFileSync(growing, log.subarray(log.length / 2));
  await window.samplesShown(74);
});

/** The roots of the call tree. */
async function labels(window: LogWindow): Promise<string[]> {
  const rows = await window.rows('tree', 30);
  return rows.filter((label) => label.endsWith('.hpl'));
}
