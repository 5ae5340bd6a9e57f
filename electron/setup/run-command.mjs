import { pathToFileURL } from 'node:url';
import { command, userFolder } from './paths.mjs';

/**
 * Runs the built `leanscope` command in this process and in the user's working directory. File names, signals, pipes
 * and the exit status work as for the command itself.
 */
export async function runCommand(args) {
  process.chdir(userFolder);
  process.argv = [process.execPath, command, ...args];
  await import(pathToFileURL(command).href);
}
