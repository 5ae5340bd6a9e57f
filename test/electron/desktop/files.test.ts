import { copyFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../../shared/protocol/messages.ts';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { delivered, preventable } from '../../support/fake-electron/fake-contents.ts';
import { loadPreload } from '../../support/fake-electron/load-preload.ts';
import { startDesktop } from '../../support/fake-electron/start-desktop.ts';
import { openedNames, withPage } from '../../support/fake-electron/with-page.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

const SAMPLE = inCheckout('assets/shop.hpl.gz');

test('of the command line are open when the page greets', async () => {
  const { client } = await withPage([SAMPLE]);
  await waitFor(() => openedNames(client).length > 0, 'the log');
  expect(openedNames(client)).toEqual(['shop.hpl.gz']);
});

test('of a desktop that passes addresses are open, and an address that is none does not end the start', async () => {
  const { client } = await withPage([`file://${SAMPLE}`, 'file://host/far.hpl', 'file:///%zz.hpl']);
  await waitFor(() => openedNames(client).length === 3, 'three logs');
  expect(openedNames(client)).toEqual(['shop.hpl.gz', 'far.hpl', '%zz.hpl']);
});

test('D15: that macOS names before all is ready are opened after, in the order named', async () => {
  const names = Array.from({ length: 16 }, (_, at) => `${at}.hpl`);
  const electron = startDesktop();
  for (const name of names) {
    const { event, isPrevented } = preventable();
    electron.app.emit('open-file', event, `/${name}`);
    expect(isPrevented()).toBe(true);
  }
  const { client } = await withPage([], electron);
  await waitFor(() => openedNames(client).length === names.length, 'all logs');
  expect(openedNames(client)).toEqual(names);
  electron.app.emit('open-file', { preventDefault: () => undefined }, '/late.hpl');
  await waitFor(() => openedNames(client).length === names.length + 1, 'the late log');
});

test('that come while the page is being greeted are not missed', async () => {
  const electron = startDesktop();
  await electron.becomeReady();
  const { transport } = loadPreload(electron.windows[0].webContents).bridge;
  const heard: string[] = [];
  transport.onMessage((message) => heard.push((JSON.parse(message as string) as { type: string }).type));
  await waitFor(() => heard.includes('hello'), 'the greeting');
  electron.app.emit('open-file', preventable().event, SAMPLE);
  await waitFor(() => electron.journal.includes(`addRecentDocument ${SAMPLE}`), 'the log to be open');
  transport.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL_VERSION }));
  await waitFor(() => heard.includes('status'), 'the log');
  expect(heard.filter((type) => type === 'opened')).toHaveLength(1);
});

test('D14: of a second instance come in, the window to the front', async () => {
  const { electron, client } = await withPage();
  electron.app.emit('second-instance', {}, ['x', 'ignored.hpl'], '/', {
    files: ['/missing 🔥.hpl', '/-b.hpl'],
  });
  await waitFor(() => openedNames(client).length === 2, 'the logs');
  expect(openedNames(client)).toEqual(['missing 🔥.hpl', '-b.hpl']);
  expect(electron.journal).toContain('focus');
});

test.each([
  ['nothing', undefined],
  ['another shape', { paths: ['/a'] }],
  ['a relative path', { files: ['a.hpl'] }],
  ['too many', { files: Array.from({ length: 1001 }, () => '/a.hpl') }],
  ['a path with NUL', { files: ['/a\0.hpl'] }],
])('of a second instance that passes %s are those of its arguments', async (_what, data) => {
  const { electron, client } = await withPage();
  electron.app.emit('second-instance', {}, ['x', '/checkout', '--flag', 'b.hpl'], '/folder', data);
  await waitFor(() => openedNames(client).length === 1, 'the log');
  expect(openedNames(client)).toEqual(['b.hpl']);
});

test('are dropped by their path, which only the preload script sees', async () => {
  const { preload, client } = await withPage();
  expect(preload.bridge.openDropped({ path: SAMPLE })).toBe(true);
  await waitFor(() => openedNames(client).length === 1, 'the log');
  expect(preload.bridge.openDropped({ path: '' })).toBe(false);
  expect(preload.bridge.openDropped({} as never)).toBe(false);
});

test('are chosen in the dialog, by the page or the menu, and stay among the recent ones', async () => {
  const { electron, client } = await withPage();
  const folder = temporaryFolder();
  const [one, two, three] = ['one.hpl', 'two.hpl', 'three.hpl'].map((name) => join(folder, name));
  for (const path of [one, two, three]) copyFileSync(SAMPLE, path);
  const recent = () =>
    electron
      .menuItem('File > Open Recent')
      .submenu!.map(({ label }) => label)
      .slice(0, -2);
  expect(recent()).toEqual([]);
  electron.answers.push({ filePaths: [one, two] }, { filePaths: [three] });
  client.send({ type: 'openDialog' });
  await waitFor(() => recent().length === 2, 'two logs');
  electron.choose('File > Open…');
  await waitFor(() => recent().length === 3, 'the third');
  expect(openedNames(client)).toEqual(['one.hpl', 'two.hpl', 'three.hpl']);
  expect(recent()[0]).toBe(`three.hpl — ${folder}`);
  expect(electron.journal).toContain(`addRecentDocument ${three}`);
  electron.choose('File > Open Recent > Clear Recent');
  expect(recent()).toEqual([]);
  expect(electron.journal).toContain('clearRecentDocuments');
  await waitFor(() => client.heard.at(-1) === 'recent: ', 'the empty list');
});

test('that were open at the end are opened at the next start by their names, also one that is gone, and then those of the command line', async () => {
  const userData = temporaryFolder();
  const names = ['a.hpl', 'b.hpl', 'c.hpl'];
  const paths = names.map((name) => join(temporaryFolder(), name));
  const targets = ['old.hpl', 'new.hpl'].map((name) => join(realpathSync(temporaryFolder()), name));
  for (const path of [...paths.slice(0, 2), ...targets]) copyFileSync(SAMPLE, path);
  symlinkSync(targets[0], paths[2]);
  const first = startDesktop([], { userData });
  const { client } = await withPage([], first);
  for (const path of paths) first.app.emit('open-file', preventable().event, path);
  await waitFor(() => openedNames(client).length === 3, 'all logs');
  const opened = client.messages.flatMap((each) => (each.type === 'opened' ? [each.log] : []));
  client.send({ type: 'close', log: opened.find(({ name }) => name === 'b.hpl')!.id });
  await waitFor(() => client.messages.some(({ type }) => type === 'closed'), 'the log to be closed');
  // The logs that close because the program ends are those of the next start.
  first.app.emit('will-quit');

  rmSync(paths[0]);
  rmSync(paths[2]);
  symlinkSync(targets[1], paths[2]);
  const second = startDesktop(['/given.hpl'], { userData });
  const next = await withPage([], second);
  await waitFor(() => openedNames(next.client).length >= 3, 'the logs again');
  expect(new Set(openedNames(next.client))).toEqual(new Set(['a.hpl', 'c.hpl', 'given.hpl']));
  // Only the file that was asked for is shown.
  const shown = next.client.messages.flatMap((each) =>
    each.type === 'opened' && each.show ? [each.log.name] : [],
  );
  expect(shown).toEqual(shown.length === 0 ? [] : ['given.hpl']);
  // A link is opened as what it points to now, and is the same tab for the page.
  const restored = next.client.messages.flatMap((each) =>
    each.type === 'hello' ? each.logs : each.type === 'opened' ? [each.log] : [],
  );
  const link = restored.find(({ name }) => name === 'c.hpl')!;
  expect(link.folder).toBe(opened.find(({ name }) => name === 'c.hpl')!.folder);
  next.preload.bridge.revealLog(link.id);
  await delivered();
  expect(second.journal.at(-1)).toBe(`showItemInFolder ${targets[1]}`);
});
