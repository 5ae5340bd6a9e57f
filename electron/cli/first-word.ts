import { statSync } from 'node:fs';
import { NAMED_COMMANDS } from '../runtime/command-names.ts';
import { systemPath } from '../source/system-path.ts';
import { UsageError } from './command-io.ts';
import { didYouMean } from './did-you-mean.ts';

/**
 * Throws UsageError for a first word that is probably a mistyped command: it is neither a command nor a file that exists,
 * and has no separator and no extension, as the path of a file that is still to come would have.
 */
export function requireCommandOrFile(first: string | undefined): void {
  if (first === undefined || first === '' || first.startsWith('-') || /[./\\]/.test(first)) return;
  if (exists(first)) return;
  throw new UsageError(`there is no command and no file '${first}'${didYouMean(first, NAMED_COMMANDS)}`);
}

/** Whether there is anything at a path. */
export function exists(path: string): boolean {
  try {
    return statSync(systemPath(path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // What may not be looked at is there, as far as is known: reading it says why it cannot be read.
    return true;
  }
}
