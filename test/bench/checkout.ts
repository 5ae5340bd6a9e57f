import { join } from 'node:path';

/** The checkout: bench.mjs runs the bench in it, as Vitest does the tests. */
export const ROOT = process.cwd();

/** The built `leanscope` command. */
export const COMMAND = join(ROOT, 'dist/electron/cli.cjs');

/** What the bench leaves behind. */
export const OUTPUT = join(ROOT, 'test/output');
