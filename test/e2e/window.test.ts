import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countRenders } from '../support/count-renders.ts';
import { layoutFaults } from '../support/layout-faults.mjs';
import { useWindows } from '../support/opened-window.ts';
import { goldenLog, goldenPath } from '../support/read-log.ts';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { LogWindow, until } from '../support/window.ts';

const { browser, open, openRead, openServerLog } = useWindows();

/** Elements of the top row that can be seen and reach beyond it, the window, what they are in, or their neighbour. */
function collisions({ page }: LogWindow): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const row = document.querySelector('.top-row')!;
    const box = row.getBoundingClientRect();
    if (box.height !== 40) found.push(`the row is ${box.height} px high`);
    const shown = [...row.querySelectorAll('button, input, dd, .chip-text')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.search'))
      .filter((each) => getComputedStyle(each).clipPath === 'none')
      .map((each) => ({
        name: each.textContent || each.ariaLabel,
        isInButton: each.matches('.chip-text'),
        box: each.getBoundingClientRect(),
        within: box,
      }));
    for (const [at, { name, isInButton, box: place, within }] of shown.entries()) {
      const { left, right, top, bottom } = place;
      if (left < within.left || right > within.right + 0.5 || top < box.top || bottom > box.bottom)
        found.push(`${name} is cut off`);
      if (at > 0 && !isInButton && left < shown[at - 1].box.right - 0.5)
        found.push(`${name} overlaps what is left of it`);
    }
    return found;
  });
}

async function expectOneRow(window: LogWindow): Promise<void> {
  for (const [width, height] of [
    // As 1280 × 720 zoomed to 200 %.
    [640, 360],
    [650, 400],
    [700, 450],
    [1280, 720],
    [1440, 900],
    [2560, 1440],
  ] as const) {
    await window.page.setViewportSize({ width, height });
    await window.settled();
    expect(await collisions(window), `${width}`).toEqual([]);
    expect(await window.page.evaluate(layoutFaults), `${width}`).toEqual([]);
    for (const part of ['status-chip', 'search-field', 'view', 'freeze', 'export-menu', 'commands'])
      expect(await window.part(part).isVisible(), `${part} at ${width}`).toBe(true);
  }
}

describe('the top row', () => {
  test.each([
    ['a log with truncated stacks', goldenPath('server-small'), 1553],
    ['a recording with kinds of samples', 'assets/shop.jfr.gz', 1306],
  ] as const)('cuts nothing, at any width: %s', async (_what, file, samples) => {
    const window = await openRead(file, samples);
    await expectOneRow(window);
    expect(await window.part('choices').count()).toBe(1);
    // Both files sum a second value.
    expect(await window.part('metric').count()).toBe(1);
    expect(window.problems).toEqual([]);
  });

  test('the end of a long file name stays, in the row and in tabs, and a tab that is chosen is in view', async () => {
    const folder = temporaryFolder();
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name.repeat(100)}-2026.hpl`);
    for (const name of names) writeFileSync(join(folder, name), goldenLog('hello'));
    const shownEnd = (window: LogWindow, within: string): Promise<boolean> =>
      window.page.evaluate((selector) => {
        const end = document.querySelector(`${selector} .elided-tail`)!;
        const { right, width } = end.getBoundingClientRect();
        const { right: edge } = document.querySelector(selector)!.getBoundingClientRect();
        return end.textContent.endsWith('2026.hpl') && width > 50 && right <= edge;
      }, within);

    const one = await LogWindow.open(browser(), (await serve(join(folder, names[0]))).url);
    await one.samplesShown(37);
    expect(await shownEnd(one, '[data-testid=status-chip]')).toBe(true);

    const window = await open([...names.map((name) => join(folder, name))], { width: 640, height: 400 });
    await window.part('tab').nth(3).waitFor();
    expect(await shownEnd(window, '[data-testid=tab]')).toBe(true);
    for (const key of ['1', '2', '3', '4']) {
      await window.page.keyboard.press(']');
      await window.settled();
      const { x, width } = (await window.page.locator('.tab-active').boundingBox())!;
      expect(x, key).toBeGreaterThanOrEqual(0);
      expect(x + width, key).toBeLessThanOrEqual(640);
    }
  });

  test('a single log has its name and its way out there, several have tabs with whole names', async () => {
    const window = await open([goldenPath('hello'), goldenPath('server-small')]);
    await window.part('tab').nth(1).click();
    await window.samplesShown(1553);
    for (const text of await window.page.locator('.tab-text').all())
      expect(await text.evaluate((each) => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(0);
    await window.page.locator('.log-close').first().click();
    await window.part('tab').first().waitFor({ state: 'detached' });
    expect(await window.part('status-chip').textContent()).toMatch(/server-small\.hpl\.gz/);
  });
});

test('the panes have their places, and so has the top row, whichever pane is used; errors are hidden, a search is read', async () => {
  const window = await openServerLog();
  const box = async (pane: 'flame' | 'flat' | 'tree') => (await window.part(`pane-${pane}`).boundingBox())!;
  const [flame, flat, tree] = [await box('flame'), await box('flat'), await box('tree')];
  expect(flame.width).toBeGreaterThan(1_200);
  expect(flat.y).toBeGreaterThanOrEqual(flame.y + flame.height);
  // Above the tree is the switch to bottom-up and to callers and callees.
  expect(tree.y - flat.y).toBeGreaterThan(20);
  expect(tree.y - flat.y).toBeLessThan(32);
  expect(tree.x).toBeGreaterThanOrEqual(flat.x + flat.width);

  // The top row stays where it is.
  const places = (): Promise<string[]> =>
    window.page.evaluate(() =>
      Array.from(document.querySelectorAll('.top-row button'), (each) => {
        const { left, width } = each.getBoundingClientRect();
        return `${each.textContent} ${left} ${width}`;
      }),
    );
  const before = await places();
  for (const pane of ['tree', 'flat', 'flame'] as const) {
    await window.part(`pane-${pane}`).locator('[role=treegrid], [role=grid], [role=tree]').first().focus();
    expect(await places(), pane).toEqual(before);
  }
  await window.part('freeze').click();
  await window.settled();
  expect((await places()).slice(-4)).toEqual(before.slice(-4));
  await window.part('freeze').click();
  await window.settled();

  // Hidden errors are out of every sum, which a chip says and undoes.
  const chip = window.part('hide-errors');
  expect(await chip.textContent()).toBe('no stack 36.1 %');
  const rootOf = async (): Promise<string | undefined> =>
    (await window.numbers('tree', 'totalCount')).get('All threads');
  expect(await rootOf()).toBe('1,553');
  await chip.click();
  await window.settled();
  expect(await chip.textContent()).toBe('no stack 36.1 % left out');
  expect(await rootOf()).toBe('992');
  expect((await window.flameFrames()).some(({ kind }) => kind === 'error')).toBe(false);
  await chip.click();
  await window.settled();
  expect(await rootOf()).toBe('1,553');

  // Threads are grouped alike in all panes.
  await window.chooseView('thread-grouping', 'name');
  expect((await window.rows('tree', 1))[0]).toBe('main');
  expect((await window.flameFrames()).filter(({ kind }) => kind === 'thread').length).toBeGreaterThan(3);

  // A search and its result are both read while something else has the focus.
  await window.search('Pattern');
  await window.page.keyboard.press('F6');
  const cut = await window.page
    .locator('.search input, .search-result')
    .evaluateAll((parts) => parts.filter((part) => part.scrollWidth > part.clientWidth).length);
  expect(cut).toBe(0);
  expect(await collisions(window)).toEqual([]);
});

test('a small window: the search is a button until it is used, errors are a view option, and it shows one pane at a time', async () => {
  const window = await openServerLog({ width: 700, height: 450 });
  const box = window.page.locator('.search-box');
  const widthOf = async (): Promise<number> => (await box.boundingBox())!.width;
  expect(await widthOf()).toBe(28);
  await box.click();
  await window.page.keyboard.type('Pattern');
  expect(await widthOf()).toBeGreaterThan(240);
  await window.settled();
  await window.page.keyboard.press('F6');
  expect(await widthOf()).toBe(28);
  // A search that is on is seen: its button is not like the others.
  const colours = await window.page.evaluate(() =>
    ['.search-box', '[data-testid=view]'].map(
      (selector) => getComputedStyle(document.querySelector(selector)!).backgroundColor,
    ),
  );
  expect(colours[0]).not.toBe(colours[1]);

  await window.part('hide-errors').click();
  await window.settled();
  expect((await window.flameFrames()).some(({ kind }) => kind === 'error')).toBe(false);

  // By pointer and by key; all panes again when it becomes large.
  const shown = (): Promise<(string | null)[]> =>
    window.page
      .locator('[data-pane]')
      .evaluateAll((panes) => panes.map((pane) => pane.getAttribute('data-testid')));
  expect(await shown()).toEqual(['pane-flame']);
  await window.part('pane-switch').getByRole('radio', { name: 'Methods' }).click();
  await window.settled();
  expect(await shown()).toEqual(['pane-flat']);
  await window.page.keyboard.press('1');
  await window.settled();
  expect(await shown()).toEqual(['pane-tree']);
  expect((await window.rows('tree', 1))[0]).toBe('All threads');
  // F6 goes through all places.
  for (const [key, pane] of [
    ['F6', 'summary'],
    ['F6', 'flame'],
    ['F6', 'flat'],
    ['Shift+F6', 'flame'],
    ['Shift+F6', 'summary'],
    ['Shift+F6', 'tree'],
    ['F6', 'summary'],
    ['F6', 'flame'],
  ] as const) {
    await window.page.keyboard.press(key);
    await expect.poll(shown, { message: key }).toEqual([`pane-${pane}`]);
    await expect
      .poll(() => window.part(`pane-${pane}`).evaluate((each) => each.contains(document.activeElement)))
      .toBe(true);
  }
  expect(window.problems).toEqual([]);
  await window.page.setViewportSize({ width: 1280, height: 720 });
  await window.settled();
  for (const pane of ['flame', 'flat', 'tree'])
    expect(await window.part(`pane-${pane}`).isVisible()).toBe(true);
});

/** Names of controls that the notice is over. Runs in the page. */
function coveredControls(): string[] {
  const notice = document.querySelector('[data-testid=notice]')!;
  const box = notice.getBoundingClientRect();
  return [...document.querySelectorAll('button, input, select, [role=slider], [role=columnheader]')]
    .filter((each) => !notice.contains(each) && each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    })
    .map((each) => each.ariaLabel ?? each.textContent);
}

test('notices are at the end of the window, and cover no control, until they are dismissed', async () => {
  const window = await openServerLog();
  await window.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  const notice = window.part('notice');
  const chip = window.part('scope-chip');
  for (const [width, isScoped] of [
    [640, false],
    [900, false],
    [1600, false],
    [1280, true],
  ] as const) {
    await window.page.setViewportSize({ width, height: 720 });
    if (isScoped)
      await window.page.evaluate(
        () => (location.hash = '#log=server-small.hpl.gz&thread=main&collapse=java.&drop=a.&drop=b.'),
      );
    await expect.poll(() => chip.count()).toBe(isScoped ? 4 : 0);
    await window.showPane('flat');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Control+c');
    const isAtEnd = async (lines: number): Promise<boolean> => {
      const { x, y, width: own, height } = (await notice.boundingBox())!;
      return x >= 0 && x + own <= width && y + height <= 720 && height <= 8 + lines * 20;
    };
    await expect.poll(() => isAtEnd(1)).toBe(true);
    // It stays while the pointer is on it, and all of its text is to be read.
    await notice.hover();
    await expect.poll(() => isAtEnd(3)).toBe(true);
    const text = notice.locator('.cut');
    await expect.poll(() => text.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    expect(await window.page.evaluate(coveredControls)).toEqual([]);
    if (isScoped) expect(await chip.first().isVisible()).toBe(true);
    // The same text again adds no second notice.
    await window.page.keyboard.press('Control+c');
    await window.settled();
    expect(await notice.count()).toBe(1);
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
  }
  // Nor does it cover frames: the root is the last line of a flame graph.
  await window.page.setViewportSize({ width: 700, height: 450 });
  await window.showPane('flame');
  if (await window.page.locator('.flame-icicle').isVisible()) await window.page.keyboard.press('Alt+i');
  await window.page.keyboard.press('ArrowDown');
  await window.page.keyboard.press('Control+c');
  await notice.waitFor();
  await window.settled();
  const { x, y } = (await notice.boundingBox())!;
  const beneath = (await window.flameFrames()).filter((each) => each.y + each.height > y);
  expect(y).toBeGreaterThan(400);
  expect(x).toBeGreaterThan(0);
  expect(beneath).toEqual([]);
});

test('state and details are one panel: it names damage as the chip does, and missing values are no numbers', async () => {
  const window = await openRead('test/golden/hpl/damaged/unknown-type-between.hpl', 20);
  await expectOneRow(window);
  expect(await window.part('choices').count()).toBe(0);
  expect(await window.part('status-chip').textContent()).toMatch(/damaged, \d+ % missing/);
  await window.page.keyboard.press('Alt+Enter');
  const details = window.part('details');
  expect(await details.textContent()).toMatch(/byte 16,399/);
  expect(await details.textContent()).not.toMatch(/<0\.01|NaN|undefined|null/);
  await window.page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  expect(await window.part('status-chip').evaluate((chip) => chip === document.activeElement)).toBe(true);
  await window.part('status-chip').click();
  expect(await window.part('health').textContent()).toMatch(/type 99 \(0x63\)/);
  expect(window.problems).toEqual([]);
});

test('a scrolled or selected row renders neither the top row nor the window around the panes, and another view no dialog that shows nothing of it', async () => {
  const window = await openServerLog({ isOwn: true });
  await window.page.addInitScript(countRenders);
  await window.page.reload();
  await window.samplesShown(1553);
  // Its state is in the top row.
  await window.page.locator('[data-state=idle]').waitFor();
  await window.settled();
  const rendered = (): Promise<NonNullable<typeof self.renderCounts>> =>
    window.page.evaluate(() => self.renderCounts!);
  const first = await rendered();
  expect(first.topRow).toBeGreaterThan(0);
  expect(first.app).toBeGreaterThan(0);
  await window
    .part('pane-flat')
    .locator('.virtual-rows')
    .evaluate((rows) => rows.scrollBy({ top: 2_000 }));
  await window.settled();
  await window.part('pane-flat').locator('[data-index]').nth(5).click();
  await window.settled();
  const second = await rendered();
  expect(second.rows).toBeGreaterThan(first.rows);
  expect([second.topRow, second.app]).toEqual([first.topRow, first.app]);
  await window.page.keyboard.press('?');
  await window.page.locator('dialog[open]').waitFor();
  await window.page.keyboard.press('Escape');
  await window.page.locator('dialog[open]').waitFor({ state: 'detached' });
  await window.settled();
  const third = await rendered();
  expect(third.help).toBeGreaterThan(second.help);
  // The switch of a pane does.
  await window.part('hide-errors').click();
  await window.settled();
  const last = await rendered();
  expect(last.topRow).toBeGreaterThan(second.topRow);
  expect(last.help).toBe(third.help);
});

test('windows of one browser have one theme; each keeps its own panes', async () => {
  const { page } = await openServerLog({ isOwn: true });
  const second = await page.context().newPage();
  await second.goto(page.url());
  await until(second, () => window.leanscopeIdle !== undefined);
  await page.keyboard.press('3');
  const stored = (): Promise<string> => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  const theme = (): Promise<string | undefined> =>
    second.evaluate(() => document.documentElement.dataset.theme);
  await page.keyboard.press('Alt+y');
  const chosen = await page.evaluate(() => document.documentElement.dataset.theme);
  expect(chosen).toMatch(/light|dark/);
  const kept = await stored();
  await expect.poll(theme).toBe(chosen);
  // The second one has stored nothing of its own.
  expect(await stored()).toBe(kept);
  expect(kept).toContain('flame');
});
