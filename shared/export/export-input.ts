import type { ProfileView } from '../engine/profile-view.ts';
import type { FindingsProject } from '../findings/finding.ts';
import type { LogFacts } from '../facts/log-facts.ts';
import type { PageLog, PageTexts } from '../page/packed-page.ts';
import type { MeasuredSeries } from '../facts/measured-series.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import { formatQuantity, formatBytes, formatShare } from '../text/format-value.ts';
import type { ColourBy } from '../text/frame-colour.ts';
import type { FrameKeys, Recursion, ThreadGrouping } from '../engine/trees/grouping.ts';
import type { Metric } from '../engine/values/metric.ts';
import type { RowValues } from '../engine/values/row-sums.ts';
import type { SampleSum, SelfValues } from '../engine/values/self-values.ts';
import type { NamedBounds, TimeBounds } from '../engine/values/time-range.ts';
import type { RowFilter } from '../engine/views/filter.ts';
import type { TimedSamples } from '../engine/views/row-times.ts';
import type { LayoutRoot, SiblingOrder } from '../engine/views/flame-layout.ts';
import type { Search } from '../engine/views/search.ts';
import type { SortOrder } from '../engine/views/sort-order.ts';

/** The profiles that a file carries, besides what it shows. */
export interface PageContent {
  readonly logs: readonly PageLog[];
  readonly texts: PageTexts;
  /** The hottest methods as lines, for readers without scripts. */
  readonly hottest?: string;
  /** Most bytes that a drawing carries, as text; undefined: any number. */
  readonly most?: number;
}

/** A view of a profile, for formats that say what is hot and what is wrong. */
interface ToldView {
  /** It compares nothing. */
  readonly view: ProfileView;
  readonly facts: LogFacts;
  readonly project: FindingsProject;
}

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
  /** For html, svg: the profile that the file carries; undefined: none. */
  readonly carried?: PageContent | undefined;
  /** For html: the built page without a profile. */
  readonly template?: string | undefined;
  /** For otlp: the samples with their times, and where they end in the profile. Undefined if these are not known. */
  readonly timed?: (() => TimedSamples) | undefined;
  /** For timeline: all samples, and which of them count. Undefined if the times of samples are not known. */
  readonly timeline?: (TimelineOptions & { readonly samples: SampleTable }) | undefined;
  /** For md: the view with what is known of the file, and of its findings; undefined if that is not known. */
  readonly told?: (() => ToldView) | undefined;
  readonly drawing: {
    /** The root of the drawing; undefined: everything. */
    readonly root: (sums: RowValues, weights: Float64Array) => LayoutRoot | undefined;
    /** undefined: the heaviest first. */
    readonly siblings?: SiblingOrder | undefined;
    /** The rows that are drawn. */
    readonly rows: () => RowValues;
    readonly search: Search | undefined;
    readonly theme: 'light' | 'dark';
    readonly colourBy: ColourBy;
    /** `flame`: the root at the bottom; `icicle`: the root at the top. */
    readonly orientation: 'flame' | 'icicle';
    /** Width of the image, pixels; undefined: DEFAULT_SVG_WIDTH. */
    readonly width?: number | undefined;
    /** Frames narrower than 1 / `pixels` of the root are grouped; undefined: narrower than a pixel of the image. */
    readonly pixels?: number | undefined;
  };
}

/** The samples that are counted over time, and the number of parts. */
export interface TimelineOptions {
  /** Where they are undefined, the line begins with the earliest sample or ends with the latest. */
  readonly bounds: TimeBounds;
  /** Row of the SelfTable -> 1 if its samples do not count; undefined: all count. */
  readonly isOutside: Uint8Array | undefined;
  /** undefined: DEFAULT_BUCKETS. */
  readonly buckets?: number | undefined;
  /** More columns, below a line with the names of all; undefined: none. */
  readonly measured?: TimelineMeasured | undefined;
}

/** The measured values over time besides samples. */
export interface TimelineMeasured {
  readonly series: readonly MeasuredSeries[];
  /** Row of the SelfTable -> 1 if its samples are errors. */
  readonly isError: Int32Array;
  /** ns from which on a time without samples is a gap; undefined: there are none. */
  readonly leastGapNs: number | undefined;
}

/** Writes a profile in one format. Throws ExportRefusal before anything is written. */
export type ExportWriter = (input: ExportInput, sink: OutputSink, addNote: AddNote) => void;

/** Tells what was left out or rounded, as a phrase, unless the count is 0. */
export type AddNote = (count: number, note: (count: number) => string) => void;

export const roundedCounts = (count: number): string =>
  `${formatQuantity(count, 'count')} rounded to whole numbers`;

export function notPositive(weight: string): (count: number) => string {
  return (count) => `${formatQuantity(count, 'stack')} with zero or negative ${weight} left out`;
}

/**
 * Receives the pieces of a binary export in order, and may keep them. `share`: how much of the export is written with
 * this piece, 0 to 1.
 */
export type ByteSink = (bytes: Uint8Array, share: number) => void;

/** Receives text or bytes, so it can be used as a TextSink and as a ByteSink. Text becomes UTF-8. */
export type OutputSink = (piece: string | Uint8Array, share: number) => void;

/** Collects a complete export; for panes and tests. */
export function collectBytes(write: (sink: ByteSink) => void): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  write((bytes) => {
    pieces.push(bytes);
    length += bytes.length;
  });
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Nothing, or nothing that is of use, was written: the format cannot store this profile, or the profile does not contain
 * the requested method.
 */
export class ExportRefusal extends Error {
  override readonly name = 'ExportRefusal';
  readonly reason: 'too many samples' | 'too large' | 'unknown method' | 'no times' | 'too early';

  constructor(reason: ExportRefusal['reason'], text: string) {
    super(text);
    this.reason = reason;
  }
}

/**
 * A larger file is of no use to most programs, and is probably made of names or stacks that stand for a multiple of
 * their size: a few megabytes of nested elements have some 5 GB of collapsed stacks.
 */
export const MOST_EXPORTED_BYTES = 1_000_000_000;

/** The budget of one export. Characters count as bytes. */
export class ExportBudget {
  readonly #most: number;
  #written = 0;
  #share = 0;
  #isSpent = false;

  constructor(most: number = MOST_EXPORTED_BYTES) {
    this.#most = most;
  }

  /** Where the export stopped, as a phrase; undefined if all was written. */
  get stopped(): string | undefined {
    if (!this.#isSpent) return undefined;
    return `stopped at the limit of ${formatBytes(this.#most)}, at ${formatShare(this.#share, 1, 1)} of it; leanscope with --no-limit writes all`;
  }

  /**
   * Calls `write` with a sink that passes pieces on, and ends it before the one that exceeds the budget. Throws
   * ExportRefusal then, unless every line that was written stands for itself.
   */
  spend(
    { hasLines }: { readonly hasLines?: true },
    sink: OutputSink,
    write: (sink: OutputSink) => void,
  ): void {
    const end = new Error('the budget of the export is spent');
    try {
      write((piece, share) => {
        if (this.#written + piece.length > this.#most) {
          this.#isSpent = true;
          throw end;
        }
        this.#written += piece.length;
        this.#share = share;
        sink(piece, share);
      });
    } catch (error) {
      if (error !== end) throw error;
      if (hasLines !== true)
        throw new ExportRefusal('too large', `${this.stopped}, and a part of this format is of no use`);
    }
  }
}
