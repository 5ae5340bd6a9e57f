import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { profileInScope } from '../../shared/scope/scoped-profile.ts';
import type { FrameGrouping } from '../../shared/trees/grouping.ts';
import { filesOf, type OptionSpecs, type ParsedArguments } from './arguments.ts';
import { CHOOSE_OPTION, chosenOf } from './choose-option.ts';
import { CommandError, type CommandIo } from './command-io.ts';
import { emptyScopeText } from './empty-scope.ts';
import { MERGE_FILES_OPTION, mergedThreadsOf, readContents } from './read-merged.ts';
import type { ProfileContents } from './read-profile.ts';
import { SCOPE_OPTIONS, scopeOf } from './scope-options.ts';
import { givenRangeOf, rangeIn } from './time-options.ts';

/** What is read, and what of it is looked at. */
export const SCOPED_INPUT_OPTIONS: OptionSpecs = {
  ...SCOPE_OPTIONS,
  '--choose': CHOOSE_OPTION,
  '--merge-files': MERGE_FILES_OPTION,
};

/** The part of the files of a command line that is in its scope. Throws CommandError if that is nothing. */
export async function readInScope(
  command: string,
  args: ParsedArguments,
  io: CommandIo,
  frames: FrameGrouping = 'fqmn',
): Promise<{ readonly profile: LeanProfile; readonly read: ProfileContents }> {
  const paths = filesOf(command, args);
  const given = givenRangeOf(args);
  const ranged = { ...scopeOf(args), range: undefined };
  const options = { samples: given !== undefined, merge: mergedThreadsOf(args) };
  const read = await readContents(paths, chosenOf(args), io, options);
  const scope = { ...ranged, range: rangeIn(given, read) };
  const inScope = profileInScope(read.profile, scope, frames);
  const emptied = emptyScopeText(paths[0], read.profile, scope, frames, inScope);
  if (emptied !== undefined) throw new CommandError(emptied);
  return { profile: inScope.profile, read };
}
