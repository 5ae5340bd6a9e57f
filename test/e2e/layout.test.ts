import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layoutFaults } from '../support/layout-faults.mjs';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const { open, openServerLog } = useWindows();

const SIZES = [
  [700, 450],
  [1024, 700],
  [1280, 720],
] as const;

/** A stack of 70 frames, each of which calls another method, too: no chain of it is folded. */
function deepFile(): string {
  const path = join(temporaryFolder(), 'deep.collapsed');
  const frame = (depth: number): string => `com.company.orders.impl.OrderServiceImpl.calculateTotals${depth}`;
  const lines: string[] = [];
  for (let depth = 1; depth <= 70; depth++) {
    const stack = Array.from({ length: depth }, (_, at) => frame(at));
    lines.push(`${[...stack, `com.company.audit.EventLogger.writeEventOf${depth}`].join(';')} ${71 - depth}`);
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Names of frames on screen in a table that have lost more than their package, and fewer than 24 characters left. */
function shortNames(window: LogWindow, pane: 'tree' | 'flat'): Promise<readonly string[]> {
  return window.part(`pane-${pane}`).evaluate((element) =>
    Array.from(element.querySelectorAll('.row-frame'), (row) => {
      const [before, ...rest] = Array.from(
        row.querySelector('.frame-name')!.childNodes,
        (node) => node.textContent ?? '',
      );
      const shown = rest.join('');
      const whole = row.querySelector('.row-name')!.getAttribute('title')!;
      const { right } = row.querySelector('.row-name')!.getBoundingClientRect();
      const isInside = row.querySelector('.frame-name')!.getBoundingClientRect().right <= right;
      const isWhole = whole.endsWith(shown) || whole.includes('$$Lambda') || before.includes('frames');
      return isInside && (isWhole || shown.length >= 24) ? '' : shown;
    }).filter((name) => name !== ''),
  );
}

test('names in the call tree and in the methods keep 24 characters in a narrow window, also of deep stacks', async () => {
  for (const files of [['assets/shop.jfr.gz'], [deepFile()]]) {
    const window = await open(files, { width: 1280, height: 720 });
    await window.part('sample-count').waitFor();
    for (const [width, height] of SIZES) {
      await window.page.setViewportSize({ width, height });
      for (const pane of ['tree', 'flat'] as const) {
        await window.showPane(width < 800 ? pane : 'all');
        for (const scrolledBy of [0, 100_000]) {
          await window
            .part(`pane-${pane}`)
            .locator('.virtual-rows')
            .evaluate((element, top) => element.scrollBy({ top }), scrolledBy);
          await window.settled();
          expect(await shortNames(window, pane), `${width} ${pane}`).toEqual([]);
        }
      }
      expect(await window.page.evaluate(layoutFaults), `${width}`).toEqual([]);
    }
    expect(window.problems).toEqual([]);
  }
});

/** Name -> where it begins, of the tabs and segments of a control. */
function placesIn(window: LogWindow, selector: string): Promise<Readonly<Record<string, number>>> {
  return window.page.evaluate(
    (wanted) =>
      Object.fromEntries(
        Array.from(document.querySelectorAll(wanted), (each) => [
          each.textContent,
          each.getBoundingClientRect().left,
        ]),
      ),
    selector,
  );
}

test('no tab, of files, of kinds or of panes, moves when another one is chosen', async () => {
  const folder = temporaryFolder();
  const logs = ['a.hpl', 'bb.hpl', 'ccc.hpl'].map((name) => join(folder, name));
  for (const path of logs) copyFileSync(goldenPath('hello'), path);
  const window = await open([...logs, 'assets/shop.jfr.gz'], { width: 1400, height: 900 });
  const { page } = window;
  await window.samplesShown(1306);
  const tabs = await placesIn(window, '.tab');
  for (const name of ['bb.hpl', 'a.hpl', 'ccc.hpl', 'shop.jfr.gz']) {
    await page.locator('.tab').filter({ hasText: name }).getByRole('tab').click();
    await window.settled();
    expect(Object.values(await placesIn(window, '.tab'))).toEqual(Object.values(tabs));
  }
  const segments = await placesIn(window, '.segmented > button:not([role=tab])');
  for (const name of ['Bottom-up', 'Source', 'Top-down', 'Call tree']) {
    await page.getByRole('radio', { name, exact: true }).first().click();
    await window.settled();
    expect(await placesIn(window, '[data-testid=tree-choice] > button')).toEqual(
      Object.fromEntries(Object.entries(segments).filter(([text]) => TREE_PANES.includes(text))),
    );
  }

  // All kinds for which there is space have a tab, the chosen one always.
  const kinds = (): Promise<Readonly<Record<string, number>>> =>
    placesIn(window, '[data-testid=kinds] > [role=tab]');
  const before = await kinds();
  expect(Object.keys(before).slice(0, 3)).toEqual([
    'CPU1,306',
    'Allocations8,600',
    expect.stringMatching(/^Locks/),
  ]);
  await window.chooseKind('lock');
  await expect
    .poll(() => page.getByRole('tab', { name: /^Locks/ }).getAttribute('aria-selected'))
    .toBe('true');
  await window.settled();
  expect(await kinds()).toEqual(before);
  await window.chooseKind('exceptions');
  await expect
    .poll(() => page.getByRole('tab', { name: /^Exceptions/ }).getAttribute('aria-selected'))
    .toBe('true');
  expect(await kinds()).toMatchObject(before);
  for (const width of [700, 1024, 1280, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await window.settled();
    expect(await page.getByRole('tab', { name: /^Exceptions/ }).isVisible(), `${width}`).toBe(true);
    expect(await page.evaluate(layoutFaults), `${width}`).toEqual([]);
  }
  expect(await window.part('more-kinds').count()).toBe(0);
  expect(window.problems).toEqual([]);
});

const TREE_PANES = ['Call tree', 'Bottom-up', 'Callers, callees', 'Source', 'Spread'];

test('the selected method is in sight and has the keys after a change of the scope', async () => {
  const window = await openServerLog({ width: 1280, height: 720 });
  const { page } = window;
  const list = window.part('pane-flat').locator('.virtual-rows');
  const seen = (): Promise<boolean> =>
    list.evaluate((element) => {
      const row = element.querySelector('[aria-selected=true]')?.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      return row !== undefined && row.top >= box.top && row.bottom <= box.bottom;
    });
  await list.focus();
  for (const [key, moves] of [
    ['Alt+Shift+K', 14],
    ['Alt+Shift+F', 9],
    ['Alt+Shift+S', 30],
  ] as const) {
    await page.keyboard.press('Home');
    for (let move = 0; move < moves; move++) await page.keyboard.press('ArrowDown');
    await window.settled();
    expect(await seen(), key).toBe(true);
    await page.keyboard.press(key);
    await window.settled();
    expect([await seen(), await list.evaluate((each) => each === document.activeElement)], key).toEqual([
      true,
      true,
    ]);
    await page.keyboard.press('Control+z');
    await window.settled();
    expect(await seen(), `${key}, undone`).toBe(true);
  }
  expect(window.problems).toEqual([]);
});

test('what is opened on the start page is brought into view', async () => {
  const window = await open([], { width: 1024, height: 500 });
  await window.part('start-page').waitFor();
  for (const details of await window.page.locator('.start-footer details').all()) {
    await details.locator('summary').click();
    await window.settled();
    const { top, bottom } = await details.evaluate((each) => {
      const box = each.getBoundingClientRect();
      return { top: box.top, bottom: box.bottom };
    });
    expect([top >= 0, bottom <= 500 || top < 40]).toEqual([true, true]);
    await details.locator('summary').click();
  }
  expect(window.problems).toEqual([]);
});

test('no gap is behind the dots of a shortened name', async () => {
  const folder = temporaryFolder();
  const names = Array.from({ length: 12 }, (_, at) => `${'checkout-prod-'.repeat(3)}${at}-europe-WWW.hpl`);
  for (const name of names) copyFileSync(goldenPath('hello'), join(folder, name));
  const window = await open(
    names.map((name) => join(folder, name)),
    { width: 1280, height: 500 },
  );
  await window.part('tab').nth(11).waitFor();
  for (const width of [1280, 1279, 1271, 2400, 2411]) {
    await window.page.setViewportSize({ width, height: 500 });
    await window.settled();
    const gaps = await window.part('tab').evaluateAll((tabs) =>
      tabs.map((tab) => {
        const [head, tail] = tab.querySelectorAll<HTMLElement>('.elided > *');
        const { font } = getComputedStyle(head);
        const context = document.createElement('canvas').getContext('2d')!;
        context.font = font;
        const dots = context.measureText('\u2026').width;
        const range = document.createRange();
        const end = tail.getBoundingClientRect().left - head.getBoundingClientRect().left;
        // Dots behind some whole number of characters end where the rest begins.
        const distances = Array.from(head.textContent, (_, at) => {
          range.setStart(head.firstChild!, 0);
          range.setEnd(head.firstChild!, at);
          return Math.abs(end - dots - range.getBoundingClientRect().width);
        });
        return Math.min(...distances);
      }),
    );
    expect(Math.max(...gaps), `${width}`).toBeLessThan(0.5);
  }
  expect(window.problems).toEqual([]);
});
