/**
 * `npm test [FILTER…]`: prepares the checkout, runs Vitest, and prints as its last line `N passed, N failed`, with
 * `, N skipped` when there are some. `npm run test:long` runs the tests with larger numbers (test/support/test-size.ts).
 */
import '../electron/setup/node-version.mjs';
import { prepare } from '../electron/setup/prepare.mjs';
import { root } from '../electron/setup/paths.mjs';
import { findChromium, findHeadlessShell } from './support/find-chromium.mjs';

const count = { passed: 0, failed: 0, skipped: 0 };
let isComplete = false;

process.on('exit', () => {
  if (!isComplete) count.failed++;
  if (count.failed > 0) process.exitCode = 1;
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  console.log(`${count.passed} passed, ${count.failed} failed${skipped}`);
});

const browser = findHeadlessShell() ?? findChromium();
if (browser === undefined) {
  console.error(
    'No Chromium or Chrome found for the tests in a browser. Install one (Debian: ' +
      'apt-get install chromium-headless-shell fonts-liberation), or name its program in CHROME_PATH.',
  );
  process.exit(1);
}
prepare();
// Otherwise each test file looks for it anew.
process.env.CHROME_PATH = browser;

const [, , ...args] = process.argv;
if (args[0] === '--long') {
  process.env.LEANSCOPE_LONG = '1';
  args.shift();
}
process.chdir(root);
const { startVitest } = await import('vitest/node');
const vitest = await startVitest('test', args, { run: true, watch: false });

const files = vitest.state.getTestModules();
for (const file of files) {
  // A file that could not be run, or an error in it outside of any test, is one failure.
  const before = count.failed;
  for (const test of file.children.allTests()) {
    const { state } = test.result();
    count[state === 'pending' ? 'failed' : state]++;
    // Its title gives the reason.
    if (state === 'skipped') console.log(`skipped  ${test.fullName}`);
    if (test.diagnostic()?.flaky) {
      console.log(`flaky  ${test.fullName}: it failed once (${test.result().errors?.[0]?.message})`);
    }
  }
  if (file.state() === 'failed' && count.failed === before) count.failed++;
}
count.failed += vitest.state.getUnhandledErrors().length;
await vitest.close();
// A filter that no file passes is a mistake.
isComplete = files.length > 0;
