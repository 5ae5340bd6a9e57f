import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';

useBuiltProgram();

const unlessLinux = process.platform === 'linux' ? undefined : 'only Linux finds browsers by PATH alone';

testUnless(unlessLinux)('npm test without a browser runs no test, and says how to install one', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [inCheckout('test/run.mjs')], {
    encoding: 'utf8',
    env: { PATH: temporaryFolder() },
  });
  expect([status, stdout]).toEqual([1, '0 passed, 1 failed\n']);
  expect(stderr).toContain('apt-get install chromium-headless-shell');
});
