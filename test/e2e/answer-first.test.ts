import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import { chips } from '../support/scope-on-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const { open, openRead, openServerLog } = useWindows();

const SHOP = 'assets/shop.hpl.gz';
const SHOP_SAMPLES = 5012;

/** Whether the selected row of a pane is on screen, and its name. */
function selectedOnScreen(window: LogWindow, pane: 'tree' | 'flat'): Promise<string | undefined> {
  return window.part(`pane-${pane}`).evaluate((element) => {
    const row = element.querySelector('[aria-selected=true]');
    const box = row?.getBoundingClientRect();
    const seen = element.querySelector('.virtual-rows')!.getBoundingClientRect();
    if (box === undefined || box.top < seen.top - 1 || box.bottom > seen.bottom + 1) return undefined;
    return row!.querySelector('[title]')!.getAttribute('title')!;
  });
}

/** The names of the rows of the tree, as they are read. */
function spoken(window: LogWindow): Promise<readonly string[]> {
  return window
    .part('pane-tree')
    .locator('[data-index]')
    .evaluateAll((rows) =>
      rows
        .sort((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
        .map((row) => row.getAttribute('aria-label')!),
    );
}

/** The names of a pane, with two blanks for each level. */
function names(window: LogWindow, pane: 'tree' | 'flat'): Promise<readonly string[]> {
  return window.rows(pane, 1_000);
}

test('samples without a stack are one row, the last in every order, and one frame at the end, which say what they are', async () => {
  const window = await openServerLog({ height: 900 });
  const kinds = /could not be read.*In scope: unknown, Java 421 · unknown, not Java 131 · /;
  for (const pane of ['tree', 'flat'] as const) {
    const row = window.part(`pane-${pane}`).locator('.row-error');
    for (const sorted of [0, 1, 2]) {
      if (sorted > 0) {
        await window
          .part(`pane-${pane}`)
          .getByRole('columnheader')
          .first()
          .getByRole('button')
          .first()
          .click();
        await window.settled();
      }
      await window
        .part(`pane-${pane}`)
        .getByRole(pane === 'tree' ? 'treegrid' : 'grid')
        .focus();
      await window.page.keyboard.press('End');
      await window.settled();
      expect(await row.count(), `${pane} ${sorted}`).toBe(1);
      expect((await names(window, pane)).at(-1)!.trim()).toBe('No stack');
    }
    expect(await row.locator('.row-name > [title]').getAttribute('title')).toMatch(kinds);
    expect((await window.numbers(pane, 'totalCount')).get('No stack')).toBe('561');
  }
  const frames = (await window.flameFrames()).filter(({ depth }) => depth === 1);
  expect(frames.map(({ kind }) => kind).indexOf('error')).toBe(frames.length - 1);
  const weights = frames.filter(({ kind }) => kind === 'frame').map(({ weight }) => weight);
  expect(weights).toEqual([...weights].sort((a, b) => b - a));
  await window.hoverFrame('No stack');
  await window.settled();
  expect(await window.part('frame-tip').textContent()).toMatch(kinds);
  expect(window.problems).toEqual([]);
});

test('the call tree opens along the hot path with chains as one row, which opens; what the user closes stays closed', async () => {
  const window = await openRead(SHOP, SHOP_SAMPLES, { width: 1440, height: 1400 });
  const { keyboard } = window.page;
  const opened = await spoken(window);
  expect(opened[0]).toBe('All threads');
  const folded = opened.findIndex((name) => name.startsWith('\u2026 '));
  expect(opened[folded]).toMatch(/^\u2026 \d+ frames: from .* to .*, each of which calls only the next$/);
  // It ends where it forks: no row below has half of it.
  const depths = await window.part('pane-tree').locator('[data-index]').count();
  expect(depths).toBeGreaterThan(8);

  const count = Number(/\d+/.exec(opened[folded])![0]);
  await window.part('pane-tree').locator(`[data-index="${folded}"]`).click();
  await window.settled();
  const unfolded = await spoken(window);
  expect(unfolded.slice(0, folded)).toEqual(opened.slice(0, folded));
  expect(unfolded.slice(folded + count, folded + count + 2)).toEqual(opened.slice(folded + 1, folded + 3));
  expect(unfolded.slice(folded, folded + count).filter((name) => name.startsWith('\u2026'))).toEqual([]);

  // Closed by the user, and still closed in another scope and back.
  await window.part('pane-tree').locator('[data-index="1"] .twisty').click();
  await window.settled();
  const closed = await spoken(window);
  expect(closed.length).toBeLessThan(opened.length);
  await window.part('hide-errors').click();
  await window.settled();
  await window.part('hide-errors').click();
  await window.settled();
  expect(await spoken(window)).toEqual(closed);

  // By key the hot path is shown, its end selected and in view.
  await window.part('pane-tree').getByRole('treegrid').focus();
  await keyboard.press('Home');
  await keyboard.press('Alt+ArrowDown');
  await window.settled();
  expect(await selectedOnScreen(window, 'tree')).toMatch(/Ranking|TimSort|Search/);
  expect(window.problems).toEqual([]);
});

test('a click in any pane selects, reveals and scrolls in all; the search is left alone', async () => {
  const window = await openRead(SHOP, SHOP_SAMPLES, { width: 1440, height: 900 });
  // A method: its heaviest call in the tree, and its frames.
  const name = 'java.util.zip.Deflater.deflateBytesBytes';
  const row = window
    .part('pane-flat')
    .locator('[data-row-id]')
    .filter({ has: window.page.locator(`[title="${name}"]`) });
  await row.first().click();
  await window.settled();
  expect(await selectedOnScreen(window, 'tree')).toBe(name);
  expect(await window.part('flame-details').textContent()).toContain('deflateBytesBytes');
  // A row of the tree: the list scrolls to its method.
  await window.part('pane-tree').getByRole('treegrid').focus();
  await window.page.keyboard.press('ArrowUp');
  await window.settled();
  expect(await selectedOnScreen(window, 'flat')).toBe(await selectedOnScreen(window, 'tree'));
  // A frame: its own row in the tree, and its method in the list.
  const seen = (await window.page.locator('.flame-scroller').boundingBox())!;
  const frame = (await window.flameFrames())
    .filter(({ kind, width, y }) => kind === 'frame' && width > 30 && y + 20 < seen.y + seen.height)
    .at(-1)!;
  await window.page.mouse.click(frame.x + frame.width / 2, frame.y + frame.height / 2);
  await window.settled();
  expect(await selectedOnScreen(window, 'tree')).toBe(frame.label);
  expect(await selectedOnScreen(window, 'flat')).toBe(frame.label);
  expect(await window.page.locator('.search-box input').inputValue()).toBe('');
  expect(window.problems).toEqual([]);
});

test('columns follow the metric: times are on screen when widths are times, and the total share stays', async () => {
  const window = await openRead(SHOP, SHOP_SAMPLES, { width: 1440, height: 900 });
  const shown = (pane: string): Promise<(string | null)[]> =>
    window
      .part(`pane-${pane}`)
      .locator('[data-column]')
      .evaluateAll((titles) => titles.map((title) => title.getAttribute('data-column')));
  expect(await shown('flat')).not.toContain('selfTime');
  await window.part('metric').getByRole('radio', { name: 'Time' }).click();
  await window.settled();
  expect((await shown('flat')).filter((id) => id !== 'name').slice(0, 3)).toEqual([
    'selfShare',
    'selfTime',
    'totalShare',
  ]);
  expect((await shown('tree')).filter((id) => id !== 'name').slice(0, 2)).toEqual([
    'totalShare',
    'totalTime',
  ]);
  expect(window.problems).toEqual([]);
});

test('a first view fits its samples: dumps without idle threads, which a chip says and undoes for good', async () => {
  const dump = (at: number): string =>
    [
      `2026-11-20 11:42:1${at}`,
      'Full thread dump OpenJDK 64-Bit Server VM (17.0.1+12 mixed mode, sharing):',
      '',
      ...thread('main', 'RUNNABLE', 'Shop.price(Shop.java:3)'),
      ...thread('waiter', 'BLOCKED (on object monitor)', 'Shop.locked(Shop.java:9)'),
      ...thread('pool-1', 'WAITING (parking)', 'jdk.internal.misc.Unsafe.park(Native Method)'),
      ...thread('timer', 'TIMED_WAITING (sleeping)', 'java.lang.Thread.sleep(Native Method)'),
    ].join('\n');
  const path = join(temporaryFolder(), 'dumps.txt');
  writeFileSync(path, [0, 1, 2].map((at) => dump(at)).join('\n'));
  const window = await open([path], { width: 1440, height: 900 });
  await window.part('sample-count').waitFor({ state: 'attached' });
  await window.settled();
  await expect.poll(async () => chips(window)).toEqual(['Leave out idle threads']);
  expect((await names(window, 'flat')).toSorted()).toEqual(['Main.main', 'Shop.locked', 'Shop.price']);
  expect(await window.fragment()).toContain('leave-out=idle');
  await window.page.getByRole('button', { name: 'Remove: Leave out idle threads' }).click();
  await window.settled();
  expect(await names(window, 'flat')).toContain('java.lang.Thread.sleep');
  await window.page.reload();
  await window.settled();
  expect(await chips(window)).toEqual([]);
  expect(window.problems).toEqual([]);
});

function thread(name: string, state: string, frame: string): readonly string[] {
  return [
    `"${name}" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=5.61s tid=0x00007f93 nid=0xbb0 runnable  [0x00007f93]`,
    `   java.lang.Thread.State: ${state}`,
    `\tat ${frame}`,
    '\tat Main.main(Main.java:3)',
    '',
  ];
}

test('a tooltip at the pointer has the whole name of a frame, its shares, its threads and when', async () => {
  const window = await openRead(SHOP, SHOP_SAMPLES, { width: 1440, height: 900 });
  await window.hoverFrame('com.acme.shop.web.Server$Metrics.apply');
  const tip = window.part('frame-tip');
  await window.part('frame-tip-threads').waitFor();
  const text = (await tip.textContent())!;
  expect(text).toMatch(/^com\.acme\.shop\.web\.Server\$Metrics\.apply[\d,]+ samples \(\d+\.\d+ % of all\)/);
  expect(text).toMatch(/% of the samples of com\.acme\.shop\.web\./);
  expect(text).toMatch(/http-worker-\* \d+ %.*steady$/);
  const place = (await tip.boundingBox())!;
  const { x, y } = await window.pointOf('com.acme.shop.web.Server$Metrics.apply');
  expect(Math.hypot(place.x - x, place.y - y)).toBeLessThan(60);
  expect(window.problems).toEqual([]);
});
