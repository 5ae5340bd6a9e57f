import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGone } from '../recording/recording-name.ts';

/**
 * Opens the address in the user's browser. Without a browser nothing happens: the address is printed anyway.
 *
 * The address is not passed as an argument, because it contains the token, and every user of a machine can read the
 * arguments of every process. Instead, the browser opens a file in `folder` that only this user can read and that
 * redirects to the address. The token is valid once, because the browser may keep the
 * address. Returns a function that removes the file.
 */
export function openBrowser(url: string, folder: string): () => void {
  const file = join(folder, `open-${process.pid}.html`);
  const remove = (): void => rmSync(file, { force: true });
  try {
    mkdirSync(folder, { recursive: true });
    removeLeftFiles(folder);
    writeFileSync(
      file,
      `<!doctype html><meta charset="utf-8"><title>Leanscope</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}">\n`,
      { mode: 0o600 },
    );
    const command = opener(file);
    if (command === undefined) return remove;
    const [program, ...args] = command;
    const child = spawn(program, args, { detached: true, stdio: 'ignore' });
    // No browser was found; the address is printed.
    child.once('error', () => undefined);
    child.unref();
  } catch {
    // The folder is not writable; the address is printed.
  }
  return remove;
}

/** Removes the files of commands that were killed, each with a token. */
function removeLeftFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^open-(\d+)\.html$/.exec(name)?.[1];
    if (pid !== undefined && isGone(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

/** The command that opens a file in the browser; undefined: none is to be expected. */
function opener(file: string): readonly [string, ...string[]] | undefined {
  switch (process.platform) {
    case 'darwin':
      return ['open', file];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', file];
    default:
      // Without a display xdg-open may start a text browser in this terminal.
      return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open', file] : undefined;
  }
}
