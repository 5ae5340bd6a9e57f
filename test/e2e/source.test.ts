import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { objections } from '../support/axe-objections.ts';
import { frame, log, method, thread, trace } from '../support/log-bytes.ts';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import type { LogWindow } from '../support/window.ts';

const { open } = useWindows();

const [MAIN, PARSE, LIB, WRONG, LOST] = [0x10, 0x20, 0x30, 0x40, 0x50];
const METHODS = [
  method(MAIN, 'Shop.java', 'Lcom/acme/Shop;', 'main'),
  method(PARSE, 'Shop.java', 'Lcom/acme/Shop$Cart;', 'parse'),
  method(LIB, 'Lib.java', 'Llib/Lib;', 'read'),
  method(WRONG, 'Wrong.java', 'Lcom/acme/Wrong;', 'run'),
  method(LOST, 'Lost.java', 'Lcom/acme/Lost;', 'go'),
];

/** A sample whose stack ends at these lines, leaf first. */
const sample = (second: number, ...stack: readonly (readonly [id: number, line: number])[]): Uint8Array =>
  trace(7, second, ...stack.map(([id, line]) => frame(id, 5, line)));

// Line 40 of Cart.parse calls itself: its total is counted once per sample.
const SAMPLES = log(
  thread(7, 'main'),
  ...METHODS,
  sample(1, [PARSE, 42], [PARSE, 40], [PARSE, 40], [MAIN, 12]),
  sample(2, [PARSE, 42], [PARSE, 40], [MAIN, 12]),
  sample(3, [PARSE, 43], [MAIN, 12]),
  sample(4, [LIB, 3], [PARSE, 41], [MAIN, 12]),
  sample(5, [WRONG, 99], [MAIN, 13]),
  sample(6, [LOST, 7], [MAIN, 13]),
  sample(7, [MAIN, 14]),
);

const SHOP = Array.from({ length: 60 }, (_, at) => `    int line${at + 1} = ${at + 1}; // "no text"`).join(
  '\n',
);

interface Started {
  readonly window: LogWindow;
  readonly file: string;
  /** Words of the editor's last call. */
  readonly edited: () => readonly string[];
}

async function start(): Promise<Started> {
  const folder = temporaryFolder();
  const project = join(folder, 'project/src/main/java/com/acme');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'Shop.java'), SHOP);
  writeFileSync(join(project, 'Wrong.java'), 'class Wrong {\n\n}\n');
  const jar = join(folder, 'lib-sources.jar');
  writeFileSync(
    jar,
    zipSync({ 'lib/Lib.java': strToU8('package lib;\nclass Lib {\n  void read() {}\n}\n') }),
  );
  const editor = join(folder, 'editor.cjs');
  const calls = join(folder, 'calls.json');
  // The file is there with all of its text, or not at all.
  const [unfinished, finished] = [`${calls}.new`, calls].map((path) => JSON.stringify(path));
  writeFileSync(
    editor,
    `const { renameSync, writeFileSync } = require('fs');
    writeFileSync(${unfinished}, JSON.stringify(process.argv.slice(2)));
    renameSync(${unfinished}, ${finished});`,
  );
  const file = join(folder, 'shop.hpl');
  writeFileSync(file, SAMPLES);
  const command = `"${process.execPath}" "${editor}" {file} {line}`;
  const options = ['--source', join(folder, 'project'), '--source', jar, '--editor', command];
  const window = await open([file, ...options]);
  await window.samplesShown(7);
  return {
    window,
    file,
    edited: () => (existsSync(calls) ? (JSON.parse(readFileSync(calls, 'utf8')) as string[]) : []),
  };
}

/** Selects a method in Methods and shows its source, by keyboard. */
async function showSource(window: LogWindow, label: string): Promise<void> {
  await window.showPane('flat');
  await window
    .part('pane-flat')
    .locator('[data-row-id]', { has: window.page.getByTitle(label, { exact: true }) })
    .click();
  await window.page.keyboard.press('6');
  await window.settled();
}

/** `42 self 2 total 2` for each line with samples on screen, `>` before the current one. */
async function lines(window: LogWindow): Promise<string[]> {
  return window.part('pane-source').evaluate((pane) =>
    [...pane.querySelectorAll('.source-line')]
      .map((line) => {
        const text = (name: string): string => line.querySelector(`.source-${name}`)?.textContent ?? '';
        const mark = line.getAttribute('aria-selected') === 'true' ? '>' : ' ';
        return {
          at: Number(text('number')),
          text: `${mark}${text('number')} ${text('self')}/${text('total')}`,
        };
      })
      .sort((a, b) => a.at - b.at)
      .filter(({ text }) => !/^ \d+ \/$/.test(text))
      .map(({ text }) => text),
  );
}

test('samples stand beside the lines of the selected method; keys walk them; the editor opens', async () => {
  const { window, file, edited } = await start();
  const { keyboard } = window.page;
  // From one of the hottest lines above the callers.
  await window.showPane('flat');
  await window.part('pane-flat').getByTitle('com.acme.Shop$Cart.parse', { exact: true }).click();
  await window.settled();
  const hot = window.part('hottest-lines').getByRole('button');
  expect(await hot.evaluateAll((all) => all.map((each) => each.getAttribute('aria-description')))).toEqual([
    'Line 42. Self 2, 28.57 %. Total 2, 28.57 %',
    'Line 43. Self 1, 14.29 %. Total 1, 14.29 %',
    'Line 40. Total 2, 28.57 %',
    'Line 41. Total 1, 14.29 %',
  ]);
  await hot.nth(1).focus();
  await keyboard.press('Enter');
  await window.settled();
  expect(await lines(window)).toEqual([' 40 /2', ' 41 /1', ' 42 2/2', '>43 1/1']);
  await window.part('pane-flat').getByTitle('com.acme.Shop$Cart.parse', { exact: true }).dblclick();
  await window.settled();
  await showSource(window, 'com.acme.Shop$Cart.parse');
  expect(await lines(window)).toEqual([' 40 /2', ' 41 /1', '>42 2/2', ' 43 1/1']);
  const pane = window.part('pane-source');
  expect(await pane.getByText('line42 = 42').isVisible()).toBe(true);
  const listbox = window.page.getByRole('listbox', { name: 'Source of parse, Shop.java' });
  expect(await listbox.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await listbox.getAttribute('aria-activedescendant')).toBe('source-line-42');
  expect(await objections(window)).toEqual([]);

  await keyboard.press('ArrowLeft');
  await keyboard.press('ArrowLeft');
  expect(await listbox.getAttribute('aria-activedescendant')).toBe('source-line-40');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await waitFor(() => edited().length > 0, 'the editor');
  expect(edited()[0]).toMatch(/project\/src\/main\/java\/com\/acme\/Shop\.java$/);
  expect(edited()[1]).toBe('41');
  await keyboard.press('Alt+ArrowDown');
  expect(await listbox.getAttribute('aria-activedescendant')).toBe('source-line-42');

  // The numbers grow with the log, and the place stays.
  appendFileSync(file, log(sample(8, [PARSE, 42], [MAIN, 12]), sample(9, [PARSE, 42], [MAIN, 12])));
  await window.samplesShown(9);
  expect(await lines(window)).toEqual([' 40 /2', ' 41 /1', '>42 4/4', ' 43 1/1']);

  await window.page.getByRole('button', { name: 'Sources…' }).click();
  await window.part('sources').getByText('leanscope serve --source', { exact: false }).waitFor();
  expect(await window.part('sources').getByText('this run only').count()).toBe(2);
  expect(await objections(window)).toEqual([]);
  await keyboard.press('Escape');
  expect(window.problems).toEqual([]);
});

test('sources of an archive; one that does not match; one that is not there', async () => {
  const { window } = await start();
  await showSource(window, 'lib.Lib.read');
  expect(await lines(window)).toEqual(['>3 1/1']);
  expect(await window.part('pane-source').locator('.source-place').textContent()).toMatch(
    /lib-sources\.jar!\/lib\/Lib\.java$/,
  );

  await showSource(window, 'com.acme.Wrong.run');
  expect(await window.part('source-mismatch').textContent()).toBe(
    'This source does not match the recorded program: it ends at line 3, and samples are at line 99.',
  );
  expect(await objections(window)).toEqual([]);

  await showSource(window, 'com.acme.Lost.go');
  const missing = window.part('source-missing');
  expect(await missing.locator('p').textContent()).toBe('No Lost.java of its package was found.');
  expect(await missing.getByRole('button').allInnerTexts()).toEqual([
    'Add sources…',
    'Copy com.acme.Lost.go(Lost.java:7)',
  ]);
  expect(await missing.getByRole('row').allInnerTexts()).toEqual(['Line\tSelf\tTotal', '7\t1\t1']);
  expect(await objections(window)).toEqual([]);
  await missing.getByRole('button', { name: 'Add sources…' }).click();
  await window.part('sources').waitFor();
  expect(window.problems).toEqual([]);
});
