import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { FakeDownload } from '../../support/fake-electron/fake-download.ts';
import type { FakeElectron } from '../../support/fake-electron/fake-electron.ts';
import { startDesktop } from '../../support/fake-electron/start-desktop.ts';
import { openedNames, withPage } from '../../support/fake-electron/with-page.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

async function ready(userData = temporaryFolder()): Promise<FakeElectron> {
  const electron = startDesktop([], { userData });
  await electron.becomeReady();
  return electron;
}

test('a file is saved under a name that every system takes, and the dialog says what is saved', async () => {
  const electron = await ready();
  expect(new FakeDownload(electron, '../a:b.svg').options).toEqual({
    title: 'Save _a_b.svg',
    defaultPath: expect.stringMatching(/[/\\]downloads[/\\]_a_b\.svg$/) as string,
    filters: [
      { name: 'SVG files', extensions: ['svg'] },
      { name: 'All files', extensions: ['*'] },
    ],
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
  expect(new FakeDownload(electron, 'a').options?.filters).toEqual([
    { name: 'All files', extensions: ['*'] },
  ]);
});

test('nothing but what the page made is saved', async () => {
  const electron = await ready();
  for (const url of ['https://evil.example/a.exe', 'blob:https://evil.example/1'])
    expect(new FakeDownload(electron, 'a.svg', url).isRefused, url).toBe(true);
});

test('the next file is saved where the last one was, also after a restart, unless the folder is gone', async () => {
  const userData = temporaryFolder();
  const folder = join(userData, 'pictures');
  mkdirSync(folder);
  const electron = await ready(userData);
  new FakeDownload(electron, 'a.svg').end('cancelled', '');
  expect(new FakeDownload(electron, 'b.svg').options?.defaultPath).toBe(join(userData, 'downloads/b.svg'));
  new FakeDownload(electron, 'a.svg').end('completed', join(folder, 'a.svg'));
  expect(new FakeDownload(electron, 'b.svg').options?.defaultPath).toBe(join(folder, 'b.svg'));
  const again = await ready(userData);
  expect(new FakeDownload(again, 'c.svg').options?.defaultPath).toBe(join(folder, 'c.svg'));
  rmSync(folder, { recursive: true });
  expect(new FakeDownload(again, 'c.svg').options?.defaultPath).toBe(join(userData, 'downloads/c.svg'));
});

test.each(['{"saveFolder":7}', '{"saveFolder":"relative"}', '{"saveFolder":"/\\u0000"}'])(
  'D13: stored settings that read %s are ignored',
  async (text) => {
    const userData = temporaryFolder();
    writeFileSync(join(userData, 'desktop.json'), text);
    const electron = await ready(userData);
    const { options } = new FakeDownload(electron, 'a.svg');
    expect(options?.defaultPath).toBe(join(userData, 'downloads/a.svg'));
  },
);

test('a file that could not be written completely is reported', async () => {
  const electron = await ready();
  new FakeDownload(electron, 'a.svg').end('interrupted', '/full/a.svg');
  expect(electron.dialogs).toMatchObject([{ type: 'error', message: 'a.svg could not be saved.' }]);
});

test('the open dialog starts in the folder of the file that was opened last', async () => {
  const { electron, client } = await withPage();
  const folder = temporaryFolder();
  const file = join(folder, 'a.hpl');
  copyFileSync(inCheckout('assets/shop.hpl.gz'), file);
  electron.answers.push({ filePaths: [file] });
  electron.choose('File > Open…');
  await waitFor(() => openedNames(client).length === 1, 'the log');
  client.send({ type: 'openDialog' });
  await waitFor(() => electron.dialogs.length === 2, 'the second dialog');
  expect(electron.dialogs[0]).toMatchObject({
    title: 'Open Profiles',
    filters: [
      { name: 'Profiles', extensions: expect.arrayContaining(['hpl', 'jfr']) as string[] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  expect(electron.dialogs[0]).not.toHaveProperty('defaultPath');
  expect(electron.dialogs[1]).toMatchObject({ title: 'Open Profiles', defaultPath: folder });
});

test('the dialog for sources starts where the last ones were, also after a restart', async () => {
  const userData = temporaryFolder();
  const sources = join(userData, 'project', 'src');
  mkdirSync(sources, { recursive: true });
  const { electron, client } = await withPage([], startDesktop([], { userData }));
  electron.answers.push({ filePaths: [sources] });
  client.send({ type: 'addSource', kind: 'folder' });
  await waitFor(() => existsSync(join(userData, 'desktop.json')), 'the folder to be stored');
  expect(electron.dialogs[0]).toEqual({
    title: 'Add Folders of Sources',
    properties: ['openDirectory', 'multiSelections'],
  });
  const again = await withPage([], startDesktop([], { userData }));
  again.client.send({ type: 'addSource', kind: 'archive' });
  await waitFor(() => again.electron.dialogs.length > 0, 'the dialog');
  expect(again.electron.dialogs[0]).toMatchObject({
    title: 'Add Archives of Sources',
    defaultPath: join(userData, 'project'),
    filters: [
      { name: 'Archives', extensions: ['jar', 'zip'] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
});

test('on Linux a portal must know the folder to start in', async () => {
  const { switches } = await ready();
  const isSet = switches.has('xdg-portal-required-version=4');
  expect(isSet).toBe(process.platform === 'linux');
});
