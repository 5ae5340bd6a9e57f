import type { LogFacts } from '../facts/log-facts.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { formatQuantity } from '../text/format-value.ts';
import type { ColourBy } from '../text/frame-colour.ts';
import type { RowValues } from '../values/row-sums.ts';
import type { SampleSum, SelfValues } from '../values/self-values.ts';
import { type NamedBounds, type TimeSpan, UNBOUNDED } from '../values/time-range.ts';
import { keepsAll, keptRows, type RowFilter } from '../views/filter.ts';
import type { FrameKeys, Recursion, ThreadGrouping } from '../trees/grouping.ts';
import { type Metric, weightName } from '../values/metric.ts';
import type { Search } from '../views/search.ts';
import type { SortOrder } from '../views/sort-order.ts';
import { bottomUpOf, exportBottomUp } from './bottom-up.ts';
import type { OutputSink } from './byte-sink.ts';
import { exportCollapsed } from './collapsed.ts';
import { exportCsv } from './csv.ts';
import { ExportBudget } from './export-budget.ts';
import { exportFormat, type ExportFormatId } from './export-formats.ts';
import { ExportRefusal } from './export-refusal.ts';
import { exportFlameSvg } from './flame-svg.ts';
import { exportFlat } from './flat.ts';
import { exportHprofBinary, MOST_HPROF_SAMPLES } from './hprof-binary.ts';
import { exportHprofText } from './hprof-text.ts';
import { HprofTraces } from './hprof-traces.ts';
import { exportJson } from './json.ts';
import { exportLean } from './lean.ts';
import { exportMethodTree } from './method-tree.ts';
import type { LayoutRoot } from '../views/flame-layout.ts';
import { exportMethods } from './methods.ts';
import { stacksWithoutSamples, threadsWithoutFrames } from './nodes-with-values.ts';
import { exportPprof } from './pprof.ts';
import { exportSpeedscope } from './speedscope.ts';
import { exportTimeline, type TimelineOptions } from './timeline.ts';
import { exportTrcbin } from './trcbin.ts';
import { callTreeOf, exportTree } from './tree.ts';

/** The input of an export. A format uses only the options in its `ExportFormat.options`. */
export interface ExportInput {
  readonly profile: LeanProfile;
  readonly units: ProfileUnits;
  /** The title or name that is written into the file, for formats that have one. */
  readonly title: string;
  readonly frames: FrameKeys;
  readonly threads: ThreadGrouping;
  readonly recursion: Recursion;
  readonly metric: Metric;
  readonly filter: RowFilter;
  /** The values to sum, for formats that do not write the complete profile; undefined: all. */
  readonly values?: SelfValues | undefined;
  /** For json and pprof: what was read of the file; undefined if it is not known. */
  readonly facts?: LogFacts | undefined;
  /** For json: samples outside the scope; undefined if there is no scope. */
  readonly outside?: SampleSum | undefined;
  /** For svg, csv, json and pprof, which say it: when the samples were taken; undefined: at any time. */
  readonly range?: NamedBounds | undefined;
  /** For methods and csv. */
  readonly order: SortOrder;
  /** For callers and callees: a key. */
  readonly method: string;
  /** For hprof: the number of frames that are kept of a deeper stack; undefined: all. */
  readonly depth: number | undefined;
  /** For timeline: all samples, and which of them count. Undefined if the times of samples are not known. */
  readonly timeline?: (TimelineOptions & { readonly samples: SampleTable }) | undefined;
  readonly drawing: {
    /** The root of the drawing; undefined: everything. */
    readonly root: (sums: RowValues) => LayoutRoot | undefined;
    /** Callers above the methods in which samples end. Otherwise threads above what they call. */
    readonly isBottomUp?: boolean;
    readonly search: Search | undefined;
    readonly theme: 'light' | 'dark';
    readonly colourBy: ColourBy;
    readonly orientation: 'flame' | 'icicle';
    /** Width of the image, pixels. */
    readonly width: number;
    /** See `FlameSvgOptions`. */
    readonly pixels?: number | undefined;
  };
}

/**
 * Writes a profile in a format. Returns what was left out or rounded, as phrases, and where it stopped if `budget` is
 * spent. Throws ExportRefusal before anything is written, or where only a part could be, in a format that needs all of it.
 */
export function writeExport(
  format: ExportFormatId,
  input: ExportInput,
  sink: OutputSink,
  budget = new ExportBudget(),
): readonly string[] {
  const notes: string[] = [];
  const write = (limited: OutputSink): void =>
    WRITERS[format](input, limited, (count, note) => {
      if (count > 0) notes.push(note(count));
    });
  budget.spend(exportFormat(format), sink, write);
  return budget.stopped === undefined ? notes : [...notes, budget.stopped];
}

/** Adds a note unless the count is 0. */
type AddNote = (count: number, note: (count: number) => string) => void;
type Writer = (input: ExportInput, sink: OutputSink, addNote: AddNote) => void;

const withoutSamples = (count: number): string =>
  `${formatQuantity(count, 'stack')} without samples left out`;
const withoutFrames = (count: number): string =>
  `samples without a frame of ${formatQuantity(count, 'thread')} left out`;
const roundedCounts = (count: number): string => `${formatQuantity(count, 'count')} rounded to whole numbers`;

const WRITERS: Readonly<Record<ExportFormatId, Writer>> = {
  lean: ({ profile }, sink) => exportLean(profile, sink),
  flat: (input, sink) => exportFlat(input.profile, input, sink),
  methods: (input, sink) => exportMethods(input.profile, input, sink),
  csv: (input, sink) => exportCsv(input.profile, { ...input, range: input.range?.bounds }, sink),
  tree: (input, sink) =>
    exportTree(input.profile, { grouping: input, filter: input.filter, values: input.values }, sink),
  'bottom-up': (input, sink) =>
    exportBottomUp(input.profile, { grouping: input, filter: input.filter, values: input.values }, sink),
  callers: (input, sink) => writeMethodTree('callers', input, sink),
  callees: (input, sink) => writeMethodTree('callees', input, sink),
  collapsed: (input, sink, addNote) => {
    const { profile, metric, filter, units, values } = input;
    const losses = exportCollapsed(profile, { grouping: input, metric, filter, values }, sink);
    // If the file has no times, they are all zero.
    const isUntimed = metric === 'time' && units.value === undefined;
    addNote(losses.notPositive, notPositive(isUntimed ? 'time' : weightName(metric, units)));
    addNote(losses.withoutFrames ? 1 : 0, () => 'samples without a frame left out');
  },
  svg: (input, sink) => {
    const { profile, metric, units, filter, title, drawing, range } = input;
    const { search, theme, colourBy, orientation, width, pixels } = drawing;
    const calls = callTreeOf(profile, input, input.values);
    const sums = drawing.isBottomUp === true ? bottomUpOf(calls) : calls;
    const zoom = drawing.root(sums);
    const kept = keepsAll(filter) ? undefined : keptRows(sums, filter);
    exportFlameSvg(
      {
        ...{ sums, metric, units, zoom, search, kept, theme, colourBy, orientation, title, width, pixels },
        range: range?.text,
      },
      sink,
    );
  },
  timeline: ({ timeline }, sink) => {
    if (timeline === undefined)
      throw new ExportRefusal('no times', 'does not say when each sample was taken');
    exportTimeline(timeline.samples, timeline, sink);
  },
  hprof: ({ profile, depth }, sink, addNote) => {
    const traces = new HprofTraces(profile, depth);
    if (traces.total > MOST_HPROF_SAMPLES) {
      const most = formatQuantity(MOST_HPROF_SAMPLES, 'sample');
      const total = formatQuantity(traces.total, 'sample');
      throw new ExportRefusal('too many samples', `has ${total}, and hprof holds at most ${most}`);
    }
    exportHprofBinary(traces, sink);
    addNote(traces.rounded, roundedCounts);
    addNote(stacksWithoutSamples(profile), withoutSamples);
  },
  'hprof-text': ({ profile, depth }, sink, addNote) => {
    const traces = new HprofTraces(profile, depth);
    exportHprofText(traces, sink);
    addNote(traces.rounded, roundedCounts);
    addNote(stacksWithoutSamples(profile), withoutSamples);
  },
  trcbin: ({ profile, units }, sink, addNote) => {
    addNote(exportTrcbin(profile, sink), roundedCounts);
    addNote(threadsWithoutFrames(profile), withoutFrames);
    addNote(units.value?.unit === 'bytes' ? 1 : 0, () => 'bytes written where a trace has nanoseconds');
  },
  speedscope: ({ profile, units, title }, sink, addNote) => {
    const leftOut = exportSpeedscope(profile, { units, name: title }, sink);
    addNote(leftOut, notPositive(weightName('time', units)));
    addNote(
      threadsWithoutFrames(profile),
      (count) =>
        `samples without a frame of ${formatQuantity(count, 'thread')} written as empty stacks: idle time`,
    );
  },
  pprof: (input, sink, addNote) => {
    const { profile, units } = input;
    addNote(exportPprof(profile, { units, span: spanOf(input) }, sink), roundedCounts);
  },
  json: ({ profile, units, title, facts, outside, range }, sink) =>
    exportJson(profile, { name: title, units, facts, outside, range: range?.bounds }, sink),
};

/** When the samples were taken: the range that is looked at, within the times of the file. */
function spanOf({ facts, range }: ExportInput): TimeSpan | undefined {
  if (facts?.lastTime === undefined || facts.spanNs === undefined) return undefined;
  const last = BigInt(facts.lastTime);
  const { from = last - BigInt(facts.spanNs), to = last } = range?.bounds ?? UNBOUNDED;
  return { from, to: to < last ? to : last };
}

function notPositive(weight: string): (count: number) => string {
  return (count) => `${formatQuantity(count, 'stack')} with zero or negative ${weight} left out`;
}

function writeMethodTree(direction: 'callers' | 'callees', input: ExportInput, sink: OutputSink): void {
  const { profile, method, recursion, filter, values } = input;
  if (!exportMethodTree(profile, { direction, method, grouping: input, recursion, filter, values }, sink)) {
    throw new ExportRefusal('unknown method', `has no method with the key '${method}'`);
  }
}
