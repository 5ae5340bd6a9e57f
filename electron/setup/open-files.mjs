/** `npm start -- some.hpl`: opens logs in the window, or in the browser if Electron's runtime is not available. */
import { fetchRuntime } from './fetch-runtime.mjs';
import { prepare } from './prepare.mjs';
import { runCommand } from './run-command.mjs';

prepare();
await fetchRuntime();
await runCommand(process.argv.slice(2));
