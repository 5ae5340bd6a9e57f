import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { open } = useWindows();

/** A name for which a matcher that goes back tries each way to divide it. */
const HOSTILE = `${'a'.repeat(60)}!`;
const SLOW = '/(a+)+$/';

function logOf(name: string, lines: readonly string[]): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

test('X09: an expression that takes too long is stopped: all logs are filled again, and the window stays usable', async () => {
  const window = await open([
    logOf('host.collapsed', ['main;Shop.run;Cart.add 3', `main;Shop.run;${HOSTILE} 4`]),
  ]);
  await window.samplesShown(7);
  // A file that the window reads itself.
  await window.part('file-input').setInputFiles([logOf('own.collapsed', [`main;Own.run;${HOSTILE} 5`])]);
  await window.samplesShown(5);
  await window.page.getByRole('tab', { name: /host/ }).click();
  await window.samplesShown(7);
  await window.showPane('all');
  await window.treeRow('All threads').click();
  await window.settled();

  await window.page.keyboard.press('Control+f');
  await window.page.keyboard.type(SLOW);
  // The window answers while the expression is matched.
  await window.part('computing').waitFor();
  await window.treeRow('main').click();
  expect(await window.treeRow('main').getAttribute('aria-selected')).toBe('true');
  await window.page.getByText(`The regular expression ${SLOW} took too long. It was stopped.`).waitFor();
  await window.page.getByText('This expression took too long. It was stopped.').waitFor();
  await window.samplesShown(7);
  expect(await window.rows('flat', 9)).toEqual([HOSTILE, 'Cart.add', 'Shop.run', 'main']);
  expect(await window.treeRow('main').getAttribute('aria-selected')).toBe('true');

  // It is not tried again in the other log, and others are.
  await window.page.getByRole('tab', { name: /own/ }).click();
  await window.samplesShown(5);
  await window.page.keyboard.press('Control+f');
  await window.page.keyboard.type(SLOW);
  await window.page.getByText('This expression took too long. It was stopped.').waitFor();
  await window.page.keyboard.press('Control+a');
  await window.page.keyboard.type('/^o.n/');
  await window.page.getByText('1 name · 100.0 %').waitFor();
  expect(window.problems).toEqual([]);
});

test('an expression of a link is applied after a click, and then also after a reload', async () => {
  const window = await open([
    logOf('linked.collapsed', ['main;Shop.run;Cart.add 3', 'main;Shop.run;Cart.get 4']),
  ]);
  const banner = window.part('link-banner');
  await window.samplesShown(7);
  const address = window.page.url();
  await window.page.goto('about:blank');
  await window.page.goto(`${address}#log=linked.collapsed&rows=key%20matches%20.*add`);
  await window.samplesShown(7);
  expect(await banner.textContent()).toContain(
    'This link has regular expressions, which are not applied: /.*add/',
  );
  expect(await window.rows('flat', 9)).toContain('Cart.get');
  // A reload is no consent.
  await window.page.reload();
  await window.samplesShown(7);
  await banner.getByRole('button', { name: 'Apply' }).click();
  await window.settled();
  expect(await banner.count()).toBe(0);
  await window.showPane('all');
  expect(await window.rows('flat', 9)).toEqual(['Cart.add']);
  await window.settled();
  await window.page.reload();
  await window.samplesShown(7);
  expect(await window.rows('flat', 9)).toEqual(['Cart.add']);
  expect(await banner.count()).toBe(0);
  expect(window.problems).toEqual([]);
});

test('what is found is in the link: a text is found at once, an expression after a click', async () => {
  const window = await open([
    logOf('found.collapsed', ['main;Shop.run;Cart.add 3', 'main;Shop.run;Cart.get 4']),
  ]);
  const { page } = window;
  await window.samplesShown(7);
  const [address] = page.url().split('#');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('/C.*add/');
  await page.getByText('1 name · 42.9 %').waitFor();
  await window.settled();
  await expect.poll(() => page.url()).toContain('search');
  const link = page.url().split('#')[1];
  expect(decodeURIComponent(link)).toBe('log=found.collapsed&search=/C.*add/');
  const follow = async (fragment: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${address}#${fragment}`);
    await window.samplesShown(7);
  };
  await follow('log=found.collapsed&search=Cart.get');
  await page.getByText('1 name · 57.1 %').waitFor();
  await follow(link);
  const banner = window.part('link-banner');
  expect(await banner.textContent()).toContain('/C.*add/');
  expect(await page.getByText('1 name').count()).toBe(0);
  await banner.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('1 name · 42.9 %').waitFor();
  expect(window.problems).toEqual([]);
});

test('merged logs are merged again after an expression was stopped', async () => {
  const window = await open([
    logOf('one.collapsed', ['main;Shop.run;Cart.add 3']),
    logOf('two.collapsed', [`main;Shop.run;${HOSTILE} 4`]),
  ]);
  const address = window.page.url();
  await window.page.goto('about:blank');
  await window.page.goto(`${address}#log=both&merged=groups&part=one.collapsed&part=two.collapsed`);
  await window.page.getByRole('tab', { name: /both/ }).click();
  await window.samplesShown(7);
  await window.page.keyboard.press('Control+f');
  await window.page.keyboard.type(SLOW);
  await window.page.getByText('This expression took too long. It was stopped.').waitFor();
  await window.samplesShown(7);
  await window.page.keyboard.press('Control+a');
  await window.page.keyboard.type('/^c.*d$/');
  await window.page.getByText('1 name · 42.9 %').waitFor();
  expect(window.problems).toEqual([]);
});
