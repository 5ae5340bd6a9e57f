import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { goldenPath } from '../support/read-log.ts';
import { useWindows } from '../support/opened-window.ts';
import type { LogWindow } from '../support/window.ts';

const { open, openServerLog } = useWindows();

const field = (window: LogWindow) => window.page.getByRole('combobox', { name: 'Find a command' });
const options = (window: LogWindow) => window.page.getByRole('option');

async function openPalette(window: LogWindow): Promise<void> {
  await window.page.keyboard.press('Control+k');
  await field(window).waitFor();
}

test('the palette runs a command by some of its letters, and the focus goes back', async () => {
  const window = await openServerLog();
  const { keyboard } = window.page;
  await window.showPane('flat');
  await openPalette(window);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await keyboard.type('details');
  const first = options(window).first();
  expect([await first.innerText(), await first.getAttribute('aria-selected')]).toEqual([
    expect.stringMatching(/^Show details of the file\s+Alt Enter$/),
    'true',
  ]);
  expect(await field(window).getAttribute('aria-activedescendant')).toBe(await first.getAttribute('id'));
  await keyboard.press('Enter');
  await window.part('log-facts').waitFor();
  await keyboard.press('Escape');
  await window.page.locator('[data-pane=flat] .virtual-rows').focus();
  await openPalette(window);
  await keyboard.press('Escape');
  await field(window).waitFor({ state: 'detached' });
  expect(
    await window.page.evaluate(() =>
      document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane'),
    ),
  ).toBe('flat');
  // By its arrows, and closed by the key that opens it.
  await openPalette(window);
  await keyboard.press('ArrowUp');
  expect(await options(window).last().getAttribute('aria-selected')).toBe('true');
  await keyboard.press('ArrowDown');
  expect(await options(window).first().getAttribute('aria-selected')).toBe('true');
  await field(window).fill('no such command');
  await window.page.getByRole('option', { name: 'Find methods with “no such command”' }).waitFor();
  expect(await options(window).count()).toBe(1);
  await field(window).fill('ĸ');
  await window.page.getByText('Nothing that can be done now is called that.').waitFor();
  await keyboard.press('Control+k');
  await field(window).waitFor({ state: 'detached' });
  expect(window.problems).toEqual([]);
});

test('it finds tabs, transforms of the selection and choices of the view, also by the pointer', async () => {
  const window = await open([goldenPath('hello'), goldenPath('server-small')]);
  await window.part('tab').nth(1).click();
  await window.samplesShown(1553);
  await window.showPane('flat');
  await window.part('pane-flat').locator('[data-index="0"]').click();
  await window.settled();
  await window.part('commands').click();
  await field(window).fill('drop');
  await options(window).first().click();
  await window.part('scope-chip').waitFor();
  await openPalette(window);
  await field(window).fill('threads pool');
  await window.page.keyboard.press('Enter');
  await openPalette(window);
  await field(window).fill('threads together');
  await window.page.getByRole('option', { name: 'Threads: All together' }).waitFor();
  await field(window).fill('hello');
  await window.page.keyboard.press('Enter');
  await window.samplesShown(37);
});

test('the sheet has the common keys, and all by search', async () => {
  const window = await open([]);
  await window.page.keyboard.press('?');
  const lines = window.part('keys').locator('dl > div');
  expect(await lines.count()).toBeLessThanOrEqual(25);
  await window.page.keyboard.type('heatmap');
  await expect.poll(() => lines.first().innerText()).toMatch(/heatmap/);
  await window.page.keyboard.type(' no key');
  await window.page.getByText('No shortcut is called that.').waitFor();
});
