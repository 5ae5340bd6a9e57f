/**
 * Runs the `leanscope` command of a checkout: `npm start -- some.hpl` opens logs in the window, or in the browser if
 * Electron's runtime is not available, `npm run -s cli -- export FILE …` runs any command.
 */
import { pathToFileURL } from 'node:url';
import { fetchRuntime } from './fetch-runtime.mjs';
import { command, userFolder } from './paths.mjs';
import { prepare } from './prepare.mjs';

/**
 * Runs the built command in this process and in the user's working directory. File names, signals, pipes and the exit
 * status work as for the command itself.
 */
export async function run({ opensWindow }) {
  prepare();
  if (opensWindow) await fetchRuntime();
  process.chdir(userFolder);
  process.argv = [process.execPath, command, ...process.argv.slice(2)];
  await import(pathToFileURL(command).href);
}
