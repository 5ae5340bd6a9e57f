import { type Compared, type ComparedProfile, Comparison } from '../../shared/compare/comparison.ts';
import {
  hasGrown,
  machineNamed,
  type MethodChange,
  methodChanges,
} from '../../shared/compare/method-changes.ts';
import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { type ComparedMethod, exportComparedCsv } from '../../shared/export/compare-csv.ts';
import {
  type CompareReport,
  exportReport,
  exportReportHtml,
  exportReportMarkdown,
} from '../../shared/export/compare-report.ts';
import { exportComparedSvg } from '../../shared/export/compare-svg.ts';
import { exportComparedFlat, exportComparedTree } from '../../shared/export/compare-text.ts';
import { shownKeys } from '../../shared/export/flat.ts';
import { collectText, type TextSink } from '../../shared/export/text-sink.ts';
import { isSampled, type ProfileUnits } from '../../shared/profile/profile-units.ts';
import { isEmptyScope, MACHINE_NAMES } from '../../shared/scope/scope.ts';
import { profileInScope } from '../../shared/scope/scoped-profile.ts';
import { pointsText, rangeText } from '../../shared/text/format-points.ts';
import { formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import type { SampleSum } from '../../shared/values/self-values.ts';
import type { FlatProfile } from '../../shared/views/flat-profile.ts';
import { parseArguments } from './arguments.ts';
import { CommandError, type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import {
  COMPARE_OPTIONS,
  type ComparedFile,
  type CompareRequest,
  compareRequest,
} from './compare-request.ts';
import { writeOutput } from './output.ts';
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
  writeOutput(args.value('-o'), [request.base.path, request.next.path], io, (sink) =>
    writeCompared(compared, sink),
  );
  for (const problem of [...base.problems, ...next.problems, ...compared.warnings]) writeMessage(io, problem);
  const grown = compared.grown();
  for (const change of grown) writeMessage(io, grownText(change, request));
  if (grown.length > 0) return 4;
  return base.status === 0 ? next.status : base.status;
}

interface ReadSide extends ComparedProfile {
  readonly units: ProfileUnits;
  /** Samples outside the scope. */
  readonly outside: SampleSum;
  readonly problems: readonly string[];
  readonly status: ExitStatus;
}

async function readSide(
  { path, chosen, range }: ComparedFile,
  { scope, frames }: CompareRequest,
  io: CommandIo,
): Promise<ReadSide> {
  const read = await readProfile([path], chosen, io, { samples: range !== undefined });
  const { aggregator, reader, problems, status } = read;
  const inScope = profileInScope(aggregator.profile, { ...scope, range: rangeIn(range, read) }, frames);
  return { ...inScope, units: reader.facts().units, problems, status };
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

/** Two profiles that were read, and what is computed of them when it is needed. */
class ComparedInput {
  readonly request: CompareRequest;
  readonly units: ProfileUnits;
  readonly comparison: Comparison;
  /** Lines for standard error. */
  readonly warnings: readonly string[];
  readonly #sides: { readonly base: ReadSide; readonly next: ReadSide };
  #methods: Compared<FlatProfile> | undefined;
  #changes: readonly MethodChange[] | undefined;

  constructor(request: CompareRequest, base: ReadSide, next: ReadSide) {
    const { threads, frames } = request;
    this.request = request;
    this.#sides = { base, next };
    this.comparison = new Comparison(base, next, { threads, frames });
    const isSameUnit = base.units.value?.unit === next.units.value?.unit;
    this.units = { counted: base.units.counted, value: isSameUnit ? base.units.value : undefined };
    const [from, to] = [base.units.counted.many, next.units.counted.many];
    this.warnings =
      from === to ? [] : [`the base counts ${from}, the new profile ${to}: only shares can be compared`];
  }

  /** Each sample once for a method. */
  get methods(): Compared<FlatProfile> {
    return (this.#methods ??= this.comparison.methods('once'));
  }

  /** Of the methods that pass the filter. */
  get changes(): readonly MethodChange[] {
    return (this.#changes ??= this.#changesOf());
  }

  get report(): CompareReport {
    const { request, comparison, units, changes } = this;
    const { base, next } = this.#sides;
    const isWhole =
      isEmptyScope(request.scope) && request.base.range === undefined && request.next.range === undefined;
    const notes = isWhole
      ? []
      : [
          `Outside the scope: ${formatQuantity(base.outside.samples, 'sample')} of the base, ${formatQuantity(next.outside.samples, 'sample')} of the new profile.`,
        ];
    return {
      title: request.title,
      names: { base: request.base.name, next: request.next.name },
      whole: comparison.whole,
      metric: request.metric,
      units,
      changes,
      notes: [...notes, ...this.warnings, ...this.#hints],
    };
  }

  /** What --fail-above does not allow. */
  grown(): readonly MethodChange[] {
    const { failAbove } = this.request;
    if (failAbove === undefined || !this.#hasShares) return [];
    return this.changes.filter(
      (change) => change.label.startsWith(failAbove.prefix) && hasGrown(change, failAbove.points),
    );
  }

  /** What would make more methods comparable. */
  get #hints(): readonly string[] {
    const example = machineNamed(this.methods, this.comparison.profile);
    return example === undefined
      ? []
      : [
          `Names that the JVM makes up differ from run to run, as ${example}: --fold ${MACHINE_NAMES.join(',')} joins such methods.`,
        ];
  }

  get #hasShares(): boolean {
    const { base, next } = this.comparison.whole;
    return base.samples > 0 && next.samples > 0;
  }

  #changesOf(): readonly MethodChange[] {
    const { comparison, request, methods } = this;
    const shown = new Set(shownKeys(methods.both, request.filter));
    const all = methodChanges(methods, comparison.whole, {
      metric: request.metric,
      isSampled: isSampled(this.#sides.base.units) && isSampled(this.#sides.next.units),
    });
    return all.filter(({ key }) => shown.has(key));
  }
}

function writeCompared(compared: ComparedInput, sink: OutputSink): void {
  const { request, comparison, units } = compared;
  const { filter, isByShare } = request;
  const text = { filter, shareOf: isByShare ? comparison.whole : undefined };
  switch (request.format) {
    case 'flat':
      exportComparedFlat(comparison.methods(request.recursion), text, sink);
      break;
    case 'tree':
      exportComparedTree(comparison.calls(), text, sink);
      break;
    case 'csv': {
      const { base, next } = comparison.whole;
      const hasShares =
        request.metric === 'samples' ? base.samples > 0 && next.samples > 0 : base.time > 0 && next.time > 0;
      exportComparedCsv(pairsOf(compared.changes), { units, hasShares }, sink);
      break;
    }
    case 'svg':
      writeSvg(compared, sink);
      break;
    case 'html': {
      const svg = collectText((pieces) => writeSvg(compared, pieces));
      exportReportHtml(compared.report, { svg, theme: request.theme }, sink);
      break;
    }
    case 'report':
      exportReport(compared.report, sink);
      break;
    case 'report-md':
      exportReportMarkdown(compared.report, sink);
  }
}

function writeSvg({ request, comparison, units }: ComparedInput, sink: TextSink): void {
  const { root, base, next } = request;
  exportComparedSvg(
    {
      ...request,
      calls: comparison.calls(),
      units,
      names: { base: base.name, next: next.name },
      // The sums are widths, which count like samples.
      root: (sums) =>
        root === undefined
          ? undefined
          : { row: heaviestRow(sums, root, { metric: 'samples', path: next.path }), run: undefined },
    },
    sink,
  );
}

/** The changes of each method, in the order of the larger one. */
function pairsOf(changes: readonly MethodChange[]): readonly ComparedMethod[] {
  const pairs = new Map<number, { self?: MethodChange; total?: MethodChange }>();
  for (const change of changes) {
    const pair = pairs.get(change.key) ?? {};
    pair[change.of] = change;
    pairs.set(change.key, pair);
  }
  return [...pairs.values()].flatMap(({ self, total }) =>
    self === undefined || total === undefined ? [] : [{ self, total }],
  );
}

function grownText(change: MethodChange, { next, metric }: CompareRequest): string {
  const { label, of, base, difference, sampled, certainty } = change;
  const shares = `${formatShare(base.share, 1)} to ${formatShare(change.next.share, 1)}`;
  const interval =
    certainty === 'real' && sampled !== undefined
      ? `, 95 % interval${metric === 'samples' ? '' : ' by samples'} ${rangeText(sampled.low, sampled.high)}`
      : '';
  return `${next.name}: the ${of} share of ${label} grew by ${pointsText(difference).slice(1)} points: ${shares}${interval}`;
}
