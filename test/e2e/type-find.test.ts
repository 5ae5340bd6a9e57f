import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import type { LogWindow } from '../support/window.ts';

const { openServerLog } = useWindows();

/** Name of the selected row of a pane; '' where none is on screen. */
async function selectedIn(window: LogWindow, pane: 'tree' | 'flat'): Promise<string> {
  await window.settled();
  const row = window.part(`pane-${pane}`).locator('[role=row][aria-selected=true] [title]');
  return (await row.count()) === 0 ? '' : ((await row.first().getAttribute('title')) ?? '');
}

async function hasFocus(window: LogWindow, selector: string): Promise<boolean> {
  return window.page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
}

test('letters in a list find a row by its name, change nothing else, and Esc ends it', async () => {
  const window = await openServerLog();
  const { keyboard } = window.page;
  await window.showPane('flat');
  const before = [await window.rows('flat', 8), await window.fragment()];
  await keyboard.type('format');
  await window.part('type-find').waitFor();
  expect((await selectedIn(window, 'flat')).toLowerCase()).toContain('format');
  expect(await objectionsInBothThemes(window)).toEqual([]);
  // Further matches, and back.
  const first = await selectedIn(window, 'flat');
  await keyboard.press('ArrowDown');
  const second = await selectedIn(window, 'flat');
  expect([second === first, second.toLowerCase().includes('format')]).toEqual([false, true]);
  await keyboard.press('ArrowUp');
  expect(await selectedIn(window, 'flat')).toBe(first);
  await keyboard.type('zzz');
  await window.page.getByText('not in this list').waitFor();
  expect(await selectedIn(window, 'flat')).toBe(first);
  await keyboard.press('Escape');
  await window.part('type-find').waitFor({ state: 'detached' });
  expect(await hasFocus(window, '[data-pane=flat] .virtual-rows')).toBe(true);
  // Nothing is frozen, searched, marked, attached to or narrowed.
  await keyboard.press('Escape');
  await keyboard.press('Home');
  await window.settled();
  expect([await window.rows('flat', 8), await window.fragment()]).toEqual(before);
  expect(await window.part('scope-chip').count()).toBe(0);
  expect(window.problems).toEqual([]);
});

test('letters in a tree find one of its open rows', async () => {
  const window = await openServerLog();
  await window.showPane('tree');
  await window.page.keyboard.press('*');
  await window.settled();
  await window.page.keyboard.type('regex');
  await window.part('type-find').waitFor();
  expect((await selectedIn(window, 'tree')).toLowerCase()).toContain('regex');
  await window.page.keyboard.press('Enter');
  await window.part('type-find').waitFor({ state: 'detached' });
  expect(await hasFocus(window, '[data-pane=tree] .virtual-rows')).toBe(true);
});

test('letters in the list of threads are typed into its filter', async () => {
  const window = await openServerLog();
  await window.page.keyboard.press('Alt+j');
  const list = window.page.getByRole('tree', { name: 'Threads' });
  await list.focus();
  await window.page.keyboard.type('main');
  expect(await window.page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('main');
});
