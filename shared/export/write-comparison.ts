import type { Compared, Comparison } from '../compare/comparison.ts';
import type { Pair } from '../compare/row-change.ts';
import { machineNamed, type MethodChange, methodChanges } from '../compare/method-changes.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { formatQuantity } from '../text/format-value.ts';
import type { ColourTheme } from '../text/frame-colour.ts';
import type { Recursion } from '../trees/grouping.ts';
import type { CompareBy } from '../values/compared-to.ts';
import type { Metric } from '../values/metric.ts';
import type { RowValues } from '../values/row-sums.ts';
import type { SampleSum } from '../values/self-values.ts';
import type { RowFilter } from '../views/filter.ts';
import type { LayoutRoot } from '../views/flame-layout.ts';
import type { FlatProfile } from '../views/flat-profile.ts';
import type { OutputSink } from './byte-sink.ts';
import { type ComparedMethod, type ComparedRanges, exportComparedCsv } from './compare-csv.ts';
import { compareFormat, type CompareFormatId } from './compare-formats.ts';
import { ExportBudget } from './export-budget.ts';
import {
  type CompareReport,
  exportReport,
  exportReportHtml,
  exportReportMarkdown,
} from './compare-report.ts';
import { exportComparedSvg } from './compare-svg.ts';
import { comparedKeys, exportComparedFlat, exportComparedTree } from './compare-text.ts';
import { collectText, type TextSink } from './text-sink.ts';

/** What of a comparison is written, and how. A format uses only what it needs. */
export interface ComparisonInput {
  readonly comparison: Comparison;
  /** Of both; without a value where the two have different ones. */
  readonly units: ProfileUnits;
  /** Both count samples: chance may explain differences; and they are not independent of each other: see `Counted`. */
  readonly isSampled: boolean;
  readonly isDependent?: boolean;
  readonly title: string;
  /** Of the two profiles. */
  readonly names: { readonly base: string; readonly next: string };
  /** For csv, which says them; other formats have them in the names. */
  readonly ranges: ComparedRanges;
  readonly metric: Metric;
  readonly filter: RowFilter;
  readonly recursion: Recursion;
  /** What numbers and frames are compared by. Tables of methods always compare shares of the own total of each profile. */
  readonly by: CompareBy;
  /** The time that each profile covers, seconds; for `rate`. */
  readonly seconds: Pair | undefined;
  /** Sentences about the comparison, for reports. */
  readonly notes: readonly string[];
  /** A sentence about methods that could be joined, one of which is this; undefined: there is nothing to say. */
  readonly foldHint?: ((example: string) => string) | undefined;
  /** The root of the drawing in its widths; undefined: everything. */
  readonly root: (sums: RowValues) => LayoutRoot | undefined;
  readonly theme: ColourTheme;
  readonly orientation: 'flame' | 'icicle';
  /** Width of the image, pixels. */
  readonly width: number;
}

/** A comparison as it is written by the command line and by the window. What it computes is computed once. */
export class WrittenComparison {
  readonly input: ComparisonInput;
  #methods: Compared<FlatProfile> | undefined;
  #changes: readonly MethodChange[] | undefined;

  constructor(input: ComparisonInput) {
    this.input = input;
  }

  /** Each sample once for a method. */
  get methods(): Compared<FlatProfile> {
    return (this.#methods ??= this.input.comparison.methods('once'));
  }

  /** Of the methods that pass the filter. */
  get changes(): readonly MethodChange[] {
    return (this.#changes ??= this.#changesOf());
  }

  /**
   * Returns where it stopped if `budget` is spent, as a phrase. Throws ExportRefusal if only a part could be written, in a
   * format that needs all of it.
   */
  write(format: CompareFormatId, sink: OutputSink, budget = new ExportBudget()): string | undefined {
    budget.spend(compareFormat(format), sink, (limited) => this.#write(format, limited));
    return budget.stopped;
  }

  #write(format: CompareFormatId, sink: OutputSink): void {
    const { comparison, filter, recursion, by, theme } = this.input;
    const text = { filter, shareOf: by === 'share' ? comparison.whole : undefined };
    switch (format) {
      case 'flat':
        exportComparedFlat(comparison.methods(recursion), text, sink);
        break;
      case 'tree':
        exportComparedTree(comparison.calls(), text, sink);
        break;
      case 'csv':
        exportComparedCsv(pairsOf(this.changes), { ...this.input, hasShares: this.#hasShares }, sink);
        break;
      case 'svg':
        this.#writeSvg(sink);
        break;
      case 'html': {
        const svg = collectText((pieces) => this.#writeSvg(pieces));
        exportReportHtml(this.#report, { svg, theme }, sink);
        break;
      }
      case 'report':
        exportReport(this.#report, sink);
        break;
      case 'report-md':
        exportReportMarkdown(this.#report, sink);
    }
  }

  get #report(): CompareReport {
    const { input, changes } = this;
    return { ...input, whole: input.comparison.whole, changes, notes: [...input.notes, ...this.#hints] };
  }

  get #hints(): readonly string[] {
    const { foldHint, comparison } = this.input;
    const example = foldHint && machineNamed(this.methods, comparison.profile);
    return foldHint === undefined || example === undefined ? [] : [foldHint(example)];
  }

  get #hasShares(): boolean {
    const { base, next } = this.input.comparison.whole;
    return this.input.metric === 'samples'
      ? base.samples > 0 && next.samples > 0
      : base.time > 0 && next.time > 0;
  }

  #changesOf(): readonly MethodChange[] {
    const { comparison, metric, filter, isSampled, isDependent = false } = this.input;
    const shown = new Set(comparedKeys(this.methods, filter));
    const all = methodChanges(this.methods, comparison.whole, { metric, isSampled, isDependent });
    return all.filter(({ key }) => shown.has(key));
  }

  #writeSvg(sink: TextSink): void {
    exportComparedSvg({ ...this.input, calls: this.input.comparison.calls() }, sink);
  }
}

/** The units of two profiles together: without a value where they have different ones. */
export function commonUnits(base: ProfileUnits, next: ProfileUnits): ProfileUnits {
  const isSame = base.value?.unit === next.value?.unit;
  // The name of what is counted is that of the side that makes differences uncertain.
  const { counted } =
    base.counted.isDependent === true ? base : next.counted.isDependent === true ? next : base;
  return { counted, value: isSame ? base.value : undefined };
}

/** What a scope leaves out of both. */
export function outsideNote(base: SampleSum, next: SampleSum): string {
  return `Outside the scope: ${formatQuantity(base.samples, 'sample')} of the base, ${formatQuantity(next.samples, 'sample')} of the new profile.`;
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
