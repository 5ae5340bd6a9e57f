import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import type { LogWindow } from '../support/window.ts';

const { openServerLog } = useWindows();
const CONTAINS = 'java.util.regex.IntHashSet.contains';

async function press(window: LogWindow, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await window.page.keyboard.press(key);
    await window.settled();
  }
}

/** The names of a pane's rows that begin with a text, with their counts as a screen reader says them. */
function spoken(window: LogWindow, pane: string, start: string): Promise<string[]> {
  return window.part(`pane-${pane}`).evaluate((element, prefix) => {
    const rows = [...element.querySelectorAll<HTMLElement>('[data-row-id]')];
    return rows
      .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
      .map((row) => {
        const [, total = ''] =
          /(?:Total|Self) # ([\d,]*\d)/.exec(row.getAttribute('aria-description') ?? '') ?? [];
        return `${row.querySelector('.row-name')?.getAttribute('title') ?? ''} ${total}`;
      })
      .filter((name) => name.startsWith(prefix));
  }, start);
}

function selectedName(window: LogWindow, pane: string): Promise<string | null> {
  return window.part(`pane-${pane}`).locator('[aria-selected=true] .row-name').getAttribute('title');
}

test('by keyboard alone: L opens a method into its lines in all panes, and joins them again', async () => {
  const window = await openServerLog({ height: 900 });
  await press(window, '2', 'Home');
  expect(await spoken(window, 'flat', CONTAINS)).toEqual([`${CONTAINS} 334`]);
  await press(window, 'Alt+l');
  const [method, ...lines] = await spoken(window, 'flat', CONTAINS);
  expect(method).toBe(`${CONTAINS} 334`);
  // It calls nothing and is not recursive: a sample is in one line.
  expect(lines.reduce((sum, name) => sum + Number(name.split(' ').at(-1)), 0)).toBe(334);
  expect(lines.length).toBeGreaterThan(1);
  for (const name of lines) expect(name).toMatch(/\.contains:(?:bci )?\d+ \d+$/);
  expect(await window.part('scope-chip').textContent()).toBe(`lines of ${CONTAINS}`);
  expect(await objections(window)).toEqual([]);

  // Transforms name the method, whichever of its lines is selected.
  await press(window, 'ArrowDown');
  expect(await selectedName(window, 'flat')).toMatch(/\.contains:\d+$/);
  await press(window, 'Delete');
  expect(await window.part('scope-chip').allTextContents()).toEqual([
    'Drop samples with IntHashSet.contains',
    `lines of ${CONTAINS}`,
  ]);
  expect(await spoken(window, 'flat', CONTAINS)).toEqual([]);
  await press(window, 'Control+z');
  expect(await spoken(window, 'flat', CONTAINS)).toEqual([method, ...lines]);

  // In the tree another method, and from its menu.
  await press(window, '1', 'Alt+ArrowDown', 'ArrowDown');
  await press(window, 'Alt+l');
  expect(await selectedName(window, 'tree')).toMatch(/:\d+$/);
  expect(await objections(window)).toEqual([]);
  await press(window, 'Shift+F10');
  await window.choose('Transform');
  expect(await window.page.getByRole('menuitem', { name: /^Join lines of / }).count()).toBe(1);
  await press(window, 'Escape', 'Escape', 'Alt+l');
  expect(await selectedName(window, 'tree')).not.toMatch(/:\d+$/);

  // In the sandwich the lines are frames.
  await press(window, '2', 'Home', '5');
  expect(await objections(window)).toEqual([]);
  await press(window, '2', 'Home', 'Alt+l');
  expect(await spoken(window, 'flat', CONTAINS)).toEqual([method]);
  expect(await window.part('scope-chip').count()).toBe(0);

  // Three have one chip, which joins them all.
  await press(
    window,
    'Alt+l',
    'End',
    'ArrowUp',
    'Alt+l',
    'ArrowUp',
    'ArrowUp',
    'ArrowUp',
    'ArrowUp',
    'Alt+l',
  );
  expect(await window.part('scope-chip').allTextContents()).toEqual(['lines of 3 methods']);
  await window.page.getByRole('button', { name: 'Remove: lines of 3 methods' }).click();
  expect(await window.part('scope-chip').count()).toBe(0);
  expect(window.problems).toEqual([]);
});
