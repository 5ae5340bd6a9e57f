import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';

useBuiltProgram();

/** `npm test` where no browser is installed, with a package manager that only notes what it is to do. */
function testsWithoutBrowser(...args: readonly string[]) {
  const folder = temporaryFolder();
  const noted = join(folder, 'noted');
  writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$1" >> '${noted}'\n`);
  chmodSync(join(folder, 'apt-get'), 0o755);
  const { status, stdout, stderr } = spawnSync(process.execPath, [inCheckout('test/run.mjs'), ...args], {
    encoding: 'utf8',
    env: { PATH: folder },
  });
  return {
    ...{ status, stdout, stderr },
    installed: existsSync(noted) ? readFileSync(noted, 'utf8').split('\n').slice(0, -1) : [],
  };
}

const unlessLinux = process.platform === 'linux' ? undefined : 'only Linux finds browsers by PATH alone';
const unlessRoot = process.getuid?.() === 0 ? undefined : 'only root installs packages';

testUnless(unlessLinux)('npm test installs no browser by itself, and says how to', () => {
  const { status, stdout, stderr, installed } = testsWithoutBrowser();
  expect([status, stdout, installed]).toEqual([1, '0 passed, 1 failed\n', []]);
  expect(stderr).toContain('npm test -- --install-browser');
});

testUnless(unlessLinux ?? unlessRoot)('npm test -- --install-browser asks the package manager', () => {
  expect(testsWithoutBrowser('--install-browser').installed).toEqual(['update', 'install']);
});
