import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findRuntime } from '../../electron/runtime/find-runtime.ts';
import { inCheckout, useBuiltProgram } from '../support/built-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testUnless } from '../support/test-unless.ts';

useBuiltProgram();

/** Tests may run as root, without Chromium's sandbox: only the test's own page is opened. */
const isRoot = process.getuid?.() === 0;
const runtime = findRuntime({
  env: process.env,
  platform: process.platform,
  userId: undefined,
  appFolder: inCheckout(),
});
const reason = runtime.kind === 'missing' ? runtime.reason : undefined;

testUnless(reason)('Electron opens the sample and shows its rows', async () => {
  const program = await _electron.launch({
    executablePath: runtime.kind === 'found' ? runtime.executable : '',
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      `--user-data-dir=${join(temporaryFolder(), 'user-data')}`,
      inCheckout(),
      '--',
      inCheckout('assets/shop.hpl.gz'),
    ],
  });
  onTestFinished(() => program.close());
  const page = await program.firstWindow();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.getByTestId('sample-count').filter({ hasText: '5,012' }).waitFor();
  await page.getByTestId('pane-tree').locator('[data-index="0"]').waitFor();
  expect(page.url()).toBe('app://leanscope/');
  expect(await page.evaluate('typeof require + typeof process + typeof module')).toBe(
    'undefinedundefinedundefined',
  );
  expect(problems).toEqual([]);
});
