import { pathToFileURL } from 'node:url';
import { command, userFolder } from './paths.mjs';

/**
 * Runs the built `leanscope` command in this process, from the folder in which the user typed: file names, signals,
 * pipes and the exit status are the command's own.
 */
export async function runCommand(args) {
  process.chdir(userFolder);
  process.argv = [process.execPath, command, ...args];
  await import(pathToFileURL(command).href);
}
