import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { layoutFaults } from '../support/layout-faults.mjs';
import { useWindows } from '../support/opened-window.ts';
import { cliOutput } from '../support/run-cli.ts';
import { chips } from '../support/scope-on-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serve } from '../support/served.ts';
import { LogWindow, type WindowOptions } from '../support/window.ts';

const { browser, open, openRead } = useWindows();

const SHOP = 'assets/shop.jfr.gz';

/** The recorded shop, with the summary beside its panes and all findings in it. */
async function openShop(options: WindowOptions = {}): Promise<LogWindow> {
  const window = await openRead(SHOP, 1306, { width: 1440, height: 900, hasSummary: true, ...options });
  await summed(window);
  return window;
}

/** Resolves when the summary is that of what is shown. */
async function summed(window: LogWindow): Promise<void> {
  await window.settled();
  await window.page.locator('.summary-body[aria-busy=false]').waitFor();
}

const selected = (window: LogWindow, pane: 'flat' | 'tree'): Promise<string | null> =>
  window.part(`pane-${pane}`).locator('[aria-selected=true] [title]').first().getAttribute('title');

test('the answer is a sentence, the same as on the command line; a click selects its method in all panes', async () => {
  const window = await openShop();
  const answer = window.part('summary-answer');
  const said = (await cliOutput('summary', SHOP)).split('\n')[2];
  expect(await answer.textContent()).toBe(said);
  expect(said).toMatch(/^\d+\.\d % of CPU is in Ranking\.top, called by .*, steady over the whole time$/);
  await answer.click();
  await window.settled();
  expect(await selected(window, 'flat')).toBe('com.acme.shop.catalog.Ranking.top');
  expect(await selected(window, 'tree')).toBe('com.acme.shop.catalog.Ranking.top');
  expect(window.problems).toEqual([]);
});

test('the hot path is folded, and a click goes to its call; so do the hottest methods, with their threads', async () => {
  const window = await openShop();
  const steps = window.part('summary-step');
  expect(await steps.count()).toBeLessThanOrEqual(8);
  expect(await steps.first().textContent()).toMatch(/^85\.7\s%ThreadPoolExecutor\.runWorker… 2 frames$/);
  await steps.last().click();
  await window.settled();
  expect(await selected(window, 'tree')).toBe('java.util.TimSort.sort');
  const methods = window.part('summary-method');
  expect(await methods.count()).toBe(5);
  expect(await methods.first().textContent()).toMatch(
    /^17\.5\s%TimSort\.mergeHisteady · http-worker-\* \d+ %/,
  );
  await methods.first().click();
  await window.settled();
  expect(await selected(window, 'flat')).toBe('java.util.TimSort.mergeHi');
  // The keys that change the scope for a row work here, too.
  await window.page.keyboard.press('Alt+Shift+K');
  await expect.poll(() => chips(window)).toEqual(['Keep samples with TimSort.mergeHi']);
  expect(window.problems).toEqual([]);
});

test('a finding opens: why, when it is wrong, evidence, and Show, which is one step for undo', async () => {
  const window = await openShop();
  const finding = window.part('finding-F33');
  await finding.getByRole('button').first().click();
  const text = (await finding.textContent())!;
  for (const part of [
    'The queue of the pool is full',
    'CallerRunsPolicy is a way',
    'Compare how long',
    'F33',
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/Where.*Server\.main.*Threads.*main 100 %.*When.*steady.*Stack 1/);
  await finding.locator('summary').first().click();
  expect(await finding.locator('ol').first().textContent()).toContain('CallerRunsPolicy.rejectedExecution');
  await finding.getByRole('button', { name: 'Show' }).click();
  await summed(window);
  expect(await chips(window)).toEqual(['Keep samples with Server.main']);
  expect(await selected(window, 'flat')).toContain('rejectedExecution');
  // The summary follows the scope.
  expect(await window.part('summary-answer').textContent()).toContain('called by main');
  await window.page.keyboard.press('Control+z');
  await summed(window);
  expect(await chips(window)).toEqual([]);
  expect(await window.part('not-assessed').textContent()).toBe('Not assessed: 2 findings');
  const others = window.part('other-types').getByRole('button');
  expect(await others.allTextContents()).toEqual(['Allocations', 'Locks']);
  await others.last().click();
  await window.part('kind-lock').and(window.page.locator('[aria-selected=true]')).waitFor();
  // Back to what the other walks look at, in the one server of all.
  await others.getByText('CPU').click();
  await window.part('kind-cpu').and(window.page.locator('[aria-selected=true]')).waitFor();
  expect(window.problems).toEqual([]);
});

test('a burst says its time, its share then and at other times, and shows that time', async () => {
  const window = await openShop();
  const burst = window.part('summary-burst').first();
  expect(await burst.textContent()).toMatch(
    /^0:17–0:38: DailyReport\.revenueBySku 12\.7\s% instead of 0\.3\s%Show$/,
  );
  await burst.click();
  await summed(window);
  const [chip] = await chips(window);
  expect(chip).toMatch(/^0:\d\d\.\d+ to 0:\d\d\.\d+$/);
  expect(await selected(window, 'flat')).toBe('com.acme.shop.report.DailyReport.revenueBySku');
  expect(window.problems).toEqual([]);
});

test('what was lost is a line, which opens the details', async () => {
  const window = await openRead('assets/shop.hpl.gz', 5012, { width: 1440, height: 900, hasSummary: true });
  await summed(window);
  const lost = window.part('summary-lost');
  expect(await lost.textContent()).toBe('no stack 23.7 %; clock steps back: 22 steps');
  await lost.click();
  await window.part('details').waitFor();
  expect(window.problems).toEqual([]);
});

test('it is closed by its button and by a key, and stays so; it is read without objections, at any size', async () => {
  const window = await openShop({ isOwn: true });
  const pane = window.part('pane-summary');
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await window.part('finding-F34').getByRole('button').first().click();
  expect(await objectionsInBothThemes(window)).toEqual([]);
  for (const [width, height] of [
    [820, 600],
    [1280, 720],
    [1440, 900],
    [2560, 1440],
  ] as const) {
    await window.page.setViewportSize({ width, height });
    await window.settled();
    const faults = await window.page.evaluate(layoutFaults);
    expect(
      faults.filter((fault: string) => fault.includes('summary')),
      `${width}`,
    ).toEqual([]);
  }
  await pane.getByRole('button', { name: 'Close the summary' }).click();
  await pane.waitFor({ state: 'detached' });
  await window.page.reload();
  await window.samplesShown(1306);
  expect(await pane.count()).toBe(0);
  await window.page.keyboard.press('9');
  await pane.waitFor();
  expect(window.problems).toEqual([]);
});

test('in a small window it is a pane of its own, whose answers lead to the others', async () => {
  const window = await openRead(SHOP, 1306, { width: 700, height: 450, hasSummary: true });
  await window.part('pane-switch').getByRole('radio', { name: 'Summary' }).click();
  await summed(window);
  expect(await window.page.evaluate(layoutFaults)).toEqual([]);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await window.part('summary-method').first().click();
  await window.part('pane-flat').waitFor();
  await window.settled();
  expect(await selected(window, 'flat')).toBe('java.util.TimSort.mergeHi');
  expect(window.problems).toEqual([]);
});

test('while a log grows, what is there stays in its place, and what is under the pointer stays as it is', async () => {
  const bytes = gunzipSync(readFileSync('assets/shop.hpl.gz'));
  const path = join(temporaryFolder(), 'growing.hpl');
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  const window = await open([path], { width: 1440, height: 900, hasSummary: true });
  // Findings keep their places from the end of the file on.
  await window.part('status-chip').and(window.page.locator('[data-state=idle], [data-state=live]')).waitFor();
  await window.settled();
  await summed(window);
  const answer = window.part('summary-answer');
  const before = await answer.textContent();
  const findings = (): Promise<string[]> =>
    window.page
      .locator('[data-testid^=finding-]')
      .evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.testid!));
  const first = await findings();
  await answer.hover();
  appendFileSync(path, bytes.subarray(bytes.length / 2));
  await window.samplesShown(5012);
  await summed(window);
  expect(await answer.textContent()).toBe(before);
  await window.page.mouse.move(900, 500);
  await expect.poll(() => answer.textContent()).not.toBe(before);
  const after = await findings();
  expect(after.filter((id) => first.includes(id))).toEqual(first.filter((id) => after.includes(id)));
  expect(window.problems).toEqual([]);
});

test('a finding and rows are copied as Markdown', async () => {
  const window = await openShop();
  const { page } = window;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const text = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await window.part('finding-F34').getByRole('button').click();
  await window.part('copy-finding').click();
  await expect
    .poll(text)
    .toMatch(
      /^- \*\*F34 Sorting takes much of the time: 56\.4 % of samples in com\.acme\.shop\.catalog\.Ranking\.top\*\*\. .*_Next_: /,
    );
  await window.part('pane-flat').locator('[data-index="1"]').click({ button: 'right' });
  await window.choose('Copy', 'Copy rows from here as Markdown');
  await expect.poll(text).toMatch(/^\| .*Self % .*\| Method \|\n\| --: /);
  const lines = (await text()).split('\n');
  expect(lines.length).toBeGreaterThan(6);
  expect(lines.length).toBeLessThanOrEqual(22);
  expect(lines[2]).toMatch(/ % \|.*\| `java\.util\.TimSort\.\w+` \|$/);
});

test('the project file of the working directory: its own code is where, and what it silences is said', async () => {
  const folder = temporaryFolder();
  const suppress = [{ id: 'F34', why: 'results are sorted' }];
  writeFileSync(
    join(folder, '.leanscope.json'),
    JSON.stringify({ own: ['com.acme.shop.web.'], thresholds: { F20: { warn: 90 } }, suppress }),
  );
  const before = process.cwd();
  process.chdir(folder);
  const { url } = await serve(join(before, SHOP)).finally(() => process.chdir(before));
  const window = await LogWindow.open(browser(), url, { hasSummary: true });
  await window.samplesShown(1306);
  await summed(window);
  expect(await window.part('finding-F34').count()).toBe(0);
  await window.page.getByText('Silenced: F34 (results are sorted)').waitFor();
  const compression = window.part('finding-F20');
  expect(await compression.getAttribute('data-level')).toBe('info');
  await compression.getByRole('button').click();
  await compression
    .getByText(/Compression\.deflate/)
    .first()
    .waitFor();
  expect(window.problems).toEqual([]);
});
