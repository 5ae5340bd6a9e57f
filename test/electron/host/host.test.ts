import { formatGroups } from '../../../shared/formats/formats.ts';
import { KeptFiles, writeKeptFiles } from '../../../electron/desktop/kept-files.ts';
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { Host } from '../../../electron/host/host.ts';
import type { ClientDialogs, HostOptions } from '../../../electron/host/host-options.ts';
import { RealPaths, resolveInSystem } from '../../../electron/source/real-paths.ts';
import { RecentFiles } from '../../../electron/host/recent-files.ts';
import type { FileId, LogId } from '../../../shared/protocol/messages.ts';
import { batchLean } from '../../support/batch-lean.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { countingWorker } from '../../support/counting-worker.ts';
import { frame, log, method, thread, trace } from '../../support/log-bytes.ts';
import { logOf } from '../../support/log-writer/write-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connectedTo, type TestClient } from '../../support/test-client.ts';
import { waitFor } from '../../support/wait-for.ts';

const shop = log(
  thread(7, 'main'),
  trace(7, 1, frame(0x10, 3, 12), method(0x10, 'Shop.java', 'LShop;', 'main')),
  trace(7, 2, frame(0x20, 5, 20), method(0x20, 'Shop.java', 'LShop;', 'draw'), frame(0x10, 3, 12)),
);
const more = (second: number) => trace(7, second, frame(0x20, 5, 20 + second), frame(0x10, 3, 12));

const workerUrl = useLogWorker();

function startHost(options: Partial<HostOptions> = {}): Host & { readonly folder: string } {
  const folder = temporaryFolder();
  const host = new Host({
    version: '1.2.3',
    capabilities: { openDialog: false, openDropped: false },
    workerUrl: workerUrl(),
    sampleFolder: undefined,
    recentFiles: new RecentFiles(join(folder, 'settings')),
    ...options,
  });
  onTestFinished(() => host.stop());
  return Object.assign(host, { folder });
}

function dialogsOf(openDialog: ClientDialogs['openDialog']): ClientDialogs {
  return { openDialog, chooseTarget: () => Promise.resolve(undefined), onSaved: () => undefined };
}

const problemOf = (client: TestClient): string | undefined =>
  client.heard.find((text) => text.startsWith('problem'));

test('a log is opened, followed and grows, through a real worker thread', async () => {
  const host = startHost();
  const file = join(host.folder, 'shop.hpl');
  writeFileSync(file, shop);
  const client = await connectedTo(host);
  const id = (await host.open(file, { show: true }))!;
  const copy = client.subscribe(id);
  await waitFor(() => ['live', 'idle'].includes(client.statuses.get(id)?.state ?? ''), 'the end of the log');
  expect(client.heard).toEqual(['hello', 'opened 0 shop.hpl to be shown', 'recent: shop.hpl']);

  const appended = [shop];
  for (let second = 3; second < 13; second++) {
    appended.push(more(second));
    const lean = batchLean(log(...appended));
    appendFileSync(file, more(second));
    await waitFor(() => copy.lean === lean, `second ${second} to arrive`);
  }
  expect(copy.snapshots).toBe(1);
});

test('who comes later is told what there is', async () => {
  const host = startHost();
  const file = join(host.folder, 'shop.hpl');
  writeFileSync(file, shop);
  const id = (await host.open(file, { show: true }))!;
  const first = await connectedTo(host);
  await waitFor(() => first.statuses.has(id), 'a status');
  expect(first.messages[0]).toEqual({
    type: 'hello',
    protocol: 11,
    version: '1.2.3',
    run: expect.any(String) as string,
    capabilities: { openDialog: false, openDropped: false },
    samples: [],
    formats: formatGroups(),
    logs: [{ id, name: 'shop.hpl', folder: host.folder }],
    recent: [{ id: expect.any(String) as string, name: 'shop.hpl', folder: host.folder }],
  });
  const copy = first.subscribe(id);
  await waitFor(() => copy.lean === batchLean(shop), 'the profile');
});

test('files of a drive that does not answer hold up no others', async () => {
  const answers: (() => void)[] = [];
  const realPaths = new RealPaths(
    (path) =>
      path.startsWith('/mnt/gone/')
        ? new Promise((done) => void answers.push(() => done(path)))
        : resolveInSystem(path),
    10,
  );
  const host = startHost({ realPaths });
  const file = join(host.folder, 'shop.hpl');
  writeFileSync(file, shop);
  const client = await connectedTo(host);
  const ids = [];
  for (const path of [1, 2, 3, 4, 5].map((at) => `/mnt/gone/${at}.hpl`).concat(file))
    ids.push(await host.open(path, { show: false }));
  expect(ids).toEqual([0, 1, 2, 3, 4, 5]);
  // Two threads of Node's four wait for the drive, and no more.
  expect(answers).toHaveLength(2);
  const copy = client.subscribe(ids[5]!);
  await waitFor(() => copy.lean === batchLean(shop), 'the file of the other drive');
  for (const answer of answers) answer();
  await new Promise((done) => setImmediate(done));
  void host.open('/mnt/gone/6.hpl', { show: false });
  expect(answers).toHaveLength(3);
  answers[2]();
});

test('B24: one file is one log, by whatever path and however often', async () => {
  const host = startHost();
  const file = join(host.folder, 'shop.hpl');
  writeFileSync(file, shop);
  symlinkSync(file, join(host.folder, 'link.hpl'));
  const client = await connectedTo(host);
  // It has the name by which it was found first.
  const first = await host.open(file, { show: false });
  const again = await Promise.all([
    host.open(join(host.folder, 'link.hpl'), { show: false }),
    host.open(join(host.folder, '.', 'x', '..', 'shop.hpl'), { show: true }),
  ]);
  expect([first, ...again]).toEqual([0, 0, 0]);
  await waitFor(() => client.heard.filter((text) => text.startsWith('opened')).length === 3, 'three answers');
  // Asked for at once, they are answered in whatever order the file system answers.
  expect(client.heard.filter((text) => text.startsWith('opened')).sort()).toEqual([
    'opened 0 shop.hpl',
    'opened 0 shop.hpl',
    'opened 0 shop.hpl to be shown',
  ]);
  host.close(first!);
  expect(host.logs()).toEqual([]);
  expect(await host.open(file, { show: true })).toBe(1);
});

test('a file is opened once more for another sample type of it, and again at the next start', async () => {
  const host = startHost();
  const file = join(host.folder, 'shop.jfr');
  writeFileSync(file, gunzipSync(readFileSync('test/golden/jfr/shop-jdk17.jfr.gz')));
  const client = await connectedTo(host);
  const id = (await host.open(file, { show: true }))!;
  client.subscribe(id);
  const typeOf = (log: LogId): unknown => {
    const choice = client.statuses.get(log)?.choices.find((each) => each.id === 'sample-type');
    return choice?.chosen;
  };
  await waitFor(() => typeOf(id) === 'cpu', 'its sample types');
  client.send({ type: 'openAgain', log: id, chosen: { 'sample-type': 'lock' } });
  await waitFor(() => host.logs().length === 2, 'the second log');
  const again = host.logs()[1].id;
  client.subscribe(again);
  await waitFor(() => typeOf(again) === 'lock', 'the sample type that was asked for');
  expect([typeOf(id), client.heard.at(-1)]).toEqual(['cpu', `opened ${again} shop.jfr to be shown`]);
  expect([host.paths(), host.logOf(again)?.path]).toEqual([[file, file], host.logOf(id)?.path]);

  const next = startHost();
  const stored = join(host.folder, 'open-files.json');
  writeKeptFiles(stored, host.paths());
  await new KeptFiles(stored).restore((path, isOther) => next.open(path, { show: false, again: isOther }));
  expect([next.logs().length, next.paths()]).toEqual([2, [file, file]]);
});

test('a file is opened so often, and a page is then told why not', async () => {
  const host = startHost();
  const file = join(host.folder, 'a.hpl');
  writeFileSync(file, log(thread(7, 'main')));
  const client = await connectedTo(host);
  const id = (await host.open(file, { show: true }))!;
  for (let at = 0; at < 20; at++) client.send({ type: 'openAgain', log: id, chosen: {} });
  const problems = (): readonly string[] =>
    client.messages.flatMap((message) => (message.type === 'problem' ? [message.text] : []));
  await waitFor(() => problems().length === 5, 'five refusals');
  expect(problems()[0]).toBe('This file is open in 16 tabs, and cannot be in more. Close one of them first.');
  expect(host.logs()).toHaveLength(16);
  for (const each of host.logs().slice(1, 16)) host.close(each.id);
  client.send({ type: 'openAgain', log: id, chosen: {} });
  await waitFor(() => host.logs().length === 2, 'the second tab');
});

test.each([0.01, 0.5, 0.99])(
  'B25: a log that is closed at %d of its file is read no further',
  async (share) => {
    const threads = new Set<Worker>();
    const count = (thread: Worker): void => {
      threads.add(thread);
      thread.once('exit', () => threads.delete(thread));
    };
    process.on('worker', count);
    onTestFinished(() => void process.off('worker', count));
    const host = startHost();
    const file = join(host.folder, 'large.hpl');
    writeFileSync(file, logOf('skewed', 30_000_000));
    const client = await connectedTo(host);
    const id = (await host.open(file, { show: false }))!;
    client.subscribe(id);
    await waitFor(() => {
      const status = client.statuses.get(id);
      return status !== undefined && status.readBytes >= share * status.fileBytes && status.fileBytes > 0;
    }, 'that much to be read');
    const reading = [...threads];
    host.close(id);
    // A spare thread is started for the next log.
    await waitFor(() => reading.every((thread) => !threads.has(thread)), 'its thread to end');
    expect(host.logs()).toEqual([]);
    const statuses = client.messages.length;
    expect(await host.open(file, { show: false })).toBe(1);
    await waitFor(() => client.messages.length > statuses, 'the file to be opened again');
  },
);

test('a file that ends with the program is not among the recent ones', async () => {
  const host = startHost();
  const [kept, passing] = ['kept.hpl', 'passing.hpl'].map((name) => join(host.folder, name));
  for (const file of [kept, passing]) writeFileSync(file, shop);
  const client = await connectedTo(host);
  await host.open(passing, { show: true, remember: false });
  await host.open(kept, { show: false });
  expect(client.heard).toEqual([
    'hello',
    'opened 0 passing.hpl to be shown',
    'opened 1 kept.hpl',
    'recent: kept.hpl',
  ]);
});

test('a file that is no profile is not among the recent ones', async () => {
  const host = startHost();
  const [diary, log] = ['diary.txt', 'kept.hpl'].map((name) => join(host.folder, name));
  writeFileSync(log, shop);
  writeFileSync(diary, 'Dear diary,\n'.repeat(10));
  const client = await connectedTo(host);
  await host.open(log, { show: true });
  await host.open(diary, { show: true });
  const heard = (): readonly string[] => client.heard.filter((text) => text.startsWith('recent'));
  await waitFor(() => heard().length === 3, 'the list without the diary');
  expect(heard()).toEqual(['recent: kept.hpl', expect.stringContaining('diary.txt'), 'recent: kept.hpl']);
});

test('the sample, the recent files, and what this host cannot do', async () => {
  const folder = temporaryFolder();
  const sampleFolder = join(folder, 'assets');
  mkdirSync(sampleFolder);
  writeFileSync(join(sampleFolder, 'shop.hpl.gz'), gzipSync(shop));
  const file = join(folder, 'shop.hpl');
  writeFileSync(file, shop);
  const host = startHost({ sampleFolder });
  await host.open(file, { show: true });
  host.close(0 as LogId);
  const client = await connectedTo(host);
  const [hello] = client.messages;
  if (hello.type !== 'hello') throw new Error('the first message is the greeting');
  expect(hello.samples).toEqual(['honest-profiler', 'jfr']);

  client.send({ type: 'openRecent', file: hello.recent[0].id });
  client.send({ type: 'openRecent', file: 'unknown' as FileId });
  client.send({ type: 'openDialog' });
  await waitFor(() => client.heard.includes('opened 1 shop.hpl to be shown'), 'the recent file');
  client.send({ type: 'openSample', sample: 'honest-profiler' });
  await waitFor(() => client.heard.includes('opened 2 shop.hpl to be shown'), 'the sample');
  client.send({ type: 'forgetRecent' });
  await waitFor(() => client.heard.includes('recent: '), 'the empty list');
  expect(client.heard.filter((text) => text.startsWith('problem'))).toEqual([
    'problem: This file is no longer in the list of recent files. Open it again.',
    'problem: There is no file dialog here. Drop a file onto the window.',
  ]);
  const copy = client.subscribe(2 as LogId);
  await waitFor(() => client.statuses.get(2 as LogId)?.state === 'idle', 'the sample to be read');
  await waitFor(() => copy.lean === batchLean(shop), 'the profile of the sample');
  client.send({ type: 'close', log: 2 as LogId });
  await waitFor(() => client.heard.includes('closed 2'), 'the log to be closed');
});

test('the file dialog of a host that has one', async () => {
  const folder = temporaryFolder();
  const paths = ['a.hpl', 'b.hpl'].map((name) => join(folder, name));
  for (const path of paths) writeFileSync(path, shop);
  const host = startHost();
  const client = await connectedTo(host, { dialogs: dialogsOf(() => Promise.resolve(paths)) });
  client.send({ type: 'openDialog' });
  await waitFor(() => client.heard.includes('opened 1 b.hpl to be shown'), 'both files');
  expect(client.heard).toContain('opened 0 a.hpl to be shown');
  const other = await connectedTo(host, {
    dialogs: dialogsOf(() => Promise.reject(new Error('no display'))),
  });
  other.send({ type: 'openDialog' });
  await waitFor(() => problemOf(other) !== undefined, 'a problem');
  expect(problemOf(other)).toBe('problem: The file was not opened: no display');
});

test('another version of the protocol is told so and disconnected', async () => {
  const client = await connectedTo(startHost(), { protocol: 1 });
  await waitFor(() => client.transport.closedBecause !== undefined, 'the end');
  expect(client.heard).toEqual([
    'hello',
    'problem: The window uses protocol 1, this host 11. Reload the window; if that does not help, restart Leanscope.',
  ]);
});

test.each([
  ['{', 'a message that is not JSON'],
  ['null', 'a message that is not of the protocol'],
  ['[]', 'a message that is not of the protocol'],
  ['"hello"', 'a message that is not of the protocol'],
  ['{"type":"open","path":"/etc/passwd"}', "a message that is not of the protocol at 'type'"],
  ['{"type":"subscribe"}', "a message that is not of the protocol at 'log'"],
  ['{"type":"subscribe","log":"0"}', "a message that is not of the protocol at 'log'"],
  ['{"type":"subscribe","log":-1}', "a message that is not of the protocol at 'log'"],
  ['{"type":"subscribe","log":0.5}', "a message that is not of the protocol at 'log'"],
  ['{"type":"subscribe","log":1e300}', "a message that is not of the protocol at 'log'"],
  ['{"type":"subscribe","log":0,"path":"x"}', 'a message that is not of the protocol'],
  ['{"type":"openRecent","file":"../../etc/passwd","x":1}', 'a message that is not of the protocol'],
  ['{"type":"subscribe","log":0,"__proto__":{"a":1}}', 'a message that is not of the protocol'],
  ['{"type":"hello","protocol":4}', 'sent hello twice'],
  [`{"type":"openRecent","file":"${'x'.repeat(5000)}"}`, 'a message of 5031 characters'],
  [new ArrayBuffer(16), 'a binary message'],
])('%s is refused, and its sender is disconnected', async (message, reason) => {
  const host = startHost();
  const client = await connectedTo(host);
  client.transport.send(message);
  await waitFor(() => client.transport.closedBecause !== undefined, 'the end');
  expect(problemOf(client)).toContain(reason);
  // The host lives, and so do the others.
  const other = await connectedTo(host);
  other.send({ type: 'forgetRecent' });
  await waitFor(() => other.heard.includes('recent: '), 'an answer');
});

test('messages about logs that are closed are nothing', async () => {
  const host = startHost();
  const client = await connectedTo(host);
  const log = 99 as LogId;
  client.send({ type: 'subscribe', log, samples: true });
  client.send({ type: 'close', log });
  client.send({ type: 'ack', log: 99 as LogId, epoch: 0 as never, revision: 0 as never });
  client.send({ type: 'forgetRecent' });
  await waitFor(() => client.heard.includes('recent: '), 'an answer');
  expect(client.transport.closedBecause).toBeUndefined();
});

test('H09 D01 D03: a client that is stalled does not hold up another, and little waits for it', async () => {
  const host = startHost();
  const file = join(host.folder, 'shop.hpl');
  writeFileSync(file, shop);
  const stalled = await connectedTo(host);
  const lively = await connectedTo(host);
  const id = (await host.open(file, { show: true }))!;
  const late = stalled.subscribe(id);
  const copy = lively.subscribe(id);
  await waitFor(() => late.lean === batchLean(shop) && copy.lean === late.lean, 'both to have the log');
  stalled.transport.isStalled = true;
  const appended = [shop];
  for (let second = 3; second < 20; second++) {
    appended.push(more(second));
    appendFileSync(file, more(second));
    const lean = batchLean(log(...appended));
    await waitFor(() => copy.lean === lean, `second ${second} to arrive`);
  }
  expect(late.lean).toBe(batchLean(shop));
  // One delta, and of each growth a status, and one before and after it where the log rested.
  const { queued, queuedBytes } = stalled.transport.peer;
  expect(queued.filter((message) => typeof message !== 'string')).toHaveLength(1);
  expect(queued.length).toBeLessThan(4 * appended.length);
  expect(queuedBytes).toBeLessThan(2_000 * queued.length);
  stalled.transport.resume();
  await waitFor(() => late.lean === copy.lean, 'the stalled client to catch up');
  expect(late.snapshots).toBe(1);
});

test('statuses wait while much is queued, and the latest is sent', async () => {
  const host = startHost();
  const file = join(host.folder, 'shop.hpl');
  writeFileSync(file, shop);
  const client = await connectedTo(host);
  const id = (await host.open(file, { show: true }))!;
  await waitFor(() => ['live', 'idle'].includes(client.statuses.get(id)?.state ?? ''), 'the end of the log');
  const hostEnd = client.transport.peer;
  client.transport.isStalled = true;
  hostEnd.send(JSON.stringify({ type: 'problem', text: 'x'.repeat(2 << 20) }));
  const other = await connectedTo(host);
  const queued = hostEnd.queuedBytes;
  appendFileSync(file, more(3));
  await waitFor(() => other.statuses.get(id)?.samples === 3, 'the other client to be told');
  expect(hostEnd.queuedBytes).toBe(queued);
  client.transport.resume();
  await waitFor(() => client.statuses.get(id)?.samples === 3, 'the latest status');
});

test('D04 D05: a worker that dies is started again; after four times the log says so, until the next subscriber', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'shop.hpl');
  writeFileSync(file, shop);
  const deaths = join(folder, 'deaths');
  const workerFile = join(folder, 'worker.mjs');
  // Dies four times when it is told what to read, and is the real worker at the next start.
  writeFileSync(
    workerFile,
    `import { appendFileSync, readFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     appendFileSync(${JSON.stringify(deaths)}, '.');
     if (readFileSync(${JSON.stringify(deaths)}).length > 4) await import(${JSON.stringify(workerUrl().href)});
     else parentPort.once('message', () => {
       throw new Error('boom');
     });`,
  );
  const host = startHost({ workerUrl: pathToFileURL(workerFile) });
  const client = await connectedTo(host);
  const id = (await host.open(file, { show: true }))!;
  await waitFor(() => client.statuses.get(id)?.state === 'failed', 'the failure to be told');
  expect(readFileSync(deaths, 'utf8')).toBe('....');
  expect(client.statuses.get(id)?.detail).toBe(
    'An internal error stopped reading this log (boom); close the log and open it again.',
  );
  const copy = client.subscribe(id);
  await waitFor(() => copy.lean === batchLean(shop), 'the profile');
  await waitFor(() => ['live', 'idle'].includes(client.statuses.get(id)?.state ?? ''), 'the end of the log');
});

test('D05: a log for which memory does not suffice is not read again and again', async () => {
  const folder = temporaryFolder();
  const starts = join(folder, 'starts');
  const workerFile = join(folder, 'worker.mjs');
  writeFileSync(
    workerFile,
    `import { appendFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     parentPort.once('message', () => {
       appendFileSync(${JSON.stringify(starts)}, '.');
       throw new RangeError('Array buffer allocation failed');
     });`,
  );
  const host = startHost({ workerUrl: pathToFileURL(workerFile) });
  const client = await connectedTo(host);
  const id = (await host.open(join(folder, 'shop.hpl'), { show: true }))!;
  await waitFor(() => client.statuses.get(id)?.state === 'failed', 'the failure to be told');
  expect(client.statuses.get(id)?.detail).toBe(
    'There is not enough memory for this log; close the log and open it again.',
  );
  expect(readFileSync(starts, 'utf8')).toBe('.');
});

test('the thread of a log is there before the log, and that of the next one after it', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'shop.hpl');
  writeFileSync(file, shop);
  const { starts, ...counting } = countingWorker(folder, workerUrl());
  const host = startHost(counting);
  expect(starts()).toBe(0);
  const client = await connectedTo(host);
  await waitFor(() => starts() === 1, 'a thread to start');
  const id = (await host.open(file, { show: true }))!;
  const copy = client.subscribe(id);
  await waitFor(() => copy.lean === batchLean(shop), 'the profile');
  expect(starts()).toBe(1);
  host.close(id);
  await waitFor(() => starts() === 2, 'a thread for the next log');
});

test('a path that leads to nothing or to no file is a log that says so', async () => {
  const host = startHost();
  mkdirSync(join(host.folder, 'sub'));
  const client = await connectedTo(host);
  const missing = (await host.open(join(host.folder, 'later.hpl'), { show: true }))!;
  const folder = (await host.open(join(host.folder, 'sub'), { show: true }))!;
  await waitFor(() => client.statuses.size === 2, 'both to be told');
  expect(client.statuses.get(missing)?.state).toBe('waiting');
  expect(client.statuses.get(folder)?.detail).toBe('This is a directory; name a file inside it.');
  writeFileSync(join(host.folder, 'later.hpl'), shop);
  await waitFor(() => client.statuses.get(missing)?.state === 'live', 'the file to be found');
});

test('D19: what is being opened while the host stops is not opened, and nobody remembers it', async () => {
  const recentFiles = new RecentFiles(temporaryFolder());
  const host = startHost({ recentFiles });
  const file = join(host.folder, 'shop.hpl');
  writeFileSync(file, shop);
  const opening = host.open(file, { show: true });
  await host.stop();
  expect([await opening, host.logs(), recentFiles.list()]).toEqual([undefined, [], []]);
});

test('a client that leaves is forgotten', async () => {
  const host = startHost();
  const file = join(host.folder, 'shop.hpl');
  writeFileSync(file, shop);
  const leaving = await connectedTo(host);
  const staying = await connectedTo(host);
  const id = (await host.open(file, { show: true }))!;
  leaving.subscribe(id);
  const copy = staying.subscribe(id);
  leaving.transport.close();
  appendFileSync(file, more(3));
  await waitFor(() => copy.lean === batchLean(log(shop, more(3))), 'the one that stays');
  await host.stop();
  await waitFor(() => staying.transport.closedBecause !== undefined, 'the end');
});
