import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { Host } from '../../../electron/host/host.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { jvmOf } from '../../support/fake-jvm.ts';
import { foldedStacks, sortedStacks } from '../../support/folded-stacks.ts';
import type { MirroredCopy } from '../../support/mirrored-copy.ts';
import { openFilesBelow } from '../../support/open-files.ts';
import { PlayedRecording } from '../../support/played-recording.ts';
import { readInput } from '../../support/read-input.ts';
import { recordingAt } from '../../support/recording-film.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connectedTo } from '../../support/test-client.ts';
import { onLinux } from '../../support/test-unless.ts';
import { waitFor } from '../../support/wait-for.ts';

const workerUrl = useLogWorker();

/** A worker that ends instead of posting its next message when there is a file of this name, which it removes. */
function mortalWorker(trigger: string): URL {
  const file = `${trigger}.worker.mjs`;
  writeFileSync(
    file,
    `import { existsSync, rmSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const post = parentPort.postMessage.bind(parentPort);
     parentPort.postMessage = (...content) => {
       if (!existsSync(${JSON.stringify(trigger)})) return post(...content);
       rmSync(${JSON.stringify(trigger)});
       process.exit(1);
     };
     await import(${JSON.stringify(workerUrl().href)});`,
  );
  return pathToFileURL(file);
}

function hostWith(url: URL): Host {
  const host = new Host({
    version: '1.2.3',
    capabilities: { openDialog: false, openDropped: false, jvms: 'allowed' },
    workerUrl: url,
    sampleFolder: undefined,
    recentFiles: {
      list: () => [],
      pathOf: () => undefined,
      add: () => undefined,
      remove: () => false,
      forget: () => undefined,
    },
    jvms: { isAllowed: true },
  });
  onTestFinished(() => host.stop());
  return host;
}

onLinux('a thread that crashes after the end of the JVM: what was read stays, and can be saved', async () => {
  const trigger = join(temporaryFolder(), 'crash');
  const host = hostWith(mortalWorker(trigger));
  const client = await connectedTo(host);

  const folder = join(temporaryFolder(), 'repository');
  mkdirSync(folder);
  const recording = new PlayedRecording(folder);
  recording.flushAll();
  const whole = recordingAt(recording.flushes);
  const samples = readInput(whole).aggregator.sampleCount;
  const fake = {
    folder,
    leftOut: [],
    isThere: () => Promise.resolve(true),
    stop: () => Promise.resolve(),
    discard: () => undefined,
  };
  // A JVM that has ended, as the next look finds out.
  const id = (await host.jvms!.recordings.open(jvmOf(1), fake))!;
  let copy = client.subscribe(id);
  const areThere = (): boolean =>
    copy.profile.selfValues.length > 0 && client.statuses.get(id)?.samples === samples;
  await waitFor(areThere, 'all samples');
  const inThread = recording.files.length;
  await waitFor(() => openFilesBelow(folder) === 2 * inThread, 'the files to be held');
  rmSync(folder, { recursive: true });
  const hasEnded = (): boolean =>
    client.statuses.get(id)?.detail === 'The JVM has ended. What was read stays.';
  await waitFor(hasEnded, 'the end');

  for (let crash = 0; crash < 2; crash++) {
    writeFileSync(trigger, '');
    client.subscribe(id);
    await waitFor(() => !existsSync(trigger), 'the crash');
    copy = client.subscribe(id);
    await waitFor(() => areThere() && hasEnded(), 'all samples again');
    await waitFor(() => openFilesBelow(folder) === 2 * inThread, 'the files to be held again');
  }
  client.send({ type: 'saveRecording', log: id });
  const download = (): string | undefined =>
    client.messages.flatMap((message) => (message.type === 'download' ? [message.id] : [])).at(0);
  await waitFor(() => download() !== undefined, 'the saved recording');
  const { path, remove } = host.downloads.take(download()!)!;
  expect(readFileSync(path).equals(whole)).toBe(true);
  remove();
  expect(client.messages.filter(({ type }) => type === 'problem')).toEqual([]);
  client.send({ type: 'close', log: id });
  await waitFor(() => openFilesBelow(folder) === 0, 'the files to be closed');
});

onLinux(
  'a recording is read by two sample types at once, while it grows and when its files are removed',
  async () => {
    const host = hostWith(workerUrl());
    const client = await connectedTo(host);
    const folder = join(temporaryFolder(), 'repository');
    mkdirSync(folder);
    const recording = new PlayedRecording(folder);
    while (recording.files.length < 2) recording.flush();
    // One flush is left for when both are open, and one for when only the second is.
    expect(recording.flushes.length - recording.played.length).toBeGreaterThan(1);
    let [stops, discards] = [0, 0];
    const fake = {
      folder,
      leftOut: [],
      isThere: () => Promise.resolve(true),
      stop: () => Promise.resolve(void stops++),
      discard: () => void discards++,
    };
    const id = (await host.jvms!.recordings.open(jvmOf(), fake))!;
    const stacksOf = (profile: LeanProfile): string => sortedStacks(foldedStacks(profile)).join('\n');
    /** Resolves when these copies have all that was flushed, of these sample types. */
    const shown = async (...copies: (readonly [MirroredCopy, string])[]): Promise<void> => {
      for (const [each, type] of copies) {
        const read = readInput(recordingAt(recording.played), { 'sample-type': type }).aggregator;
        const all = stacksOf(read.profile);
        expect(read.sampleCount).toBeGreaterThan(0);
        await waitFor(() => stacksOf(each.profile) === all, `all samples of ${type}`);
      }
    };
    const copy = client.subscribe(id);
    await shown([copy, 'cpu']);
    await waitFor(() => openFilesBelow(folder) === 2 * recording.files.length, 'the files to be held');
    // A JVM removes its oldest chunks.
    rmSync(recording.files[0]);
    client.send({ type: 'openAgain', log: id, chosen: { 'sample-type': 'sleep' } });
    await waitFor(() => host.logs().length === 2, 'the second log');
    const [first, second] = host.logs();
    expect(second).toEqual({ ...first, id: second.id, sameAs: id });
    const other = client.subscribe(second.id);
    await shown([other, 'sleep']);
    recording.flush();
    await shown([copy, 'cpu'], [other, 'sleep']);

    client.send({ type: 'close', log: id });
    await waitFor(() => client.heard.includes(`closed ${id}`), 'the first to be closed');
    recording.flushAll();
    await shown([other, 'sleep']);
    expect(stops).toBe(0);
    client.send({ type: 'close', log: second.id });
    await waitFor(() => openFilesBelow(folder) === 0 && stops === 1 && discards === 1, 'its end');
  },
);
