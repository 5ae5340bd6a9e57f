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

const { browser, open, openServerLog } = useWindows();

function methodRow(window: LogWindow, at: number): Locator {
  return window.part('pane-flat').locator('[role=row][data-row-id]').nth(at);
}

/** The texts of those elements that can be seen. Runs in the page. */
function shownOf(elements: Element[]): (string | null)[] {
  return elements
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => each.textContent);
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
  expect((await window.part('scope-outside').textContent())?.replace(/\D+.*$/, '')).toBe(line.split(' ')[2]);
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
  // Nor do hints at the end of the row move what is pressed twice.
  const undoPlace = await window.part('scope-undo').boundingBox();
  await window.page.evaluate(() => {
    const hint = document.createElement('span');
    hint.className = 'top-hint';
    hint.dataset.rank = '13';
    hint.textContent = 'computing…';
    document.querySelector('.top-numbers')!.append(hint);
    // As it is painted: before that, the row finds out what fits.
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  expect(await window.part('scope-undo').boundingBox()).toEqual(undoPlace);
  await window.page.evaluate(() => document.querySelector('.top-numbers > .top-hint')!.remove());
  await window.page.setViewportSize(size);
  await window.settled();
  // No pane moves for chips.
  expect(await pane.boundingBox()).toEqual(place);
  // In a small window a list has them; so has one that is zoomed to 200 %.
  for (const [width, height] of [
    [700, 450],
    [640, 360],
  ]) {
    await window.page.setViewportSize({ width, height });
    await window.settled();
    expect(await window.part('scope-chip').evaluateAll(shownOf)).toEqual([]);
    expect(await window.part('scope-more').textContent()).toBe('+2');
    expect(await window.page.evaluate(layoutFaults)).toEqual([]);
    expect(await objections(window)).toEqual([]);
  }
  await window.part('export-menu').focus();
  for (const part of ['freeze', 'view', 'search-field', 'scope-more']) {
    await keyboard.press('Shift+Tab');
    expect(await window.page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe(part);
  }
  await keyboard.press('Enter');
  const panel = window.part('scope-panel');
  expect(await panel.locator('li > div').allInnerTexts()).toEqual([
    expect.stringMatching(/^Collapse java\.[^]*one frame$/),
    expect.stringMatching(/^Collapse recursion/),
  ]);
  expect(await panel.innerText()).toContain('Nothing is outside');
  expect(await objectionsInBothThemes(window)).toEqual([]);
  for (const name of ['Remove: Collapse java', 'Remove: Collapse recursion', 'Undo', 'Redo', 'Show all']) {
    await keyboard.press('Tab');
    expect(
      await window.page.evaluate(
        () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent,
      ),
    ).toContain(name);
  }
  await keyboard.press('Enter');
  expect(await chips(window)).toEqual([]);
  // The panel is there until it is closed.
  await keyboard.press('Control+z');
  expect(await chips(window)).toHaveLength(2);
  for (const left of [1, 0]) {
    await panel
      .getByRole('button', { name: /^Remove/ })
      .first()
      .focus();
    await keyboard.press('Enter');
    expect(await chips(window)).toHaveLength(left);
  }
  // The row has space for all now: the button of the panel is hidden with it, and the focus goes to the pane.
  await window.page.setViewportSize(size);
  await window.page.locator('[data-more][data-unfit]').waitFor({ state: 'attached' });
  await keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await window.part('scope-more').waitFor({ state: 'hidden' });
  await window.page.locator('[data-testid=pane-flat] [role=grid]:focus').waitFor();
  await expectFlat(window);
});

test('which chips fit depends on the width alone, and a long one takes no space in vain; the panel is of one log', async () => {
  const window = await open([LOG, goldenPath('hello')]);
  const { page } = window;
  await window.samplesShown(37);
  await page.evaluate(() => (location.hash = '#log=hello.hpl.gz&drop=a.&drop=b.'));
  await expect.poll(() => chips(window)).toHaveLength(2);
  await window.part('tab').first().click();
  await window.samplesShown(1553);
  const show = async (...scope: readonly string[]): Promise<void> => {
    await page.evaluate((hash) => (location.hash = hash), `#log=server-small.hpl.gz&${scope.join('&')}`);
    await expect.poll(() => chips(window)).toHaveLength(scope.length);
  };
  const long = `com.${'example.'.repeat(12)}Shop`;

  // Beside a chip of any length there is space for what is less important.
  await show(`collapse=${long}.`);
  await page.setViewportSize({ width: 2100, height: 600 });
  await window.part('thread-count').waitFor();
  expect(await window.part('scope-chip').evaluate(({ offsetWidth }: HTMLElement) => offsetWidth)).toBe(352);
  expect(await page.evaluate(layoutFaults)).toEqual([]);

  await show(`drop=${long}`, 'thread=main', 'collapse=java.');
  const shownAt = async (width: number): Promise<string> => {
    await page.setViewportSize({ width, height: 600 });
    await window.settled();
    const shown = await page
      .locator('.top-numbers [data-rank]')
      .evaluateAll((items) =>
        items
          .filter((each) => each.checkVisibility({ visibilityProperty: true }))
          .map((each) => `${each.textContent} ${each.getBoundingClientRect().width}`),
      );
    return `${width}: ${shown.join(' | ')}`;
  };
  const widths = Array.from({ length: 15 }, (_, at) => 1700 - 54 * at);
  const down: string[] = [];
  for (const width of widths) down.push(await shownAt(width));
  const up: string[] = [];
  for (const width of widths.toReversed()) up.unshift(await shownAt(width));
  expect(up).toEqual(down);
  expect(new Set(down.map((line) => line.replace(/^\d+: |[\d.]+(?= \||$)/g, ''))).size).toBeGreaterThan(3);

  // A panel does not stay open over another log.
  await page.setViewportSize({ width: 700, height: 450 });
  await window.part('scope-more').click();
  await window.part('scope-panel').waitFor();
  await page.keyboard.press(']');
  await window.samplesShown(37);
  await window.part('scope-more').waitFor();
  expect(await window.part('scope-panel').count()).toBe(0);
  expect(window.problems).toEqual([]);
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
  await other.part('scope-more').click();
  await other.part('scope-panel-clear').click();
  await other.page.keyboard.press('Escape');
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

test('a zoom narrows tree and methods if the user wants it, and percentages can be of all or of the caller', async () => {
  const window = await openServerLog();
  const { page } = window;
  const toggleOption = async (testId: string, name?: string): Promise<void> => {
    await window.part('view').click();
    if (name === undefined) await window.part(testId).click();
    else await window.part(testId).getByRole('radio', { name, exact: true }).click();
    await page.keyboard.press('Escape');
    await window.settled();
  };
  const before = await window.rows('flat', 8);
  await toggleOption('zoom-narrows');
  expect(await window.rows('flat', 8)).toEqual(before);
  const { x, y } = await window.pointOf('java.lang.Thread.run');
  await page.mouse.click(x, y);
  await window.settled();
  expect(await chips(window)).toEqual(['zoomed into java.lang.Thread.run']);
  // What can be seen of it.
  const outside = (): Promise<string> => window.part('scope-outside').innerText();
  await expect.poll(outside).toBe('1,387 outside');
  const size = page.viewportSize()!;
  await page.setViewportSize({ ...size, width: 3000 });
  await expect.poll(outside).toBe('1,387 samples outside (89.3 %)');
  await page.setViewportSize(size);
  await expect.poll(outside).toBe('1,387 outside');
  expect(await window.part('scope-outside').getAttribute('data-tip')).toBe(
    '1,387 of 1,553 samples, 95 % interval 87.68 to 90.75 %',
  );
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
  const threadRun = await window.pointOf('java.lang.Thread.run');
  await page.mouse.dblclick(threadRun.x, threadRun.y);
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
  await window.settled();

  await toggleOption('shares-of', 'All');
  expect(await share('java.lang.Thread.run')).toBe('10.69');
  await page.reload();
  await window.samplesShown(1553);
  expect(await share('java.lang.Thread.run')).toBe('10.69');
  await toggleOption('shares-of', 'Row above');
  expect(await window.part('pane-tree').locator('[data-column=totalShare]').textContent()).toContain(
    '% of caller',
  );

  // Bottom-up, a zoom leaves the stacks that end with the frame and its callees on screen.
  await page.keyboard.press('0');
  await window.part('flame-direction').getByText('Bottom-up').click();
  await window.settled();
  expect(await chips(window)).toEqual([]);
  await window.clickFrame('java.lang.StringLatin1.charAt');
  await window.settled();
  await window.clickFrame('java.lang.String.charAt');
  await window.settled();
  const { totalCount } = (await window.flameFrames())[0];
  const expectZoomed = async (): Promise<void> => {
    expect(await chips(window)).toEqual(['zoomed into java.lang.String.charAt']);
    await expect.poll(outside).toBe(`${(1553 - totalCount).toLocaleString('en-US')} outside`);
    // The tree has gone to the heaviest call of the frame.
    await window
      .part('pane-tree')
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
  const wider = ['zoomed into java.lang.StringLatin1.charAt'];
  await expect.poll(() => chips(window)).toEqual(wider);
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => chips(window)).toEqual(wider);
  await page.keyboard.press('Alt+ArrowRight');
  expect(await window.fragment()).toMatch(/^#threads=all&log=[^&]*&zoom=\d+:\d+$/);
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
  await expect.poll(() => chips(window)).toEqual(['zoomed into java.lang.Thread.run']);
  expect(window.problems).toEqual([]);
});

/** No method on screen has more samples than there are. */
async function expectFlatWithin(window: LogWindow, most: number): Promise<void> {
  const shown = await window.numbers('flat', 'totalCount');
  for (const [key, total] of shown)
    expect([key, Number(total.replace(/\D/g, '')) <= most]).toEqual([key, true]);
}
