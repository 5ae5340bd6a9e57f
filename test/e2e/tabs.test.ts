import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectionsInBothThemes } from '../support/axe-objections.ts';
import { objections } from '../support/axe-objections.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { LogWindow } from '../support/window.ts';

const { open } = useWindows();

/** `hello.hpl · a | [threads.hpl]`: the names on the tabs, in brackets the active one. */
function tabs(window: LogWindow): Promise<string> {
  return window.page.evaluate(() =>
    Array.from(document.querySelectorAll('[role=tab]'), (tab) => {
      const name = tab.querySelector('.tab-text')!.textContent;
      const apart = tab.querySelector('.tab-apart')?.textContent;
      const text = apart === undefined ? name : `${name} · ${apart}`;
      return tab.getAttribute('aria-selected') === 'true' ? `[${text}]` : text;
    }).join(' | '),
  );
}

const isShown = (window: LogWindow, text: string): Promise<void> =>
  expect.poll(() => tabs(window)).toBe(text);

test('tabs of one file name are told apart, moved by keys and by pointer, renamed and closed', async () => {
  const folder = temporaryFolder();
  for (const name of ['a', 'b']) mkdirSync(join(folder, name));
  const files = ['a/app.hpl', 'b/app.hpl', 'b/other.hpl'].map((name) => join(folder, name));
  for (const file of files) copyFileSync(goldenPath('hello'), file);
  const window = await open(files, { width: 900, height: 500 });
  const { keyboard, mouse } = window.page;
  await window.samplesShown(37);
  await isShown(window, 'app.hpl · a | app.hpl · b | [other.hpl]');

  // By keys.
  await keyboard.press('Control+Shift+PageUp');
  await isShown(window, 'app.hpl · a | [other.hpl] | app.hpl · b');
  await keyboard.press('Control+Shift+PageUp');
  await keyboard.press('Control+Shift+PageUp');
  await isShown(window, '[other.hpl] | app.hpl · a | app.hpl · b');
  await keyboard.press('F2');
  await window.part('rename').waitFor();
  expect(await objections(window)).toEqual([]);
  await keyboard.type('node 3');
  await keyboard.press('Enter');
  await isShown(window, '[node 3] | app.hpl · a | app.hpl · b');
  await expect.poll(() => window.page.title()).toBe('node 3 – Leanscope');

  // By pointer: a drag to the end, one that is cancelled, and a double click.
  const middle = async (at: number): Promise<readonly [x: number, y: number]> => {
    const { x, y, width, height } = (await window.part('tab').nth(at).boundingBox())!;
    return [x + width / 2, y + height / 2];
  };
  for (const end of ['drop', 'cancel']) {
    await mouse.move(...(await middle(0)));
    await mouse.down();
    await mouse.move(880, 20, { steps: 4 });
    await window.page.locator('[data-drop=after]').waitFor();
    if (end === 'cancel') await keyboard.press('Escape');
    await mouse.up();
    await isShown(window, 'app.hpl · a | app.hpl · b | [node 3]');
  }
  await mouse.dblclick(...(await middle(0)));
  await window.part('rename').waitFor();
  await keyboard.type('first');
  await keyboard.press('Enter');
  await isShown(window, '[first] | app.hpl | node 3');
  // An empty name is that of the file.
  await window.part('rename').waitFor({ state: 'hidden' });
  await keyboard.press('F2');
  await window.part('rename').waitFor();
  // It may be opened again before the window hears that it was closed.
  await window.page.locator('dialog[open]').evaluate((element) => {
    if (!(element instanceof HTMLDialogElement)) throw new Error('no dialog is open');
    element.close();
    element.showModal();
  });
  await window.settled();
  await keyboard.press('Control+a');
  await keyboard.press('Delete');
  await keyboard.press('Enter');
  await isShown(window, '[app.hpl · a] | app.hpl · b | node 3');
  expect(await objections(window)).toEqual([]);

  // A reload keeps the names and the order.
  await window.page.reload();
  await isShown(window, '[app.hpl · a] | app.hpl · b | node 3');

  // By its menu.
  await window.page.locator('.tab').nth(1).click({ button: 'right' });
  await window.page.getByRole('menu').waitFor();
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await window.choose('Close more', 'Close to the right');
  await isShown(window, '[app.hpl · a] | app.hpl · b');
  await window.page.locator('.tab').nth(1).click({ button: 'right' });
  await window.choose('Move', 'Move left');
  await isShown(window, 'app.hpl · b | [app.hpl · a]');

  // The scope stays with its log, whatever the order of the tabs.
  await window.page.evaluate(() => (location.hash = 'log=b/app.hpl&thread=main'));
  await window.page.reload();
  await window.part('tab').first().click();
  await isShown(window, '[app.hpl · b] | app.hpl · a');
  expect(await window.part('scope-chip').allTextContents()).toEqual(['thread main']);
  await window.part('tab').nth(1).click();
  await isShown(window, 'app.hpl · b | [app.hpl · a]');
  expect(await window.part('scope-chip').count()).toBe(0);
  await window.page.locator('.tab').nth(1).click({ button: 'right' });
  await window.choose('Close more', 'Close others');
  await window.part('tab').first().waitFor({ state: 'detached' });
  expect(window.problems).toEqual([]);
});
