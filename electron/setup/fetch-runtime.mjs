/**
 * Electron's runtime is no part of the npm package: its own installer fetches it, about 120 MB. That is tried when the
 * window is wanted for the first time; where it fails, not again for a day.
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

/** Electron neither opens a window without a display nor runs its sandbox as root: nothing worth 120 MB there. */
const cannotRun =
  process.platform === 'linux' &&
  ((!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) || process.getuid?.() === 0);

/** Fetches the runtime where it is missing. Says nothing about a failure: the command does, when it does without. */
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
