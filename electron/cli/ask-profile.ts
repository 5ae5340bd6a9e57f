/** The question of a command: the files of its command line, and the part of them that is in its scope. */
import { callsLeftOutText } from '../../shared/answers/operations.ts';
import { contextKeys, hasContexts, valuesOfKey } from '../../shared/engine/contexts/context-test.ts';
import { Engine } from '../../shared/engine/engine.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../shared/engine/query.ts';
import { sampleSpan } from '../../shared/profile/sample-table.ts';
import { hasIdleThreads, haveOnlyCpuTimes } from '../../shared/facts/sample-kind.ts';
import {
  type ContextScope,
  EMPTY_SCOPE,
  isEmptyScope,
  type Scope,
  type TimeRange,
  type Transform,
} from '../../shared/scope/scope.ts';
import { contextsText, keysMeant, parseCondition } from '../../shared/scope/context-condition.ts';
import { LEAVE_OUT_IDLE } from '../../shared/scope/transform-list.ts';
import type { SaidScope } from '../../shared/scope/scope-fields.ts';
import type { ProfileInScope } from '../../shared/scope/scoped-profile.ts';
import type { AskedQuery } from '../../shared/export/export-view.ts';
import { namedBounds, rangeMeant, type SaidRange } from '../../shared/scope/time-range.ts';
import { CommandError, type CommandIo, inputName, writeMessage } from './io/command-io.ts';
import { UsageError, didYouMean } from './options/usage-error.ts';
import { type Arguments, wrongValue } from './options/options.ts';
import {
  type InputFiles,
  inputFiles,
  type InputOptions,
  readProfile,
  type ReadProfile,
} from './read-profile.ts';
import { scopeOf } from './options/scope-options.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { threadsText } from '../../shared/scope/thread-pattern.ts';
import { isExpression, threadsAmong } from '../../shared/scope/filters.ts';
import { formatQuantity, formatSpan } from '../../shared/text/format-value.ts';
import { NO_SAMPLES, type SelfValues, sumSelfValues } from '../../shared/engine/values/self-values.ts';
import type { RowFilter } from '../../shared/engine/views/filter.ts';
import { type FrameGrouping, groupingByContext } from '../../shared/engine/trees/grouping.ts';
import { KeyTable, threadKeys } from '../../shared/engine/trees/keys.ts';

/** Files, and a query about the profile in them. */
export interface Question {
  readonly input: InputFiles;
  /** A query whose scope has no time range: that is `range` until the files are read. */
  readonly query: ProfileQuery;
  readonly range: SaidRange | undefined;
  /** The option for which the files must have the times of single samples; undefined: none, or a range. */
  readonly needsTimes?: string | undefined;
  /** The times of single samples are used where the files have them. */
  readonly wantsTimes?: boolean;
  /** The answer is what a window shows at first: without samples that have no stack, and without idle threads that hide others. */
  readonly isFirstView?: boolean | undefined;
}

/** A question whose files were read, in an engine of their own. */
export interface ReadQuestion extends AskedQuery, Pick<Question, 'isFirstView'> {
  readonly read: ReadProfile;
}

/** The answer: what the query leaves of the profile. */
export interface AskedProfile extends ReadQuestion {
  /** The profile as the query shows it, with all lines. */
  readonly view: ProfileView;
  /** The answer to the question with a further transform. */
  readonly with: (transform: Transform) => AskedProfile;
  /** `app.hpl: no thread is named mian; …`, a line for standard error; undefined if samples are left. */
  readonly emptied: string | undefined;
  /** The samples that nobody has asked to leave out; undefined: the answer has all that was asked for. */
  readonly leftOut: LeftOut | undefined;
}

/** The samples that a first view leaves out. */
interface LeftOut {
  readonly errors: number;
  /** Idle threads are among them. */
  readonly areIdle: boolean;
  readonly text: string;
}

/** The options of a command that say which files it reads and what of them it looks at. */
type AskedArguments = Pick<
  Arguments<InputOptions & { readonly 'count-all'?: boolean }>,
  'files' | 'values' | 'inOrder'
>;

/**
 * The question that the arguments of a command ask; `more`: by its own options. A command with the option --count-all
 * answers with the first view without it. Throws UsageError.
 */
export function questionOf(
  command: string,
  args: AskedArguments,
  more: Partial<Omit<ProfileQuery, 'scope'>> = {},
): Question {
  return {
    input: inputFiles(command, args),
    isFirstView: args.values['count-all'] === false,
    ...askedScope({ ...INITIAL_QUERY, ...more }, scopeOf(args.inOrder)),
  };
}

/** Whether a format is a canonical text of Honest Profiler, whose filters never change a sum. */
export function isReference(format: string): boolean {
  return format === 'flat' || format === 'tree';
}

/**
 * Whether the samples of hidden errors are left out, and not only their rows: of what people read, as in the window, and
 * of all shares.
 */
export function leavesErrorsOut({ hideErrors }: RowFilter, format: string): boolean {
  return hideErrors && !isReference(format);
}

/** A query with a scope in words. */
export function askedScope(
  query: Omit<ProfileQuery, 'scope'>,
  { range, ...parts }: SaidScope,
): Pick<Question, 'query' | 'range'> {
  return { query: { ...query, scope: { ...EMPTY_SCOPE, ...parts } }, range };
}

/** An engine with a profile that was read, and its id there. */
export function engineWith(profile: LeanProfile): Pick<ReadQuestion, 'engine' | 'log'> {
  const engine = new Engine();
  const log = 'read';
  engine.add(log, profile);
  return { engine, log };
}

/**
 * Reads the files. Rejects as `readProfile` does, and with UsageError if times or contexts are needed that the files do not
 * have.
 */
export async function readQuestion(question: Question, io: CommandIo): Promise<ReadQuestion> {
  const { input, query, range, needsTimes, wantsTimes = false } = question;
  const needed = needsTimes ?? query.attribute ?? query.scope.contexts ?? range;
  return askedOf(question, await readProfile(input, io, wantsTimes || needed !== undefined));
}

/** The question about files that were read with what it needs. Throws UsageError if they do not have it. */
export function askedOf(
  { query, range, needsTimes, isFirstView }: Question,
  read: ReadProfile,
): ReadQuestion {
  const { attribute } = query;
  if (query.scope.contexts !== undefined) requireContexts('--context, --took, --began and --slower', read);
  if (attribute !== undefined) requireThreadsBy(attribute, read);
  const scope = { ...query.scope, range: rangeIn(range, read) };
  if (needsTimes !== undefined) requireSampleTimes(needsTimes, read);
  return { ...engineWith(read.profile), query: { ...query, scope }, read, isFirstView };
}

/** Reads the files, and answers. Rejects as `readQuestion` does. */
export async function askProfile(question: Question, io: CommandIo): Promise<AskedProfile> {
  return answer(await readQuestion(question, io));
}

/** Everything counts nevertheless if nothing but what a first view leaves out is in scope. */
export function answer(question: ReadQuestion): AskedProfile {
  if (question.isFirstView !== true) return answerAll(question);
  const first = answerAll(firstView(question));
  if (first.emptied === undefined) return { ...first, leftOut: leftOutOf(first, question) };
  const all = answerAll(question);
  if (all.emptied !== undefined) return all;
  const what = [
    ...(hidesOthers(question) ? ['are of idle threads'] : []),
    ...(all.view.counted.errors > 0 ? ['have no stack'] : []),
  ];
  const text = `all samples in scope ${what.join(' or ')}`;
  return { ...all, leftOut: { errors: 0, areIdle: false, text } };
}

function leftOutOf({ view }: AskedProfile, asked: ReadQuestion): LeftOut | undefined {
  const errors = asked.query.hidesErrors ? 0 : view.counted.errors;
  const areIdle = hidesOthers(asked) && view.outside.samples > 0;
  const { one, many } = asked.read.facts.units.counted;
  const idle = isEmptyScope(asked.query.scope) ? formatQuantity(view.outside.samples, one, many) : many;
  const text = leftOutText(
    errors > 0 ? formatQuantity(errors, one, many) : undefined,
    areIdle ? idle : undefined,
  );
  return text === undefined ? undefined : { errors, areIdle, text };
}

/** `left out: 3 samples without a stack, 40 samples of idle threads; …`; undefined: nothing is. */
export function leftOutText(errors: string | undefined, idle: string | undefined): string | undefined {
  const what = [
    ...(errors === undefined ? [] : [`${errors} without a stack`]),
    ...(idle === undefined ? [] : [`${idle} of idle threads`]),
  ];
  return what.length === 0 ? undefined : `left out: ${what.join(', ')}; --count-all counts them`;
}

/** The answer to exactly this question. */
export function answerAll(question: ReadQuestion): AskedProfile {
  const { engine, log, query, read } = question;
  const { scope } = query;
  const viewOf = (asked: ProfileQuery): ProfileView => engine.view(log, asked, 'name', true);
  const view = viewOf(query);
  const ofScope = (part: Scope): ProfileInScope =>
    viewOf({ ...query, hidesErrors: false, scope: part }).alone;
  const reason = emptyScopeReason(view, ofScope);
  const emptied = reason && `${inputName(read.paths[0])}: ${reason}`;
  const narrower = (transform: Transform): AskedProfile =>
    answer({
      ...question,
      query: { ...query, scope: { ...scope, transforms: [...scope.transforms, transform] } },
    });
  return { ...question, view, emptied, leftOut: undefined, with: narrower };
}

/** Whether idle threads hide what others do, and nobody has said whether they count. */
export function hidesOthers({ query, read }: ReadQuestion): boolean {
  const isSaid = query.scope.transforms.some(({ kind }) => kind === LEAVE_OUT_IDLE.kind);
  return !isSaid && hasIdleThreads(read.facts);
}

/**
 * The question about what a window shows at first: samples with a stack, and where idle threads hide others, without these.
 * Idle threads are those of the stacks that were recorded.
 */
export function firstView<Asked extends ReadQuestion>(question: Asked, hides = hidesOthers(question)): Asked {
  const { query } = question;
  const idle = hides ? [LEAVE_OUT_IDLE] : [];
  const scope = { ...query.scope, transforms: [...idle, ...query.scope.transforms] };
  return { ...question, query: { ...query, scope, hidesErrors: true } };
}

/** Writes the sentence about samples that are left out, a line for standard error. */
export function tellLeftOut({ leftOut, read }: AskedProfile, io: CommandIo): void {
  if (leftOut !== undefined) writeMessage(io, `${inputName(read.paths[0])}: ${leftOut.text}`);
}

/** Throws CommandError if no sample is in scope. */
export function requireSamples(asked: AskedProfile): AskedProfile {
  if (asked.emptied !== undefined) throw new CommandError(asked.emptied);
  return asked;
}

/** The range in a file that was read with its samples. Throws UsageError if it has no times of samples. */
export function rangeIn(said: SaidRange | undefined, read: ReadProfile): TimeRange | undefined {
  if (said === undefined) return undefined;
  requireSampleTimes('--from, --to and --latest', read);
  const { samples } = read.profile;
  const range = rangeMeant(said, (samples && sampleSpan(samples)?.first) ?? 0n);
  const { from, to } = range?.kind === 'between' ? range : {};
  if (from !== undefined && to !== undefined && BigInt(from) >= BigInt(to))
    throw new UsageError(`--from must be before --to: from ${from}ns to ${to}ns`);
  return range;
}

/** Throws UsageError if the files say nothing of requests. `options` names what needs them. */
export function requireContexts(options: string, { profile, facts, format, paths }: ReadProfile): void {
  if (hasContexts(profile.samples)) return;
  if (haveOnlyCpuTimes(facts.units))
    throw new UsageError(
      `${options} cannot be used with CPU times of ${inputName(paths[0])}, which do not say when a call began; --choose value=wall shows its calls by the clock, which are requests`,
    );
  throw new UsageError(
    `${options} cannot be used with ${inputName(paths[0])}: it has no requests, operations or spans (${format.name}); JDK 25 records events with @Contextual fields and traced methods, async-profiler spans, and a TPTP trace each call by the clock`,
  );
}

/** Throws UsageError if threads cannot be told apart by an attribute of requests. */
export function requireThreadsBy(attribute: string, read: ReadProfile): void {
  const option = `--threads ${groupingByContext(attribute)}`;
  if (read.profile.samples?.areCalls === true && hasContexts(read.profile.samples))
    throw new UsageError(
      `${option} cannot be used with ${inputName(read.paths[0])}: its requests are its calls, each of which has a row in the tree; --context operation=METHOD counts those inside calls of a method`,
    );
  requireContexts(option, read);
  requireAttribute('--threads context:KEY', attribute, read);
}

/** The attribute of requests that a key means. Throws UsageError if it means none. `option`: what has the key as its value. */
export function requireAttribute(option: string, key: string, { profile }: ReadProfile): string {
  const keys = contextKeys(profile.samples);
  const meant = keysMeant(keys, key).at(0);
  if (meant !== undefined) return meant;
  throw wrongValue(option, key, `one of ${keys.join(', ')}${didYouMean(key, keys)}`);
}

/** Throws UsageError if the times of single samples are not known. `options` names what needs them. */
function requireSampleTimes(options: string, { facts, format, paths }: ReadProfile): void {
  if (facts.hasSampleTimes) return;
  throw new UsageError(
    `${options} cannot be used with ${inputName(paths[0])}: it does not say when each sample was taken (${format.name})`,
  );
}

/**
 * The part of a scope that leaves no sample, as a clause: `no thread is named http-worker; did you mean …?`. Undefined if
 * samples are left, or if the profile has none. The parts are applied one after another, each in O(call nodes), but only
 * where nothing is left.
 */
function emptyScopeReason(view: ProfileView, inScope: (part: Scope) => ProfileInScope): string | undefined {
  const { scope, frames } = view.query;
  const source = view.recorded.read;
  if (!isEmpty(view.values) || isEmpty(source.selfValues)) return undefined;
  const { range, contexts, threads, transforms } = scope;
  if (contexts !== undefined && isEmpty(inScope({ contexts, threads: [], transforms: [] }).values))
    return contextsReason(view, contexts);
  const inRange = { range, contexts, threads: [], transforms: [] };
  if (isEmpty(inScope(inRange).values)) return rangeReason(source, scope);
  if (isEmpty(inScope({ ...inRange, threads }).values)) return threadsReason(source, scope);
  for (const [at, transform] of transforms.entries()) {
    const before = { range, contexts, threads, transforms: transforms.slice(0, at) };
    const after = { ...before, transforms: transforms.slice(0, at + 1) };
    if (isEmpty(inScope(after).values)) return transformReason(transform, inScope(before).profile, frames);
  }
  return 'all samples in the scope are errors, which --hide-errors leaves out';
}

function isEmpty(values: SelfValues): boolean {
  const { samples, time } = sumSelfValues(values);
  return samples === NO_SAMPLES.samples && time === NO_SAMPLES.time;
}

const ALL_ARE_OTHERS = 'all its samples are on the other side of the comparison, which it leaves out';

function rangeReason({ samples }: LeanProfile, { range }: Scope): string {
  if (range?.kind === 'between' && range.except !== undefined) return ALL_ARE_OTHERS;
  const span = samples && sampleSpan(samples);
  const asked = namedBounds(range, samples)?.text ?? 'then';
  if (span === undefined) return `no sample was taken in the range ${asked}`;
  return `no sample was taken in the range ${asked}; the samples are from 0 s to ${formatSpan(Number(span.last - span.first))}`;
}

function contextsReason(view: ProfileView, { where, ...scope }: ContextScope): string {
  if (scope.except !== undefined) return ALL_ARE_OTHERS;
  const { samples } = view.source;
  const contexts = view.contextsOf(view.recorded, samples);
  const keys = contextKeys(samples);
  for (const condition of where.flatMap((text) => parseCondition(text) ?? [])) {
    const { key, value } = condition;
    if (keysMeant(keys, key).length === 0)
      return `no request has the attribute ${key}; the attributes are ${keys.join(', ')}${didYouMean(key, keys)}`;
    if (contexts === undefined || isExpression(value)) continue;
    const names = [...new Set(valuesOfKey(contexts, key))].flatMap((text) =>
      text === NONE ? [] : contexts.table.texts[text],
    );
    if (contexts.leftOut?.methods.has(value) === true)
      return `${value} is called too often: ${callsLeftOutText(contexts.leftOut)}`;
    if (!names.includes(value)) return `no request has the ${key} ${value}${didYouMean(value, names)}`;
  }
  return `no sample was taken in a request with ${contextsText({ where, ...scope })}; leanscope operations lists them, and says which work has no samples`;
}

function threadsReason(profile: LeanProfile, { threads, range }: Scope): string {
  const names = threadKeys(profile, 'name');
  const asked = threads.map((entry) => threadsText(entry).replace(/^threads? /, '')).join(' or ');
  if (threadsAmong(names, threads).size > 0)
    return `no sample is of the thread ${asked}${range === undefined ? '' : ' in the range'}`;
  const [wanted] = threads;
  return `no thread is named ${asked}${isExpression(wanted) ? '' : didYouMean(wanted, [...new Set(names)])}`;
}

/** `profile`: what is left before the transform. */
function transformReason(transform: Transform, profile: LeanProfile, grouping: FrameGrouping): string {
  switch (transform.kind) {
    case 'keep':
    case 'focus': {
      const keys = keysOnStacks(profile, transform.keys ?? grouping);
      return `no sample has the frame ${transform.key} on its stack (--${transform.kind})${didYouMean(transform.key, keys)}`;
    }
    case 'drop':
      return `every sample has the frame ${transform.key} on its stack (--drop)`;
    default:
      return `--${transform.kind} leaves no sample`;
  }
}

/** Frames that a transform has replaced are in the profile, too, and on no stack. */
function keysOnStacks(profile: LeanProfile, grouping: FrameGrouping): readonly string[] {
  const keys = new KeyTable(profile, grouping);
  keys.update();
  const { length, parent, frame } = profile.nodes;
  const found = new Set<number>();
  for (let node = 0; node < length; node++) if (parent[node] !== NONE) found.add(keys.ofFrame[frame[node]]);
  return Array.from(found, (key) => keys.labels[key]);
}
