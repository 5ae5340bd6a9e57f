import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Opens the address in the user's browser, as far as there is one; who has none has the printed address. The address
 * holds the token, and every user of a machine can read the arguments of every program: so the browser is given a file
 * in `folder` that only this user can read, and that leads on. Returns what removes the file again.
 */
export function openBrowser(url: string, folder: string): () => void {
  const file = join(folder, `open-${process.pid}.html`);
  const remove = (): void => rmSync(file, { force: true });
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      file,
      `<!doctype html><meta charset="utf-8"><title>Leanscope</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}">\n`,
      { mode: 0o600 },
    );
    const command = opener(file);
    if (command === undefined) return remove;
    const [program, ...args] = command;
    const child = spawn(program, args, { detached: true, stdio: 'ignore' });
    // There is no such program: the address was printed.
    child.once('error', () => undefined);
    child.unref();
  } catch {
    // The folder cannot be written: the address was printed.
  }
  return remove;
}

function opener(file: string): readonly [string, ...string[]] | undefined {
  switch (process.platform) {
    case 'darwin':
      return ['open', file];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', file];
    default:
      // Without a screen xdg-open may start a browser in the terminal, which would take it over.
      return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open', file] : undefined;
  }
}
