/** What a command looks at: the files of its command line, and the part of them that is in its scope. */
import { sampleSpan } from '../../shared/profile/sample-table.ts';
import type { TimeRange, Scope } from '../../shared/scope/scope.ts';
import { type ProfileInScope, profileInScope } from '../../shared/scope/scoped-profile.ts';
import { type GivenTime, resolveTime } from '../../shared/scope/time-text.ts';
import type { FrameGrouping } from '../../shared/trees/grouping.ts';
import { withoutErrors } from '../../shared/values/values-without-errors.ts';
import { CommandError, type CommandIo, inputName, UsageError } from './command-io.ts';
import { emptyScopeText } from './empty-scope.ts';
import type { Arguments, ValuesOf } from './options.ts';
import { type InputFiles, inputFiles, readProfile, type ReadProfile } from './read-profile.ts';
import { type SCOPE_OPTIONS, scopeOf } from './scope-options.ts';

/** The time range of a command line. What it means is known only when the file is read. */
export interface GivenRange {
  readonly from: GivenTime | undefined;
  readonly to: GivenTime | undefined;
}

/** What is asked about the profile of some files. */
export interface Question {
  readonly input: InputFiles;
  /** Without its time range. Its keys are those of `frames`. */
  readonly scope: Scope;
  readonly range: GivenRange | undefined;
  readonly frames: FrameGrouping;
  /** Samples with an error on their stack are left out, and not only their rows. */
  readonly hidesErrors: boolean;
  /** The option that needs the times of single samples, besides those of the range. */
  readonly needsTimes?: string | undefined;
}

/** The answer: the part of a profile that is in scope. */
export interface AskedProfile extends ProfileInScope {
  readonly read: ReadProfile;
  readonly scope: Scope;
  /** See `emptyScopeText`. */
  readonly emptied: string | undefined;
}

/** The options of a command that say which files it reads and what of them it looks at. */
export type AskedArguments = Pick<
  Arguments<ValuesOf<typeof SCOPE_OPTIONS> & Parameters<typeof inputFiles>[1]['values']>,
  'files' | 'values' | 'inOrder'
>;

/** What the command line of a command asks. Throws UsageError. */
export function questionOf(command: string, args: AskedArguments, frames: FrameGrouping = 'fqmn'): Question {
  return {
    input: inputFiles(command, args),
    scope: scopeOf(args.inOrder),
    range: givenRange(args.values.from, args.values.to),
    frames,
    hidesErrors: false,
  };
}

export function givenRange(from: GivenTime | undefined, to: GivenTime | undefined): GivenRange | undefined {
  return from === undefined && to === undefined ? undefined : { from, to };
}

/** Reads the files. Rejects as `readProfile` does, and with UsageError if times are needed that the files do not have. */
export async function askProfile(question: Question, io: CommandIo): Promise<AskedProfile> {
  const { input, range, frames, hidesErrors, needsTimes } = question;
  const read = await readProfile(input, io, range !== undefined || needsTimes !== undefined);
  const scope = { ...question.scope, range: rangeIn(range, read) };
  if (needsTimes !== undefined) requireSampleTimes(needsTimes, read);
  const narrow = hidesErrors ? withoutErrors(read.profile) : undefined;
  const inScope = profileInScope(read.profile, scope, frames, narrow);
  const emptied = emptyScopeText(input.paths[0], read.profile, scope, frames, inScope);
  return { ...inScope, read, scope, emptied };
}

/** Throws CommandError if no sample is in scope. */
export function requireSamples(asked: AskedProfile): AskedProfile {
  if (asked.emptied !== undefined) throw new CommandError(asked.emptied);
  return asked;
}

/** The range in a file that was read with its samples. Throws UsageError if it has no times of samples. */
function rangeIn(given: GivenRange | undefined, read: ReadProfile): TimeRange | undefined {
  if (given === undefined) return undefined;
  requireSampleTimes('--from and --to', read);
  const { samples } = read.profile;
  const first = (samples && sampleSpan(samples)?.first) ?? 0n;
  const from = given.from && resolveTime(given.from, first);
  const to = given.to && resolveTime(given.to, first);
  if (from !== undefined && to !== undefined && from >= to) {
    throw new UsageError(`--from must be before --to: from ${from}ns to ${to}ns`);
  }
  return { kind: 'between', from: from?.toString(), to: to?.toString() };
}

/** Throws UsageError if the times of single samples are not known. `options` names what needs them. */
function requireSampleTimes(options: string, { facts, format, paths }: ReadProfile): void {
  if (facts.hasSampleTimes) return;
  throw new UsageError(
    `${options} cannot be used with ${inputName(paths[0])}: it does not say when each sample was taken (${format.name})`,
  );
}
