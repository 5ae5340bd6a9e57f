/** `npm run -s cli -- export FILE …`: the `leanscope` command of a checkout. */
import { prepare } from './prepare.mjs';
import { runCommand } from './run-command.mjs';

prepare();
await runCommand(process.argv.slice(2));
