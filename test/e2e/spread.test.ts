import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
import type { SpreadData } from '../../shared/answers/schemas.ts';
import { objections, objectionsInBothThemes } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { cliOutput } from '../support/run-cli.ts';
import { chips } from '../support/scope-on-screen.ts';
import { servedHere } from '../support/served-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const REQUESTS = 'test/golden/jfr/requests-jdk25.jfr.gz';

const { open, openRead } = useWindows();

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

test('requests are parts by operation: one alone, against the others, in a link, and by another attribute', async () => {
  const window = await openRead(REQUESTS, 288, { width: 1440, height: 900, hasSummary: true });
  const { page } = window;
  await page.getByRole('radio', { name: 'Spread' }).click();
  await page.getByRole('radio', { name: 'Requests', exact: true }).click();
  const { parts, rows: methods } = JSON.parse(
    await cliOutput('spread', REQUESTS, '--threads', 'context:operation', '--json'),
  ) as SpreadData;
  const note = new RegExp(`^${parts.length - 1} operations and No request differ in `);
  await expect.poll(() => window.part('spread-note').textContent()).toMatch(note);
  expect(await rows(window)).toHaveLength(methods.length);
  const compute = page.locator('.list-table .row').first();
  await compute.hover();
  await compute.getByText('Parts', { exact: true }).click();
  await expect
    .poll(async () => (await rows(window)).map((row) => row.split(' ').at(-1)))
    .toEqual(expect.arrayContaining(parts.map(({ samples }) => String(samples))));
  // The median is at one place, beside numbers with few digits and with many.
  const bars = await page.locator('.spread-share').evaluateAll((shares) =>
    shares.map((share) => ({
      digits: share.textContent.length,
      width: share.querySelector('.spread-bar')!.getBoundingClientRect().width,
    })),
  );
  expect(new Set(bars.map(({ digits }) => digits)).size).toBeGreaterThan(1);
  expect(new Set(bars.map(({ width }) => width)).size).toBe(1);
  expect(await objectionsInBothThemes(window)).toEqual([]);

  const part = (name: string): Locator => page.locator(`.list-table .row[data-name='${name}']`);
  await part('No request').hover();
  expect(await part('No request').getByRole('button').count()).toBe(0);
  await part('checkout').hover();
  await part('checkout').getByText('Only', { exact: true }).click();
  expect(await chips(window)).toEqual(['operation=checkout']);
  await window.settled();
  expect(await rows(window)).toHaveLength(parts.length);
  const alone = 288 - (await window.samplesOutside());
  await part('checkout').getByText('Vs others', { exact: true }).click();
  const compared = ['operation=checkout', 'compared with the rest of any operation'];
  expect(await chips(window)).toEqual(compared);
  expect(await rows(window)).toHaveLength(parts.length);
  expect(288 - (await window.samplesOutside())).toBe(alone);
  const said = window.part('pane-summary');
  const requests = 288 - (parts.find(({ name }) => name === 'No request')?.samples ?? 0);
  await expect
    .poll(() => said.textContent())
    .toContain(`${alone} samples in these requests, ${requests - alone} in the other requests`);
  const fragment = await window.fragment();
  await part('checkout').getByText('All', { exact: true }).click();
  expect(await chips(window)).toEqual([]);
  expect(await window.samplesOutside()).toBe(0);

  await window.part('spread-attribute').selectOption('customer');
  await expect.poll(async () => (await rows(window)).length).toBe(3);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await page.goto('about:blank');
  await page.goto(`${new URL(await servedHere(REQUESTS)).origin}/${fragment}`);
  await window.samplesShown(288);
  expect(await chips(window)).toEqual(compared);
  expect(window.problems).toEqual([]);
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
