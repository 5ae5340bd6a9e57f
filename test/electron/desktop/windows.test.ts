import { expect, test } from 'vitest';
import { useBuiltProgram } from '../../support/built-program.ts';
import { delivered } from '../../support/fake-electron/fake-contents.ts';
import { FakeDownload } from '../../support/fake-electron/fake-download.ts';
import type { FakeElectron } from '../../support/fake-electron/fake-electron.ts';
import type { FakeWindow } from '../../support/fake-electron/fake-window.ts';
import { loadPreload, type LoadedPreload } from '../../support/fake-electron/load-preload.ts';
import { openedNames, withPage } from '../../support/fake-electron/with-page.ts';
import { TestClient } from '../../support/test-client.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

interface SecondPage {
  readonly window: FakeWindow;
  readonly preload: LoadedPreload;
  readonly client: TestClient;
}

/** A second window with its page loaded; it has the focus. */
async function openSecond(electron: FakeElectron): Promise<SecondPage> {
  electron.choose('File > New Window');
  const window = electron.windows[1];
  const preload = loadPreload(window.webContents);
  const client = new TestClient(preload.transport());
  window.webContents.emit('did-finish-load');
  await waitFor(() => client.messages.length > 0, 'the greeting');
  window.focus();
  return { window, preload, client };
}

test('a second window is beside the first and shows the same logs', async () => {
  const { electron, client } = await withPage(['/a.hpl']);
  await waitFor(() => openedNames(client).length === 1, 'the log');
  const second = await openSecond(electron);
  expect(second.window.options).toMatchObject({ x: 34, y: 44, width: 1000, height: 700 });
  expect(openedNames(second.client)).toEqual(['a.hpl']);
  electron.app.emit('open-file', { preventDefault: () => undefined }, '/b.hpl');
  await waitFor(
    () => openedNames(client).length + openedNames(second.client).length === 4,
    'the log in both',
  );
});

test('commands and files are for the window that had the focus last', async () => {
  const { electron, window, preload } = await withPage();
  const second = await openSecond(electron);
  const heard: string[] = [];
  preload.bridge.onCommand((command) => heard.push(`first ${command}`));
  second.preload.bridge.onCommand((command) => heard.push(`second ${command}`));
  electron.choose('View > Flame Graph', window);
  electron.choose('View > Flame Graph', second.window);
  if (process.platform !== 'darwin') electron.choose('View > Methods', null);
  window.focus();
  if (process.platform !== 'darwin') electron.choose('View > Call Tree', null);
  await delivered();
  expect(heard.slice(0, 2)).toEqual(['first showFlame', 'second showFlame']);
  expect(heard.slice(2)).toEqual(process.platform === 'darwin' ? [] : ['second showFlat', 'first showTree']);
  second.window.minimize();
  second.window.focus();
  electron.app.emit('second-instance', {}, ['x'], '/', { files: [] });
  expect(electron.journal.slice(-3)).toEqual(['restore', 'show', 'focus']);
});

test('closing one window leaves the other connected, and closing both leaves the program to the system', async () => {
  const { electron, window, client } = await withPage();
  const second = await openSecond(electron);
  second.window.close();
  electron.app.emit('second-instance', {}, ['x'], '/', { files: ['/c.hpl'] });
  await waitFor(() => openedNames(client).length === 1, 'the log');
  expect(electron.windows).toHaveLength(2);
  window.close();
  electron.app.emit('activate');
  expect(electron.windows).toHaveLength(3);
});

test('a dialog is over the window that asks for it, and a saved file is shown from the window that saved it', async () => {
  const { electron, client, window, preload } = await withPage();
  const second = await openSecond(electron);
  client.send({ type: 'openDialog' });
  await waitFor(() => electron.dialogs.length === 1, 'the dialog');
  electron.choose('File > Open…', window);
  electron.choose('File > Open…', second.window);
  expect(electron.dialogWindows).toEqual([window, window, second.window]);

  const heard: string[] = [];
  preload.bridge.onSaved((name) => heard.push(name));
  new FakeDownload(electron, 'a.svg').end('completed', '/pictures/a.svg');
  const { webContents } = second.window;
  new FakeDownload(electron, 'b.svg', undefined, webContents).end('completed', '/pictures/b.svg');
  preload.bridge.revealSaved();
  await delivered();
  expect([heard, electron.journal.at(-1)]).toEqual([['a.svg'], 'showItemInFolder /pictures/a.svg']);
});
