import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { DumpRecording } from '../../../../electron/jvm/dump-recording.ts';
import { listenAsJvm } from '../../../support/fake-attach-socket.ts';
import { jvmOf } from '../../../support/fake-jvm.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { onLinux } from '../../../support/test-unless.ts';

const { taken } = vi.hoisted(() => ({ taken: { by: '' } }));

// Here the name of the file becomes known: it is an argument of the process that removes it.
vi.mock('../../../../electron/source/remove-when-killed.ts', () => ({
  removeWhenKilled: (path: string) => {
    symlinkSync(taken.by, path);
    return () => undefined;
  },
}));

onLinux('a link in place of the temporary file of thread dumps is not followed', async () => {
  const folder = temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  taken.by = join(folder, 'valuable');
  writeFileSync(taken.by, 'kept');
  listenAsJvm(() => 'Full thread dump\n');
  const starting = DumpRecording.startTemporary(jvmOf(), { intervalMs: 10, mostShare: 1 });
  await expect(starting).rejects.toThrow('EEXIST');
  expect(readFileSync(taken.by, 'utf8')).toBe('kept');
});
