/**
 * Electron's npm package does not contain its runtime: its installer downloads it, about 120 MB. This runs when the
 * window is first opened; after a failure it is not tried again for a day.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exclusively } from './lock.mjs';
import { root, stateFolder } from './paths.mjs';

const RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
const POLL_MS = 250;
const MB = 1_000_000;
/** Into a file or pipe progress is printed this often; on a terminal, in one line, at each megabyte. */
const LINE_EVERY_MB = 10;

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
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH !== undefined || cannotRun || isInstalled(electron)) return;
  await exclusively(join(stateFolder, 'runtime.lock'), () => downloadRuntime(electron, stateFolder));
}

/**
 * Runs the installer of this Electron package, and reports progress and failure on standard error. There is no time
 * limit: a slow connection may need long, and the user can end it.
 */
export async function downloadRuntime(electron, stateFolder) {
  const failureFile = join(stateFolder, 'runtime-fetch-failed.txt');
  const failure = statSync(failureFile, { throwIfNoEntry: false });
  const retryAt = failure === undefined ? 0 : failure.mtimeMs + RETRY_AFTER_MS;
  if (isInstalled(electron)) return;
  if (Date.now() < retryAt) {
    console.error(
      `Electron's runtime could not be downloaded; it is tried again after ${new Date(retryAt).toLocaleString()}, ` +
        `or when you delete ${failureFile}, which says why.`,
    );
    return;
  }
  const { status, errors } = await install(electron, join(stateFolder, 'runtime-download'));
  if (status === 0 && isInstalled(electron)) {
    rmSync(failureFile, { force: true });
    return;
  }
  writeFileSync(failureFile, errors);
  console.error(
    `Electron's runtime could not be downloaded. ${failureFile} says why; it is tried again in a day.`,
  );
}

/** `folder` takes the download until it is complete; its size is the progress. */
async function install(electron, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { progress, end } = progressLine();
  const child = spawn(process.execPath, [join(electron, 'install.js')], {
    cwd: electron,
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const timer = setInterval(() => progress(sizeOf(folder)), POLL_MS);
  let errors = '';
  child.stderr.on('data', (bytes) => (errors += bytes));
  try {
    return await new Promise((done) => {
      child.once('error', (error) => done({ status: 1, errors: error.message }));
      child.once('close', (status) => done({ status, errors }));
    });
  } finally {
    clearInterval(timer);
    end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function progressLine() {
  const text = "Downloading Electron's runtime, once (about 120 MB)";
  const { isTTY } = process.stderr;
  let shown = 0;
  process.stderr.write(isTTY ? `${text} …` : `${text} …\n`);
  return {
    progress: (bytes) => {
      const megabytes = Math.floor(bytes / MB);
      if (megabytes < shown + (isTTY ? 1 : LINE_EVERY_MB)) return;
      shown = megabytes;
      process.stderr.write(isTTY ? `\r${text}: ${megabytes} MB` : `${megabytes} MB\n`);
    },
    end: () => isTTY && process.stderr.write('\n'),
  };
}

/** The bytes of all files in a folder, from which the installer may remove folders at the same time. */
function sizeOf(folder) {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => statSync(join(folder, name)))
      .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  } catch {
    return 0;
  }
}
