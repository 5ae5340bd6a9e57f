import { copyFileSync, mkdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlayedRecording } from '../../../support/played-recording.ts';
import { readInput } from '../../../support/read-input.ts';
import { recordingAt } from '../../../support/recording-film.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { WatchedLog } from '../../../support/watched-log.ts';

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
    'gone: The recording has ended, and its files were removed. What was read stays.',
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
  expect(watched.state).toContain('gone');
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

test('recordings that began before are left out', async () => {
  const recording = new PlayedRecording(temporaryFolder());
  recording.flushAll();
  const second = recording.flushes.find(({ isNewChunk }, at) => at > 0 && isNewChunk);
  if (second === undefined) throw new Error('the film has two chunks');
  const since = new DataView(second.header.buffer, second.header.byteOffset).getBigInt64(32);
  const watched = new WatchedLog(recording.folder, { since });
  await watched.clock.pass(500);
  const first = readInput(recordingAt(recording.flushes.slice(0, recording.flushes.indexOf(second))));
  expect(watched.status.samples).toBe(expected(recording) - first.aggregator.sampleCount);
  const none = new WatchedLog(recording.folder, { since: since + 1n });
  await none.clock.pass(500);
  expect([none.status.samples, none.status.fileBytes]).toEqual([0, 0]);
});

test('a folder without recordings is refused as before', async () => {
  const watched = new WatchedLog(temporaryFolder());
  await watched.clock.pass(500);
  expect(watched.state).toContain('This is a directory; name a file inside it');
});
