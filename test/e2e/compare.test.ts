import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenLog, goldenPath } from '../support/read-log.ts';
import { cliOutput } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const RECORDING = 'test/golden/jfr/shop-jdk17.jfr.gz';
const LOG = goldenLog('server-small');
const { open, openRead, openServerLog } = useWindows();

const csvOf = (...args: readonly string[]): Promise<string> =>
  cliOutput('compare', ...args, '--count-all', '--format', 'csv', '--fold', 'none');

/** What the address says of the log that is compared. */
async function fields(window: LogWindow): Promise<URLSearchParams> {
  return new URLSearchParams((await window.fragment()).slice(1));
}

test('a log is compared with another tab: panes, export, undo, and a link; and with another sample type', async () => {
  const window = await open([RECORDING, goldenPath('control-a'), goldenPath('server-small')]);
  await window.samplesShown(1553);
  await window.part('tab').nth(2).click({ button: 'right' });
  await window.choose('Compare…');
  await window.part('compare-offer').filter({ hasText: 'control-a' }).click();
  await window.settled();
  // Two runs: names that a JVM makes up are stable, as on the command line.
  const csv = await cliOutput(
    'compare',
    goldenPath('control-a'),
    goldenPath('server-small'),
    '--count-all',
    '--format',
    'csv',
  );
  expect(await window.exported('export-compared-csv')).toBe(csv);
  const columns = await window.part('pane-flat').locator('[data-column]').allTextContents();
  expect(columns.join(' ')).toMatch(/Self ±.*base %.*new %/i);
  expect((await fields(window)).get('base')).toMatch(/^control-a/);
  // When rows have their samples, and the stacks over time, are those of this log, which is said.
  await window.part('pane-flat').getByTestId('choose-columns').click();
  await window.page.getByRole('menuitemcheckbox', { name: 'When' }).click();
  // The first rows may be those that only the baseline has.
  const rows = window.part('pane-flat').locator('[role=row][data-row-id]');
  const described = (): Promise<string> =>
    rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-description')).join('\n'));
  await expect.poll(described).toMatch(/(steady|burst|once)$/m);
  await window.page.keyboard.press('8');
  await window.part('chart-thread').selectOption({ label: 'All threads' });
  await window.settled();
  expect(await window.part('chart-drawn').textContent()).toBe('1,553 samples');
  expect(await window.part('chart-side').textContent()).toBe('without the baseline');
  await window.page.keyboard.press('8');
  await window.settled();
  await window.page.keyboard.press('Control+z');
  await window.settled();
  expect(await window.part('scope-chip').count()).toBe(0);
  await window.page.keyboard.press('Control+Shift+Z');
  await window.settled();
  await window.page.reload();
  await window.samplesShown(1553);
  await window.part('compare-by').waitFor();
  await window.settled();
  expect(await window.exported('export-compared-csv')).toBe(csv);
  expect(await objections(window)).toEqual([]);
  await window.part('tab').nth(0).click();
  await window.page.keyboard.press('Alt+c');
  await window.part('compare').waitFor();
  expect(await objections(window)).toEqual([]);
  await window.part('compare-types').locator('summary').click();
  await window.part('compare-offer').filter({ hasText: 'Locks and parking' }).click();
  await window.part('tab').nth(3).waitFor();
  await window.part('compare-by').waitFor();
  await window.settled();
  expect(await window.part('tab').nth(3).textContent()).toContain(': Locks and parking');
  expect(await window.exported('export-compared-csv')).toBe(
    await csvOf(RECORDING, RECORDING, '--choose-base', 'sample-type=lock', '--metric', 'samples'),
  );
  expect(window.problems).toEqual([]);
});

test('after a mark in a log that grows, what comes is compared with what was', async () => {
  const path = join(temporaryFolder(), 'live.hpl');
  writeFileSync(path, LOG.subarray(0, 300_000));
  const window = await open([path]);
  await window.part('timeline-from').waitFor();
  // Until the host says that all is read, the log may have ended, and a mark waits.
  await window.page.locator('[data-state=idle], [data-state=live]').first().waitFor();
  appendFileSync(path, LOG.subarray(300_000, 600_000));
  await window.samplesShown(555);
  const unmarked = await window.rows('flat', 5);
  await window.page.keyboard.press('Alt+m');
  await window.settled();
  expect(await window.part('timeline-baseline').count()).toBe(1);
  const rows = window.part('pane-flat').locator('[role=row][data-row-id]');
  const before = await rows.count();
  expect(before).toBeGreaterThan(5);
  // Nothing has vanished yet: rows are as they were.
  await expect.poll(() => window.part('sample-count-in-scope').innerText()).toBe('0');
  expect(await window.rows('flat', 5)).toEqual(unmarked);
  expect(await window.page.locator('[data-only]').count()).toBe(0);
  appendFileSync(path, LOG.subarray(600_000));
  await window.samplesShown(1553);
  await window.settled();
  await expect.poll(() => window.part('sample-count-in-scope').innerText()).not.toBe('0');
  // Chance explains the rows with few samples, which are last.
  await window.showPane('flat');
  await window.page.keyboard.press('End');
  await window.settled();
  expect(await window.page.locator('[data-only=base]').count()).toBeGreaterThan(0);
  const at = (await fields(window)).get('from')!;
  expect((await fields(window)).get('to-base')).toBe(at);
  const csv = await csvOf(path, path, '--to-base', at, '--from', at);
  expect(await window.exported('export-compared-csv')).toBe(csv);
  // Only what shrank, by a filter of differences.
  await window.page.keyboard.press('Control+Shift+f');
  await window.part('filter-text').fill('difference.selfCount < -1');
  expect(await objections(window)).toEqual([]);
  await window.part('filter-apply').click();
  await window.settled();
  expect((await fields(window)).get('rows')).toBe('difference.selfCount < -1');
  const shrunk = csv.split(/(?<=\n)/).filter((line, row) => row === 0 || Number(line.split(',')[3]) < -1);
  expect(shrunk.length).toBeGreaterThan(3);
  expect(await window.exported('export-compared-csv')).toBe(shrunk.join(''));
  // Without a baseline it has no effect, and says so.
  await window
    .part('scope-chip')
    .filter({ hasText: 'compared' })
    .getByRole('button', { name: /^Remove/ })
    .click();
  const chip = window.part('scope-chip').filter({ hasText: 'Only rows where' }).locator('.chip-text');
  await expect.poll(() => chip.getAttribute('data-tip')).toContain('left out while nothing is compared');
  expect(await window.rows('flat', 5)).not.toEqual([]);
  expect(window.problems).toEqual([]);
});

async function samplesOf(...range: readonly string[]): Promise<number> {
  const json = await cliOutput('summary', goldenPath('server-small'), ...range, '--count-all', '--json');
  return (JSON.parse(json) as { scope: { samples: number } }).scope.samples;
}

const chipText = async (window: LogWindow): Promise<string> =>
  (await window.part('scope-chip').allTextContents()).join('; ');

test('a range that was dragged is compared with the rest: largest real changes first, sides swapped; by keyboard zoomed, refused, cleared', async () => {
  const window = await openServerLog();
  const { keyboard, mouse } = window.page;
  const { x, y, width } = (await window.part('timeline-plot').boundingBox())!;
  await mouse.move(x + width * 0.2, y + 12);
  await mouse.down();
  await mouse.move(x + width * 0.5, y + 12, { steps: 5 });
  expect(await window.part('range-bar').count()).toBe(0);
  await mouse.up();
  await window.settled();
  const bar = window.part('range-bar');
  expect(await bar.getByRole('button').allTextContents()).toEqual(['Zoom', 'Compare with the rest', 'Clear']);
  expect(await objections(window)).toEqual([]);
  const range = await chipText(window);
  const methods = window.part('pane-flat').getByRole('grid');
  await methods.evaluate((element) => element.scrollTo(0, 2000));
  await expect.poll(() => methods.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(500);
  await bar.getByRole('button', { name: 'Compare' }).click();
  await window.settled();
  expect(await bar.count()).toBe(0);
  await expect.poll(() => methods.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  expect(await chipText(window)).toBe(`${range}; compared with the rest`);
  const marked = await fields(window);
  const [from, to] = ['from', 'to'].map((name) => marked.get(name)!);
  const inRange = await samplesOf('--from', from, '--to', to);
  const report = await window.exported('export-compared-report');
  for (const line of [`${1553 - inRange} .* base`, `${inRange} .* new`])
    expect(report).toMatch(new RegExp(` ${line}  server-small.hpl.gz`));
  /** Without their signs. */
  const changes = async (): Promise<readonly string[]> => {
    const all = await window.part('pane-flat').locator('[role=row][data-row-id]').all();
    const texts = await Promise.all(all.map((row) => row.getAttribute('aria-description')));
    return texts.map((text) => /Self \u00b1 .?([\d.]+)/.exec(text ?? '')?.[1] ?? '');
  };
  const shown = await changes();
  expect(new Set(shown).size).toBeGreaterThan(3);
  await window.part('compare-swap').click();
  await window.settled();
  expect(await chipText(window)).toBe(`the rest compared with ${range}`);
  expect((await changes()).slice(0, 5)).toEqual(shown.slice(0, 5));
  await keyboard.press('Control+z');
  await keyboard.press('Control+z');
  await window.settled();
  // By keyboard, the bar comes after the ends of the range.
  const axis = (): Promise<readonly string[]> =>
    window.page.locator('.timeline-axis > span').allTextContents();
  const whole = await axis();
  await window.part('timeline-from').focus();
  await keyboard.press('ArrowRight');
  await window.settled();
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await window.settled();
  expect(await axis()).not.toEqual(whole);
  expect(await bar.count()).toBe(0);
  // The whole log has no rest.
  await window.part('timeline-from').focus();
  await keyboard.press('Shift+Home');
  await window.part('timeline-to').focus();
  await keyboard.press('Shift+End');
  await window.settled();
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await window.page.getByText('Nothing was compared: ').waitFor();
  expect(await chipText(window)).not.toContain('compared');
  await window.part('timeline-to').focus();
  await keyboard.press('Shift+ArrowLeft');
  await keyboard.press('Tab');
  await keyboard.press('Shift+Tab');
  await keyboard.press('Tab');
  await keyboard.press('Escape');
  expect(await bar.count()).toBe(0);
  await window.part('timeline-to').focus();
  await keyboard.press('Shift+ArrowLeft');
  for (let stop = 0; stop < 3; stop++) await keyboard.press('Tab');
  await keyboard.press('Enter');
  await window.settled();
  expect(await window.part('scope-chip').count()).toBe(0);
  expect(window.problems).toEqual([]);
});

test('dragging with Ctrl in the timeline, or in the heatmap, chooses what the rest of the log is compared with', async () => {
  const window = await openServerLog();
  const { keyboard, mouse } = window.page;
  const { x, y, width } = (await window.part('timeline-plot').boundingBox())!;
  await keyboard.down('Control');
  await mouse.move(x + width * 0.2, y + 12);
  await mouse.down();
  await mouse.move(x + width * 0.5, y + 12, { steps: 5 });
  await window.settled();
  expect(await window.part('timeline-baseline').count()).toBe(1);
  expect((await fields(window)).get('from-base')).toBeNull();
  await mouse.up();
  await keyboard.up('Control');
  await window.settled();
  const marked = await fields(window);
  const [from, to] = ['from-base', 'to-base'].map((name) => marked.get(name)!);
  expect(await chipText(window)).toMatch(/^the rest compared with 0:0/);
  const inBase = await samplesOf('--from', from, '--to', to);
  const report = await window.exported('export-compared-report');
  const lines = [`${inBase} .* base`, `${1553 - inBase} .* new`];
  for (const line of lines) expect(report).toMatch(new RegExp(` ${line}  server-small.hpl.gz`));
  await keyboard.press('7');
  const squares = window.part('heatmap-squares');
  await squares.waitFor();
  await window.settled();
  const box = (await squares.boundingBox())!;
  const { width: column } = (await squares.locator('[role=gridcell]').boundingBox())!;
  await keyboard.down('Control');
  await mouse.move(box.x + 0.5 * column, box.y + box.height - 1);
  await mouse.down();
  await mouse.move(box.x + 1.5 * column, box.y + 1, { steps: 5 });
  await mouse.up();
  await keyboard.up('Control');
  await window.settled();
  expect(await chipText(window)).toBe('the rest compared with 0:00 to 0:00.4');
  expect(await window.part('timeline-baseline').count()).toBe(1);
  expect(await objections(window)).toEqual([]);
  await keyboard.press('Control+z');
  await window.settled();
  expect((await fields(window)).get('from-base')).toBe(from);
  expect(window.problems).toEqual([]);
});

test('a file that is dropped with Alt is opened, and the log is compared with it', async () => {
  const window = await openServerLog();
  const bytes = Buffer.from(goldenLog('control-a')).toString('base64');
  await window.page.evaluate((encoded) => {
    const content = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'control-a.hpl'));
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer, altKey: true }),
      );
  }, bytes);
  await window.part('compare-by').waitFor();
  await window.settled();
  expect(await window.part('tab').allTextContents()).toHaveLength(2);
  expect(await chipText(window)).toBe('Stable names; compared with control-a.hpl');
  expect(await window.exported('export-compared-csv')).toBe(
    await cliOutput(
      'compare',
      goldenPath('control-a'),
      goldenPath('server-small'),
      '--count-all',
      '--format',
      'csv',
    ),
  );
  expect(window.problems).toEqual([]);
});

test('tabs are the runs of two sides: the report is that of the command, and tabs that were made in another way are compared with care', async () => {
  const folder = temporaryFolder();
  const file = (name: string, sort: number): string => {
    const path = join(folder, `${name}.collapsed`);
    writeFileSync(path, `Shop.main;Shop.sort ${sort}\nShop.main;Shop.pay ${1000 - sort}\n`);
    return path;
  };
  const base = [file('old1', 300), file('old2', 310)];
  const next = [file('new1', 500), file('new2', 510)];
  const window = await open([...base, ...next, RECORDING]);
  await window.part('tab').nth(2).click();
  await window.samplesShown(1000);
  await window.part('tab').nth(2).click({ button: 'right' });
  await window.choose('Compare…');
  await window.part('compare-runs').locator('summary').click();
  const choose = (run: string, side: string): Promise<void> =>
    window.page
      .getByRole('radiogroup', { name: `Side of ${run}` })
      .getByRole('radio', { name: side })
      .click();
  await choose('old1.collapsed', 'Base');
  await choose('old2.collapsed', 'Base');
  await choose('new2.collapsed', 'New');
  expect(await objections(window)).toEqual([]);
  await window.part('compare-runs-apply').click();
  const report = await window.part('compare-runs-report').textContent();
  const command = await cliOutput('compare', ...base, '--against', ...next);
  expect(report).toBe(command.replaceAll(`${folder}/`, ''));
  expect(report).toMatch(/\+20\.00.*Shop\.sort/);
  await window.page.keyboard.press('Escape');
  await window.part('tab').nth(2).click({ button: 'right' });
  await window.choose('Compare…');
  await window.part('compare-offer').filter({ hasText: 'shop-jdk17' }).click();
  await window.settled();
  expect(await window.part('compare-care').getAttribute('data-tip')).toContain('the format is');
});

test('rows of one side alone are a command and a word in the dialog of rows, and a step of the scope', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.collapsed'), 'a.Old.x 50\na.Same.y 50\n');
  writeFileSync(join(folder, 'b.collapsed'), 'a.New.x 50\na.Same.y 50\n');
  const window = await open([join(folder, 'a.collapsed'), join(folder, 'b.collapsed')]);
  await window.samplesShown(100);
  const { page } = window;
  await window.part('tab').nth(1).click({ button: 'right' });
  await window.choose('Compare…');
  await window.part('compare-offer').filter({ hasText: 'a.collapsed' }).click();
  await window.settled();
  await window.showPane('flat');
  for (const [which, rows] of [
    ['new', ['New.x']],
    ['gone', ['Old.x']],
    ['changed', ['Old.x', 'New.x']],
  ] as const) {
    await page.keyboard.press(which === 'new' ? 'Control+k' : 'Control+Shift+F');
    await page.keyboard.type(which === 'new' ? 'only new' : which);
    await page.keyboard.press('Enter');
    await window.settled();
    const shown = await window.rows('flat', 9);
    expect([which, shown.map((name) => name.replace(/^a\./, '')).sort()]).toEqual([which, [...rows].sort()]);
  }
  await page.keyboard.press('Control+z');
  await window.settled();
  expect((await window.rows('flat', 9)).length).toBe(1);
  expect(window.problems).toEqual([]);
});

test('the flame graph begins where the largest change is in sight, unless it is scrolled', async () => {
  const window = await openRead('assets/shop.hpl.gz', 5012, { width: 1440, height: 700 });
  const { keyboard } = window.page;
  const scrolledTo = (): Promise<number> =>
    window.page.locator('.flame-scroller').evaluate(({ scrollTop }) => scrollTop);
  const compare = async (): Promise<void> => {
    await keyboard.press('Control+k');
    await keyboard.type('enter a time range');
    await keyboard.press('Enter');
    await window.part('range-from').fill('0:01');
    await window.part('range-to').fill('0:14');
    await keyboard.press('Enter');
    await window.settled();
    expect(await scrolledTo()).toBe(before);
    await keyboard.press('Alt+m');
    await window.part('compare-by').waitFor();
    await window.settled();
  };
  let before = 0;
  await compare();
  const { y, height } = (await window.page.locator('.flame-scroller').boundingBox())!;
  const searched = (await window.flameFrames()).find(({ label }) => label.endsWith('SearchIndex.search'))!;
  expect(searched.y + searched.height).toBeLessThanOrEqual(y + height);
  expect(await scrolledTo()).toBeGreaterThan(0);
  await keyboard.press('Control+z');
  await keyboard.press('Control+z');
  await window.settled();
  before = 30;
  await window.page.locator('.flame-scroller').evaluate((scroller) => scroller.scrollTo(0, 30));
  await compare();
  expect(await scrolledTo()).toBe(before);
});
