import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { DumpRecording } from '../../../electron/recording/dump-recording.ts';
import { listenAsJvm } from '../../support/fake-attach-socket.ts';
import { jvmOf } from '../../support/fake-jvm.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { onLinux } from '../../support/test-unless.ts';

const { taken } = vi.hoisted(() => ({ taken: { path: '' } }));

// Somebody has guessed the name of the file.
vi.mock('../../../electron/recording/recording-name.ts', () => ({ temporaryPath: () => taken.path }));

onLinux('a link in place of the temporary file of thread dumps is not followed', async () => {
  const folder = temporaryFolder();
  const valuable = join(folder, 'valuable');
  writeFileSync(valuable, 'kept');
  taken.path = join(folder, 'a.tdump');
  symlinkSync(valuable, taken.path);
  listenAsJvm(() => 'Full thread dump\n');
  const starting = DumpRecording.startTemporary(jvmOf(), { intervalMs: 10, mostShare: 1 });
  await expect(starting).rejects.toThrow('EEXIST');
  expect(readFileSync(valuable, 'utf8')).toBe('kept');
});
