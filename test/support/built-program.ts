import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';

const ROOT = new URL('../..', import.meta.url);

/** The checkout's folder, or a path in it. */
export const inCheckout = (path = ''): string => fileURLToPath(new URL(path, ROOT));

let isBuilt = false;

/**
 * Builds the program for the tests of a file if it is out of date, once in a process. Concurrent test files wait for one
 * another.
 */
export function useBuiltProgram(): void {
  beforeAll(() => {
    if (isBuilt) return;
    const script = inCheckout('electron/setup/build.mjs');
    const { status, stderr, error } = spawnSync(process.execPath, [script, '--quiet', '--if-stale'], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the build failed: ${error?.message ?? stderr}`);
    isBuilt = true;
  });
}
