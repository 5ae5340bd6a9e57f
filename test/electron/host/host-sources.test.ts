import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { Host } from '../../../electron/host/host.ts';
import { HostSources, type SourceDialogs, SourceSettingsFile } from '../../../electron/host/host-sources.ts';
import { RecentFiles } from '../../../electron/host/recent-files.ts';
import { type SourceClientMessage, validateClientMessage } from '../../../shared/protocol/client-messages.ts';
import type { SourceAnswer, SourceRootId, SourceSettings } from '../../../shared/protocol/source-messages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connectedTo, type TestClient } from '../../support/test-client.ts';
import { testSeed } from '../../support/test-seed.ts';
import { waitFor } from '../../support/wait-for.ts';

const { seed, randomFor } = testSeed('host sources');
const CODE = { id: 'code', name: 'Code', command: '/bin/code -g {file}:{line}' };

/** A project, a jar beside it, and secrets around them. */
function project(): { readonly folder: string; readonly root: string; readonly jar: string } {
  const folder = temporaryFolder();
  const root = join(folder, 'project');
  mkdirSync(join(root, 'com/acme'), { recursive: true });
  writeFileSync(join(root, 'com/acme/Shop.java'), 'class Shop {}');
  writeFileSync(join(folder, 'Secret.java'), 'SECRET');
  writeFileSync(join(folder, 'passwd'), 'SECRET');
  symlinkSync(join(folder, 'Secret.java'), join(root, 'com/acme/Link.java'));
  const jar = join(folder, 'lib-sources.jar');
  writeFileSync(
    jar,
    zipSync({ 'lib/Lib.java': strToU8('class Lib {}'), '../Evil.java': strToU8('in the jar') }),
  );
  return { folder, root, jar };
}

interface Started {
  readonly client: TestClient;
  readonly settingsFolder: string;
  readonly started: (readonly string[])[];
  readonly settings: () => SourceSettings | undefined;
}

async function start(
  roots: readonly string[],
  dialogs?: SourceDialogs,
  settingsFolder = temporaryFolder(),
): Promise<Started> {
  const started: (readonly string[])[] = [];
  const sources = new HostSources({
    settings: new SourceSettingsFile(settingsFolder),
    roots,
    findJdks: () => Promise.resolve([]),
    findEditors: () => Promise.resolve([CODE]),
    ...(dialogs === undefined ? {} : { dialogs }),
    startProgram: (program, args) => {
      started.push([program, ...args]);
      return Promise.resolve();
    },
  });
  const host = new Host({
    version: '1',
    capabilities: { openDialog: false, openDropped: false },
    workerUrl: new URL('file:///nowhere'),
    sampleFolder: undefined,
    recentFiles: new RecentFiles(settingsFolder),
    sources,
  });
  onTestFinished(() => host.stop());
  const client = await connectedTo(host);
  const settings = (): SourceSettings | undefined =>
    client.messages.findLast((message) => message.type === 'sources')?.settings;
  await waitFor(() => settings() !== undefined, 'the settings');
  return { client, settingsFolder, started, settings };
}

let requests = 0;

async function ask(client: TestClient, className: string, file: string): Promise<SourceAnswer> {
  const request = ++requests;
  client.send({ type: 'findSource', request, className, file });
  const found = (): SourceAnswer | undefined =>
    client.messages.flatMap((message) =>
      message.type === 'source' && message.request === request ? [message.answer] : [],
    )[0];
  await waitFor(() => found() !== undefined, `the answer for ${className}`);
  return found()!;
}

const problemsOf = ({ messages }: TestClient): string[] =>
  messages.flatMap((message) => (message.type === 'problem' ? [message.text] : []));

test('a class is found in a folder and in an archive of the command line', async () => {
  const { root, jar } = project();
  const { client, settings } = await start([root, jar]);
  expect(settings()).toMatchObject({
    roots: [
      { path: root, kind: 'folder', isOfCommandLine: true },
      { path: jar, kind: 'archive', isOfCommandLine: true },
    ],
    editors: [CODE],
    editor: 'code',
    canChange: false,
  });
  expect(await ask(client, 'com.acme.Shop$1', 'Shop.java')).toEqual({
    kind: 'found',
    name: 'Shop.java',
    place: join(root, 'com/acme/Shop.java'),
    text: 'class Shop {}',
    notes: [],
  });
  expect(await ask(client, 'lib.Lib', 'Lib.java')).toMatchObject({
    text: 'class Lib {}',
    place: `${jar}!/lib/Lib.java`,
  });
  expect(await ask(client, 'com.acme.None', 'None.java')).toEqual({
    kind: 'missing',
    fileNames: ['None.java'],
    problems: [],
  });
});

test('5,000 hostile names: no answer has anything from outside of the roots', async () => {
  const { folder, root, jar } = project();
  const { client } = await start([root, jar]);
  const parts = [
    '..',
    '.',
    '/',
    '\\',
    '//',
    'Secret',
    'Evil',
    'Link',
    'com',
    'acme',
    'project',
    'passwd',
    '.java',
    'com.acme.',
    '../',
    '..\\',
    '%2e%2e/',
    '\0',
    '$',
    folder,
    `${folder}/Secret`,
    'file://',
    '\u202e',
  ];
  let asked = 0;
  const first = client.messages.length;
  for (let scenario = 0; scenario < 5_000; scenario++) {
    const random = randomFor(scenario);
    const text = (most: number): string =>
      Array.from({ length: random.below(most) }, () => random.pick(parts)).join('');
    const className = text(6);
    const message = { type: 'findSource', request: scenario, className, file: random.pick(['', text(4)]) };
    if ('refusal' in validateClientMessage(JSON.stringify(message))) continue;
    asked++;
    client.send(message as SourceClientMessage);
  }
  const answers = (): number => client.messages.slice(first).filter(({ type }) => type === 'source').length;
  await waitFor(() => answers() === asked, 'all answers');
  expect(asked).toBeGreaterThan(2_000);
  const leaks = client.messages.filter((message) => JSON.stringify(message).includes('SECRET'));
  expect(leaks.slice(0, 3), `SEED=${seed}`).toEqual([]);
  expect(problemsOf(client)).toEqual([]);
});

test('without dialogs nothing can be added, and no command set', async () => {
  const { root } = project();
  const { client, settingsFolder, settings } = await start([root]);
  client.send({ type: 'addSource', kind: 'folder' });
  client.send({ type: 'setEditor', command: 'sh -c {file}' });
  client.send({ type: 'chooseEditor', editor: 'custom' });
  await waitFor(() => problemsOf(client).length === 3, 'three refusals');
  expect(problemsOf(client)).toEqual([
    'Sources are added with the option --source here.',
    'The editor is set with the option --editor here.',
    'There is no such editor.',
  ]);
  expect(settings()?.roots).toHaveLength(1);
  expect(existsSync(join(settingsFolder, 'sources.json'))).toBe(false);
  expect(await ask(client, 'Secret', 'Secret.java')).toMatchObject({ kind: 'missing' });
});

test('folders that the user chose are kept, and removed by their ids', async () => {
  const { root, jar } = project();
  const dialogs: SourceDialogs = {
    choose: (kind) => Promise.resolve(kind === 'folder' ? [root] : [jar]),
    confirmEditor: () => Promise.resolve(true),
  };
  const first = await start([], dialogs);
  first.client.send({ type: 'addSource', kind: 'folder' });
  await waitFor(() => first.settings()?.roots.length === 1, 'the folder');
  first.client.send({ type: 'addSource', kind: 'archive' });
  await waitFor(() => first.settings()?.roots.length === 2, 'the archive');
  expect(await ask(first.client, 'lib.Lib', '')).toMatchObject({ text: 'class Lib {}' });

  const second = await start([], dialogs, first.settingsFolder);
  expect(second.settings()?.roots.map(({ path }) => path)).toEqual([root, jar]);
  second.client.send({ type: 'removeSource', root: 'none' as SourceRootId });
  second.client.send({ type: 'removeSource', root: second.settings()!.roots[0].id });
  await waitFor(() => second.settings()?.roots.length === 1, 'one root');
  expect(await ask(second.client, 'com.acme.Shop', '')).toMatchObject({ kind: 'missing' });
  expect(readFileSync(join(first.settingsFolder, 'sources.json'), 'utf8')).not.toContain(root);
});

test('the editor opens a file that is found by its class, at a line, without a shell', async () => {
  const { root, jar } = project();
  const { client, started } = await start([root, jar]);
  client.send({ type: 'editSource', className: 'com.acme.Shop', file: 'Shop.java', line: 12 });
  await waitFor(() => started.length === 1, 'the editor');
  expect(started[0]).toEqual(['/bin/code', '-g', `${join(root, 'com/acme/Shop.java')}:12`]);
  client.send({ type: 'editSource', className: 'com.acme.Link', file: 'Link.java', line: 1 });
  await waitFor(() => problemsOf(client).length === 1, 'a refusal');
  expect(problemsOf(client)).toEqual(['The source file is not there any more.']);
  expect(started).toHaveLength(1);
});

test("a command of the user's own is used when the dialog is confirmed, and only if it can be run", async () => {
  const { root } = project();
  const asked: string[] = [];
  let answer = false;
  const { client, settings, started } = await start([root], {
    choose: () => Promise.resolve([]),
    confirmEditor: (command) => {
      asked.push(command);
      return Promise.resolve(answer);
    },
  });
  client.send({ type: 'setEditor', command: 'mine' });
  await waitFor(() => problemsOf(client).length === 1, 'a refusal');
  client.send({ type: 'setEditor', command: 'mine {file}' });
  await waitFor(() => asked.length === 1, 'the question');
  expect(settings()?.editor).toBe('code');
  answer = true;
  client.send({ type: 'setEditor', command: 'mine {file}' });
  await waitFor(() => settings()?.editor === 'custom', 'the command');
  client.send({ type: 'editSource', className: 'com.acme.Shop', file: '', line: 0 });
  await waitFor(() => started.length === 1, 'the editor');
  expect(started[0]).toEqual(['mine', join(root, 'com/acme/Shop.java')]);
});
