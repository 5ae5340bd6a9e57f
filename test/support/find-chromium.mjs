import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const { env, platform } = process;

const candidates = () => {
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA];
    const programs = ['Google/Chrome/Application/chrome.exe', 'Chromium/Application/chrome.exe'];
    return folders.flatMap((folder) => (folder ? programs.map((program) => join(folder, program)) : []));
  }
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  if (platform !== 'darwin') return onPath;
  const applications = ['/Applications', join(env.HOME ?? '', 'Applications')];
  const programs = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'];
  return [...applications.flatMap((folder) => programs.map((program) => join(folder, program))), ...onPath];
};

/** Some distributions install a script that only says how to get the real thing. */
const runs = (path) =>
  platform !== 'linux' || spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;

/** The path of an installed Chromium or Chrome; CHROME_PATH goes first. */
export function findChromium() {
  if (env.CHROME_PATH) return env.CHROME_PATH;
  return candidates().find((path) => existsSync(path) && runs(path));
}
