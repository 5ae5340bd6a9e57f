import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** The built `leanscope` command. */
export const command = join(root, 'dist/electron/cli.cjs');

/** Where these scripts keep what they know about the checkout between two runs. */
export const notes = join(root, 'node_modules/.cache/leanscope');

/** The folder in which the user typed the command: npm changes to the checkout, and tells where it came from. */
export const userFolder = process.env.INIT_CWD ?? process.cwd();

/** A file name as the user wrote it, made absolute. */
export const fromUserFolder = (file) => (isAbsolute(file) ? file : resolve(userFolder, file));
