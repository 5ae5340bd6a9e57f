/**
 * `npm test`: installs packages and builds what is missing or out of date, runs every check, and prints as its last line
 * `N passed, N failed`, with `, N skipped` when there are some. `--install-browser` also installs a browser for the tests.
 *
 * Vitest's tests run on every processor. Types, lint and format run beside them, one after another, and count as one
 * check each; what a check says is printed at its end, and only when it failed.
 */
import '../electron/setup/node-version.mjs';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from '../electron/setup/prepare.mjs';
import { root } from '../electron/setup/paths.mjs';
import { findChromium, findHeadlessShell } from './support/find-chromium.mjs';

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

const OPTIONS = '-y -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20';
const SHELL_AND_FONTS = 'chromium-headless-shell fonts-liberation';

/** Nothing is installed outside of the checkout unless it is asked for. */
const installsBrowser = process.argv.includes('--install-browser');

/**
 * Installs Debian's headless shell as root, where it is missing; without the browser's own interface a page takes a
 * quarter less of the processor. Resolves when it is installed or cannot be.
 */
function installHeadlessShell() {
  if (findHeadlessShell() !== undefined || process.platform !== 'linux') return Promise.resolve();
  if (process.getuid() !== 0) {
    console.log('--install-browser needs root: nothing is installed.');
    return Promise.resolve();
  }
  console.log("Installing Debian's chromium-headless-shell …");
  const script = `apt-get update ${OPTIONS} && apt-get install ${OPTIONS} --no-install-recommends ${SHELL_AND_FONTS}`;
  const installation = spawn('/bin/sh', ['-c', script], {
    stdio: ['ignore', 'ignore', findChromium() === undefined ? 'inherit' : 'ignore'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return new Promise((done) => installation.once('close', done).once('error', done));
}

const program = (path) => join(root, 'node_modules', path);

/** Runs a program of node_modules; resolves with its exit status, null when a signal ended it, and its output. */
function run(script, args, options) {
  const child = spawn(process.execPath, [program(script), ...args], { cwd: root, ...options });
  const output = [];
  child.stdout?.on('data', (bytes) => output.push(bytes));
  child.stderr?.on('data', (bytes) => output.push(bytes));
  return new Promise((done) =>
    child.once('close', (status) => done({ status, output: Buffer.concat(output) })),
  );
}

async function check(name, script, args) {
  const { status, output } = await run(script, args);
  console.log(`${status === 0 ? 'passed' : 'FAILED'}  ${name}`);
  if (status !== 0) process.stdout.write(output);
  count[status === 0 ? 'passed' : 'failed']++;
}

async function runStaticChecks() {
  await check('types', 'typescript/bin/tsc', ['-b']);
  await check('lint', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']);
  await check('format', 'oxfmt/bin/oxfmt', ['--check']);
}

/** A test file that could not be run, or an error outside of any test, is one failure. */
async function runTests(browser) {
  const folder = mkdtempSync(join(tmpdir(), 'leanscope-test-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = await run('vitest/vitest.mjs', args, {
    stdio: 'inherit',
    env: { ...process.env, LEANSCOPE_CHROMIUM: browser },
  });
  const result = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(folder, { recursive: true });
  const tests = result.testResults.flatMap((file) => file.assertionResults);
  // Their titles give the reasons.
  for (const { status, fullName } of tests) if (status === 'skipped') console.log(`skipped  ${fullName}`);
  const brokenFiles = result.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = result.numFailedTests + brokenFiles;
  count.passed += result.numPassedTests;
  count.failed += failed === 0 && status !== 0 ? 1 : failed;
  count.skipped += result.numPendingTests + result.numTodoTests;
}

/** The program for the tests in a browser. Ends the process where there is none, and says how to install one. */
function requireBrowser() {
  const browser = findHeadlessShell() ?? findChromium();
  if (browser !== undefined) return browser;
  console.error(
    'No Chromium or Chrome found for the tests in a browser. Install one (Debian, as root: npm test -- --install-browser, ' +
      `or apt-get install ${SHELL_AND_FONTS}), or name its program in CHROME_PATH.`,
  );
  process.exit(1);
}

// Beside the packages of npm and the build.
const installed = installsBrowser ? installHeadlessShell() : requireBrowser();
prepare();
await installed;
const browser = requireBrowser();
await Promise.all([runTests(browser), runStaticChecks()]);
isComplete = true;
