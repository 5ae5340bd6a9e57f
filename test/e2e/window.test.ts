import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBuiltProgram } from '../support/built-program.ts';
import { launchChromium } from '../support/chromium.ts';
import { goldenPath } from '../support/read-log.ts';
import { serve } from '../support/served.ts';
import { LogWindow, type WindowOptions } from '../support/window.ts';

useBuiltProgram();

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function openServerLog(options: WindowOptions = {}): Promise<LogWindow> {
  const { url } = await serve(goldenPath('server-small'));
  const window = await LogWindow.open(browser, url, options);
  await window.samplesShown(1553);
  return window;
}

/** Elements of the top row that can be seen and reach beyond it, the window, or their neighbour. */
function collisions({ page }: LogWindow): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const row = document.querySelector('.top-row')!;
    const box = row.getBoundingClientRect();
    if (box.height !== 40) found.push(`the row is ${box.height} px high`);
    const shown = [...row.querySelectorAll('button, input, dd')]
      .filter((each) => each.getClientRects().length > 0 && each.closest('.search') === null)
      .map((each) => ({ name: each.textContent || each.ariaLabel, box: each.getBoundingClientRect() }));
    for (const [at, { name, box: place }] of shown.entries()) {
      const { left, right, top, bottom } = place;
      if (left < 0 || right > innerWidth || top < box.top || bottom > box.bottom)
        found.push(`${name} is cut off`);
      if (at > 0 && left < shown[at - 1].box.right - 0.5) found.push(`${name} overlaps what is left of it`);
    }
    return found;
  });
}

describe('the top row', () => {
  for (const [width, height, pixelRatio = 1] of [
    // 1280 × 720, zoomed to 200 %.
    [640, 360, 2],
    [650, 400],
    [700, 450],
    [1280, 720],
    [1440, 900],
    [2560, 1440],
  ] as const) {
    test(`holds everything in one row at ${width}×${height}`, async () => {
      const window = await openServerLog({ width, height, pixelRatio });
      expect(await collisions(window)).toEqual([]);
      for (const part of ['status-chip', 'search-field', 'view', 'freeze', 'export-menu', 'help'])
        expect(await window.part(part).isVisible(), part).toBe(true);
      expect(window.problems).toEqual([]);
    });
  }

  test('stays where it is when another pane is used', async () => {
    const window = await openServerLog();
    const places = (): Promise<string[]> =>
      window.page.evaluate(() =>
        Array.from(document.querySelectorAll('.top-row button'), (each) => {
          const { left, width } = each.getBoundingClientRect();
          return `${each.textContent} ${left} ${width}`;
        }),
      );
    const before = await places();
    for (const pane of ['tree', 'flat', 'flame'] as const) {
      await window.part(`pane-${pane}`).locator('[role=tree], [role=listbox]').first().focus();
      expect(await places(), pane).toEqual(before);
    }
    await window.part('freeze').click();
    await window.settled();
    expect((await places()).slice(-4)).toEqual(before.slice(-4));
  });

  test('a single log has its name and its way out there, several have tabs with whole names', async () => {
    const { url } = await serve(goldenPath('hello'), goldenPath('server-small'));
    const window = await LogWindow.open(browser, url);
    await window.part('tab').nth(1).click();
    await window.samplesShown(1553);
    for (const text of await window.page.locator('.tab-text').all())
      expect(await text.evaluate((each) => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(0);
    await window.page.getByTitle('Close').first().click();
    await window.part('tab').first().waitFor({ state: 'detached' });
    expect(await window.part('status-chip').textContent()).toMatch(/server-small\.hpl\.gz/);
  });
});

test('the flame graph is on top, the methods below it, the call tree beside them', async () => {
  const window = await openServerLog();
  const box = async (pane: 'flame' | 'flat' | 'tree') => (await window.part(`pane-${pane}`).boundingBox())!;
  const [flame, flat, tree] = [await box('flame'), await box('flat'), await box('tree')];
  expect(flame.width).toBeGreaterThan(1_200);
  expect(flat.y).toBeGreaterThanOrEqual(flame.y + flame.height);
  expect(tree.y).toBe(flat.y);
  expect(tree.x).toBeGreaterThanOrEqual(flat.x + flat.width);
});

describe('a small window', () => {
  test('shows one pane at a time, by pointer and by key', async () => {
    const window = await openServerLog({ width: 700, height: 450 });
    const shown = (): Promise<(string | null)[]> =>
      window.page
        .locator('[data-testid^=pane-]:not([data-testid=pane-switch])')
        .evaluateAll((panes) => panes.map((pane) => pane.getAttribute('data-testid')));
    expect(await shown()).toEqual(['pane-flame']);
    await window.part('pane-switch').getByRole('radio', { name: 'Methods' }).click();
    await window.settled();
    expect(await shown()).toEqual(['pane-flat']);
    await window.page.keyboard.press('1');
    await window.settled();
    expect(await shown()).toEqual(['pane-tree']);
    expect((await window.rows('tree', 1))[0]).toBe('All Threads');
  });

  test('that becomes large shows all again', async () => {
    const window = await openServerLog({ width: 700, height: 450 });
    await window.page.keyboard.press('2');
    await window.page.setViewportSize({ width: 1280, height: 720 });
    await window.settled();
    for (const pane of ['flame', 'flat', 'tree'])
      expect(await window.part(`pane-${pane}`).isVisible()).toBe(true);
  });
});

test('hiding errors leaves them out of every sum, and a chip says so and undoes it', async () => {
  const window = await openServerLog();
  const chip = window.part('hide-errors');
  expect(await chip.textContent()).toBe('36.1 % errors');
  const rootOf = async (): Promise<string | undefined> =>
    (await window.numbers('tree', 'totalCount')).get('All Threads');
  expect(await rootOf()).toBe('1,553');
  await chip.click();
  await window.settled();
  expect(await chip.textContent()).toBe('36.1 % hidden');
  expect(await rootOf()).toBe('992');
  expect((await window.flameFrames()).some(({ kind }) => kind === 'error')).toBe(false);
  await chip.click();
  await window.settled();
  expect(await rootOf()).toBe('1,553');
});

test('threads are grouped alike in all panes', async () => {
  const window = await openServerLog();
  await window.chooseView('thread-grouping', 'name');
  expect((await window.rows('tree', 1))[0]).toBe('main');
  expect((await window.flameFrames()).filter(({ kind }) => kind === 'thread').length).toBeGreaterThan(3);
});

test('notices are in the top row, over no pane, until they are put away', async () => {
  const window = await openServerLog();
  await window.page.context().route(/HelpDialog.*\.js/, (route) => route.abort());
  await window.page.keyboard.press('?');
  const notice = window.part('notice');
  await notice.waitFor();
  const { y, height } = (await notice.boundingBox())!;
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y + height).toBeLessThanOrEqual(40);
  // The same text again adds no second notice.
  await window.page.keyboard.press('?');
  await window.settled();
  expect(await notice.count()).toBe(1);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await notice.waitFor({ state: 'detached' });
});

test('state and details are one panel: it names damage as the chip does, and missing values are no numbers', async () => {
  const { url } = await serve('test/golden/hpl/damaged/unknown-type-between.hpl');
  const window = await LogWindow.open(browser, url);
  await window.samplesShown(20);
  expect(await window.part('status-chip').textContent()).toMatch(/damaged at byte 16,399/i);
  await window.page.keyboard.press('d');
  const details = window.part('details');
  expect(await details.textContent()).toMatch(/byte 16,399/);
  expect(await details.textContent()).not.toMatch(/<0\.01|NaN|undefined|null/);
  await window.page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  expect(await window.part('status-chip').evaluate((chip) => chip === document.activeElement)).toBe(true);
});
