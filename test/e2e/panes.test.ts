import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { LogWindow } from '../support/window.ts';

const { openRead, openServerLog } = useWindows();

/** The pane that has the focus. */
function focused({ page }: LogWindow): Promise<string | undefined> {
  return page.evaluate(
    () => document.activeElement?.closest<HTMLElement>('[data-testid^=pane-]')?.dataset.testid,
  );
}

test('F6 walks the panes, 4 keeps the focus; a click marks at once; no result is said; a thread weighs alike in tree and flame graph', async () => {
  const window = await openServerLog({ height: 900 });
  await window.showPane('tree');
  expect(await focused(window)).toBe('pane-tree');
  await window.showPane('all');
  expect(await focused(window)).toBe('pane-tree');
  const walked: (string | undefined)[] = [];
  for (const key of ['F6', 'F6', 'F6', 'Shift+F6', 'Shift+F6']) {
    await window.page.keyboard.press(key);
    walked.push(await focused(window));
  }
  expect(walked).toEqual(['pane-flame', 'pane-flat', 'pane-tree', 'pane-flat', 'pane-flame']);

  // A key that follows at once, before the next frame, is that of the pane that the one before has shown.
  await window.showPane('tree');
  const next = await window.page.evaluate(() => {
    const press = { key: '2', code: 'Digit2', bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', press));
    return document.activeElement?.closest<HTMLElement>('[data-testid^=pane-]')?.dataset.testid;
  });
  expect(next).toBe('pane-flat');

  // A row is marked in the task of its click, before the worker can have answered.
  await window.showPane('tree');
  const marked = await window.part('pane-tree').evaluate(async (pane) => {
    const row = pane.querySelectorAll('[data-row-id]')[3];
    row.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
    // Messages of a worker arrive in a later task.
    await Promise.resolve();
    return row.getAttribute('aria-selected');
  });
  expect(marked).toBe('true');

  // A search that finds nothing, or no search at all, is said.
  await window.showPane('tree');
  await window.page.keyboard.press('Alt+n');
  await window.page.getByText('Type part of a name').waitFor();
  await window.page.keyboard.press('Control+f');
  await window.page.keyboard.type('noSuchMethod');
  await window.page.locator('.search-result').getByText('no match').waitFor();
  await window.part('pane-tree').locator('[role=treegrid]').focus();
  await window.page.keyboard.press('Alt+n');
  await window.part('notice').getByText('No method matches.').waitFor();
  await window.part('notice').getByRole('button', { name: 'Dismiss' }).first().click();
  await window.page.keyboard.press('Control+f');
  await window.page.keyboard.press('Escape');
  await window.settled();

  // A thread weighs in the flame graph what it weighs in the tree.
  await window.chooseView('thread-grouping', 'name');
  await window.showPane('tree');
  await window.page.keyboard.press('Home');
  await window.settled();
  const row = window.part('pane-tree').locator('[data-index="0"]');
  const thread = (await row.locator('[title]').first().getAttribute('title')) ?? '';
  const total = (await window.numbers('tree', 'totalCount')).get(thread);
  await row.click({ button: 'right' });
  await window.choose('Show', 'Show in flame graph');
  await window.settled();
  const root = await window.flameFrame();
  expect([root?.label, `${root?.totalCount}`]).toEqual([thread, total]);
  expect(window.problems).toEqual([]);
});

test('a method is found at its heaviest call, n goes to the next, and the find field is left alone', async () => {
  const window = await openServerLog({ height: 900 });
  await window.part('pane-flat').locator('[data-index="0"]').click();
  await window.page.keyboard.press('Shift+F10');
  // One entry of a menu stands out: the pointer takes the focus along, and keys go on from there.
  const focused = (): Promise<string | null> =>
    window.page.evaluate(() => document.activeElement!.textContent);
  // The keys open a menu beside it, the left one closes it.
  await window.page.keyboard.press('ArrowDown');
  await window.page.keyboard.press('ArrowRight');
  expect(await focused()).toBe('Show source6');
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await window.page.keyboard.press('ArrowLeft');
  expect(await focused()).toBe('Show');
  await window.page.getByRole('menuitem', { name: 'Show', exact: true }).hover();
  await window.page.getByRole('menuitem', { name: 'Find in flame graph' }).hover();
  expect(await focused()).toBe('Find in flame graph');
  await window.page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('Find in call tree');
  await window.page.keyboard.press('Enter');
  await window.settled();
  const selected = window.part('pane-tree').locator('[aria-selected=true]');
  const name = 'java.util.regex.IntHashSet.contains';
  const place = (): Promise<string | null> => selected.first().getAttribute('data-row-id');
  expect(await window.part('search-field').inputValue()).toBe('');
  expect(await selected.locator('[title]').first().getAttribute('title')).toBe(name);
  const first = await place();
  await window.page.keyboard.press('Alt+n');
  await window.settled();
  expect(await place()).not.toBe(first);
  expect(await selected.locator('[title]').first().getAttribute('title')).toBe(name);
  // Other calls of the method are marked, in the methods too.
  expect(await window.part('pane-flat').locator('[data-index="0"]').getAttribute('aria-selected')).toBe(
    'true',
  );
  expect(window.problems).toEqual([]);
});

test('Ctrl+C copies a row with its numbers, or a frame; the menu copies name and file, and the subtree as text', async () => {
  const window = await openServerLog({ height: 900, isOwn: true });
  await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = async (wanted: RegExp): Promise<string> => {
    const read = (): Promise<string> => window.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(read).toMatch(wanted);
    return read();
  };
  await window.showPane('tree');
  const row = window.part('pane-tree').locator('[data-index="2"]');
  const name = (await row.locator('[title]').first().getAttribute('title')) ?? '';
  await row.click();
  await window.page.keyboard.press('Control+c');
  const titles = await window.part('pane-tree').locator('.table-header .header-text').allTextContents();
  const total = (await window.numbers('tree', 'totalCount')).get(name)!;
  const cells = (await copied(/\t/)).split('\t');
  expect(cells[0]).toBe(name);
  expect(cells[1]).toMatch(/^[\d.]+ %$/);
  expect(cells).toContain(total);
  expect(cells.length).toBe(titles.filter((title) => title !== 'When').length);
  await window.page.keyboard.press('Shift+F10');
  await window.choose('Copy', /^Copy name$/);
  expect(await copied(/^\S+$/)).toBe(name);
  await window.page.keyboard.press('Shift+F10');
  await window.choose('Copy', 'Copy name and file');
  expect(await copied(/\(\w+\.java\)$/)).toContain(name);
  await window.page.keyboard.press('Shift+F10');
  await window.choose('Copy', 'Copy subtree as text');
  const subtree = (await copied(/^ *Total %/)).split('\n');
  expect(subtree[0]).toMatch(/Total % of all +Self % of all .* Method$/);
  expect(subtree[1]).toContain(name);
  expect(subtree.length).toBeGreaterThan(3);
  await window.showPane('flame');
  await window.clickFrame('java.lang.Thread.run');
  await window.settled();
  await window.page.locator('.flame-canvas').focus();
  await window.page.keyboard.press('Control+c');
  expect(await copied(/^java.lang.Thread.run\t/)).toMatch(/\t[\d,]+ samples \([\d.]+ % of all\)/);
  expect(window.problems).toEqual([]);
});

test('a selected row that is scrolled out of the document is not named as the active one', async () => {
  const window = await openRead('assets/shop.hpl.gz', 5012, { width: 700, height: 450 });
  await window.showPane('tree');
  await window.page.keyboard.press('Home');
  await window.page.keyboard.press('Alt+ArrowDown');
  await window.settled();
  const tree = window.part('pane-tree').locator('[role=treegrid]');
  const active = (): Promise<[boolean, boolean]> =>
    tree.evaluate((element) => {
      const id = element.getAttribute('aria-activedescendant');
      return [id !== null, id !== null && document.getElementById(id) !== null];
    });
  // The end of the hot path is selected and in view.
  expect(await active()).toEqual([true, true]);
  await tree.evaluate((element) => element.scrollBy({ top: -2_000 }));
  await window.page.keyboard.press('*');
  await window.settled();
  await tree.evaluate((element) => element.scrollBy({ top: 20_000 }));
  await window.settled();
  expect(await active()).toEqual([false, false]);
  await window.page.keyboard.press('ArrowDown');
  await window.settled();
  expect(await active()).toEqual([true, true]);
  expect(window.problems).toEqual([]);
});
