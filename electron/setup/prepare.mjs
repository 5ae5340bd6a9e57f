/** Prepares a checkout, or a fresh clone, for `npm start`, `npm run cli` and `npm test`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt, isInstalled } from './freshness.mjs';
import { root } from './paths.mjs';

/** The steps write to standard error only: standard output is for the command that follows. */
const toStandardError = { cwd: root, stdio: ['ignore', 2, 2] };

const exitIfFailed = (step, { status, error }) => {
  if (status === 0) return;
  console.error(`${step} failed${error === undefined ? '' : `: ${error.message}`}`);
  process.exit(1);
};

/** Installs the packages of package-lock.json, with the npm that started this script if there is one. */
function install() {
  // package-lock.json has a checksum of each package, so one in npm's cache is used without asking the registry.
  const args = ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], toStandardError)
    : spawnSync('npm', args, { ...toStandardError, shell: process.platform === 'win32' });
}

/** Installs and builds what is missing or out of date. Ends the process when a step fails. */
export function prepare() {
  if (!isInstalled()) {
    console.error('Installing packages (npm ci) …');
    exitIfFailed('npm ci', install());
  }
  if (!isBuilt()) {
    console.error('Building …');
    const build = join(root, 'electron/setup/build.mjs');
    exitIfFailed('The build', spawnSync(process.execPath, [build, '--quiet', '--if-stale'], toStandardError));
  }
}
