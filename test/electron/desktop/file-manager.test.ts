import { copyFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LogId } from '../../../shared/protocol/messages.ts';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { delivered } from '../../support/fake-electron/fake-contents.ts';
import { FakeDownload } from '../../support/fake-electron/fake-download.ts';
import { openedNames, withPage } from '../../support/fake-electron/with-page.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

const shownItems = (journal: readonly string[]): string[] =>
  journal.filter((line) => line.startsWith('showItemInFolder')).map((line) => line.slice(17));

test('a log’s file is shown in the file manager, and only the files of open logs are', async () => {
  const folder = realpathSync(temporaryFolder());
  const file = join(folder, 'a.hpl.gz');
  copyFileSync(inCheckout('assets/shop.hpl.gz'), file);
  symlinkSync(file, join(folder, 'link.hpl.gz'));
  const { electron, preload, client, window } = await withPage([join(folder, 'link.hpl.gz')]);
  await waitFor(() => openedNames(client).length === 1, 'the log');
  expect(openedNames(client)).toEqual(['link.hpl.gz']);
  preload.bridge.revealLog(0 as LogId);
  preload.bridge.revealLog(1 as LogId);
  for (const forged of ['/etc/passwd', -1, 1.5, null, {}])
    window.webContents.receive('leanscope:reveal', [forged]);
  await delivered();
  expect(shownItems(electron.journal)).toEqual([file]);
});

test('the page that made a file hears that it is saved, and can have it shown', async () => {
  const { electron, preload } = await withPage();
  const heard: string[] = [];
  preload.bridge.onSaved((name) => heard.push(name));
  preload.bridge.revealSaved();
  await delivered();
  expect(shownItems(electron.journal)).toEqual([]);
  new FakeDownload(electron, 'a.svg').end('cancelled', '');
  new FakeDownload(electron, 'a.svg').end('completed', '/pictures/b.svg');
  await delivered();
  expect(heard).toEqual(['b.svg']);
  preload.bridge.revealSaved();
  await delivered();
  expect(shownItems(electron.journal)).toEqual(['/pictures/b.svg']);
});

test.each([
  ['linux', ['progress 0.25', 'progress -1']],
  ['darwin', ['represents ', 'progress 0.25', 'represents ', 'progress -1']],
])('on %s the system shows what is being read', async (platform, expected) => {
  const { electron, preload, window } = await withPage();
  const real = Object.getOwnPropertyDescriptor(process, 'platform')!;
  onTestFinished(() => void Object.defineProperty(process, 'platform', real));
  Object.defineProperty(process, 'platform', { ...real, value: platform });
  preload.bridge.setShown({ log: undefined, progress: 0.25 });
  await delivered();
  for (const forged of [7, -1, NaN, '0.5']) window.webContents.receive('leanscope:shown', [0, forged]);
  const shown = electron.journal.filter((line) => /^(?:progress|represents)/.test(line));
  expect(shown.slice(0, expected.length)).toEqual(expected);
  expect(new Set(shown.slice(expected.length))).toEqual(new Set(expected.slice(expected.length / 2)));
});

test('macOS has the file of the log that is shown in its title bar', async () => {
  const real = Object.getOwnPropertyDescriptor(process, 'platform')!;
  const { electron, preload, client } = await withPage(['/a.hpl']);
  onTestFinished(() => void Object.defineProperty(process, 'platform', real));
  Object.defineProperty(process, 'platform', { ...real, value: 'darwin' });
  await waitFor(() => openedNames(client).length === 1, 'the log');
  preload.bridge.setShown({ log: 0 as LogId, progress: undefined });
  await delivered();
  expect(electron.journal.at(-2)).toBe('represents /a.hpl');
});
