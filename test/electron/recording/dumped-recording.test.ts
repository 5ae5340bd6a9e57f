import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, vi } from 'vitest';
import { recordFlight } from '../../../electron/cli/record-command.ts';
import { AttachedJvm } from '../../../electron/jvm/attach.ts';
import { ChunkSplitter, DumpedRecording } from '../../../electron/recording/dumped-recording.ts';
import {
  FlightRecorder,
  followRecording,
  recordingsOfOthers,
} from '../../../electron/recording/flight-recorder.ts';
import { processTimes } from '../../../electron/jvm/process-places.ts';
import { writeChunks } from '../../../electron/source/recording-chunks.ts';
import { listenAsJvm } from '../../support/fake-attach-socket.ts';
import { jvmOf } from '../../support/fake-jvm.ts';
import { listedJvm, recorderOf } from '../../support/listed-jvm.ts';
import { javaInRoot, NO_OTHER_ROOT } from '../../support/other-root.ts';
import { readInput } from '../../support/read-input.ts';
import { flushesOf, recordingAt } from '../../support/recording-film.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { NO_JVM, startJvm } from '../../support/test-jvm.ts';
import { onLinux, testUnless } from '../../support/test-unless.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Recordings of one, then two finished chunks, as dumps of JDK 11 have them. */
function dumpsOfFilm(): readonly Uint8Array[] {
  const flushes = flushesOf(new Uint8Array(gunzipSync(readFileSync('test/golden/jvm/jdk17.film.gz'))));
  const second = flushes.findIndex(({ isNewChunk }, at) => at > 0 && isNewChunk);
  return [recordingAt(flushes.slice(0, second)), recordingAt(flushes)];
}

/** Answers at the attach socket of a process, of this one if none is given, as a JVM of JDK 11 does. */
function fakeJvm(
  dumps: readonly (Uint8Array | 'a folder')[],
  pid = process.pid,
): { readonly commands: string[]; readonly end: () => void } {
  const commands: string[] = [];
  let name: string | undefined;
  let next = 0;
  const answer = (command: string): string => {
    const [verb] = command.split(' ');
    if (verb === 'JFR.check')
      return name === undefined
        ? 'No available recordings.\n'
        : `Recording 1: name=${name} maxsize=100.0MB (running)\n`;
    if (verb === 'JFR.stop') name = undefined;
    if (verb === 'JFR.start') {
      name = /name=(\S+)/.exec(command)?.[1];
      return 'Started recording 1.\n';
    }
    if (verb !== 'JFR.dump') return 'Stopped recording.\n';
    const path = /filename="([^"]+)"/.exec(command)![1];
    const dump = dumps[Math.min(next++, dumps.length - 1)];
    if (dump === 'a folder') mkdirSync(join(path, 'deep'), { recursive: true });
    else writeFileSync(path, dump);
    return `Dumped recording "${name}", 1.0 MB written to:\n\n${path}\n`;
  };
  const { end } = listenAsJvm((_, command) => {
    commands.push(command);
    return answer(command);
  }, pid);
  return { commands, end };
}

const samplesOf = (files: readonly Uint8Array[]): number =>
  files.reduce((sum, bytes) => sum + readInput(bytes).aggregator.sampleCount, 0);

const chunksIn = (folder: string): readonly Uint8Array[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jfr'))
    .sort()
    .map((name) => readFileSync(join(folder, name)));

onLinux('JDK 11: each dump brings its new chunks, once, and nothing stays behind', async () => {
  const dumps = dumpsOfFilm();
  const jvm = fakeJvm(dumps);
  const recording = await DumpedRecording.start(
    { ...jvmOf(), version: '11.0.2', can: ['jfr-dump'] },
    'profile',
    20,
  );
  expect(jvm.commands[1]).toMatch(
    /^JFR\.start name=leanscope-[\w-]+ settings=profile maxsize=100m path-to-gc-roots=false$/,
  );
  const dumped = (): number => jvm.commands.filter((command) => command.startsWith('JFR.dump')).length;
  await waitFor(() => dumped() > 3, 'four dumps');
  const chunks = chunksIn(recording.folder);
  expect(chunks).toHaveLength(2);
  expect(Buffer.concat(chunks).equals(dumps[1])).toBe(true);
  expect(samplesOf(chunks)).toBe(samplesOf([dumps[1]]));
  expect(await recording.isThere()).toBe(true);
  const target = /filename="([^"]+)"/.exec(
    jvm.commands.find((command) => command.startsWith('JFR.dump'))!,
  )![1];
  await recording.stop();
  expect(jvm.commands.at(-1)).toMatch(/^JFR\.stop name=leanscope-/);
  expect(await recording.isThere()).toBe(false);
  expect(existsSync(join(target, '..'))).toBe(false);
  // What was read can be read again until its log is closed.
  expect(chunksIn(recording.folder)).toHaveLength(2);
  recording.discard();
  expect(existsSync(recording.folder)).toBe(false);
});

onLinux('a JVM that does not answer any more: what there is stays, and stopping ends', async () => {
  const [dump] = dumpsOfFilm();
  const jvm = fakeJvm([dump]);
  const recording = await DumpedRecording.start({ ...jvmOf(), version: '1.8.0_292' }, 'default', 20);
  await waitFor(() => chunksIn(recording.folder).length === 1, 'a chunk');
  jvm.end();
  await recording.stop();
  expect(samplesOf(chunksIn(recording.folder))).toBe(samplesOf([dump]));
  recording.discard();
});

onLinux('a JVM that has ended: its dumps are removed, although its /proc is gone', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  const pid = child.pid!;
  const jvm = fakeJvm(dumpsOfFilm(), pid);
  const { startTicks } = processTimes(pid)!;
  const recording = await DumpedRecording.start({ ...jvmOf(startTicks), pid, ownPid: pid }, 'profile', 20);
  await waitFor(() => chunksIn(recording.folder).length > 0, 'a chunk');
  const dump = jvm.commands.find((command) => command.startsWith('JFR.dump'))!;
  const folder = dirname(/filename="([^"]+)"/.exec(dump)![1]);
  expect(existsSync(folder)).toBe(true);
  child.kill();
  await once(child, 'exit');
  jvm.end();
  await recording.stop();
  expect(existsSync(folder)).toBe(false);
  recording.discard();
});

onLinux(
  'a start that is not answered in time: the recording is stopped, as the JVM may have made it',
  async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = temporaryFolder();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const commands: string[] = [];
    listenAsJvm((_, command) => {
      commands.push(command);
      if (!command.startsWith('JFR.start')) return '';
      setImmediate(() => vi.advanceTimersByTime(120_000));
      return undefined;
    });
    const starting = DumpedRecording.start({ ...jvmOf(), version: '11.0.2' }, 'profile');
    await expect(starting).rejects.toThrow('has not finished its answer in time');
    const [, start, stop] = commands;
    expect(stop).toBe(`JFR.stop name=${/name=(\S+)/.exec(start)?.[1]}`);
    expect(readdirSync(folder)).toEqual([]);
  },
);

onLinux(
  'a recording of somebody else is not offered where JFR does not flush, and nothing is asked for it',
  async () => {
    const { commands } = fakeJvm([]);
    const jvm = { ...jvmOf(), version: '11.0.2', can: ['jfr-dump', 'dumps'] as const };
    const settings = { settings: 'default', flushes: false, maxMegabytes: 1 } as const;
    const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
    await recorder.start('theirs', settings);
    expect(await recorder.list()).toMatchObject([{ name: 'theirs' }]);
    commands.length = 0;
    expect(await recordingsOfOthers(jvm)).toEqual([]);
    await expect(followRecording(jvm, 1)).rejects.toThrow(
      'its JFR does not flush: only a recording that Leanscope starts can be shown',
    );
    expect(commands).toEqual([]);
  },
);

onLinux('a JVM that makes a folder of a dump: it is removed, and the next dump is read', async () => {
  const [one, two] = dumpsOfFilm();
  fakeJvm(['a folder', one, 'a folder', two]);
  const recording = await DumpedRecording.start({ ...jvmOf(), version: '11.0.2' }, 'profile', 20);
  await waitFor(() => chunksIn(recording.folder).length === 2, 'the chunks');
  await recording.stop();
  recording.discard();
});

testUnless(NO_OTHER_ROOT)('a container whose /tmp cannot be written: no folder stays behind', async () => {
  const folder = temporaryFolder();
  // Its root has no /tmp at all, so that its socket is looked for in that of this process.
  const pid = await javaInRoot(temporaryFolder());
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const jvm = fakeJvm([], pid);
  const { startTicks } = processTimes(pid)!;
  const starting = DumpedRecording.start({ ...jvmOf(startTicks), pid, ownPid: pid }, 'profile', 20);
  await expect(starting).rejects.toThrow(/^ENOENT: no such file or directory, mkdir /);
  expect(jvm.commands).toEqual(['JFR.check']);
  expect(readdirSync(folder)).toEqual([]);
});

onLinux('the oldest chunks are removed from the disk, and a dump that is too large is left out', () => {
  const [one, two] = dumpsOfFilm();
  const last = two.length - one.length;
  const dump = join(temporaryFolder(), 'dump.jfr');
  const kept = (keptBytes: number, dumpBytes = two.length): readonly number[] => {
    const folder = temporaryFolder();
    const splitter = new ChunkSplitter(folder, { keptBytes, dumpBytes });
    for (const each of [one, two, two]) {
      writeFileSync(dump, each);
      splitter.split(dump);
    }
    return chunksIn(folder).map(({ length }) => length);
  };
  expect(kept(two.length)).toEqual([one.length, last]);
  expect(kept(two.length - 1)).toEqual([last]);
  expect(kept(1)).toEqual([last]);
  expect(kept(two.length, two.length - 1)).toEqual([one.length]);
});

onLinux('a dump that is cut, empty or no recording gives its complete chunks only', () => {
  const [one, two] = dumpsOfFilm();
  const folder = temporaryFolder();
  const dump = join(temporaryFolder(), 'dump.jfr');
  const splitter = new ChunkSplitter(folder);
  const split = (bytes: Uint8Array): number => {
    writeFileSync(dump, bytes);
    return splitter.split(dump);
  };
  expect(split(new Uint8Array(0))).toBe(0);
  expect(split(new Uint8Array(1000).fill(7))).toBe(0);
  expect(split(one.subarray(0, one.length - 1))).toBe(0);
  expect(split(two.subarray(0, two.length - 1))).toBe(1);
  expect(split(two)).toBe(1);
  expect(split(two)).toBe(0);
  expect(Buffer.concat(chunksIn(folder)).equals(two)).toBe(true);
});

onLinux('a dump with a chunk from before the last one, by a clock that was set back, gives it', () => {
  const [one, two] = dumpsOfFilm();
  const folder = temporaryFolder();
  const dump = join(temporaryFolder(), 'dump.jfr');
  const splitter = new ChunkSplitter(folder);
  const split = (...bytes: Uint8Array[]): number => {
    writeFileSync(dump, Buffer.concat(bytes));
    return splitter.split(dump);
  };
  const later = two.subarray(one.length);
  expect([split(later), split(later, one), split(one)]).toEqual([1, 1, 0]);
});

onLinux('a chunk that could not be written is taken out of the next dump', () => {
  const [one, two] = dumpsOfFilm();
  const folder = join(temporaryFolder(), 'chunks');
  const dump = join(temporaryFolder(), 'dump.jfr');
  const splitter = new ChunkSplitter(folder);
  writeFileSync(dump, one);
  expect(() => splitter.split(dump)).toThrow('ENOENT');
  mkdirSync(folder);
  writeFileSync(dump, two);
  expect(splitter.split(dump)).toBe(2);
  expect(Buffer.concat(chunksIn(folder)).equals(two)).toBe(true);
});

onLinux('the command line records such a JVM to its end', async () => {
  const dumps = dumpsOfFilm();
  const jvm = fakeJvm(dumps);
  const folder = temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const stop = new AbortController();
  const recorded = await recordFlight(
    { ...jvmOf(), version: '11.0.2', can: ['jfr-dump'] },
    { settings: 'profile' },
    {
      signal: stop.signal,
      begin: () => stop.abort(),
      end: () => undefined,
    },
  );
  // The dump at its end.
  const pieces: Buffer[] = [];
  writeChunks(recorded.chunks, (bytes) => pieces.push(Buffer.from(bytes)));
  expect(Buffer.concat(pieces).equals(dumps[0])).toBe(true);
  recorded.close();
  expect(jvm.commands.at(-1)).toMatch(/^JFR\.stop /);
  expect(readdirSync(folder)).toEqual([]);
});

// The mode is for older JDKs, none of which is here. This one does the same.
testUnless(NO_JVM)(
  'a recording of a real JVM that is dumped gives samples, and it is left as found',
  async () => {
    const { pid } = await startJvm();
    const recording = await DumpedRecording.start(listedJvm(pid), 'profile', 500);
    await waitFor(() => samplesOf(chunksIn(recording.folder)) > 0, 'samples', 50);
    await recording.stop();
    recording.discard();
    expect(await (await recorderOf(pid)).list()).toEqual([]);
    expect(existsSync(recording.folder)).toBe(false);
  },
);
