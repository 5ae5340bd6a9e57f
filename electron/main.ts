/** Entry of the packaged program: the window, or one command line without any window. */
import { main } from './cli/main.ts';
import { processIo } from './cli/process-io.ts';
import { exitDesktop, runDesktop } from './desktop/desktop.ts';
import { filesOf, isWindowless, ownArguments } from './desktop/opened-files.ts';

// Set by Electron when it runs a folder; its types leave out that it is absent from a packaged program.
const isDefaultApp = (process as { readonly defaultApp?: boolean }).defaultApp === true;
const args = ownArguments(process.argv, isDefaultApp);

if (isWindowless(args)) void main(args, processIo()).then(exitDesktop);
else runDesktop(filesOf(args, process.cwd()));
