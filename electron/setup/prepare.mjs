/** Prepares a checkout, or a fresh clone, for `npm start`, `npm run cli` and `npm test`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt, isInstalled } from './freshness.mjs';
import { root } from './paths.mjs';

/** Output of these steps goes to standard error: standard output is reserved for the command that follows. */
const toStandardError = { cwd: root, stdio: ['ignore', 2, 2] };

const endUnlessDone = (step, { status, error }) => {
  if (status === 0) return;
  console.error(`${step} failed${error === undefined ? '' : `: ${error.message}`}`);
  process.exit(1);
};

/** Installs the packages of package-lock.json. When npm started this script, npm's own script runs in this Node. */
function install() {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], toStandardError)
    : spawnSync('npm', args, { ...toStandardError, shell: process.platform === 'win32' });
}

/** Installs and builds what is missing or out of date. Ends the process when a step fails. */
export function prepare() {
  if (!isInstalled()) {
    console.error('Installing packages (npm ci) …');
    endUnlessDone('npm ci', install());
  }
  if (!isBuilt()) {
    console.error('Building …');
    const build = join(root, 'electron/setup/build.mjs');
    endUnlessDone(
      'The build',
      spawnSync(process.execPath, [build, '--quiet', '--if-stale'], toStandardError),
    );
  }
}
