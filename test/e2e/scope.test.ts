import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { objections, objectionsInBothThemes } from '../support/axe-objections.ts';
import { layoutFaults } from '../support/layout-faults.mjs';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';
import { chips, expectFlat, flatLines, shortName } from '../support/scope-on-screen.ts';
import { serve } from '../support/served.ts';
import { LogWindow } from '../support/window.ts';

const LOG = goldenPath('server-small');

const { browser, openServerLog } = useWindows();

function methodRow(window: LogWindow, at: number): Locator {
  return window.part('pane-flat').locator('[role=row][data-row-id]').nth(at);
}

/** The texts of those elements that can be seen. Runs in the page. */
function shownOf(elements: Element[]): (string | null)[] {
  return elements
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => each.textContent);
}

/** The name of what has the focus. */
function focusedName(window: LogWindow): Promise<string> {
  return window.page.evaluate(
    () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '',
  );
}

test('a method is dropped by its menu, in all panes; by keyboard a package is collapsed, and recursion; undo, redo, "Show all"', async () => {
  const window = await openServerLog();
  await window.showPane('flat');
  const [dropped] = await window.rows('flat', 1);
  const line = (await flatLines()).find((each) => each.startsWith(`${dropped} `))!;
  await methodRow(window, 0).click({ button: 'right' });
  const drop = window.page.getByRole('menuitem', { name: 'Drop samples with' });
  await drop.waitFor();
  expect(await objectionsInBothThemes(window), 'menu').toEqual([]);
  await drop.click();
  expect(await chips(window)).toEqual([`Drop samples with ${shortName(dropped)}`]);
  expect(await objectionsInBothThemes(window), 'chips').toEqual([]);
  expect(await window.samplesOutside()).toBe(Number(line.split(' ')[2]));
  expect(await window.rows('flat', 50)).not.toContain(dropped);
  await expectFlat(window, '--drop', dropped);
  await window.page.keyboard.press('Control+z');
  expect(await chips(window)).toEqual([]);
  expect(await window.rows('flat', 1)).toEqual([dropped]);
  await window.page.keyboard.press('Control+Shift+Z');
  expect(await chips(window)).toEqual([`Drop samples with ${shortName(dropped)}`]);
  await window.page.getByRole('button', { name: `Remove: Drop samples with ${shortName(dropped)}` }).focus();
  await window.page.keyboard.press('Enter');
  // The focus is in the pane, whose keys work at once.
  await window.page.locator('[data-testid=pane-flat] [role=grid]:focus').waitFor();
  expect(await chips(window)).toEqual([]);
  expect(await window.rows('flat', 1)).toEqual([dropped]);

  // By keyboard alone.
  await window.showPane('flat');
  const { keyboard } = window.page;
  const pane = window.part('pane-flat');
  const place = await pane.boundingBox();
  const size = window.page.viewportSize()!;
  const rows = await window.rows('flat', 50);
  const at = rows.findIndex((row) => row.startsWith('java.'));
  const key = rows[at];
  await keyboard.press('Home');
  for (let step = 0; step < at; step++) await keyboard.press('ArrowDown');
  await window.settled();
  const name = key.slice(0, key.lastIndexOf('.', key.lastIndexOf('.') - 1) + 1);
  await keyboard.press('Alt+Shift+C');
  expect(await chips(window)).toEqual([`Collapse ${name}*`]);
  expect(await window.rows('flat', 50)).toContain(`${name}*`);
  await expectFlat(window, '--collapse', name);
  await keyboard.press('Alt+r');
  expect(await chips(window)).toEqual([`Collapse ${name}*`, 'Collapse recursion']);
  await expectFlat(window, '--collapse', name, '--collapse-recursion', 'all');
  // "Show all" by keyboard and by pointer; the focus is in the pane then.
  await window.page.setViewportSize({ width: 1920, height: 900 });
  for (const press of ['Enter', undefined]) {
    await window.settled();
    if (press === undefined) await window.part('scope-clear').click();
    else await window.part('scope-clear').press(press);
    await window.page.locator('[data-testid=pane-flat] [role=grid]:focus').waitFor();
    expect(await chips(window)).toEqual([]);
    await keyboard.press('Control+z');
    expect(await chips(window)).toHaveLength(2);
  }
  await window.page.setViewportSize(size);
  await window.settled();
  // No pane moves for chips.
  expect(await pane.boundingBox()).toEqual(place);
  // In a small window they are below, and so they are in one that is zoomed to 200 %.
  for (const [width, height] of [
    [700, 450],
    [640, 360],
  ]) {
    await window.page.setViewportSize({ width, height });
    await window.settled();
    expect(await window.part('scope-chip').evaluateAll(shownOf)).toHaveLength(2);
    expect(await window.page.evaluate(layoutFaults)).toEqual([]);
    expect(await objections(window)).toEqual([]);
  }
  // Each part, by keyboard.
  await window.part('threads').focus();
  for (const name of ['Remove: Collapse java', 'Remove: Collapse recursion', 'Show all', 'Undo', 'Redo']) {
    while (!(await focusedName(window)).includes(name)) await keyboard.press('Tab');
  }
  await window.part('scope-clear').press('Enter');
  expect(await chips(window)).toEqual([]);
  await window.page.setViewportSize(size);
  await expectFlat(window);
});

test('one pool, or one thread, is chosen by its menu, or left out, and what is exported is in scope', async () => {
  const window = await openServerLog();
  await window.showPane('tree');
  await window.chooseView('thread-grouping', 'pool');
  await window.treeRow('http-worker-*').click({ button: 'right' });
  expect(await objections(window)).toEqual([]);
  await window.page.getByRole('menuitem', { name: 'All but pool http-worker-*' }).click();
  expect(await chips(window)).toEqual(['all but http-worker-*']);
  await window.page.keyboard.press('Control+z');
  await window.treeRow('http-worker-*').click({ button: 'right' });
  await window.page.getByRole('menuitem', { name: 'Only pool http-worker-*' }).click();
  expect(await chips(window)).toEqual(['threads http-worker-*']);
  expect((await window.numbers('tree', 'totalCount')).get('http-worker-*')).toBe('1,000');
  await window.page.keyboard.press('Control+z');
  expect(await chips(window)).toEqual([]);

  await window.chooseView('thread-grouping', 'name');
  await window.showPane('tree');
  await window.page.keyboard.press('Home');
  await window.settled();
  const [thread] = await window.rows('tree', 1);
  await window.treeRow(thread).click({ button: 'right' });
  await window.page.getByRole('menuitem', { name: `Only thread ${thread}` }).click();
  expect(await chips(window)).toEqual([`thread ${thread}`]);
  const exported = await window.exported('export-collapsed');
  const options = ['--format', 'collapsed', '--thread', thread, '--threads', 'name'];
  const { stdout } = await runCli(['export', LOG, ...options]);
  expect(exported).toBe(stdout);
});

test('a package that hides the rest is suggested to be collapsed, once; a scope without samples says so', async () => {
  const window = await openServerLog();
  const hint = window.part('collapse-hint');
  expect(await hint.textContent()).toMatch(/^\d+ % of frames are java\.util\.regexCollapse$/);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await hint.getByRole('button', { name: 'Collapse', exact: true }).click();
  expect(await chips(window)).toEqual(['Collapse java.util.regex.*']);
  expect(await hint.count()).toBe(0);
  await window.part('scope-undo').click();
  expect(await chips(window)).toEqual([]);
  await hint.getByRole('button', { name: 'Do not collapse java.util.regex' }).click();
  expect(await hint.count()).toBe(0);
  await window.part('scope-redo').click();
  await window.part('scope-undo').click();
  expect(await chips(window)).toEqual([]);
  expect(await hint.count()).toBe(0);

  // And offers to show all.
  await window.showPane('flat');
  const rows = await window.rows('flat', 20);
  await methodRow(window, 0).click();
  await window.page.keyboard.press('Alt+Shift+F');
  await window.settled();
  expect(await chips(window)).toEqual([`Focus on ${shortName(rows[0])}`]);
  await methodRow(window, (await window.rows('flat', 50)).indexOf(rows[0])).click();
  await window.page.keyboard.press('Delete');
  await window.settled();
  expect(await window.part('pane-flat').textContent()).toContain('Nothing is in this scope');
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await window.page.getByRole('button', { name: 'Show all' }).last().click();
  expect(await chips(window)).toEqual([]);
  expect(await window.rows('flat', 20)).toEqual(rows);
});

test('a scope is in the address: after a reload, in another window, and when a link is pasted', async () => {
  const { url } = await serve(LOG);
  const window = await LogWindow.open(browser(), url);
  await window.samplesShown(1553);
  const { page } = window;
  await page.goto('about:blank');
  await page.goto(url);
  await window.samplesShown(1553);
  const entries = await page.evaluate(() => history.length);
  await window.showPane('flat');
  await methodRow(window, 0).click();
  await page.keyboard.press('Delete');
  const dropped = new URLSearchParams((await window.fragment()).slice(1)).get('drop')!;
  const fragment = `#log=server-small.hpl.gz&drop=${dropped}`;
  expect(await window.fragment()).toBe(fragment);
  await page.reload();
  await window.samplesShown(1553);
  expect(await chips(window)).toEqual([`Drop samples with ${shortName(dropped)}`]);
  await expectFlat(window, '--drop', dropped);
  expect(await page.evaluate(() => history.length)).toBe(entries);

  const other = await LogWindow.open(browser(), url);
  await other.page.goto('about:blank');
  await other.page.goto(`${new URL(url).origin}/${fragment}&thread=main`);
  await other.samplesShown(1553);
  expect(await chips(other)).toEqual(['thread main', `Drop samples with ${shortName(dropped)}`]);
  await other.page.evaluate(() => (location.hash = '#log=server-small.hpl.gz&collapse=java.'));
  await other.part('scope-chip').getByText('Collapse java.*').waitFor();
  await other.showPane('flat');
  await expectFlat(other, '--collapse', 'java.');
  await other.page.keyboard.press('Control+z');
  expect(await chips(other)).toEqual(['thread main', `Drop samples with ${shortName(dropped)}`]);
  await other.part('scope-clear').click();
  expect(await other.fragment()).toBe('');

  // A filter of rows, split methods and a zoom are restored, too.
  await other.page.evaluate(
    () =>
      (location.hash =
        '#log=server-small.hpl.gz&lines=java.util.regex.Pattern$Loop.match&rows=totalCount%20%3E%20100'),
  );
  await other.part('scope-chip').getByText('lines of java.util.regex.Pattern$Loop.match').waitFor();
  await other.page.keyboard.press('3');
  await other.settled();
  // By keyboard, because the frame may be out of sight.
  await other.page.keyboard.press('Home');
  await other.page.keyboard.press('ArrowDown');
  await other.page.keyboard.press('Space');
  await other.part('zoom-reset').waitFor();
  expect(await other.fragment()).toMatch(/&lines=.*&rows=.*&zoom=\d+$/);
  await other.settled();
  const zoomed = (await other.flameFrames())[0].label;
  expect(zoomed).not.toBe('All threads');
  const shown = await chips(other);
  await other.page.reload();
  await other.samplesShown(1553);
  await other.part('zoom-reset').waitFor();
  await other.settled();
  expect((await other.flameFrames())[0].label).toBe(zoomed);
  expect(await chips(other)).toEqual(shown);
  await other.page.keyboard.press('Control+z');

  await page.goBack();
  expect(page.url()).toBe('about:blank');
  expect([...window.problems, ...other.problems]).toEqual([]);
});

test('a hostile address does nothing', async () => {
  const window = await openServerLog();
  const address = window.page.url();
  for (const fragment of [
    '#log=server-small.hpl.gz&thread=/(/&thread=/(a%2B)%2B$/&drop=%E0%A4&fold=shoes&frames=<script>',
    `#log=${'a'.repeat(100_000)}`,
    '#log=__proto__&drop=constructor&log=&=&&',
  ]) {
    await window.page.goto('about:blank');
    await window.page.goto(`${address}${fragment}`);
    await window.samplesShown(1553);
    expect(await chips(window), fragment.slice(0, 60)).toEqual([]);
    expect(window.problems, fragment.slice(0, 60)).toEqual([]);
  }
});

test('a zoom that is kept narrows tree and methods', async () => {
  const window = await openServerLog();
  const { page } = window;
  const { x, y } = await window.pointOf('java.lang.Thread.run');
  await page.mouse.click(x, y);
  await window.settled();
  expect(await chips(window)).toEqual([]);
  expect((await window.numbers('tree', 'totalCount')).get('All threads')).toBe('1,553');
  await window.part('zoom-keep').click();
  await window.settled();
  expect(await chips(window)).toEqual(['Only below java.lang.Thread.run']);
  // Undone, it is one of the graph alone again.
  await page.keyboard.press('Control+z');
  await expect.poll(() => chips(window)).toEqual([]);
  expect(await window.part('zoom-keep').count()).toBe(1);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => chips(window)).toEqual(['Only below java.lang.Thread.run']);
  const outside = (): Promise<number> => window.samplesOutside();
  await expect.poll(outside).toBe(1387);
  expect((await window.numbers('tree', 'totalCount')).get('All threads')).toBe('166');
  await expectFlatWithin(window, 166);
  const share = async (label: string): Promise<string> =>
    /Total %[^0-9]*([0-9.]+)/.exec(
      (await window.treeRow(label).getAttribute('aria-description')) ?? '',
    )?.[1] ?? '';
  expect(await share('java.lang.Thread.run')).toBe('100.00');

  // The hot path is closed: there are few rows.
  await window.treeRow('java.lang.Thread.run').locator('.twisty').click();
  await window.settled();
  // Rows that come above the first ones move the tree once, also where it had fewer rows when it came back on screen.
  const top = (): Promise<number> =>
    window
      .part('pane-tree')
      .locator('[role=treegrid]')
      .evaluate((element) => element.scrollTop);
  await page.keyboard.press('0');
  await window.settled();
  const scrolled = await top();
  expect(scrolled).toBeGreaterThan(0);
  await page.getByText('Callers, callees', { exact: true }).first().click();
  await window.settled();
  await page.keyboard.press('Control+z');
  await window.settled();
  // Its rows are known before its height is.
  await page.evaluate(() => {
    const Observer = globalThis.ResizeObserver;
    globalThis.ResizeObserver = class extends Observer {
      constructor(callback: ResizeObserverCallback) {
        super((...seen) => void setTimeout(() => callback(...seen), 200));
      }
    };
  });
  await page.getByText('Call tree', { exact: true }).first().click();
  await window.treeRow('java.lang.Thread.run').waitFor();
  await window.settled();
  expect(await top()).toBe(0);
  await page.keyboard.press('0');
  await window.settled();
  expect(await top()).toBe(scrolled);
  const again = await window.pointOf('java.lang.Thread.run');
  await page.mouse.click(again.x, again.y);
  await window.part('zoom-keep').click();
  await window.settled();

  // Bottom-up, a zoom leaves the stacks that end with the frame and its callees on screen.
  await page.keyboard.press('0');
  await window.part('flame-direction').getByText('Bottom-up').click();
  await window.settled();
  expect(await chips(window)).toEqual([]);
  await window.clickFrame('java.lang.StringLatin1.charAt');
  await window.part('zoom-keep').click();
  await window.settled();
  await window.clickFrame('java.lang.String.charAt');
  await window.settled();
  const { totalCount } = (await window.flameFrames())[0];
  const expectZoomed = async (): Promise<void> => {
    expect(await chips(window)).toEqual(['Only below java.lang.String.charAt']);
    await expect.poll(outside).toBe(1553 - totalCount);
    // The tree has gone to the heaviest call of the frame.
    for (const pane of ['pane-tree', 'pane-flat'])
      await window
        .part(pane)
        .locator('.virtual-rows')
        .evaluate((element) => element.scrollTo({ top: 0 }));
    await window.settled();
    const all = await window.treeRow('All threads').getAttribute('aria-description');
    expect(all).toMatch(new RegExp(`Total # ${totalCount}\\b`));
    const methods = await window.numbers('flat', 'totalCount');
    expect(methods.get('java.lang.StringLatin1.charAt')).toBe(String(totalCount));
  };
  await expectZoomed();
  const collapsed = await window.exported('export-collapsed');
  const lines = collapsed.trim().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines)
    expect(line).toMatch(/;java\.lang\.String\.charAt;java\.lang\.StringLatin1\.charAt \d+$/);
  expect(lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(totalCount);
  await page.keyboard.press('Control+z');
  const wider = ['Only below java.lang.StringLatin1.charAt'];
  await expect.poll(() => chips(window)).toEqual(wider);
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => chips(window)).toEqual(wider);
  await page.keyboard.press('Alt+ArrowRight');
  expect(await window.fragment()).toMatch(/^#threads=all&log=[^&]*&keep-zoom=yes&zoom=\d+:\d+$/);
  await page.reload();
  await window.samplesShown(1553);
  await window.part('zoom-reset').waitFor();
  await window.settled();
  await expectZoomed();
  await window.part('flame-direction').getByText('Top-down').click();
  await window.settled();

  // A double click opens a method: the zoom of its first click is taken back, and so is its step.
  await window.clickFrame('java.lang.Thread.run');
  await page.keyboard.press('0');
  await window.settled();
  const totals = await window.exported('export-csv');
  const run = await window.pointOf('java.lang.Thread.run');
  await page.mouse.dblclick(run.x, run.y);
  await window.settled();
  expect(await window.part('detail-path').innerText()).toBe('Thread.run');
  expect(await chips(window)).toEqual([]);
  expect(await window.exported('export-csv')).toBe(totals);
  expect((await window.flameFrame())!.label).toBe('All threads');
  await page.keyboard.press('Control+z');
  // What was undone is the reset before.
  await expect.poll(async () => (await window.flameFrame())!.label).toBe('java.lang.Thread.run');
  expect(window.problems).toEqual([]);
});

/** No method on screen has more samples than there are. */
async function expectFlatWithin(window: LogWindow, most: number): Promise<void> {
  const shown = await window.numbers('flat', 'totalCount');
  for (const [key, total] of shown)
    expect([key, Number(total.replace(/\D/g, '')) <= most]).toEqual([key, true]);
}
