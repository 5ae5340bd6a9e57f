/** Entry of the desktop program: opens the window, or runs a command that needs none. */
import { main, report, requireCommandOrFile, requireNoPassword } from './cli/main.ts';
import { standardInputError } from './cli/io/command-io.ts';
import { commandArguments, processIo } from './cli/io/process-io.ts';
import { exitDesktop, runDesktop } from './desktop/run-desktop.ts';
import {
  commandOf,
  filesOf,
  firstWordOf,
  namesStandardInput,
  ownArguments,
  sourcesOf,
  switchesOf,
} from './desktop/opened-files.ts';

// Electron sets this when it runs a folder. Its types do not say that it is undefined in a packaged program.
const isDefaultApp = (process as { readonly defaultApp?: boolean }).defaultApp === true;
const args = ownArguments([process.execPath, ...commandArguments(1)], isDefaultApp);
const command = commandOf(args);

if (command !== undefined) void main(command, processIo()).then(exitDesktop);
else if (isRefused()) exitDesktop(2);
else runDesktop(filesOf(args, process.cwd()), sourcesOf(args, process.cwd()), switchesOf(args));

/** Whether the arguments name what no window can open: that is said, and the exit status is that of a usage error. */
function isRefused(): boolean {
  try {
    requireNoPassword(args);
    requireCommandOrFile(firstWordOf(args));
    if (namesStandardInput(args)) throw standardInputError();
    return false;
  } catch (error) {
    report(error, processIo());
    return true;
  }
}
