import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import {
  followRecording,
  OwnRecording,
  recordingsOfOthers,
} from '../../../electron/recording/flight-recorder.ts';
import type { Jvm } from '../../../electron/jvm/jvm.ts';
import { listenAsJvm } from '../../support/fake-attach-socket.ts';
import { jvmOf } from '../../support/fake-jvm.ts';
import { cpuChunk } from '../../support/small-recordings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { onLinux } from '../../support/test-unless.ts';

onLinux('recordings that a JVM keeps in memory are not offered: they have no files to follow', async () => {
  let repository = 'N/A';
  listenAsJvm((_, command) =>
    command === 'JFR.check'
      ? 'Recording 7: name=theirs (running)\n'
      : `Current configuration:\n\nRepository path: ${repository}\n`,
  );
  const jvm = jvmOf();
  const inMemory = async (): Promise<void> => {
    expect(await recordingsOfOthers(jvm)).toEqual([]);
    await expect(followRecording(jvm, 7)).rejects.toThrow(
      `JVM ${jvm.pid} (Busy): keeps this recording in memory (disk=false), where it cannot be followed`,
    );
  };
  await inMemory();
  const folder = temporaryFolder();
  repository = join(folder, 'gone');
  await inMemory();
  repository = folder;
  // A recording that was stopped before leaves finished chunks.
  writeFileSync(join(folder, '2026_11_23_03_00_00.jfr'), cpuChunk());
  await inMemory();

  const open = cpuChunk();
  open[64] = 1;
  for (const bytes of [open, new Uint8Array(0)]) {
    writeFileSync(join(folder, '2026_11_23_03_00_01.jfr'), bytes);
    expect(await recordingsOfOthers(jvm)).toMatchObject([{ id: 7, name: 'theirs' }]);
    expect((await followRecording(jvm, 7)).folder).toBe(folder);
  }
});

onLinux('the chunks of a JVM that was killed are removed, unless it had another recording', async () => {
  const folder = temporaryFolder();
  const path = (name: string): string => join(folder, name);
  const [earlier, own, other] = [
    path('2026_11_23_03_00_00.jfr'),
    path('2026_11_23_03_00_01.jfr'),
    path('a.txt'),
  ];
  let recordings = '';
  listenAsJvm((_, command) => {
    if (command === 'JFR.check') return recordings;
    return command.startsWith('JFR.start') ? 'Started recording 1.' : `Repository path: ${folder}\n`;
  });
  const left = async (jvm: Jvm, later = ''): Promise<readonly string[]> => {
    const recording = await OwnRecording.start(jvm, 'profile');
    onTestFinished(() => recording.stop());
    writeFileSync(own, '');
    recordings = later;
    await recording.isThere();
    recordings = '';
    recording.discard();
    return readdirSync(folder);
  };
  for (const each of [earlier, other]) writeFileSync(each, '');
  const all = [earlier, own, other].map((each) => basename(each));
  const theirs = 'Recording 7: name=theirs (running)\n';
  expect(await left(jvmOf())).toEqual(all);
  const ended = jvmOf(1);
  rmSync(own);
  expect(await left(ended, theirs)).toEqual(all);
  rmSync(own);
  recordings = theirs;
  expect(await left(ended)).toEqual(all);
  rmSync(own);
  expect(await left(ended)).toEqual([earlier, other].map((each) => basename(each)));
  for (const each of [earlier, other]) rmSync(each);
  await expect(left(ended)).rejects.toThrow('ENOENT');
});
