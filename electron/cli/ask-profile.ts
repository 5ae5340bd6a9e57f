/** The question of a command: the files of its command line, and the part of them that is in its scope. */
import { Engine } from '../../shared/engine/engine.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../shared/engine/query.ts';
import { sampleSpan } from '../../shared/profile/sample-table.ts';
import type { TimeRange, Scope, Transform } from '../../shared/scope/scope.ts';
import type { ProfileInScope } from '../../shared/scope/scoped-profile.ts';
import type { AskedQuery } from '../../shared/export/export-view.ts';
import { type GivenTime, resolveTime } from '../../shared/scope/time-range.ts';
import { CommandError, type CommandIo, inputName, UsageError } from './command-io.ts';
import { emptyScopeReason } from './empty-scope.ts';
import type { Arguments, ValuesOf } from './options.ts';
import { type InputFiles, inputFiles, readProfile, type ReadProfile } from './read-profile.ts';
import { type SCOPE_OPTIONS, scopeOf } from './scope-options.ts';

/** The time range of a command line. What it means is known only when the file is read. */
export interface GivenRange {
  readonly from: GivenTime | undefined;
  readonly to: GivenTime | undefined;
}

/** Files, and a query about the profile in them. */
export interface Question {
  readonly input: InputFiles;
  /** Its scope has no time range yet. */
  readonly query: ProfileQuery;
  readonly range: GivenRange | undefined;
  /** The option that needs the times of single samples, besides those of the range. */
  readonly needsTimes?: string | undefined;
  /** The times of single samples are used where the files have them. */
  readonly wantsTimes?: boolean;
}

/** The files of a question, in an engine of their own. */
export interface ReadQuestion extends AskedQuery {
  readonly read: ReadProfile;
}

/** The answer: what the query leaves of the profile. */
export interface AskedProfile extends ProfileInScope, ReadQuestion {
  /** The profile as the query shows it, with all lines. */
  readonly view: ProfileView;
  /** The answer to the question with a further transform. */
  readonly with: (transform: Transform) => AskedProfile;
  /** `app.hpl: no thread is named mian; …`, a line for standard error; undefined if samples are left. */
  readonly emptied: string | undefined;
}

/** The options of a command that say which files it reads and what of them it looks at. */
export type AskedArguments = Pick<
  Arguments<ValuesOf<typeof SCOPE_OPTIONS> & Parameters<typeof inputFiles>[1]['values']>,
  'files' | 'values' | 'inOrder'
>;

/** The question that the arguments of a command ask; `more`: by its own options. Throws UsageError. */
export function questionOf(
  command: string,
  args: AskedArguments,
  more: Partial<Omit<ProfileQuery, 'scope'>> = {},
): Question {
  return {
    input: inputFiles(command, args),
    query: { ...INITIAL_QUERY, ...more, scope: scopeOf(args.inOrder) },
    range: givenRange(args.values.from, args.values.to),
  };
}

export function givenRange(from: GivenTime | undefined, to: GivenTime | undefined): GivenRange | undefined {
  return from === undefined && to === undefined ? undefined : { from, to };
}

const LOG = 'read';

/** Reads the files. Rejects as `readProfile` does, and with UsageError if times are needed that the files do not have. */
export async function readQuestion(question: Question, io: CommandIo): Promise<ReadQuestion> {
  const { input, query, range, needsTimes, wantsTimes = false } = question;
  const read = await readProfile(input, io, wantsTimes || range !== undefined || needsTimes !== undefined);
  const scope = { ...query.scope, range: rangeIn(range, read) };
  if (needsTimes !== undefined) requireSampleTimes(needsTimes, read);
  const engine = new Engine();
  engine.add(LOG, read.profile);
  return { engine, log: LOG, query: { ...query, scope }, read };
}

/** Reads the files, and answers. Rejects as `readQuestion` does. */
export async function askProfile(question: Question, io: CommandIo): Promise<AskedProfile> {
  return answer(await readQuestion(question, io));
}

export function answer(question: ReadQuestion): AskedProfile {
  const { engine, log, query, read } = question;
  const { scope } = query;
  const viewOf = (asked: ProfileQuery): ProfileView => engine.view(log, asked, 'name', true);
  const view = viewOf(query);
  const inScope = view.alone;
  const ofScope = (part: Scope): ProfileInScope =>
    viewOf({ ...query, hidesErrors: false, scope: part }).alone;
  const reason = emptyScopeReason(read.profile, query, inScope, ofScope);
  const emptied = reason && `${inputName(read.paths[0])}: ${reason}`;
  const narrower = (transform: Transform): AskedProfile =>
    answer({
      ...question,
      query: { ...query, scope: { ...scope, transforms: [...scope.transforms, transform] } },
    });
  return { ...question, ...inScope, view, emptied, with: narrower };
}

/** Throws CommandError if no sample is in scope. */
export function requireSamples(asked: AskedProfile): AskedProfile {
  if (asked.emptied !== undefined) throw new CommandError(asked.emptied);
  return asked;
}

/** The range in a file that was read with its samples. Throws UsageError if it has no times of samples. */
export function rangeIn(given: GivenRange | undefined, read: ReadProfile): TimeRange | undefined {
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
