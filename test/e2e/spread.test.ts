import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const { open } = useWindows();

test('merged files that differ are found in the window, in one method, alone, and compared with the others', async () => {
  const folder = temporaryFolder();
  const files = Array.from({ length: 5 }, (_, at) => {
    const path = join(folder, `run${at}.collapsed`);
    const sort = at === 4 ? 900 : 300;
    writeFileSync(path, `Shop.main;Shop.sort ${sort}\nShop.main;Shop.pay ${1000 - sort}\n`);
    return path;
  });
  const window = await open([...files, '--merge-files', 'groups'], { width: 1200, height: 800 });
  const { page } = window;
  await window.samplesShown(5000);
  await page.getByRole('radio', { name: 'Spread' }).click();
  await expect.poll(() => window.part('spread-note').textContent()).toBe('5 files differ in 2 methods');
  expect(await objections(window)).toEqual([]);
  expect(await rows(window)).toEqual([
    'Shop.sort 30.00 run4.collapsed (+60.00)',
    'Shop.pay 70.00 run4.collapsed (\u221260.00)',
  ]);
  const list = page.getByRole('grid', { name: 'Methods that differ' });
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => window.part('spread-note').textContent()).toBe('median 30.00 %, 1 stands out');
  expect((await rows(window)).slice(0, 2)).toEqual([
    'run4.collapsed 90.00 +60.00 1,000',
    'run0.collapsed 30.00 1,000',
  ]);
  expect(await objections(window)).toEqual([]);

  const first = page.locator('.list-table .row').first();
  await first.hover();
  await first.getByText('Only', { exact: true }).click();
  await expect.poll(() => window.part('sample-count-in-scope').textContent()).toBe('1,000');
  // The others stay in the list.
  expect(await rows(window)).toHaveLength(5);
  await first.getByText('All', { exact: true }).click();
  await expect.poll(() => window.part('sample-count-in-scope').count()).toBe(0);

  await page.getByRole('grid', { name: 'Parts of Shop.sort' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+Enter');
  await expect
    .poll(() => window.part('scope-chip').allTextContents())
    .toEqual(['threads run4.collapsed: *', 'compared with all but run4.collapsed: *']);
  expect(await rows(window)).toHaveLength(5);
  await page.keyboard.press('Backspace');
  await expect.poll(() => page.getByRole('grid', { name: 'Methods that differ' }).count()).toBe(1);
});

test('a log without parts has no tab for them', async () => {
  const path = join(temporaryFolder(), 'one.collapsed');
  writeFileSync(path, 'Shop.main;Shop.sort 10\n');
  const window = await open([path]);
  await window.samplesShown(10);
  expect(await window.page.getByRole('radio', { name: 'Source' }).count()).toBe(1);
  expect(await window.page.getByRole('radio', { name: 'Spread' }).count()).toBe(0);
});

/** The texts of the rows, without their buttons. */
async function rows(window: LogWindow): Promise<string[]> {
  const found = await window.page.locator('.list-table .row').evaluateAll((all) =>
    all.map((row) =>
      [...row.children]
        .map((cell) => (cell.querySelector('.list-text') ?? cell).textContent)
        .filter((text) => text !== '')
        .join(' '),
    ),
  );
  return found;
}
