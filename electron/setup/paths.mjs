import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout, without a separator at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** The built `leanscope` command. */
export const command = join(root, 'dist/electron/cli.cjs');

/** The folder in which these scripts store their state between runs. */
export const stateFolder = join(root, 'node_modules/.cache/leanscope');

/** The user's working directory: npm changes to the checkout and passes the original one in INIT_CWD. */
export const userFolder = process.env.INIT_CWD ?? process.cwd();
