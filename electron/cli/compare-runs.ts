/** `compare BASE… --against NEW…`: many runs with many. */
import { type Answer, shareOf } from '../../shared/answers/answer.ts';
import { threadNames } from '../../shared/scope/filters.ts';
import { LEAVE_OUT_IDLE } from '../../shared/scope/transform-list.ts';
import { unitsData } from '../../shared/answers/hot.ts';
import type { CompareRunsData } from '../../shared/answers/schemas.ts';
import { type ComparedRuns, compareRuns, writeRuns, runOfProfile } from '../../shared/export/compare-runs.ts';
import { LEAST_DIFFERENCE } from '../../shared/export/report.ts';
import { runsOfParts } from '../../shared/engine/comparison/spread.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { hasGrown, type MethodChange } from '../../shared/engine/comparison/method-changes.ts';
import type { Run, RunChange } from '../../shared/engine/comparison/run-changes.ts';
import { type ComparedRecording, comparability } from '../../shared/facts/comparability.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import { formatShare, pointsText, rangeText } from '../../shared/text/format-value.ts';
import { isFleet } from '../fleet/fleet-address.ts';
import {
  type AskedProfile,
  askedScope,
  askProfile,
  leftOutText,
  questionOf,
  requireSamples,
} from './ask-profile.ts';
import {
  answerJson,
  CommandError,
  type CommandIo,
  type ExitStatus,
  inputName,
  writeMessage,
} from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import { COMPARE_OPTIONS, FLEET } from './options/command-options.ts';
import { type Arguments, type GivenOption, readArguments, type ValuesOf } from './options/options.ts';
import { writeOutput } from './io/output.ts';
import { SCOPE_OPTIONS, scopeOfRuns } from './options/scope-options.ts';

type CompareArguments = Arguments<ValuesOf<typeof COMPARE_OPTIONS>>;

/** The formats that have a report of runs. */
const FORMATS = ['report', 'report-md'] as const;
/** The options that many runs have; the others are about one side, or about another format. */
const TAKEN: ReadonlySet<string> = new Set([
  'against',
  'where-base',
  'format',
  'json',
  'output',
  'title',
  'fail-above',
  'key',
  'frames',
  'metric',
  'choose',
  'count-all',
  ...Object.keys({ ...SCOPE_OPTIONS, ...FLEET }),
]);

/** Runs that are compared all leave out idle threads, or all count them. */
const LEAVE_OUT: GivenOption = { option: LEAVE_OUT_IDLE.kind, value: LEAVE_OUT_IDLE.of };

/** A run that was read, and how it was recorded. */
export interface ReadRun {
  readonly run: Run;
  readonly recording: ComparedRecording;
  readonly units: ProfileUnits;
  readonly problems: readonly string[];
  readonly status: ExitStatus;
  readonly leftOut: AskedProfile['leftOut'];
}

/** Throws UsageError, and CommandError for a run that cannot be read or has no sample in scope. */
export async function compareRunsCommand(
  argv: readonly string[],
  args: CompareArguments,
  io: CommandIo,
): Promise<ExitStatus> {
  const { values } = args;
  const format = FORMATS.find((each) => each === values.format);
  if (format === undefined) throw new UsageError(`--against is for --format ${FORMATS.join('|')}`);
  const options = Object.keys(COMPARE_OPTIONS) as (keyof typeof COMPARE_OPTIONS)[];
  const refused = options.find((option) => args.has(option) && !TAKEN.has(option));
  if (refused !== undefined)
    throw new UsageError(`--${refused} is for the comparison of two files, without --against`);
  if (values['fail-above'] === undefined && values.key !== undefined)
    throw new UsageError('--key is for --fail-above');
  const { base, next } = sidesOf(argv, args);
  const { where, 'where-base': whereBase = where } = values;
  const read = async (asked: CompareArguments) =>
    [await readRuns(base, asked, whereBase, io), await readRuns(next, asked, where, io)] as const;
  let [before, after] = await read(args);
  const areIdleOut = [...before, ...after].map(({ leftOut }) => leftOut?.areIdle === true);
  if (areIdleOut.includes(true) && areIdleOut.includes(false))
    [before, after] = await read({ ...args, inOrder: [LEAVE_OUT, ...args.inOrder] });
  const all = [...before, ...after];
  const compared = comparedRuns(before, after, values.title);
  await writeOutput(values.output, [...base, ...next], io, (sink) => {
    if (values.json) sink(answerJson('compare-runs', runsData(compared)), 1);
    else writeRuns(compared, format, sink);
  });
  const areErrors = all.some((run) => (run.leftOut?.errors ?? 0) > 0);
  const leftOut = leftOutText(
    areErrors ? 'samples' : undefined,
    areIdleOut.includes(true) ? 'samples' : undefined,
  );
  if (leftOut !== undefined) writeMessage(io, leftOut);
  for (const problem of all.flatMap(({ problems }) => problems)) writeMessage(io, problem);
  const grown = grownIn(compared.changes, values);
  for (const change of grown) writeMessage(io, grownText(change));
  if (grown.length > 0) return 4;
  return all.find(({ status }) => status !== 0)?.status ?? 0;
}

/** Throws CommandError for runs that count different things. */
function comparedRuns(
  before: readonly ReadRun[],
  after: readonly ReadRun[],
  title = 'Comparison of runs',
): ComparedRuns {
  const all = [...before, ...after];
  const [{ units }] = all;
  const other = all.find((each) => each.units.counted.many !== units.counted.many);
  if (other !== undefined)
    throw new CommandError(
      `${other.run.name}: counts ${other.units.counted.many}, and other runs ${units.counted.many}`,
    );
  const recordings = (runs: readonly ReadRun[]): readonly ComparedRecording[] =>
    runs.map(({ recording }) => recording);
  return compareRuns(
    before.map(({ run }) => run),
    after.map(({ run }) => run),
    { title, units, comparability: comparability(recordings(before), recordings(after)).text },
  );
}

/** The changes between runs that were read, as a report and as numbers. Throws CommandError as the command does. */
export function runsAnswer(
  before: readonly ReadRun[],
  after: readonly ReadRun[],
  limit: number,
): Answer<CompareRunsData & { readonly leftOut: { readonly changes: number } }> {
  const compared = comparedRuns(before, after);
  const data = runsData(compared);
  const changes = data.changes.slice(0, limit);
  const listed = compared.changes.filter(({ certainty }) => certainty !== 'chance').slice(0, limit);
  return {
    data: { ...data, changes, leftOut: { changes: data.changes.length - changes.length } },
    text: collectText((sink) => writeRuns({ ...compared, changes: listed }, 'report', sink)),
    hints: [...before, ...after].flatMap(({ problems }) => problems),
  };
}

function runsData({
  base,
  next,
  units,
  comparability,
  floor,
  changes,
  renames,
}: ComparedRuns): CompareRunsData {
  const runOf = ({ name, samples }: Run) => ({ name, samples });
  const round = (share: number): number => shareOf(share, 1);
  return {
    base: base.map(runOf),
    new: next.map(runOf),
    units: unitsData(units),
    comparability,
    noiseFloor: floor ?? null,
    changes: changes
      .filter(
        ({ certainty, difference }) => certainty !== 'chance' && Math.abs(difference) >= LEAST_DIFFERENCE,
      )
      .map(({ label, of, base: before, next: after, shares, difference, interval, certainty }) => ({
        key: label,
        of,
        difference: round(difference),
        certainty,
        base: { share: round(before), shares: shares.base.map(round) },
        new: { share: round(after), shares: shares.next.map(round) },
        interval: interval === undefined ? null : { low: round(interval.low), high: round(interval.high) },
      })),
    renames: renames.map(({ from, to }) => ({ from: from.label, to: to.label })),
  };
}

/** The files before and after --against. */
function sidesOf(
  argv: readonly string[],
  { files, values }: CompareArguments,
): { readonly base: readonly string[]; readonly next: readonly string[] } {
  const at = argv.findIndex((argument) => argument === '--against' || argument.startsWith('--against='));
  const before = readArguments(argv.slice(0, at), COMPARE_OPTIONS).files.length;
  const base = files.slice(0, before);
  const next = [values.against ?? '', ...files.slice(before)];
  if (base.length === 0) throw new UsageError('compare --against needs a BASE before it');
  if ([...base, ...next].includes('-')) throw new UsageError('runs are files, and not standard input');
  return { base, next };
}

async function readRuns(
  paths: readonly string[],
  args: CompareArguments,
  where: string | undefined,
  io: CommandIo,
): Promise<readonly ReadRun[]> {
  const { frames, metric, choose } = args.values;
  const runs: ReadRun[] = [];
  for (const path of paths) {
    const values = { ...args.values, choose, where, 'merge-files': undefined };
    const question = questionOf(
      'compare',
      { ...args, files: [path], values },
      { frames, keys: frames, metric },
    );
    const inScope = askedScope(question.query, scopeOfRuns(args.inOrder));
    const asked = requireSamples(await askProfile({ ...question, ...inScope }, io));
    const found = readsParts(path, args)
      ? runsOfParts(asked.view.partSums('name', frames, metric))
      : [runOfProfile(inputName(path), asked.view.alone.profile, { frames, metric })];
    for (const run of found) runs.push(readRun(inputName(path), asked, run, readsParts(path, args)));
  }
  return runs;
}

/** Whether each value of --per is a run: hosts of a version, for example. */
function readsParts(path: string, args: CompareArguments): boolean {
  return args.has('per') && isFleet(path);
}

/** A profile, or a part of it, as a run. Throws CommandError for one that has nothing by the metric. */
function readRun(name: string, { read, leftOut }: AskedProfile, run: Run, isPart: boolean): ReadRun {
  if (run.whole <= 0) throw new CommandError(`${name}: has no time; compare by --metric samples`);
  const { facts, problems, status } = read;
  const threads = isPart ? new Set<string>() : threadNames(read.profile, []);
  return { run, recording: { facts, threads }, units: facts.units, problems, status, leftOut };
}

/** A profile as a run. Throws CommandError for one that has nothing by the metric. */
export function runOf(name: string, asked: AskedProfile, by: Parameters<typeof runOfProfile>[2]): ReadRun {
  return readRun(name, asked, runOfProfile(name, asked.view.alone.profile, by), false);
}

/** The changes that --fail-above does not allow. */
function grownIn(changes: readonly RunChange[], values: CompareArguments['values']): readonly RunChange[] {
  const { 'fail-above': points, key = '' } = values;
  if (points === undefined) return [];
  return changes.filter((change) => change.label.startsWith(key) && hasGrown(change, points));
}

function grownText(change: RunChange): string {
  const { interval, base, next } = change;
  const range =
    interval === undefined
      ? 'which may be chance'
      : `95 % interval ${rangeText(interval.low, interval.high)}`;
  return `${growthText(change, base, next)}, ${range}`;
}

/**
 * The growth of a share in words: `the self share of Shop.sort grew by 11.00 points: 33.00 % to 44.00 %`. Shares are
 * fractions.
 */
export function growthText(
  { of, label, difference }: Pick<MethodChange, 'of' | 'label' | 'difference'>,
  base: number,
  next: number,
): string {
  return `the ${of} share of ${label} grew by ${pointsText(difference).slice(1)} points: ${formatShare(base, 1)} to ${formatShare(next, 1)}`;
}
