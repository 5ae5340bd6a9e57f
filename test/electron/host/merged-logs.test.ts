import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LogHost } from '../../../electron/host/host.ts';
import { readKeptMerges, restoreMerges, writeKeptMerges } from '../../../electron/desktop/kept-files.ts';
import { RecentFiles } from '../../../electron/host/recent-files.ts';
import { deltasOfWhole } from '../../../shared/delta/make-delta.ts';
import { exportTree } from '../../../shared/export/tree.ts';
import { collectText } from '../../../shared/export/text-sink.ts';
import type { MergedThreads } from '../../../shared/facts/choice.ts';
import { MergedProfile } from '../../../shared/merge/merged-profile.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import type { JvmId } from '../../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../../shared/protocol/messages.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { jvmOf } from '../../support/fake-jvm.ts';
import { frame, log, method, thread, trace } from '../../support/log-bytes.ts';
import { readInput } from '../../support/read-input.ts';
import { readLog } from '../../support/read-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connectedTo, type TestClient } from '../../support/test-client.ts';
import { onLinux } from '../../support/test-unless.ts';
import { waitFor } from '../../support/wait-for.ts';

const workerUrl = useLogWorker();

const main = (second: number): Uint8Array => trace(7, second, frame(0x10, 3, 12));
const begin = log(thread(7, 'main'), main(1), method(0x10, 'Shop.java', 'LShop;', 'main'));

/** Two logs of one name, opened and merged. */
async function mergedHost(): Promise<{
  readonly host: LogHost;
  readonly client: TestClient;
  readonly files: readonly string[];
  readonly parts: readonly LogId[];
  readonly merged: LogId;
}> {
  const folder = temporaryFolder();
  const host = new LogHost({
    version: '1.2.3',
    capabilities: { openDialog: false, openDropped: false },
    workerUrl: workerUrl(),
    sampleFolder: undefined,
    recentFiles: new RecentFiles(join(folder, 'settings')),
    jvms: { isAllowed: true, list: { read: () => [jvmOf()] } },
  });
  onTestFinished(() => host.stop());
  const files = ['node1', 'node2'].map((node) => {
    mkdirSync(join(folder, node));
    const file = join(folder, node, 'app.hpl');
    // Links are restored as links.
    if (node === 'node1') symlinkSync(join(folder, 'first.hpl'), file);
    writeFileSync(file, begin);
    return file;
  });
  const client = await connectedTo(host);
  const parts: LogId[] = [];
  for (const file of files) parts.push((await host.open(file, { show: true }))!);
  client.send({ type: 'merge', logs: parts, name: '', threads: 'groups' });
  await waitFor(() => host.logs().length === 3, 'the merged log');
  return { host, client, files, parts, merged: host.logs()[2].id };
}

const treeOf = (profile: LeanProfile): string =>
  collectText((sink) =>
    exportTree(profile, { grouping: { threads: 'name', frames: 'line' }, filter: KEEP_ALL }, sink),
  );

/** What two whole logs are together. */
function expected(contents: readonly Uint8Array[], threads: MergedThreads = 'groups'): string {
  const names = ['node1/app.hpl', 'node2/app.hpl'];
  const merged = new MergedProfile({ names, threads, samples: false });
  for (const [part, bytes] of contents.entries())
    for (const delta of deltasOfWhole(readLog(bytes).profile, undefined)) merged.apply(part, delta);
  return treeOf(merged.profile);
}

test('merged logs grow while one of them grows, also when their own tabs are closed, and begin anew with one of them', async () => {
  const { host, client, files, parts, merged } = await mergedHost();
  expect(host.logs()[2]).toEqual({
    id: merged,
    name: 'node1/app.hpl + node2/app.hpl',
    folder: 'node1/app.hpl, node2/app.hpl',
    parts,
    partNames: ['node1/app.hpl', 'node2/app.hpl'],
  });
  const copy = client.subscribe(merged);
  await waitFor(() => treeOf(copy.profile) === expected([begin, begin]), 'both logs');
  await waitFor(() => client.statuses.get(merged)?.samples === 2, 'the numbers of both');

  appendFileSync(files[1], main(2));
  await waitFor(() => treeOf(copy.profile) === expected([begin, log(begin, main(2))]), 'growth');
  expect(copy.snapshots).toBe(1);

  client.send({ type: 'close', log: parts[1] });
  await waitFor(() => client.heard.includes(`closed ${parts[1]}`), 'the tab to be closed');
  appendFileSync(files[1], main(3));
  const grown = log(begin, main(2), main(3));
  await waitFor(() => treeOf(copy.profile) === expected([begin, grown]), 'growth of a closed log');
  expect(host.logs().map(({ id }) => id)).toEqual([parts[0], merged]);
  expect(await host.open(files[1], { show: true })).toBe(parts[1]);

  writeFileSync(files[0], log(thread(8, 'other'), trace(8, 9, frame(0x10, 3, 12))));
  const other = log(thread(8, 'other'), trace(8, 9, frame(0x10, 3, 12)));
  await waitFor(() => treeOf(copy.profile) === expected([other, grown]), 'the new run');
  await waitFor(
    () => client.statuses.get(merged)?.restart?.log === 'node1/app.hpl',
    'the restart to be said',
  );

  client.send({ type: 'choose', log: merged, chosen: { threads: 'together' } });
  await waitFor(() => treeOf(copy.profile) === expected([other, grown], 'together'), 'threads together');
  expect(client.statuses.get(merged)?.choices[0].chosen).toBe('together');

  // As at the next start of the program, where one of the files has no tab.
  const stored = join(temporaryFolder(), 'merged-logs.json');
  writeKeptMerges(stored, host.mergedFiles());
  expect(readKeptMerges(stored)).toEqual([
    { name: 'node1/app.hpl + node2/app.hpl', threads: 'together', files },
  ]);
  client.send({ type: 'close', log: merged });
  await waitFor(() => client.heard.includes(`closed ${merged}`), 'the merged log to be closed');
  expect(host.logs().map(({ id }) => id)).toEqual(parts);
  host.close(parts[1]);
  await restoreMerges(readKeptMerges(stored), host);
  expect(host.logs().map(({ name }) => name)).toEqual(['app.hpl', 'node1/app.hpl + node2/app.hpl']);
  const again = client.subscribe(host.logs()[1].id);
  await waitFor(() => treeOf(again.profile) === expected([other, grown], 'together'), 'the restored logs');
});

test('a log that is missing is said, and what cannot be merged is refused', async () => {
  const { host, client, files, parts, merged } = await mergedHost();
  await waitFor(() => client.statuses.get(merged)?.samples === 2, 'both logs');
  rmSync(files[1]);
  await waitFor(
    () => client.statuses.get(merged)?.detail?.startsWith('node2/app.hpl, file gone: ') === true,
    'the missing log to be said',
  );
  const { tables, samples } = client.statuses.get(merged)!;
  expect(tables[0].rows.map(([name, state]) => [name, state])).toContainEqual(['node2/app.hpl', 'file gone']);
  expect(samples).toBe(2);

  client.send({ type: 'merge', logs: [parts[0], merged], name: '', threads: 'groups' });
  await waitFor(() => client.heard.some((text) => text.startsWith('problem')), 'the refusal');
  expect(host.logs()).toHaveLength(3);
});

test('merged logs are opened again for another sample type, and their own can be chosen in them', async () => {
  const { host, client } = await mergedHost();
  const shop = gunzipSync(readFileSync('test/golden/jfr/shop-jdk17.jfr.gz'));
  const folder = temporaryFolder();
  const parts: LogId[] = [];
  for (const name of ['a.jfr', 'b.jfr']) {
    writeFileSync(join(folder, name), shop);
    parts.push((await host.open(join(folder, name), { show: true }))!);
  }
  const merged = host.merge(parts, { show: true, name: 'both', threads: 'together' })!;
  for (const log of [...parts, merged]) client.subscribe(log);
  const [cpu, lock, alloc] = ['cpu', 'lock', 'alloc'].map(
    (type) => readInput(shop, { 'sample-type': type }).aggregator.sampleCount,
  );
  const shows = (log: LogId, type: string, samples: number): boolean => {
    const { choices = [], samples: shown } = client.statuses.get(log) ?? {};
    return shown === samples && choices.some(({ id, chosen }) => id === 'sample-type' && chosen === type);
  };
  await waitFor(() => shows(merged, 'cpu', 2 * cpu), 'the samples of both');
  // Their own tabs are not needed, and what it opens has none.
  host.close(parts[0]);
  client.send({ type: 'openAgain', log: merged, chosen: { 'sample-type': 'lock' } });
  await waitFor(() => host.logs().at(-1)?.sameAs === merged, 'the second');
  const again = host.logs().at(-1)!;
  expect(again).toMatchObject({ name: 'both', folder: 'a.jfr, b.jfr', partNames: ['a.jfr', 'b.jfr'] });
  const copy = client.subscribe(again.id);
  await waitFor(() => shows(again.id, 'lock', 2 * lock), 'the other type');
  expect(copy.profile.selfValues.length).toBeGreaterThan(0);
  expect(client.statuses.get(again.id)?.choices[0].chosen).toBe('together');
  expect(shows(merged, 'cpu', 2 * cpu)).toBe(true);
  expect(
    host
      .logs()
      .map(({ name }) => name)
      .slice(-3),
  ).toEqual(['b.jfr', 'both', 'both']);
  const kept = host.mergedFiles();
  expect(kept.map(({ name, isAgain }) => [name, isAgain])).toEqual([
    ['node1/app.hpl + node2/app.hpl', undefined],
    ['both', undefined],
    ['both', true],
  ]);

  client.send({ type: 'choose', log: merged, chosen: { 'sample-type': 'alloc' } });
  await waitFor(() => shows(merged, 'alloc', 2 * alloc), 'the type that was chosen');
  await waitFor(() => shows(parts[1], 'alloc', alloc), 'the same in its logs');
  client.send({ type: 'choose', log: parts[1], chosen: { 'sample-type': 'cpu' } });
  await waitFor(() => shows(merged, '', alloc + cpu), 'different types');

  // As at the next start of the program, where the window chooses the sample types again.
  const stored = join(temporaryFolder(), 'merged-logs.json');
  writeKeptMerges(stored, kept);
  expect(readKeptMerges(stored)).toEqual(kept);
  for (const { id } of host.logs()) host.close(id);
  await restoreMerges(readKeptMerges(stored), host);
  const restored = host.logs();
  expect(restored.map(({ name }) => name)).toEqual(kept.map(({ name }) => name));
  const [, first, second] = restored.map(({ id }) => id);
  for (const [log, type] of [
    [first, 'cpu'],
    [second, 'lock'],
  ] as const) {
    client.subscribe(log);
    client.send({ type: 'choose', log, chosen: { 'sample-type': type } });
  }
  await waitFor(() => shows(first, 'cpu', 2 * cpu), 'the first one');
  await waitFor(() => shows(second, 'lock', 2 * lock), 'the second one');
  expect(shows(first, 'cpu', 2 * cpu)).toBe(true);
});

onLinux(
  'a merged recording is told its end without its tab, which comes back when its JVM is attached again',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { host, client, parts } = await mergedHost();
    const folder = join(temporaryFolder(), 'recording.hpl');
    writeFileSync(folder, begin);
    let runs = true;
    const recorded = (await host.jvms!.recordings.open(jvmOf(), {
      folder,
      leftOut: undefined,
      isThere: () => Promise.resolve(runs),
      stop: () => Promise.resolve(),
      discard: () => undefined,
    }))!;
    const merged = host.merge([parts[0], recorded], { show: true, name: '', threads: 'groups' })!;
    const closed = (): number => client.heard.filter((text) => text === `closed ${recorded}`).length;
    client.send({ type: 'close', log: recorded });
    await waitFor(() => closed() === 1, 'the tab to be closed');

    client.send({ type: 'watchJvms', watch: true });
    const listed = (): JvmId | undefined =>
      client.messages.findLast((message) => message.type === 'jvms')?.jvms.at(0)?.id;
    await waitFor(() => listed() !== undefined, 'the list');
    client.send({ type: 'attachJvm', jvm: listed()!, always: false, settings: 'profile', types: ['cpu'] });
    await waitFor(() => host.logs().some(({ id }) => id === recorded), 'the tab');
    expect(client.heard.filter((text) => text.startsWith(`opened ${recorded} `))).toHaveLength(2);

    client.send({ type: 'close', log: recorded });
    await waitFor(() => closed() === 2, 'the tab to be closed again');
    runs = false;
    await vi.advanceTimersByTimeAsync(4_000);
    const states = (): readonly unknown[] | undefined =>
      client.statuses.get(merged)?.tables[0].rows.map(([, state]) => state);
    await waitFor(() => states()?.at(1) === 'ended', 'its end');
  },
);

test('a page merges logs so often, and is then told why not', async () => {
  const { host, client, parts } = await mergedHost();
  const isProblem = ({ type }: { readonly type: string }): boolean => type === 'problem';
  for (let at = 0; at < 20; at++)
    client.send({ type: 'merge', logs: [...parts], name: `m${at}`, threads: 'groups' });
  await waitFor(() => client.messages.filter(isProblem).length === 5, 'five refusals');
  expect(client.messages.find(isProblem)).toEqual({
    type: 'problem',
    text: '16 merged logs are open, and no more can be. Close one of them first.',
  });
  const merged = host.logs().filter((each) => each.parts !== undefined);
  expect(merged).toHaveLength(16);
  client.send({ type: 'close', log: merged[3].id });
  client.send({ type: 'merge', logs: [...parts], name: 'another', threads: 'groups' });
  await waitFor(() => host.logs().at(-1)?.name === 'another', 'room for another');
});
