import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** The built `leanscope` command. */
export const command = join(root, 'dist/electron/cli.cjs');

/** The folder in which these scripts store their state between runs. */
export const notes = join(root, 'node_modules/.cache/leanscope');

/** The user's working directory: npm changes to the checkout and passes the original one in INIT_CWD. */
export const userFolder = process.env.INIT_CWD ?? process.cwd();

/** A file name as the user wrote it, made absolute. */
export const fromUserFolder = (file) => (isAbsolute(file) ? file : resolve(userFolder, file));
