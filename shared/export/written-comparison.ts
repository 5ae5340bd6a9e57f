import type { Compared, Comparison } from '../engine/comparison/comparison.ts';
import type { Pair, CompareBy } from '../engine/values/row-change.ts';
import { machineNamed, type MethodChange, methodChanges } from '../engine/comparison/method-changes.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { formatQuantity } from '../text/format-value.ts';
import type { ColourTheme } from '../text/frame-colour.ts';
import type { Recursion } from '../engine/trees/grouping.ts';
import type { Metric } from '../engine/values/metric.ts';
import type { TimeBounds } from '../engine/values/time-range.ts';
import type { RowValues } from '../engine/values/row-sums.ts';
import type { SampleSum } from '../engine/values/self-values.ts';
import type { LayoutRoot } from '../engine/views/flame-layout.ts';
import type { FlatProfile } from '../engine/views/flat-profile.ts';
import { shownKeys, type RowFilter } from '../engine/views/filter.ts';
import type { PageContent } from './export-input.ts';
import type { TextSink } from './text-sink.ts';

/** The two changes of a method. */
export interface ComparedMethod {
  readonly self: MethodChange;
  readonly total: MethodChange;
}

/** The time ranges of both profiles; undefined: samples of any time. */
export interface ComparedRanges {
  readonly base: TimeBounds | undefined;
  readonly next: TimeBounds | undefined;
}

/** The contents of reports for people. */
export interface CompareReport {
  readonly title: string;
  readonly names: { readonly base: string; readonly next: string };
  readonly whole: { readonly base: SampleSum; readonly next: SampleSum };
  readonly units: ProfileUnits;
  readonly metric: Metric;
  /** All changes, largest first; a method that has no samples in a part is among them. */
  readonly changes: readonly MethodChange[];
  /** Sentences about the comparison, such as what a scope leaves out. */
  readonly notes: readonly string[];
  /** Most methods in a list; undefined: 30. */
  readonly limit?: number | undefined;
}

/** The columns of canonical texts. */
export interface CompareTextOptions {
  readonly filter: RowFilter;
  /** The divisor of each number, for shares; undefined: numbers as they are. */
  readonly shareOf: Compared<SampleSum> | undefined;
}

/** The parts of a comparison that are written, and their form. A format uses only what it needs. */
export interface ComparisonInput {
  readonly comparison: Comparison;
  /** The units of both; without a value where the two have different ones. */
  readonly units: ProfileUnits;
  /** Both count samples: chance may explain differences; and they are not independent of each other: see `Counted`. */
  readonly isSampled: boolean;
  readonly isDependent?: boolean;
  readonly title: string;
  /** The names of the two profiles. */
  readonly names: { readonly base: string; readonly next: string };
  /** The ranges, which only csv writes; other formats have them in the names. */
  readonly ranges: ComparedRanges;
  readonly metric: Metric;
  readonly filter: RowFilter;
  readonly recursion: Recursion;
  /** The compared quantity of numbers and frames. Tables of methods always compare shares of the own total of each profile. */
  readonly by: CompareBy;
  /** The time that each profile covers, seconds; for `rate`. */
  readonly seconds: Pair | undefined;
  /** Sentences about the comparison, for reports. */
  readonly notes: readonly string[];
  /** Most methods in a list of a report; undefined: 30. */
  readonly limit?: number | undefined;
  /** The source file of a method and its hottest line; undefined where it is not known. For `github`. */
  readonly placeOf?:
    | ((label: string) => { readonly path: string; readonly line: number } | undefined)
    | undefined;
  /** A sentence about methods that could be joined, one of which is this; undefined: there is nothing to say. */
  readonly foldHint?: ((example: string) => string) | undefined;
  /** The root of the drawing in its widths; undefined: everything. */
  readonly root: (sums: RowValues) => LayoutRoot | undefined;
  /** See `ExportInput`; the new profile and the base. */
  readonly carried?: PageContent | undefined;
  readonly template?: string | undefined;
  readonly theme: ColourTheme;
  readonly orientation: 'flame' | 'icicle';
  /** See `ExportInput`. */
  readonly width?: number | undefined;
}

/** Writes a comparison in one format. */
export type ComparisonWriter = (comparison: WrittenComparison, sink: TextSink) => void;

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

  /** The changes of the methods that pass the filter. */
  get changes(): readonly MethodChange[] {
    return (this.#changes ??= this.#changesOf());
  }

  /** The options of the canonical texts. */
  get text(): CompareTextOptions {
    const { comparison, filter, by } = this.input;
    return { filter, shareOf: by === 'share' ? comparison.whole : undefined };
  }

  /** The changes of each method, in the order of the larger one. */
  get pairs(): readonly ComparedMethod[] {
    const pairs = new Map<number, { self?: MethodChange; total?: MethodChange }>();
    for (const change of this.changes) {
      const pair = pairs.get(change.key) ?? {};
      pair[change.of] = change;
      pairs.set(change.key, pair);
    }
    return [...pairs.values()].flatMap(({ self, total }) =>
      self === undefined || total === undefined ? [] : [{ self, total }],
    );
  }

  get report(): CompareReport {
    const { input, changes } = this;
    return { ...input, whole: input.comparison.whole, changes, notes: [...input.notes, ...this.#hints] };
  }

  get #hints(): readonly string[] {
    const { foldHint, comparison } = this.input;
    const example = foldHint && machineNamed(this.methods, comparison.profile);
    return foldHint === undefined || example === undefined ? [] : [foldHint(example)];
  }

  /** Both profiles have something that shares can be of. */
  get hasShares(): boolean {
    const { base, next } = this.input.comparison.whole;
    return this.input.metric === 'samples'
      ? base.samples > 0 && next.samples > 0
      : base.time > 0 && next.time > 0;
  }

  #changesOf(): readonly MethodChange[] {
    const { comparison, metric, filter, isSampled, isDependent = false } = this.input;
    const shown = new Set(shownKeys(this.methods, filter));
    const all = methodChanges(this.methods, comparison.whole, { metric, isSampled, isDependent });
    return all.filter(({ key }) => shown.has(key));
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

/** A sentence about the samples that a scope leaves out of both. */
export function outsideNote(base: SampleSum, next: SampleSum): string {
  return `Outside the scope: ${formatQuantity(base.samples, 'sample')} of the base, ${formatQuantity(next.samples, 'sample')} of the new profile.`;
}
