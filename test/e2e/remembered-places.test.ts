import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import type { LogWindow } from '../support/window.ts';

const { openRead, openServerLog } = useWindows();

/** Whether rows are drawn where the list is looked at. */
async function seesRows(window: LogWindow, pane: 'flat' | 'tree'): Promise<boolean> {
  return window.part(`pane-${pane}`).evaluate((section) => {
    const list = section.querySelector('.virtual-rows')!.getBoundingClientRect();
    return [...section.querySelectorAll('[role=row][data-row-id]')].some((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > list.top && top < list.bottom;
    });
  });
}

test('a pane that was scrolled down shows rows when it comes back to a scope that has few of them', async () => {
  const window = await openServerLog();
  const { keyboard } = window.page;
  await window.showPane('flat');
  await keyboard.press('End');
  await window.settled();
  const scroller = window.part('pane-flat').locator('.virtual-rows');
  expect(await scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(1_000);
  expect(await seesRows(window, 'flat')).toBe(true);
  // Another pane in its place; there only few methods stay in scope.
  await window.showPane('tree');
  await keyboard.press('End');
  await keyboard.press('Alt+Shift+K');
  await window.settled();
  await window.showPane('flat');
  expect(await scroller.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  expect(await seesRows(window, 'flat')).toBe(true);
  expect((await window.rows('flat', 1)).length).toBe(1);
  expect(window.problems).toEqual([]);
});

test('another sample type shows its rows from the first one; the former type comes back where it was', async () => {
  const window = await openRead('assets/shop.jfr.gz', 1306);
  const { keyboard } = window.page;
  await window.showPane('flat');
  await keyboard.press('End');
  await window.settled();
  const scroller = window.part('pane-flat').locator('.virtual-rows');
  const top = (): Promise<number> => scroller.evaluate((element) => element.scrollTop);
  const before = await top();
  expect(before).toBeGreaterThan(1_000);
  await window.chooseKind('alloc');
  await window.samplesShown(8591);
  expect(await top()).toBe(0);
  expect(await seesRows(window, 'flat')).toBe(true);
  await window.chooseKind('cpu');
  await window.samplesShown(1306);
  expect(await top()).toBe(before);
  expect(window.problems).toEqual([]);
});
