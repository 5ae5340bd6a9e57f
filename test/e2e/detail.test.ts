import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const { openRead, openServerLog } = useWindows();

/** The names of a pane's rows, indented by their depth. */
function names(window: LogWindow, pane: string): Promise<string[]> {
  return window
    .part(`pane-${pane}`)
    .evaluate((element) =>
      [...element.querySelectorAll<HTMLElement>('[data-row-id]')]
        .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
        .map(
          (row) =>
            '  '.repeat(Number(row.dataset.depth)) +
            (row.querySelector('.row-name')?.getAttribute('title') ?? ''),
        ),
    );
}

/** The labels of the breadcrumb. */
function path(window: LogWindow): Promise<string[]> {
  return window.part('detail-path').locator('.crumb').allInnerTexts();
}

async function press(window: LogWindow, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await window.page.keyboard.press(key);
    await window.settled();
  }
}

test('by keyboard: Enter opens callers and callees, further ones behind them, and the path leads back', async () => {
  const window = await openServerLog({ height: 900 });
  await press(window, '2', 'Home');
  // The detail follows the selection.
  // Callers are open along the heaviest path.
  expect((await names(window, 'callers')).slice(0, 3)).toEqual([
    'java.util.regex.IntHashSet.contains',
    '  java.util.regex.Pattern$Loop.match',
    '    java.util.regex.Pattern$GroupTail.match',
  ]);
  expect(await names(window, 'callees')).toEqual(['java.util.regex.IntHashSet.contains']);
  expect(await path(window)).toEqual(['IntHashSet.contains']);
  expect((await window.part('hottest-lines').innerText()).split('\n').slice(0, 3)).toEqual([
    'Hottest lines, self',
    'Line 47 8.50 % 132',
    'Line 49 6.50 % 101',
  ]);
  await press(window, 'Enter', 'Home', 'ArrowDown', 'Enter');
  expect(await path(window)).toEqual(['IntHashSet.contains', 'Pattern$Loop.match']);
  expect((await names(window, 'callers')).slice(0, 2)).toEqual([
    'java.util.regex.Pattern$Loop.match',
    '  java.util.regex.Pattern$GroupTail.match',
  ]);
  await press(window, 'Shift+Tab');
  await window.part('detail-path').getByText('IntHashSet.contains').focus();
  await press(window, 'Enter');
  expect(await path(window)).toEqual(['IntHashSet.contains']);
  expect(window.problems).toEqual([]);
});

test('a double click on a row opens its callers and callees in place of the tree; bottom-up: expanded to callers by key, searched', async () => {
  const window = await openServerLog({ height: 900 });
  const row = window.part('pane-tree').locator('[data-index="2"]');
  const name = await row.locator('.row-name').getAttribute('title');
  await row.dblclick();
  await window.settled();
  expect((await names(window, 'callers'))[0]).toBe(name);
  await window.part('tree-choice').getByText('Call tree').click();
  await window.settled();
  expect((await names(window, 'tree'))[2].trim()).toBe(name);

  // Bottom-up: the methods in which samples ended.
  await press(window, '1');
  await window.part('tree-choice').getByText('Bottom-up').click();
  await window.settled();
  await window.part('pane-bottomUp').locator('[data-index="0"]').click();
  await press(window, 'ArrowRight');
  expect((await names(window, 'bottomUp')).slice(0, 2)).toEqual([
    'java.util.regex.IntHashSet.contains',
    '  java.util.regex.Pattern$Loop.match',
  ]);
  await window.search('parseNumber');
  await press(window, 'Enter');
  const selected = window.part('pane-bottomUp').locator('[aria-selected=true] .row-name');
  expect(await selected.getAttribute('title')).toContain('parseNumber');
  expect(window.problems).toEqual([]);
});

test('5: callers above and callees below as flame graphs, equally wide, walked and opened by keyboard', async () => {
  const window = await openServerLog({ height: 900 });
  await press(window, '5');
  expect(await window.part('detail-empty').innerText()).toContain('Select a method');
  await press(window, '2');
  await window.part('pane-flat').locator('[title="ServerSim$JsonParser.parseObject"]').first().click();
  await press(window, '5');
  expect(await path(window)).toEqual(['ServerSim$JsonParser.parseObject']);
  const graphs = ['callersFlame', 'calleesFlame'].map((pane) => window.part(`pane-${pane}`));
  for (const graph of graphs) {
    const root = graph.locator('[role=treeitem]');
    expect(await root.getAttribute('aria-label')).toMatch(/^ServerSim\$JsonParser\.parseObject, 15 samples/);
  }
  const widths = graphs.map(async (graph) => (await graph.locator('.flame-graph').boundingBox())?.width);
  const [above, below] = await Promise.all(widths);
  expect(above).toBe(below);
  await press(window, 'Home', 'ArrowUp', 'Space');
  // Each of the two graphs has its own zoom.
  const crumbs = (pane: string): Promise<string[]> =>
    window.part(`zoom-bar-${pane}`).locator('.crumb').allInnerTexts();
  expect(await crumbs('callersFlame')).toEqual([
    'ServerSim$JsonParser.parseObject',
    'ServerSim$JsonParser.parseValue',
  ]);
  expect(await crumbs('calleesFlame')).toEqual([]);
  await press(window, 'Backspace');
  expect(await crumbs('callersFlame')).toEqual([]);
  await press(window, 'Home', 'ArrowUp');
  const marked = graphs[0].locator('[role=treeitem]');
  expect(await marked.getAttribute('aria-label')).toContain('ServerSim$JsonParser.parseValue');
  await press(window, 'Enter');
  expect(await path(window)).toEqual(['ServerSim$JsonParser.parseObject', 'ServerSim$JsonParser.parseValue']);
  // Nothing is selected in the new graphs yet.
  expect(await marked.getAttribute('aria-selected')).toBe('false');
  await press(window, 'Backspace');
  expect(await path(window)).toEqual(['ServerSim$JsonParser.parseObject']);
  expect(window.problems).toEqual([]);
});

test('the bottom-up flame graph: as wide as all samples, zoomed, and Enter opens the frame', async () => {
  const window = await openServerLog({ height: 900 });
  await press(window, '3');
  await window.part('flame-direction').getByText('Bottom-up').click();
  await window.settled();
  const frames = await window.flameFrames();
  const [root] = frames;
  expect(root).toMatchObject({ totalCount: 1553, depth: 0 });
  const contains = frames.find(({ label }) => label === 'java.util.regex.IntHashSet.contains');
  expect(contains).toMatchObject({ depth: 1, totalCount: 334, selfCount: 334 });
  await window.clickFrame('java.util.regex.IntHashSet.contains');
  await window.settled();
  expect((await window.flameFrames())[0].label).toBe('java.util.regex.IntHashSet.contains');
  await window.part('flame-direction').getByText('Top-down').click();
  await window.settled();
  expect((await window.flameFrames())[0].totalCount).toBe(1553);
  await window.part('flame-direction').getByText('Bottom-up').click();
  await window.settled();
  await window.page.locator('.flame-canvas').focus();
  await press(window, 'Home', 'ArrowDown', 'Enter');
  expect(await window.part('pane-callersFlame').count()).toBe(1);
  expect(await path(window)).toHaveLength(1);
  expect(window.problems).toEqual([]);
});

test.each([
  { width: 1280, height: 900 },
  { width: 700, height: 450 },
])('nothing that axe objects to, in both themes: %j', async (size) => {
  const window = await openServerLog(size);
  await press(window, '1');
  for (const choice of ['Bottom-up', 'Callers, callees']) {
    await window.part('tree-choice').getByText(choice).click();
    await window.settled();
    expect(await objectionsInBothThemes(window), choice).toEqual([]);
  }
  expect(await window.part('detail-empty').innerText()).toContain('Select a method');
  await press(window, '2', 'Home');
  await press(window, '1');
  expect((await names(window, 'callers'))[0]).toBe('java.util.regex.IntHashSet.contains');
  expect(await objectionsInBothThemes(window), 'detail').toEqual([]);
  await press(window, '5');
  expect(await window.part('pane-calleesFlame').count()).toBe(1);
  expect(await objectionsInBothThemes(window), 'sandwich').toEqual([]);
  await press(window, '3');
  await window.part('flame-direction').getByText('Bottom-up').click();
  await window.settled();
  expect(await objectionsInBothThemes(window), 'bottom-up').toEqual([]);
  const isWide = await window.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWide).toBe(false);
  expect(window.problems).toEqual([]);
});

test('in a large profile whose stacks are changed, the hottest lines are counted when they are asked for', async () => {
  const file = join(temporaryFolder(), 'deep.collapsed');
  // A million call nodes, because each stack has a root of its own.
  const stack = 'shop.Cart.add:3;shop.Cart.price:7;'.repeat(50);
  const stacks = Array.from({ length: 10_001 }, (_, at) => `shop.Root.m${at}:1;${stack}shop.Item.leaf:9 1`);
  writeFileSync(file, stacks.join('\n'));
  const window = await openRead(file, 10_001);
  const { page } = window;
  await window.page
    .getByTestId('detail-choice')
    .or(window.page.getByTestId('tree-choice'))
    .getByText('Callers, callees')
    .click();
  await window.part('pane-flat').getByTitle('shop.Cart.price', { exact: true }).click();
  await window.settled();
  const lines = window.part('hottest-lines');
  await expect.poll(() => lines.innerText()).toMatch(/^Hottest lines, total\sLine 7 [\d.]+ % 10,001/);

  await page.keyboard.press('Alt+Shift+M');
  await window.part('pane-flat').getByTitle('shop.Cart.add', { exact: true }).click();
  await window.settled();
  expect(await lines.count()).toBe(0);
  await window.part('show-hottest-lines').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => lines.innerText()).toMatch(/^Hottest lines, total\sLine 3 [\d.]+ % 10,001/);
  // The focus is where the button was, as far as it can be.
  expect(await window.part('pane-callers').evaluate((pane) => pane.contains(document.activeElement))).toBe(
    true,
  );

  // Back at everything they cost nothing, and do so no more with the same transforms.
  await page.keyboard.press('Control+z');
  await expect.poll(() => lines.innerText()).toMatch(/^Hottest lines, total/);
  await page.keyboard.press('Control+Shift+Z');
  await expect.poll(() => lines.innerText()).toMatch(/^Hottest lines, total\sLine 3 [\d.]+ % 10,001/);
  expect(window.problems).toEqual([]);
});
