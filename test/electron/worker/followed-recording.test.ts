import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RecordingFollower } from '../../../electron/source/recording-follower.ts';
import { NO_OPEN_FILES, openFilesBelow } from '../../support/open-files.ts';
import { PlayedRecording } from '../../support/played-recording.ts';
import { readInput } from '../../support/read-input.ts';
import { recordingAt } from '../../support/recording-film.ts';
import { cpuChunk } from '../../support/small-recordings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';
import { WatchedLog } from '../../support/watched-log.ts';

/** Samples of the recording cut at the flushes played so far. */
function expected(recording: PlayedRecording, type = 'cpu'): number {
  return readInput(recordingAt(recording.played), { 'sample-type': type }).aggregator.sampleCount;
}

/** Samples that the subscriber has. */
function samplesIn({ copy }: WatchedLog): number {
  const { count, length } = copy.profile.selfValues;
  return count.subarray(0, length).reduce((sum, each) => sum + each, 0);
}

test.each(['jdk17', 'jdk25'])('%s: a folder is followed flush by flush, over a rotation', async (film) => {
  const recording = new PlayedRecording(temporaryFolder(), film);
  recording.flush();
  const watched = new WatchedLog(recording.folder);
  await watched.clock.pass(200);
  const count = recording.flushes.length;
  for (let flush = 1; ; flush++) {
    expect(watched.status.samples, `flush ${flush}`).toBe(expected(recording));
    expect(samplesIn(watched)).toBe(watched.status.samples);
    expect(watched.state).toBe('live');
    if (flush === count) break;
    recording.flush();
    await watched.clock.pass(1000);
  }
  expect(watched.status.samples).toBeGreaterThan(300);
  await watched.clock.pass(3000);
  expect(watched.state).toBe('idle');
});

test('a JVM that flushes nothing for a while has lost nothing, also after the sample type was changed; once it is gone, it has', async () => {
  const recording = new PlayedRecording(temporaryFolder(), 'jdk25');
  recording.flush();
  recording.flush();
  const watched = new WatchedLog(recording.folder);
  await watched.clock.pass(3000);
  expect([watched.state, watched.status.skips]).toEqual([expect.stringMatching(/^idle/), []]);
  // It is read again at once, and its latest flush is no newer than before.
  watched.session.receive({ type: 'choose', chosen: { 'sample-type': 'alloc' } });
  await watched.clock.pass(200);
  expect([watched.state, watched.status.skips]).toEqual([expect.stringMatching(/^idle/), []]);
  recording.removeFiles();
  await watched.clock.pass(60_000);
  expect([watched.state, watched.status.skips]).toEqual([
    expect.stringMatching(/^ended/),
    ['The recording was not finished: what the JVM writes after its latest flush is missing.'],
  ]);
});

test('while the header is being written nothing is read; a recording that paused goes on', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flush();
  const watched = new WatchedLog(recording.folder);
  await watched.clock.pass(10_000);
  const before = watched.status.samples;
  recording.flush();
  await watched.clock.pass(10_000);
  expect(watched.state).toBe('idle');
  const { damage, samples } = watched.status;
  expect([damage, samples > before]).toEqual([undefined, true]);
  let during: Promise<void> | undefined;
  recording.flush(() => {
    during = watched.clock.pass(0);
  });
  await during;
  await watched.clock.pass(1000);
  expect(watched.status.samples).toBe(expected(recording));
});

test('files that vanish are read to their end, and again with another sample type', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  const folder = join(recording.folder, 'repository');
  mkdirSync(folder);
  const inside = new PlayedRecording(folder);
  inside.flush();
  const watched = new WatchedLog(folder);
  await watched.clock.pass(200);
  for (let flush = 1; flush < inside.flushes.length; flush++) {
    inside.flush();
    await watched.clock.pass(100);
  }
  rmSync(folder, { recursive: true });
  await watched.clock.pass(1000);
  expect(watched.state).toBe(
    'ended: The recording has ended, and its files were removed. What was read stays.',
  );
  expect(watched.status.samples).toBe(expected(inside));
  for (const type of ['alloc', 'sleep', 'cpu']) {
    watched.session.receive({ type: 'choose', chosen: { 'sample-type': type } });
    await watched.clock.pass(1000);
    expect(watched.status.samples, type).toBe(expected(inside, type));
    expect(samplesIn(watched)).toBe(watched.status.samples);
  }
});

test('a recording that was stopped, in a JVM that goes on', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flushAll();
  const watched = new WatchedLog(recording.folder);
  await watched.clock.pass(500);
  recording.removeFiles();
  await watched.clock.pass(1000);
  expect(watched.state).toBe('live');
  await watched.clock.pass(20_000);
  expect(watched.state).toContain('ended');
  expect(watched.status.samples).toBe(expected(recording));
});

test('a growing file is opened like any other, and the chunks after it follow', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flush();
  const watched = new WatchedLog(recording.files[0]);
  await watched.clock.pass(200);
  expect(watched.status.samples).toBe(expected(recording));
  for (let flush = 1; flush < recording.flushes.length; flush++) {
    recording.flush();
    await watched.clock.pass(1000);
  }
  expect(watched.status.samples).toBe(expected(recording));
  expect(watched.status.restart).toBeUndefined();
});

test('a copy of a growing file, whole and cut, is read and stays', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flush();
  const copy = join(temporaryFolder(), 'copy.jfr');
  copyFileSync(recording.files[0], copy);
  const watched = new WatchedLog(copy);
  await watched.clock.pass(5000);
  expect([watched.state, watched.status.samples]).toEqual(['idle', expected(recording)]);
  truncateSync(copy, 100_000);
  const cut = new WatchedLog(copy);
  await cut.clock.pass(5000);
  expect(cut.state).toMatch(/^(?:idle|damaged)$/);
  expect(cut.status.samples).toBeLessThanOrEqual(expected(recording));
});

test('chunks of recordings that began before are left out, whenever the others began', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flushAll();
  const second = recording.flushes.findIndex(({ isNewChunk }, at) => at > 0 && isNewChunk);
  const first = readInput(recordingAt(recording.flushes.slice(0, second)));
  const leftOut = [recording.files[0]];
  const watched = new WatchedLog(recording.folder, { leftOut });
  await watched.clock.pass(500);
  expect(watched.status.samples).toBe(expected(recording) - first.aggregator.sampleCount);
  // The JVM had recorded in memory before.
  const added = join(recording.folder, '2026_11_23_03_00_09.jfr');
  writeFileSync(added, recordingOf(1));
  const old = new WatchedLog(recording.folder, { leftOut: [...recording.files] });
  await old.clock.pass(500);
  expect(old.status.samples).toBe(5);
  const none = new WatchedLog(recording.folder, { leftOut: [...recording.files, added] });
  await none.clock.pass(500);
  expect([none.status.samples, none.status.fileBytes]).toEqual([0, 0]);
});

test('a folder without recordings is refused as before', async () => {
  const watched = new WatchedLog(temporaryFolder());
  await watched.clock.pass(500);
  expect(watched.state).toContain('This is a directory; name a file inside it');
});

/** A recording of five samples that lasts a second. */
function recordingOf(second: number, isFinished = true): Uint8Array {
  const chunk = cpuChunk();
  if (!isFinished) chunk[64] = 1;
  const view = new DataView(chunk.buffer);
  view.setBigInt64(32, BigInt(second) * 1_000_000_000n);
  view.setBigInt64(40, 1_000_000_000n);
  return chunk;
}

testUnless(NO_OPEN_FILES)(
  'a folder of 80 recordings, in whatever order of names, is read whole; 65 of them stay open',
  async () => {
    const folder = temporaryFolder();
    for (let at = 0; at < 80; at++) writeFileSync(join(folder, `${(at * 7) % 80}.jfr`), recordingOf(at + 1));
    const watched = new WatchedLog(folder);
    await watched.clock.pass(1000);
    expect(watched.status.samples).toBe(80 * 5);
    expect(openFilesBelow(folder)).toBe(65);
    // Those that were closed are opened again.
    watched.session.receive({ type: 'choose', chosen: { 'sample-type': 'cpu' } });
    await watched.clock.pass(1000);
    expect([watched.status.samples, watched.status.epoch]).toEqual([80 * 5, 1]);
    rmSync(folder, { recursive: true });
    watched.session.receive({ type: 'choose', chosen: {} });
    await watched.clock.pass(1000);
    expect(watched.status.samples).toBe(65 * 5);
    expect(watched.status.notes).toContain(
      '15 parts of the recording were removed from the disk by the JVM before being read, or read again.',
    );
    await watched.stop();
    expect(openFilesBelow(folder)).toBe(0);
  },
);

test('what is written at the end is kept open, however much it is', () => {
  const folder = temporaryFolder();
  for (let at = 0; at < 100; at++) writeFileSync(join(folder, `${at}.jfr`), recordingOf(at + 1));
  for (const [kept, count] of [
    [{ bytes: Infinity, files: Infinity }, 100],
    [{ bytes: 10 * recordingOf(1).length, files: Infinity }, 11],
    [{ bytes: Infinity, files: 20 }, 21],
  ] as const) {
    const follower = new RecordingFollower({ folder }, kept);
    while (typeof follower.next() !== 'string') continue;
    expect(follower.chunks).toHaveLength(count);
    follower.close();
  }
});

test('a saved recording says how many chunks are missing, also after it was read again', () => {
  const folder = temporaryFolder();
  for (let at = 0; at < 20; at++) writeFileSync(join(folder, `${at}.jfr`), recordingOf(at + 1));
  const follower = new RecordingFollower({ folder }, { bytes: Infinity, files: 5 });
  const readAll = (): void => {
    while (typeof follower.next() !== 'string') continue;
  };
  readAll();
  rmSync(folder, { recursive: true });
  const target = temporaryFolder();
  expect(follower.save(join(target, 'a.jfr'))).toBe(14);
  follower.reread();
  readAll();
  expect(follower.save(join(target, 'b.jfr'))).toBe(14);
  expect(readFileSync(join(target, 'b.jfr'))).toEqual(readFileSync(join(target, 'a.jfr')));
  follower.close();
});

test('parts of a recording that nobody has seen are noticed by the times of the others', async () => {
  const folder = temporaryFolder();
  const add = (second: number): void => writeFileSync(join(folder, `${second}.jfr`), recordingOf(second));
  const missing = ({ status }: WatchedLog): readonly string[] =>
    status.notes.filter((note) => note.includes(' missing: '));
  add(1);
  add(2);
  const watched = new WatchedLog(folder, { leftOut: [] });
  await watched.clock.pass(1000);
  expect([missing(watched), watched.status.samples]).toEqual([[], 10]);
  const why = 'nothing was recorded then, or the JVM removed it from the disk before it was seen.';
  add(4);
  await watched.clock.pass(1000);
  expect(missing(watched)).toEqual([`1.0 s of the recording is missing: ${why}`]);
  add(8);
  await watched.clock.pass(1000);
  const notes = [`4.0 s of the recording in 2 places are missing: ${why}`];
  expect(missing(watched)).toEqual(notes);
  watched.session.receive({ type: 'choose', chosen: { 'sample-type': 'cpu' } });
  await watched.clock.pass(1000);
  expect([missing(watched), watched.status.samples]).toEqual([notes, 20]);
  watched.session.receive({ type: 'save', request: 1, path: join(temporaryFolder(), 'saved.jfr') });
  expect(watched.saved).toEqual([{ type: 'saved', request: 1, missing: 2 }]);
  // What the user has put into a folder need not be one recording.
  const opened = new WatchedLog(folder);
  await opened.clock.pass(1000);
  expect([missing(opened), opened.status.samples]).toEqual([[], 20]);
});

test('a recording has ended only when all of its chunks that are there are read', async () => {
  const folder = temporaryFolder();
  for (let at = 1; at <= 80; at++) writeFileSync(join(folder, `${at}.jfr`), recordingOf(at, at > 1));
  const watched = new WatchedLog(folder, { leftOut: [] });
  // The first chunk was never finished, so the next one is read after a while only.
  await watched.clock.pass(200);
  rmSync(folder, { recursive: true });
  await watched.clock.pass(20_000);
  const { samples } = watched.status;
  expect(samples).toBeGreaterThan(60 * 5);
  const ended = watched.statuses.filter(({ state }) => state === 'ended');
  expect(ended.map((status) => status.samples)).toEqual(ended.map(() => samples));
  expect(ended.length).toBeGreaterThan(0);
});

test('chunks that began after the end of a recording are not of it', async () => {
  const folder = temporaryFolder();
  for (const second of [1, 2, 3]) writeFileSync(join(folder, `${second}.jfr`), recordingOf(second));
  const end = { reason: 'It has ended.', atNs: 2_500_000_000n };
  const watched = new WatchedLog(folder, { leftOut: [], end });
  await watched.clock.pass(1_000);
  expect([watched.state, watched.status.samples]).toEqual(['ended: It has ended.', 10]);
});

test.each(['a folder', 'a file'])(
  'a clock that is set back while %s is followed: no chunk is left out',
  async (what) => {
    const folder = temporaryFolder();
    const path = (name: number): string => join(folder, `2026_11_23_03_00_0${name}.jfr`);
    writeFileSync(path(0), recordingOf(90));
    writeFileSync(path(1), recordingOf(100, false));
    const watched =
      what === 'a file' ? new WatchedLog(path(1)) : new WatchedLog(folder, { leftOut: [path(0)] });
    await watched.clock.pass(1000);
    expect(watched.status.samples).toBe(5);
    for (const [at, second] of [50, 60, 110].entries()) {
      writeFileSync(path(2 + at), recordingOf(second));
      await watched.clock.pass(20_000);
      expect(watched.status.samples, `second ${second}`).toBe(10 + 5 * at);
    }
  },
);

test('what is no recording in a folder of recordings is left out', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flush();
  mkdirSync(join(recording.folder, 'folder.jfr'));
  writeFileSync(join(recording.folder, 'text.jfr'), 'x'.repeat(1000));
  for (let at = 0; at < 40; at++) writeFileSync(join(recording.folder, `empty${at}.jfr`), '');
  const watched = new WatchedLog(recording.folder);
  for (let flush = 1; flush < recording.flushes.length; flush++) {
    recording.flush();
    await watched.clock.pass(1000);
  }
  expect([watched.state, watched.status.samples]).toEqual(['live', expected(recording)]);
});

test('a growing file that the user has copied is not continued with other recordings of its folder', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flush();
  const folder = temporaryFolder();
  copyFileSync(recording.files[0], join(folder, 'copy.jfr'));
  writeFileSync(join(folder, 'other.jfr'), recordingOf(4_000_000_000));
  const watched = new WatchedLog(join(folder, 'copy.jfr'));
  await watched.clock.pass(20_000);
  expect(watched.status.samples).toBe(expected(recording));
});

test('what was followed is saved as one recording, after its files have vanished, and never over a file', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flushAll();
  const watched = new WatchedLog(recording.folder, { leftOut: [] });
  await watched.clock.pass(500);
  recording.removeFiles();
  watched.session.receive({ type: 'end', reason: 'It has ended.', atNs: 1n << 62n });
  await watched.clock.pass(1000);
  expect(watched.state).toBe('ended: It has ended.');
  const path = join(temporaryFolder(), 'saved.jfr');
  watched.session.receive({ type: 'save', request: 1, path });
  const saved = readFileSync(path);
  for (const type of ['cpu', 'alloc', 'sleep']) {
    const { decoder, aggregator } = readInput(saved, { 'sample-type': type });
    expect([decoder.damage, aggregator.sampleCount]).toEqual([undefined, expected(recording, type)]);
  }
  watched.session.receive({ type: 'save', request: 2, path });
  expect(watched.saved).toEqual([
    { type: 'saved', request: 1, missing: 0 },
    { type: 'saved', request: 2, problem: 'EEXIST' },
  ]);
  expect(readFileSync(path).equals(saved)).toBe(true);
});

test('a window that is full reads no more: later chunks are kept and saved, and the end is said', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flush();
  const watched = new WatchedLog(recording.folder, { leftOut: [], mostNodes: 10 });
  await watched.clock.pass(500);
  expect(watched.state).toMatch(/^full: /);
  const { samples, readBytes } = watched.status;
  for (let flush = 1; flush < recording.flushes.length; flush++) {
    recording.flush();
    await watched.clock.pass(1000);
  }
  recording.removeFiles();
  await watched.clock.pass(1000);
  const whole = recordingAt(recording.played);
  expect(watched.status).toMatchObject({ state: 'full', samples, readBytes });
  expect(watched.status.fileBytes).toBeGreaterThanOrEqual(whole.length);
  const share = Math.round((readBytes / watched.status.fileBytes) * 100);
  expect(watched.status.detail).toMatch(new RegExp(`^Only the first ${share} % of this log are shown`));
  watched.session.receive({ type: 'end', reason: 'The JVM has ended.', atNs: 1n << 62n });
  await watched.clock.pass(1000);
  expect(watched.state).toMatch(/^ended: The JVM has ended\. Only the first \d+ % of this log are shown/);
  const path = join(temporaryFolder(), 'saved.jfr');
  watched.session.receive({ type: 'save', request: 1, path });
  expect(watched.saved).toEqual([{ type: 'saved', request: 1, missing: 0 }]);
  expect(readFileSync(path).equals(whole)).toBe(true);
  // Another sample type begins at the first chunk again.
  watched.session.receive({ type: 'choose', chosen: { 'sample-type': 'sleep' } });
  await watched.clock.pass(1000);
  expect(watched.status.samples).toBeGreaterThan(0);
  expect(watched.status.readBytes).toBeGreaterThan(0);
});

test('a window that is full says how many of the later chunks are missing in a saved recording', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '1.jfr'), recordingOf(1));
  const follower = new RecordingFollower({ folder }, { bytes: 3 * recordingOf(1).length, files: Infinity });
  while (typeof follower.next() !== 'string') continue;
  for (let at = 2; at <= 10; at++) {
    writeFileSync(join(folder, `${at}.jfr`), recordingOf(at));
    expect(follower.next(false)).toBe('atEnd');
  }
  const open = follower.chunks.length;
  expect(open).toBe(4);
  rmSync(folder, { recursive: true });
  expect(follower.save(join(temporaryFolder(), 'saved.jfr'))).toBe(10 - open);
  follower.close();
});

test('a repository without a flush is waited for', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  const watched = new WatchedLog(recording.folder, { leftOut: [] });
  await watched.clock.pass(500);
  expect(watched.state).toContain('Waiting for the first flush of the recording.');
  recording.flush();
  await watched.clock.pass(500);
  expect(watched.status.samples).toBe(expected(recording));
});
