/**
 * Electron's npm package does not contain its runtime: its installer downloads it, about 120 MB. This runs when the window
 * is first opened.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exclusively } from './lock.mjs';
import { root, stateFolder } from './paths.mjs';

function isInstalled(electron) {
  try {
    return existsSync(join(electron, 'dist', readFileSync(join(electron, 'path.txt'), 'utf8')));
  } catch {
    return false;
  }
}

/** Electron needs a display, and its sandbox does not run as root: then the download would be useless. */
const cannotRun =
  process.platform === 'linux' &&
  ((!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) || process.getuid?.() === 0);

/** Downloads the runtime if it is missing and can run here. */
export async function fetchRuntime() {
  const electron = join(root, 'node_modules/electron');
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH !== undefined || cannotRun) return;
  await exclusively(join(stateFolder, 'runtime.lock'), () => downloadRuntime(electron));
}

/** Runs the installer of this Electron package. There is no time limit: a slow connection may need long, and the user can end it. */
export function downloadRuntime(electron) {
  if (isInstalled(electron)) return;
  console.error("Downloading Electron's runtime, once (about 120 MB) …");
  const { status } = spawnSync(process.execPath, [join(electron, 'install.js')], {
    cwd: electron,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0 || !isInstalled(electron)) console.error("Electron's runtime could not be downloaded.");
}
