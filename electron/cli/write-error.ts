import { errnoOf } from '../source/source-error.ts';
import { CommandError } from './command-io.ts';

export const STANDARD_OUTPUT = 'standard output';

/** The CommandError for a system error while `name`, a path or `STANDARD_OUTPUT`, is written. */
export function writeError(name: string, error: unknown): CommandError {
  const code = errnoOf(error) ?? 'unknown error';
  const [reason, advice] = REASONS[code] ?? ['could not be written', NAME_ANOTHER];
  return new CommandError(`${name}: ${reason} (${code}); ${advice}`);
}

const NAME_ANOTHER = 'name another file with -o';
const NAME_ELSEWHERE = 'name a file elsewhere with -o';

const REASONS: Readonly<Record<string, readonly [reason: string, advice: string] | undefined>> = {
  ENOSPC: ['there is no space left on its disk', `free some, or ${NAME_ELSEWHERE}`],
  EDQUOT: ['the quota of its disk is used up', `free some space, or ${NAME_ELSEWHERE}`],
  EFBIG: ['is too large for its disk', NAME_ELSEWHERE],
  EROFS: ['its disk is read-only', NAME_ELSEWHERE],
  EACCES: ['may not be written by this user', NAME_ELSEWHERE],
  EPERM: ['may not be written by this user', NAME_ELSEWHERE],
  ENOENT: ['its folder does not exist', 'create the folder first'],
  ENOTDIR: ['a part of its path is not a folder', 'check the path'],
  ELOOP: ['is a loop of symbolic links', NAME_ANOTHER],
  ENAMETOOLONG: ['its name is too long', NAME_ANOTHER],
  EIO: ['its disk reports an error', 'check the disk'],
};
