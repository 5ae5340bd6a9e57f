/**
 * Electron's npm package does not contain its runtime: its installer downloads it, about 120 MB. This runs when the
 * window is first opened; after a failure it is not tried again for a day.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notes, root } from './paths.mjs';

const LONGEST_FETCH_MS = 180_000;
const RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

const electron = join(root, 'node_modules/electron');
const failureNote = join(notes, 'runtime-fetch-failed.txt');

function isThere() {
  try {
    return existsSync(join(electron, 'dist', readFileSync(join(electron, 'path.txt'), 'utf8')));
  } catch {
    return false;
  }
}

function failedLately() {
  const note = statSync(failureNote, { throwIfNoEntry: false });
  return note !== undefined && Date.now() - note.mtimeMs < RETRY_AFTER_MS;
}

/** Without a display Electron opens no window, and as root it runs no sandbox; the 120 MB would be useless. */
const cannotRun =
  process.platform === 'linux' &&
  ((!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) || process.getuid?.() === 0);

/** Downloads the runtime if it is missing. Prints nothing on failure: the command reports it when it falls back. */
export function fetchRuntime() {
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH !== undefined || isThere()) return;
  if (cannotRun || failedLately()) return;
  console.error("Fetching Electron's runtime, once (about 120 MB) …");
  const { status, stderr } = spawnSync(process.execPath, [join(electron, 'install.js')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LONGEST_FETCH_MS,
  });
  if (status === 0 && isThere()) return;
  mkdirSync(notes, { recursive: true });
  writeFileSync(failureNote, stderr);
}
