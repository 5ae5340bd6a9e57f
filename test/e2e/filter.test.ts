import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import type { LogWindow } from '../support/window.ts';

const { openServerLog } = useWindows();

async function names(window: LogWindow): Promise<readonly (string | null)[]> {
  await window.settled();
  return window
    .part('pane-flat')
    .locator('.row-name')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('title')));
}

test('rows are filtered by name and numbers, by keyboard alone, and shown again; the call tree keeps what is above them', async () => {
  const window = await openServerLog();
  const { keyboard } = window.page;
  await window.showPane('flat');
  await keyboard.press('Control+Shift+f');
  await window.part('filter').waitFor();
  await keyboard.type('key contains Pattern$G and selfCount >= 20');
  await keyboard.press('Enter');
  await window.part('filter').waitFor({ state: 'detached' });
  expect(await names(window)).toEqual([
    'java.util.regex.Pattern$GroupTail.match',
    'java.util.regex.Pattern$GroupHead.match',
  ]);
  const chip = window.part('scope-chip');
  expect(await chip.textContent()).toBe('Only rows where name contains Pattern$G and Self # ≥ 20');

  // The same conditions, joined by `or`.
  await chip.getByRole('button').first().click();
  const text = window.part('filter-text');
  expect(await text.inputValue()).toBe('key contains Pattern$G and selfCount >= 20');
  await text.fill('key contains Pattern$G or selfCount >= 20');
  await window.part('filter-apply').click();
  expect((await names(window)).length).toBeGreaterThan(8);
  await chip.getByRole('button', { name: /^Remove/ }).click();
  expect(await chip.count()).toBe(0);
  expect((await names(window)).length).toBeGreaterThan(20);

  // The call tree keeps what is above rows that pass, and says when none does.
  await window.showPane('tree');
  await keyboard.press('Control+Shift+f');
  await text.fill('key ends .nowhere');
  await window.part('filter-apply').click();
  await window.page.getByText('No row has these names and numbers').waitFor();
  await window.page.getByRole('button', { name: 'Show all rows' }).click();
  await keyboard.press('Control+Shift+f');
  await text.fill('key contains ServerSim.main');
  await window.part('filter-apply').click();
  await window.settled();
  const rows = window.part('pane-tree').locator('.row-name');
  expect(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('title')))).toEqual([
    'All threads',
    'ServerSim.main',
  ]);
  expect(window.problems).toEqual([]);
});

test('an invalid condition says why, in a narrow window too, and axe does not object', async () => {
  const window = await openServerLog({ width: 420, height: 600 });
  const { keyboard } = window.page;
  await window.showPane('flat');
  await keyboard.press('Control+Shift+f');
  const text = window.part('filter-text');
  await text.fill('key matches a)|(b');
  await keyboard.press('Enter');
  await window.page
    .getByRole('alert')
    .getByText(/regular expression/)
    .waitFor();
  expect(await text.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await text.getAttribute('aria-invalid')).toBe('true');
  expect(await objectionsInBothThemes(window)).toEqual([]);
  const box = (await window.part('filter').boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(420);
  await window.page.keyboard.press('Escape');
  await window.part('filter').waitFor({ state: 'detached' });
  expect(window.problems).toEqual([]);
});

test('the find field shows only matches and what leads to them, by a button and a key; a link shows the same', async () => {
  const window = await openServerLog();
  const { keyboard } = window.page;
  await window.showPane('tree');
  await keyboard.press('/');
  await keyboard.type('SERVERSIM.MAIN');
  await keyboard.press('Control+Enter');
  await window.settled();
  const only = window.part('only-matches');
  expect(await only.getAttribute('aria-pressed')).toBe('true');
  const rows = window.part('pane-tree').locator('.row-name');
  const titles = (): Promise<unknown> =>
    rows.evaluateAll((all) => all.map((row) => row.getAttribute('title')));
  expect(await titles()).toEqual(['All threads', 'ServerSim.main']);
  // The field says it: the scope has no part for it.
  expect(await window.part('scope-chip').count()).toBe(0);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  const fragment = await window.fragment();
  expect(fragment).toContain('rows=key%20finds%20SERVERSIM.MAIN');
  await window.page.reload();
  await window.samplesShown(1553);
  expect(await window.part('search-field').inputValue()).toBe('SERVERSIM.MAIN');
  expect(await titles()).toEqual(['All threads', 'ServerSim.main']);

  // The matches of another text are shown, none, and all rows again.
  await window.part('search-field').fill('no such method');
  await window.page.getByText('Only matches are shown: see the find field.').waitFor();
  await window.search('hashset');
  await window.settled();
  const rowCount = async (): Promise<number> =>
    Number(await window.part('pane-tree').getByRole('treegrid').getAttribute('aria-rowcount'));
  const found = await rowCount();
  await only.click();
  await window.settled();
  expect(await only.getAttribute('aria-pressed')).toBe('false');
  expect(await rowCount()).toBeGreaterThan(found);
  // What is looked for stays in the link; that only matches are shown does not.
  const left = await window.fragment();
  expect([left.includes('search=hashset'), left.includes('rows=')]).toEqual([true, false]);
  expect(window.problems).toEqual([]);
});
