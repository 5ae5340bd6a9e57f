import type { Answer } from '../../shared/answers/answer.ts';
import { comparedNotes } from '../../shared/answers/operations.ts';
import { compareData } from '../../shared/answers/compared.ts';
import { methodRef } from '../../shared/answers/hot.ts';
import type { CompareData } from '../../shared/answers/schemas.ts';
import { writeReport } from '../../shared/export/compare-report.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import {
  answerJson,
  CommandError,
  type CommandIo,
  type ExitStatus,
  inputName,
  writeMessage,
} from './io/command-io.ts';
import { hasGrown, type MethodChange } from '../../shared/engine/comparison/method-changes.ts';
import { type OutputSink, type ExportBudget, ExportRefusal } from '../../shared/export/export-input.ts';
import type { ProfileQuery } from '../../shared/engine/query.ts';
import { loadComparison, type WriteComparison } from '../../shared/export/compare-list.ts';
import { comparisonOf } from '../../shared/export/export-view.ts';
import { commonUnits, type WrittenComparison } from '../../shared/export/written-comparison.ts';
import { type ComparedRecording, comparability } from '../../shared/facts/comparability.ts';
import { chanceInBoth, type ProfileUnits } from '../../shared/profile/profile-units.ts';
import { comparedScopes } from '../../shared/scope/apart.ts';
import type { Baseline, Scope } from '../../shared/scope/scope.ts';
import { threadNames } from '../../shared/scope/filters.ts';
import { dependenceText, rangeText } from '../../shared/text/format-value.ts';
import {
  answerAll,
  askedOf,
  hidesOthers,
  leftOutText,
  readQuestion,
  type ReadQuestion,
  firstView,
} from './ask-profile.ts';
import { widestRow } from './export-command.ts';
import { COMMANDS } from './options/commands.ts';
import { grownFindings, grownText as grownFindingText } from '../../shared/findings/find.ts';
import { projectOf } from './project-of.ts';
import { readArguments } from './options/options.ts';
import { compareRunsCommand, growthText } from './compare-runs.ts';
import { budgetOf, writeOutput } from './io/output.ts';
import { SourceTexts } from './source-texts.ts';
import { compareRequest, type CompareRequest } from './compare-request.ts';

/** Writes how a profile differs from another one. The exit status says whether a share has grown beyond --fail-above. */
export async function compareCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.compare.options);
  if (args.has('against')) return compareRunsCommand(argv, args, io);
  const request = compareRequest(args);
  const readBase = await readQuestion(request.base.question, io);
  const [base, next] = sidesOf(
    readBase,
    request.isOneProfile
      ? askedOf(request.next.question, readBase.read)
      : await readQuestion(request.next.question, io),
  );
  refuseOtherUnits(request, base, next);
  const compared = new ComparedInput(request, base, next);
  const write = await loadComparison(request.format);
  let stopped: string | undefined;
  await writeOutput(args.values.output, [base.path, next.path], io, (sink) => {
    if (request.json) sink(answerJson('compare', compareData(compared.written.report, request.limit)), 1);
    else stopped = compared.write(write, sink, budgetOf(args.values));
  });
  if (stopped !== undefined) writeMessage(io, `${request.title}: ${stopped}`);
  const problems = Array.from(new Set([base.read, next.read])).flatMap((read) => read.problems);
  for (const problem of [...problems, ...compared.warnings]) writeMessage(io, problem);
  const { emptied } = compared;
  for (const reason of emptied) writeMessage(io, reason);
  if (emptied.length > 0) return 1;
  const nothing = compared.nothingToJudge();
  if (nothing !== undefined) throw new CommandError(nothing);
  for (const line of compared.judgement) writeMessage(io, line);
  const grown = compared.grown();
  for (const change of grown) writeMessage(io, grownText(change, request));
  if (grown.length > 0) return 4;
  if (stopped !== undefined) return 3;
  return base.read.status === 0 ? next.read.status : base.read.status;
}

/** The changes between profiles that were read, as a report and as numbers. Throws CommandError for a side without samples. */
export function comparedAnswer(
  argv: readonly string[],
  sideOfQuery: (query: ProfileQuery, isBase: boolean) => ReadQuestion,
): Answer<CompareData> {
  const request = compareRequest(readArguments(argv, COMMANDS.compare.options));
  const [base, next] = sidesOf(
    sideOfQuery(request.base.question.query, true),
    sideOfQuery(request.next.question.query, false),
  );
  refuseOtherUnits(request, base, next);
  const compared = new ComparedInput(request, base, next);
  const { emptied, written } = compared;
  if (emptied.length > 0) throw new CommandError(emptied.join('; '));
  return {
    data: compareData(written.report, request.limit),
    text: collectText((sink) => writeReport(written, sink)),
    hints: compared.warnings,
  };
}

/** One of the two profiles, which was read. */
interface ReadSide extends ReadQuestion {
  readonly path: string;
  readonly units: ProfileUnits;
  /** Names of the threads that are compared; those of all times. */
  readonly threads: ReadonlySet<string>;
  /** A sentence about samples that nobody has asked to leave out of both sides; undefined: there are none. */
  readonly leftOut?: string | undefined;
}

/**
 * Both sides as a first view shows them, unless nothing would be left of one: idle threads are left out of both where they
 * hide others on one of them.
 */
function sidesOf(base: ReadQuestion, next: ReadQuestion): readonly [base: ReadSide, next: ReadSide] {
  const sides = [base, next];
  const areIdle = sides.some(hidesOthers);
  const firsts = base.isFirstView === true ? sides.map((side) => answerAll(firstView(side, areIdle))) : [];
  if (firsts.length === 0 || firsts.some(({ emptied }) => emptied !== undefined))
    return [sideOf(base), sideOf(next)];
  const areErrors = !base.query.hidesErrors && firsts.some(({ view }) => view.counted.errors > 0);
  const leftOut = leftOutText(areErrors ? 'samples' : undefined, areIdle ? 'samples' : undefined);
  const [from, to] = firsts.map(sideOf);
  return [from, { ...to, leftOut }];
}

function sideOf(asked: ReadQuestion): ReadSide {
  const { read, query } = asked;
  return {
    ...asked,
    path: read.paths[0],
    units: read.facts.units,
    threads: threadNames(read.profile, query.scope.threads),
  };
}

/** The baseline of the new side: another profile, or other parts of its own. */
function baselineOf({ isOneProfile, ownParts }: CompareRequest, base: ReadSide): Baseline {
  const { range, contexts, threads } = base.query.scope;
  if (!isOneProfile) return { log: 'base', range, contexts, threads };
  return {
    ...(ownParts.includes('range') && { range }),
    ...(ownParts.includes('contexts') && { contexts }),
    ...(ownParts.includes('threads') && { threads }),
  };
}

/** Times and bytes cannot be compared; numbers of samples and of calls can, as shares. */
function refuseOtherUnits({ metric }: CompareRequest, base: ReadSide, next: ReadSide): void {
  if (metric === 'samples') return;
  const [from, to] = [base.units.value?.unit, next.units.value?.unit];
  if (from !== undefined && from === to) return;
  const what = (unit: string | undefined): string => unit ?? 'only counts';
  throw new CommandError(
    `${next.path}: cannot be compared by --metric time: the base has ${what(from)}, this has ${what(to)}; use --metric samples`,
  );
}

/** The comparison of two profiles that were read. */
class ComparedInput {
  readonly request: CompareRequest;
  readonly written: WrittenComparison;
  /** Lines for standard error. */
  readonly warnings: readonly string[];
  /** Lines for standard error that say how far --fail-above can be trusted. */
  readonly judgement: readonly string[];
  readonly #sides: { readonly base: ReadSide; readonly next: ReadSide };

  constructor(request: CompareRequest, base: ReadSide, next: ReadSide) {
    const { root, format } = request;
    const [from, to] = [base.units.counted.many, next.units.counted.many];
    this.request = request;
    const baseline = baselineOf(request, base);
    const scopes = comparedScopes(next.query.scope, baseline, next.read.profile.samples);
    const within = (side: ReadSide, scope: Scope): ReadSide => ({ ...side, query: { ...side.query, scope } });
    const sides = { base: within(base, scopes.base), next: within(next, scopes.next) };
    this.#sides = sides;
    const chance = chanceInBoth(base.units, next.units);
    const units = commonUnits(base.units, next.units);
    this.judgement =
      chance.isDependent && request.failAbove !== undefined
        ? [`--fail-above: ${dependenceText(units.counted.many)}`]
        : [];
    this.warnings = [
      ...(from === to ? [] : [`the base counts ${from}, the new profile ${to}: only shares can be compared`]),
      ...(next.leftOut === undefined ? [] : [next.leftOut]),
    ];
    const comparison = { baseline, by: request.by, ...chance };
    if (baseline.log !== undefined) next.engine.add(baseline.log, base.read.profile);
    const query = { ...next.query, comparison };
    this.written = comparisonOf({ ...next, query }, format, {
      ...request,
      sides: { base: base.read.facts, next: next.read.facts },
      units,
      names: { base: request.base.name, next: request.next.name },
      notes: [
        comparability([recordingOf(base)], [recordingOf(next)]).text,
        ...this.warnings,
        ...(isForPeople(format)
          ? [...findingNotes(sides.base, sides.next), ...comparedNotes(next.engine.view(next.log, query))]
          : []),
      ],
      placeOf: request.source.length === 0 ? undefined : placesIn(request.source, next),
      foldHint: (example) =>
        `Names that the JVM makes up differ from run to run, as ${example}: --fold all joins such methods.`,
      // The sums are widths, which count like samples.
      root: (sums) =>
        root === undefined
          ? undefined
          : { row: widestRow(sums, root, { metric: 'samples', path: next.path }), run: undefined },
    });
  }

  /** Why a side has no samples: a line for standard error for each such side. */
  get emptied(): readonly string[] {
    const { whole } = this.written.input.comparison;
    return (['base', 'next'] as const).flatMap((side) =>
      whole[side].samples === 0 ? (answerAll(this.#sides[side]).emptied ?? []) : [],
    );
  }

  /** Returns where it stopped. Throws CommandError if a part is of no use. */
  write(write: WriteComparison, sink: OutputSink, budget: ExportBudget): string | undefined {
    const { title } = this.request;
    try {
      return write(this.written, sink, budget);
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
      { path: base.question.input.paths[0], whole: whole.base },
      { path: next.question.input.paths[0], whole: whole.next },
    ].filter((side) => side.whole.samples === 0 || (metric === 'time' && side.whole.time <= 0));
    if (empty.length === 0) return undefined;
    const [{ path, whole: sum }] = empty;
    const files = empty.length === 2 ? `${inputName(path)} and ${inputName(empty[1].path)}` : inputName(path);
    const without = sum.samples === 0 ? 'no samples' : 'no time';
    return `${files}: ${without}, so that --fail-above cannot be judged; check the recording`;
  }

  /** The changes that --fail-above does not allow. */
  grown(): readonly MethodChange[] {
    const { failAbove } = this.request;
    if (failAbove === undefined) return [];
    return this.written.changes.filter(
      (change) => change.label.startsWith(failAbove.prefix) && hasGrown(change, failAbove.points),
    );
  }
}

/** A side, as far as it tells how it was recorded. */
function recordingOf({ read, threads }: ReadSide): ComparedRecording {
  return { facts: read.facts, threads };
}

/** Whether a format is a report for people, who read notes. */
const isForPeople = (format: string): boolean => ['report', 'report-md', 'report-html'].includes(format);

/** Findings that grew beyond chance, as sentences of the report. */
function findingNotes(base: ReadSide, next: ReadSide): readonly string[] {
  const { isSampled, isDependent } = chanceInBoth(base.units, next.units);
  if (!isSampled || isDependent) return [];
  const project = projectOf(undefined);
  const [before, after] = [base, next].map(({ engine, log, query, read }) => ({
    ...engine.view(log, query).samples.recorded,
    facts: read.facts,
    project,
  }));
  return grownFindings(before, after).map((grown) => `Finding that grew: ${grownFindingText(grown)}.`);
}

/** Where the hottest line of a method is, in folders of sources. */
function placesIn(folders: readonly string[], { engine, log, query }: ReadSide) {
  const sources = new SourceTexts(folders);
  return (label: string) => {
    const found = engine.view(log, query, 'name', true).lines(methodRef(label));
    for (const { file, lines } of found?.files ?? []) {
      const path = found && sources.find(found.className, file)?.path;
      const [hottest] = lines.toSorted((a, b) => b.selfCount - a.selfCount || b.totalCount - a.totalCount);
      if (path !== undefined && lines.length > 0) return { path, line: hottest.line };
    }
    return undefined;
  };
}

function grownText(change: MethodChange, { next, metric }: CompareRequest): string {
  const { sampled, certainty } = change;
  const interval =
    certainty === 'real' && sampled !== undefined
      ? `95 % interval${metric === 'samples' ? '' : ' by samples'} ${rangeText(sampled.low, sampled.high)}`
      : certainty === 'unknown'
        ? 'which may be chance'
        : 'exact';
  return `${next.name}: ${growthText(change, change.base.share, change.next.share)}, ${interval}`;
}
