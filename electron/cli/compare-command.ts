import { resolve } from 'node:path';
import { type ComparedProfile, Comparison } from '../../shared/compare/comparison.ts';
import { hasGrown, type MethodChange } from '../../shared/compare/method-changes.ts';
import type { OutputSink } from '../../shared/export/byte-sink.ts';
import type { ExportBudget } from '../../shared/export/export-budget.ts';
import { ExportRefusal } from '../../shared/export/export-refusal.ts';
import { dependenceText } from '../../shared/export/dependence-text.ts';
import { commonUnits, outsideNote, WrittenComparison } from '../../shared/export/write-comparison.ts';
import { chanceInBoth, type ProfileUnits } from '../../shared/profile/profile-units.ts';
import { areApart, sideWithout } from '../../shared/scope/apart.ts';
import { selectsThread } from '../../shared/scope/thread-pattern.ts';
import { profileInScope } from '../../shared/scope/scoped-profile.ts';
import { boundsInSpan } from '../../shared/scope/time-range.ts';
import { formatShare, pointsText, rangeText } from '../../shared/text/format-value.ts';
import type { SampleSum } from '../../shared/values/self-values.ts';
import { type TimeBounds, UNBOUNDED } from '../../shared/values/time-range.ts';
import { withoutErrors } from '../../shared/values/values-without-errors.ts';
import { parseArguments } from './arguments.ts';
import { CommandError, type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import {
  COMPARE_OPTIONS,
  type ComparedFile,
  type CompareRequest,
  compareRequest,
} from './compare-request.ts';
import { emptyScopeText } from './empty-scope.ts';
import { inputName } from './input-name.ts';
import { leavesErrorsOut } from './hidden-errors.ts';
import { budgetOf, writeOutput } from './output.ts';
import { readProfile } from './read-profile.ts';
import { rangeIn } from './time-options.ts';
import { heaviestRow } from './write-format.ts';

export async function compareCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, COMPARE_OPTIONS);
  const request = compareRequest(args);
  const base = await readSide(request.base, request, io);
  const next = await readSide(request.next, request, io);
  refuseOtherUnits(request, base, next);
  const compared = new ComparedInput(request, base, next);
  let stopped: string | undefined;
  writeOutput(args.value('-o'), [request.base.path, request.next.path], io, (sink) => {
    stopped = compared.write(sink, budgetOf(args));
  });
  if (stopped !== undefined) writeMessage(io, `${request.title}: ${stopped}`);
  for (const problem of [...base.problems, ...next.problems, ...compared.warnings]) writeMessage(io, problem);
  const emptied = [base.emptied, next.emptied].filter((reason) => reason !== undefined);
  for (const reason of emptied) writeMessage(io, reason);
  if (emptied.length > 0) return 1;
  const nothing = compared.nothingToJudge();
  if (nothing !== undefined) throw new CommandError(nothing);
  for (const line of compared.judgement) writeMessage(io, line);
  const grown = compared.grown();
  for (const change of grown) writeMessage(io, grownText(change, request));
  if (grown.length > 0) return 4;
  if (stopped !== undefined) return 3;
  return base.status === 0 ? next.status : base.status;
}

interface ReadSide extends ComparedProfile {
  readonly units: ProfileUnits;
  /** Samples outside the scope. */
  readonly outside: SampleSum;
  /** Undefined: at any time. */
  readonly bounds: TimeBounds | undefined;
  /** Names of the threads that are compared; those of all times. */
  readonly threads: ReadonlySet<string>;
  readonly problems: readonly string[];
  /** Which part of the scope leaves no sample; undefined if samples are left. */
  readonly emptied: string | undefined;
  readonly status: ExitStatus;
}

async function readSide(
  { path, chosen, range, threads }: ComparedFile,
  { scope, frames, filter, format }: CompareRequest,
  io: CommandIo,
): Promise<ReadSide> {
  const read = await readProfile([path], chosen, io, { samples: range !== undefined });
  const { aggregator, reader, problems, status } = read;
  const given = rangeIn(range, read);
  const { profile } = aggregator;
  const own = { ...scope, threads, range: given };
  const narrow = leavesErrorsOut(filter, format) ? withoutErrors(profile) : undefined;
  const inScope = profileInScope(profile, own, frames, narrow);
  const emptied = emptyScopeText(path, profile, own, frames, inScope);
  const bounds = given && boundsInSpan(given, undefined);
  const names = profile.threads.name.map((name) => name ?? '').filter(selectsThread(threads));
  return {
    ...inScope,
    bounds,
    threads: new Set(names),
    units: reader.facts().units,
    problems,
    emptied,
    status,
  };
}

/** Times and bytes cannot be compared; numbers of samples and of calls can, as shares. */
function refuseOtherUnits({ metric, next: { path } }: CompareRequest, base: ReadSide, next: ReadSide): void {
  if (metric === 'samples') return;
  const [from, to] = [base.units.value?.unit, next.units.value?.unit];
  if (from !== undefined && from === to) return;
  const what = (unit: string | undefined): string => unit ?? 'only counts';
  throw new CommandError(
    `${path}: cannot be compared by --metric time: the base has ${what(from)}, this has ${what(to)}; use --metric samples`,
  );
}

/** Two profiles that were read. */
class ComparedInput {
  readonly request: CompareRequest;
  readonly written: WrittenComparison;
  /** Lines for standard error. */
  readonly warnings: readonly string[];
  /** How far --fail-above can be trusted: lines for standard error. */
  readonly judgement: readonly string[];

  constructor(request: CompareRequest, base: ReadSide, next: ReadSide) {
    const { threads, frames, root } = request;
    const [from, to] = [base.units.counted.many, next.units.counted.many];
    this.request = request;
    const { isDependent } = chanceInBoth(base.units, next.units);
    this.judgement =
      isDependent && request.failAbove !== undefined
        ? [`--fail-above: ${dependenceText(commonUnits(base.units, next.units))}`]
        : [];
    this.warnings =
      from === to ? [] : [`the base counts ${from}, the new profile ${to}: only shares can be compared`];
    this.written = new WrittenComparison({
      ...request,
      seconds: undefined,
      comparison: new Comparison(base, next, { threads, frames }),
      units: commonUnits(base.units, next.units),
      ...chanceInBoth(base.units, next.units),
      names: { base: request.base.name, next: request.next.name },
      ranges: { base: base.bounds, next: next.bounds },
      notes: [...scopeNotes(base, next), ...sharedNotes(request, base, next), ...this.warnings],
      foldHint: (example) =>
        `Names that the JVM makes up differ from run to run, as ${example}: --fold all joins such methods.`,
      // The sums are widths, which count like samples.
      root: (sums) =>
        root === undefined
          ? undefined
          : { row: heaviestRow(sums, root, { metric: 'samples', path: request.next.path }), run: undefined },
    });
  }

  /** Returns where it stopped. Throws CommandError if a part is of no use. */
  write(sink: OutputSink, budget: ExportBudget): string | undefined {
    const { format, title } = this.request;
    try {
      return this.written.write(format, sink, budget);
    } catch (error) {
      throw error instanceof ExportRefusal ? new CommandError(`${title}: ${error.message}`) : error;
    }
  }

  /**
   * Why --fail-above cannot be judged: a side without anything to take a share of has no shares. A failed recording must
   * not pass for one in which nothing grew.
   */
  nothingToJudge(): string | undefined {
    const { failAbove, base, next, metric } = this.request;
    if (failAbove === undefined) return undefined;
    const { whole } = this.written.input.comparison;
    const empty = [
      { path: base.path, whole: whole.base },
      { path: next.path, whole: whole.next },
    ].filter((side) => side.whole.samples === 0 || (metric === 'time' && side.whole.time <= 0));
    if (empty.length === 0) return undefined;
    const [{ path, whole: sum }] = empty;
    const files = empty.length === 2 ? `${inputName(path)} and ${inputName(empty[1].path)}` : inputName(path);
    const without = sum.samples === 0 ? 'no samples' : 'no time';
    return `${files}: ${without}, so that --fail-above cannot be judged; check the recording`;
  }

  /** What --fail-above does not allow. */
  grown(): readonly MethodChange[] {
    const { failAbove } = this.request;
    if (failAbove === undefined) return [];
    return this.written.changes.filter(
      (change) => change.label.startsWith(failAbove.prefix) && hasGrown(change, failAbove.points),
    );
  }
}

function scopeNotes(base: ReadSide, next: ReadSide): readonly string[] {
  return base.outside.samples === 0 && next.outside.samples === 0
    ? []
    : [outsideNote(base.outside, next.outside)];
}

/** Ranges, or threads, of one file may have samples in common. They are compared as they were asked for. */
function sharedNotes({ base, next }: CompareRequest, before: ReadSide, after: ReadSide): readonly string[] {
  const isOneFile =
    resolve(base.path) === resolve(next.path) && JSON.stringify(base.chosen) === JSON.stringify(next.chosen);
  const [earlier, later] = [before, after].map(({ bounds }) => bounds ?? UNBOUNDED);
  const areOther =
    JSON.stringify(base.threads) !== JSON.stringify(next.threads) ||
    sideWithout(earlier, later) !== undefined;
  if (!isOneFile || !areOther || areApart(earlier, later)) return [];
  if (![...before.threads].some((name) => after.threads.has(name))) return [];
  return [
    'Some samples are on both sides: differences are smaller than between separate ones, and fewer count as real.',
  ];
}

function grownText(change: MethodChange, { next, metric }: CompareRequest): string {
  const { label, of, base, difference, sampled, certainty } = change;
  const shares = `${formatShare(base.share, 1)} to ${formatShare(change.next.share, 1)}`;
  const interval =
    certainty === 'real' && sampled !== undefined
      ? `95 % interval${metric === 'samples' ? '' : ' by samples'} ${rangeText(sampled.low, sampled.high)}`
      : certainty === 'unknown'
        ? 'which may be chance'
        : 'exact';
  return `${next.name}: the ${of} share of ${label} grew by ${pointsText(difference).slice(1)} points: ${shares}, ${interval}`;
}
