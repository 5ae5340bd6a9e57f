import { join } from 'node:path';

/** The checkout. It is the working directory of the bench, as of Vitest's tests. */
export const ROOT = process.cwd();

/** The built `leanscope` command. */
export const COMMAND = join(ROOT, 'dist/electron/cli.cjs');

/** Folder for the results. */
export const OUTPUT = join(ROOT, 'test/output');
