import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveInSystem } from '../../../electron/source/real-paths.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { missingFile, testUnless } from '../../support/test-unless.ts';

test('links are resolved', async () => {
  const folder = realpathSync(temporaryFolder());
  writeFileSync(join(folder, 'app.hpl'), '');
  symlinkSync('app.hpl', join(folder, 'link.hpl'));
  expect(await resolveInSystem(join(folder, 'link.hpl'))).toBe(join(folder, 'app.hpl'));
});

testUnless(missingFile('/proc/self/root'))(
  'a file of a container stays below the root of its process',
  async () => {
    const folder = join(`/proc/${process.pid}/root`, realpathSync(temporaryFolder()));
    const path = join(folder, 'app.hpl');
    await expect(resolveInSystem(path)).rejects.toThrow('ENOENT');
    writeFileSync(path, '');
    expect(await resolveInSystem(path)).toBe(path);
  },
);
