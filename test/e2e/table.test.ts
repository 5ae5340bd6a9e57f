import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { contrast } from '../support/contrast.ts';
import { LogWindow } from '../support/window.ts';

const { openServerLog } = useWindows();

/** Wide enough for all columns of Methods, beside which the detail is. */
const WIDE = { width: 2200, height: 720 };

function title(window: LogWindow, pane: 'tree' | 'flat', column: string): Locator {
  return window.part(`pane-${pane}`).locator(`[data-column=${column}]`);
}

async function widthOf(window: LogWindow, pane: 'tree' | 'flat', column: string): Promise<number> {
  const box = await title(window, pane, column).locator('xpath=..').boundingBox();
  return box!.width;
}

/** Titles of a pane's columns, from left to right. */
async function titlesOf(window: LogWindow, pane: 'tree' | 'flat'): Promise<readonly string[]> {
  return window.part(`pane-${pane}`).locator('.header-text').allTextContents();
}

/** Drags an element by as many CSS pixels to the right. */
async function drag(window: LogWindow, element: Locator, by: number): Promise<void> {
  const { x, y, width, height } = (await element.boundingBox())!;
  const { mouse } = window.page;
  await mouse.move(x + width / 2, y + height / 2);
  await mouse.down();
  await mouse.move(x + width / 2 + by / 2, y + height / 2);
  await mouse.move(x + width / 2 + by, y + height / 2);
  await mouse.up();
}

test('names and numbers of a row stand on one base line, at every scroll position', async () => {
  for (const pixelRatio of [1, 2]) {
    const window = await openServerLog({ pixelRatio });
    await window.showPane('flat');
    for (const scrolledBy of [0, 7, 500]) {
      await window
        .part('pane-flat')
        .locator('.virtual-rows')
        .evaluate((element, top) => element.scrollBy({ top }), scrolledBy);
      await window.settled();
      const offsets = await window.part('pane-flat').evaluate((pane) => {
        const column = pane.querySelector('.value-selfCount')!;
        const text = column.firstChild!;
        const lines = column.textContent.split('\n');
        // Top of each number: equal fonts in equal line boxes have equal base lines.
        const tops: number[] = [];
        let at = 0;
        for (const line of lines) {
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + line.length);
          tops.push(range.getBoundingClientRect().top);
          at += line.length + 1;
        }
        const first = column.getBoundingClientRect().top;
        return Array.from(pane.querySelectorAll('[data-index]'), (row) => {
          const name = document.createRange();
          name.selectNodeContents(row.querySelector('.frame-name')!);
          const line = Math.round((row.getBoundingClientRect().top - first) / 24);
          return line in tops ? name.getBoundingClientRect().top - tops[line] : 0;
        });
      });
      expect(offsets.length).toBeGreaterThan(20);
      expect(Math.max(...offsets.map(Math.abs))).toBeLessThan(0.02);
      const styles = await window.part('pane-flat').evaluate((pane) =>
        ['.frame-name', '.value-column'].map((selector) => {
          const { fontSize, lineHeight, fontFamily } = getComputedStyle(pane.querySelector(selector)!);
          return [fontSize, lineHeight, fontFamily];
        }),
      );
      expect(styles[0]).toEqual(styles[1]);
      expect(styles[0].slice(0, 2)).toEqual(['13px', '24px']);
    }
    expect(window.problems).toEqual([]);
  }
});

test('bars begin where the names end, which is soon, in a window of any width; they are seen on the selected row, too, in both themes', async () => {
  const window = await openServerLog({ width: 700, height: 720 });
  for (const width of [700, 1280, 2560]) {
    await window.page.setViewportSize({ width, height: 720 });
    await window.showPane('flat');
    const name = await widthOf(window, 'flat', 'name');
    expect(name, `${width}`).toBeLessThanOrEqual(640);
    expect(name, `${width}`).toBeGreaterThan(200);
    const [first] = await bars(window, 'flat', 0);
    expect(first.left, `${width}`).toBeGreaterThanOrEqual(name);
    expect(first.left - name, `${width}`).toBeLessThan(20);
    // The first row has the largest self value.
    const [second] = await bars(window, 'flat', 1);
    expect(first.width, `${width}`).toBeCloseTo(40, 0);
    expect(second.width, `${width}`).toBeGreaterThan(5);
    expect(second.width, `${width}`).toBeLessThan(first.width);
  }

  const row = window.part('pane-flat').locator('[data-index="0"]');
  const colours = (): Promise<readonly string[]> =>
    row.evaluate((element) => {
      const { backgroundImage, backgroundColor } = getComputedStyle(element);
      const surface = getComputedStyle(element.closest('.pane')!).backgroundColor;
      // A layer of one colour names it twice.
      const layers = Array.from(
        backgroundImage.matchAll(/linear-gradient\((rgb\([^)]*\))/g),
        ([, rgb]) => rgb,
      );
      return [backgroundColor === 'rgba(0, 0, 0, 0)' ? surface : backgroundColor, ...layers];
    });
  const coloursInBothThemes = async (): Promise<Readonly<Record<'light' | 'dark', readonly string[]>>> => {
    await window.page.emulateMedia({ colorScheme: 'light' });
    const light = await colours();
    await window.page.emulateMedia({ colorScheme: 'dark' });
    return { light, dark: await colours() };
  };
  const plain = await coloursInBothThemes();
  await row.click();
  await window.settled();
  await window.page.mouse.move(5, 5);
  const selected = await coloursInBothThemes();
  for (const theme of ['light', 'dark'] as const) {
    expect(selected[theme][0], theme).not.toBe(plain[theme][0]);
    for (const [background, ...layers] of [plain[theme], selected[theme]]) {
      expect(layers.length, theme).toBe(2);
      for (const bar of layers) expect(contrast(bar, background), theme).toBeGreaterThanOrEqual(3);
    }
  }
  expect(selected.dark[0]).not.toBe(selected.light[0]);
  expect((await bars(window, 'flat', 0)).length).toBe(2);
  expect(window.problems).toEqual([]);
});

interface Bar {
  readonly left: number;
  readonly width: number;
}

/** Bars of a row that have a length, from left to right; CSS pixels from the row's edge. */
async function bars(window: LogWindow, pane: 'tree' | 'flat', index: number): Promise<readonly Bar[]> {
  const [positions, sizes] = await window
    .part(`pane-${pane}`)
    .locator(`[data-index="${index}"]`)
    .evaluate((row) => {
      const { backgroundPosition, backgroundSize } = getComputedStyle(row);
      return [backgroundPosition, backgroundSize].map((text) => text.split(', ').map(parseFloat));
    });
  // The second and third layer; see table.css.
  return [1, 2]
    .map((layer) => ({ left: positions[layer], width: sizes[layer] }))
    .filter((bar) => bar.width > 0)
    .sort((a, b) => a.left - b.left);
}

test('columns are resized, moved and chosen, and colours chosen; that is remembered, and a reset brings the usual columns', async () => {
  const window = await openServerLog(WIDE);
  await window.showPane('flat');
  const edge = title(window, 'flat', 'name').locator('xpath=..').getByTestId('header-edge');
  const usual = { width: await widthOf(window, 'flat', 'name'), titles: await titlesOf(window, 'flat') };
  expect(usual.titles.slice(0, 4)).toEqual(['Methods', 'Self %', 'Total %', 'Self #']);

  // Resized by pointer and by key.
  await drag(window, edge, -120);
  expect(await widthOf(window, 'flat', 'name')).toBeCloseTo(usual.width - 120, 0);
  const [bar] = await bars(window, 'flat', 0);
  expect(bar.left - (usual.width - 120)).toBeLessThan(20);
  await title(window, 'flat', 'totalCount').focus();
  const before = await widthOf(window, 'flat', 'totalCount');
  await window.page.keyboard.press('Shift+ArrowRight');
  await window.page.keyboard.press('Shift+ArrowRight');
  expect(await widthOf(window, 'flat', 'totalCount')).toBe(before + 16);

  // Moved by pointer and by key.
  await drag(window, title(window, 'flat', 'totalShare'), -240);
  expect((await titlesOf(window, 'flat')).slice(0, 3)).toEqual(['Methods', 'Total %', 'Self %']);
  // A drag does not sort.
  expect(await title(window, 'flat', 'selfShare').getAttribute('data-sorted')).toBe('descending');
  await title(window, 'flat', 'totalShare').focus();
  await window.page.keyboard.press('Control+Shift+ArrowRight');
  expect((await titlesOf(window, 'flat')).slice(0, 3)).toEqual(['Methods', 'Self %', 'Total %']);

  // Left out by the menu.
  await window.part('pane-flat').getByTestId('choose-columns').click();
  const item = window.page.getByRole('menuitemcheckbox', { name: 'Total %' });
  expect(await item.getAttribute('aria-checked')).toBe('true');
  await item.click();
  expect(await titlesOf(window, 'flat')).not.toContain('Total %');
  // Shares of time beside those of samples.
  await window.part('pane-flat').getByTestId('choose-columns').click();
  await window.page.getByRole('menuitem', { name: 'Values' }).click();
  await window.page.getByRole('menuitemcheckbox', { name: 'Self time %' }).click();
  expect((await titlesOf(window, 'flat')).slice(0, 3)).toEqual(['Methods', 'Self %', 'Self time %']);

  // The legend says what colours mean.
  await window.showPane('all');
  const legend = window.part('frame-legend');
  expect(await legend.locator('li').allTextContents()).toEqual(['Application', 'JDK', 'No stack']);
  await window.search('hashset');
  expect(await legend.locator('li').last().textContent()).toBe('Match');
  const choice = window.part('colour-by').getByRole('radio', { name: 'Self' });
  await window.part('view').click();
  await choice.click();

  await window.page.reload();
  await window.samplesShown(1553);
  expect(await titlesOf(window, 'flat')).not.toContain('Total %');
  expect(await widthOf(window, 'flat', 'name')).toBeCloseTo(usual.width - 120, 0);
  expect(await widthOf(window, 'flat', 'totalCount')).toBe(before + 16);
  await window.part('view').click();
  expect(await choice.getAttribute('aria-checked')).toBe('true');
  await window.page.keyboard.press('Escape');

  // A double click on the edge makes the column as wide as its names.
  await edge.dblclick();
  await window.settled();
  const cut = await window
    .part('pane-flat')
    .locator('.frame-name')
    .evaluateAll((names) => names.filter((name) => name.textContent.includes('…')).length);
  expect(cut).toBe(0);
  await title(window, 'flat', 'name').click({ button: 'right' });
  await window.page.getByRole('menuitem', { name: 'Reset columns' }).click();
  expect(await titlesOf(window, 'flat')).toEqual(usual.titles);
  expect(await widthOf(window, 'flat', 'name')).toBe(usual.width);
  expect(window.problems).toEqual([]);
});

/** Roles and states of a table, as a screen reader gets them. */
async function spokenTable(window: LogWindow, pane: 'tree' | 'flat'): Promise<Record<string, unknown>> {
  return window.part(`pane-${pane}`).evaluate((element) => {
    const table = element.querySelector('[role=treegrid], [role=grid]')!;
    const titles = document.getElementById(table.getAttribute('aria-owns')!)!;
    const read = (of: Element, ...names: string[]): (string | null)[] =>
      names.map((name) => of.getAttribute(name));
    const row = table.querySelector('[role=row][aria-selected=true]')!;
    const cells = [...row.querySelectorAll('[role=gridcell]')];
    return {
      table: read(table, 'role', 'aria-rowcount', 'aria-colcount'),
      titles: [...titles.querySelectorAll('[role=columnheader]')].map((title) =>
        read(title, 'aria-label', 'aria-sort', 'aria-colindex'),
      ),
      active: table.getAttribute('aria-activedescendant') === row.id,
      row: read(row, 'aria-label', 'aria-rowindex', 'aria-level', 'aria-expanded'),
      place: read(row, 'aria-posinset', 'aria-setsize'),
      columns: cells.map((cell) => cell.getAttribute('aria-colindex')),
      numbers: cells.slice(1).map((cell) => cell.textContent),
      others: table.querySelectorAll('[role=row][aria-selected=false] [role=gridcell]:not(.row-name)').length,
    };
  });
}

test('the tree is a treegrid and methods are a grid: titles, order, level and numbers are told; the menu of a row opens by key', async () => {
  // High enough for the whole menu below a row.
  const window = await openServerLog({ ...WIDE, height: 1000 });
  const { keyboard } = window.page;
  await window.showPane('flat');
  await window.part('pane-flat').locator('[role=grid]').focus();
  await keyboard.press('Home');
  await window.settled();
  const methods = await spokenTable(window, 'flat');
  expect(methods).toMatchObject({
    active: true,
    row: ['java.util.regex.IntHashSet.contains', '2', null, null],
    place: [null, null],
    others: 0,
  });
  const titles = methods.titles as string[][];
  expect(methods.table).toEqual(['grid', expect.stringMatching(/^\d+$/), String(titles.length)]);
  expect(titles.slice(0, 2)).toEqual([
    ['Methods', null, '1'],
    ['Self %', 'descending', '2'],
  ]);
  expect(methods.columns).toEqual(titles.map(([, , at]) => at));
  expect((methods.numbers as string[])[0]).toBe('21.51');
  expect(await objectionsInBothThemes(window)).toEqual([]);

  await window.showPane('tree');
  await window.part('pane-tree').locator('[role=treegrid]').focus();
  await keyboard.press('Home');
  await window.settled();
  const tree = await spokenTable(window, 'tree');
  expect(tree).toMatchObject({ active: true, row: ['All threads', '2', '1', 'true'], place: ['1', '1'] });
  expect((tree.table as string[])[0]).toBe('treegrid');
  expect(await objectionsInBothThemes(window)).toEqual([]);

  // Escape gives the keys back to the rows.
  await window.part('pane-tree').locator('[data-index="1"]').click();
  for (const key of ['Shift+F10', 'ContextMenu']) {
    await window.page.keyboard.press(key);
    const menu = window.page.getByRole('menu');
    await menu.waitFor();
    const { y } = (await menu.boundingBox())!;
    const row = (await window.part('pane-tree').locator('[data-index="1"]').boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(row.y + row.height - 1);
    expect(await menu.locator('button:focus').count()).toBe(1);
    await window.page.keyboard.press('Escape');
    expect(await menu.count()).toBe(0);
    expect(await window.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('treegrid');
  }
  expect(window.problems).toEqual([]);
});

test('the header is one stop of the Tab key, and arrow keys move in it; a list that a search leaves empty clears the search', async () => {
  const window = await openServerLog(WIDE);
  await window.showPane('flat');
  const stops = window.part('pane-flat').locator('.header-title[tabindex="0"]');
  expect(await stops.count()).toBe(1);
  await stops.focus();
  const focused = (): Promise<string | null> =>
    window.page.evaluate(() => document.activeElement?.getAttribute('data-column') ?? null);
  await window.page.keyboard.press('ArrowRight');
  expect(await focused()).toBe('selfShare');
  await window.page.keyboard.press('End');
  await window.page.keyboard.press('ArrowRight');
  const last = window.part('pane-flat').locator('.header-title').last();
  expect(await focused()).toBe(await last.getAttribute('data-column'));
  await window.page.keyboard.press('Home');
  expect(await focused()).toBe('name');
  await window.page.keyboard.press('Shift+F10');
  expect(await window.page.getByRole('menu', { name: 'Columns' }).isVisible()).toBe(true);
  await window.page.keyboard.press('Escape');
  expect(await focused()).toBe('name');

  await window.page.keyboard.press('Control+f');
  await window.page.keyboard.type('noSuchMethod');
  const empty = window.part('pane-flat').locator('.empty-state');
  // The text follows what is typed, letter by letter.
  await empty.getByText('No method matches \u201cnoSuchMethod\u201d').waitFor();
  await empty.getByRole('button', { name: 'Clear search' }).click();
  await window.settled();
  expect((await window.rows('flat', 5)).length).toBe(5);
  expect(await empty.count()).toBe(0);
  expect(window.problems).toEqual([]);
});

test('a name that has no space keeps its method and line, and no unknown line is shown', async () => {
  const window = await openServerLog({ width: 700, height: 450 });
  await window.showPane('tree');
  await window.chooseView('frame-grouping', 'line');
  const names = await window
    .part('pane-tree')
    .locator('.row-frame, .row-error')
    .evaluateAll((rows) =>
      rows.map((row) => ({
        whole: row.querySelector('[title]')!.getAttribute('title')!,
        shown: row.querySelector('.frame-name')!.textContent,
        overflows:
          row.querySelector('.frame-name')!.scrollWidth > row.querySelector('.frame-name')!.clientWidth + 1,
      })),
    );
  expect(names.length).toBeGreaterThan(5);
  for (const { whole, shown, overflows } of names) {
    expect(shown).not.toMatch(/:-\d+$/);
    expect(shown.endsWith(/[^.]*$/.exec(whole)![0].slice(-12)), `${shown} of ${whole}`).toBe(true);
    expect(overflows, shown).toBe(false);
  }
  expect(window.problems).toEqual([]);
});
