/**
 * `npm test`: all set-up, every check, and at the very end one line: `N passed, N failed`, with `, N skipped` when
 * there are some. Types, lint, format and the short form of the bench count as one check each.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from '../electron/setup/prepare.mjs';
import { root } from '../electron/setup/paths.mjs';
import { findChromium } from './support/find-chromium.mjs';

const count = { passed: 0, failed: 0, skipped: 0 };
let isComplete = false;

process.on('exit', () => {
  if (!isComplete) count.failed++;
  if (count.failed > 0) process.exitCode = 1;
  console.log(
    `${count.passed} passed, ${count.failed} failed` +
      (count.skipped > 0 ? `, ${count.skipped} skipped` : ''),
  );
});

/** Debian's browser, where we may install it. */
function installChromium() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return;
  console.log("Installing Debian's chromium …");
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'],
    options,
  );
}

function chromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  installChromium();
  return findChromium();
}

const program = (path) => join(root, 'node_modules', path);

/** Runs a check to its end and then prints all that it said at once; several run side by side. */
function check(name, script, args) {
  const child = spawn(process.execPath, [program(script), ...args], { cwd: root });
  const said = [];
  child.stdout.on('data', (bytes) => said.push(bytes));
  child.stderr.on('data', (bytes) => said.push(bytes));
  return new Promise((done) => {
    child.once('close', (code) => {
      console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name}`);
      process.stdout.write(Buffer.concat(code === 0 ? [] : said));
      count[code === 0 ? 'passed' : 'failed']++;
      done();
    });
  });
}

/** All of Vitest's tests. A file that could not be run, or an error outside of any test, is one failure. */
function runTests(browser) {
  const folder = mkdtempSync(join(tmpdir(), 'leanscope-test-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync(process.execPath, [program('vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LEANSCOPE_CHROMIUM: browser },
  });
  const result = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(folder, { recursive: true });
  const brokenFiles = result.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = result.numFailedTests + brokenFiles;
  count.passed += result.numPassedTests;
  count.failed += failed === 0 && status !== 0 ? 1 : failed;
  count.skipped += result.numPendingTests + result.numTodoTests;
}

/** A few of the bench's rows on small inputs, told in any case; fails on gross regressions only. */
function runShortBench(browser) {
  const { status } = spawnSync(process.execPath, [join(root, 'test/bench/bench.mjs'), '--short'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LEANSCOPE_CHROMIUM: browser },
  });
  console.log(`${status === 0 ? 'passed' : 'FAILED'}  short bench`);
  count[status === 0 ? 'passed' : 'failed']++;
}

prepare();
const browser = chromium();
if (browser === undefined) {
  console.error(
    'No Chromium or Chrome found for the tests in a browser. Install one (Debian: apt-get install chromium), or name its program in CHROME_PATH.',
  );
  process.exit(1);
}
await Promise.all([
  check('types', 'typescript/bin/tsc', ['-b']),
  check('lint', 'eslint/bin/eslint.js', ['.']),
  check('format', 'prettier/bin/prettier.cjs', ['--check', '.']),
]);
runTests(browser);
runShortBench(browser);
isComplete = true;
