import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { loadPreload } from '../../support/fake-electron/load-preload.ts';
import { startDesktop } from '../../support/fake-electron/start-desktop.ts';
import { openedNames, withPage } from '../../support/fake-electron/with-page.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { TestClient } from '../../support/test-client.ts';
import { waitFor } from '../../support/wait-for.ts';

useBuiltProgram();

const FILES = ['desktop.json', 'window.json', 'open-files.json'];

test('D13: damaged settings are set aside, whatever is stored from then on', async () => {
  const userData = temporaryFolder();
  for (const [at, name] of FILES.entries()) writeFileSync(join(userData, name), ['{', '[]', ''][at]);
  const { client, window, electron } = await withPage(['/a.hpl'], startDesktop(['/a.hpl'], { userData }));
  await waitFor(() => openedNames(client).length === 1, 'the log');
  electron.choose('View > Notify When a Log Restarts or Ends');
  window.close();
  const stored = (name: string) => readFileSync(join(userData, name), 'utf8');
  expect(FILES.map((name) => stored(`${name}.broken`))).toEqual(['{', '[]', '']);
  expect(FILES.map((name) => typeof JSON.parse(stored(name)))).toEqual(FILES.map(() => 'object'));
});

test('D12: that settings cannot be written is told once, in the window and in the log', async () => {
  const userData = temporaryFolder();
  // Folders in place of the files, which cannot be set aside.
  for (const name of [...FILES, 'recent-files.json', 'sources.json'])
    for (const place of [name, `${name}.broken`])
      mkdirSync(join(userData, place, 'below'), { recursive: true });
  const electron = startDesktop([inCheckout('assets/shop.hpl.gz')], { userData });
  const { client, window } = await withPage([], electron);
  await waitFor(() => openedNames(client).length === 1, 'the log');
  electron.choose('View > Notify When a Log Restarts or Ends');
  client.send({ type: 'forgetRecent' });
  await waitFor(() => client.heard.includes('recent: '), 'the list to be forgotten');
  const problems = client.messages.flatMap((each) => (each.type === 'problem' ? [each.text] : []));
  expect(problems).toEqual([
    expect.stringMatching(/\.json cannot be written: settings, recent files and open logs are forgotten/u),
  ]);
  electron.choose('File > New Window');
  const second = new TestClient(loadPreload(electron.windows[1].webContents).transport());
  await waitFor(() => second.messages.length > 0, 'the greeting');
  window.close();
  expect(second.messages.filter(({ type }) => type === 'problem')).toEqual([]);
  const log = readFileSync(join(userData, 'logs/leanscope.log'), 'utf8');
  expect(log.match(/cannot be written/gu)).toHaveLength(1);
});
