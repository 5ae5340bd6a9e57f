import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { followRecording, recordingsOfOthers } from '../../../../electron/jvm/followed-recording.ts';
import { listenAsJvm } from '../../../support/fake-attach-socket.ts';
import { jvmOf } from '../../../support/fake-jvm.ts';
import { cpuChunk } from '../../../support/small-recordings.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { onLinux } from '../../../support/test-unless.ts';

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
