import type { FindingsProject } from '../../shared/findings/finding.ts';
import type { ComparedSides } from '../../shared/engine/comparison/comparison.ts';
import type { FlameZoom, ProfileQuery } from '../../shared/engine/query.ts';
import type { CompareFormatId } from '../../shared/export/compare-list.ts';
import type { ExportFormatId } from '../../shared/export/export-formats.ts';
import type { ComparisonChoices, PageForm } from '../../shared/export/export-view.ts';
import type { Chosen, MergedThreads } from '../../shared/facts/choice.ts';
import type { ComparedRecording } from '../../shared/facts/comparability.ts';
import type { LogFacts } from '../../shared/facts/log-facts.ts';
import type { ProfileUnits } from '../../shared/profile/profile-units.ts';
import type { ColourBy } from '../../shared/text/frame-colour.ts';
import type { Epoch, LogStatus, Revision } from '../../shared/protocol/messages.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import type { TypedThreads } from '../../shared/scope/thread-pattern.ts';
import type { ThreadGrouping } from '../../shared/engine/trees/grouping.ts';
import type { Metric } from '../../shared/engine/values/metric.ts';
import type { HidingFrames } from '../../shared/engine/views/hiding-frames.ts';
import type { SampleSum } from '../../shared/engine/values/self-values.ts';
import type { ThreadColumns } from '../../shared/engine/values/self-threads.ts';
import type { TimeTracks, TracksView } from '../../shared/engine/views/time-tracks.ts';
import type { DurationColumns } from '../../shared/engine/views/duration-columns.ts';
import type { HeatmapColumns, HeatmapView } from '../../shared/engine/views/heatmap-columns.ts';
import type { TimelineColumns, TimelineView } from '../../shared/engine/views/timeline-columns.ts';
import type { RecentlyGrown } from '../../shared/engine/views/recent-methods.ts';
import type { PaneEvent, PaneId, PaneRequest } from './pane-messages.ts';
import type { PaneSpec } from './pane-specs.ts';
import type { SortOrder } from '../../shared/engine/views/sort-order.ts';

/**
 * Messages between the window and the mirrors of its logs, which live in one Web Worker. A mirror has the profile of a log,
 * grown by deltas or read from a local file, and computes the rows that can be seen. The window declares its view (`view`, `pane`), the
 * mirror answers at once and again whenever the profile grows. Rows of tables are few and cross as objects, a flame
 * graph crosses as columns; the profile never does.
 */

/** window -> worker: requests to the mirror of a log, which is opened by the first ones; `close`: it is closed. */
export type WorkerRequest =
  | { readonly log: string; readonly requests: readonly MirrorRequest[] | 'close' }
  /** Sources of expressions that took too long, and are not to be matched. */
  | { readonly stopped: readonly string[] };

/** worker -> window */
export type WorkerMessage =
  | { readonly log: string; readonly events: readonly MirrorEvent[] }
  /** From now on an expression is matched, which may take for ever; undefined: it is no more. */
  | { readonly matching: string | undefined };

/** Size of a log when it had been read. */
export interface ReadUpTo {
  readonly epoch: Epoch;
  readonly nodes: number;
}

/** window -> mirror */
export type MirrorRequest =
  /** A binary message of the host, transferred. */
  | { readonly type: 'delta'; readonly message: ArrayBuffer }
  /** A file of this machine that the host cannot reach: read and aggregated here. */
  | { readonly type: 'readFile'; readonly file: File; readonly chosen: Chosen }
  /**
   * The host reads on: a delta that brings all there is so far is not the last. When it has read all, deltas may still be
   * under way, by another way than this: `upTo` says how much the copy will then have.
   */
  | { readonly type: 'reading'; readonly reading: boolean; readonly upTo?: ReadUpTo | undefined }
  /** The log is these others in one, by their keys: it grows while any of them grows. */
  | {
      readonly type: 'union';
      readonly parts: readonly { readonly log: string; readonly tag: string }[];
      readonly threads: MergedThreads;
    }
  /** Settings of all panes. */
  | ({ readonly type: 'view' } & ProfileQuery)
  /** undefined: the pane is not on screen; what is open in it is kept. */
  | { readonly type: 'pane'; readonly pane: PaneId; readonly spec: PaneSpec | undefined }
  /** The samples over time are on screen: `timeline` now, and whenever they change. undefined: they are not. */
  | {
      readonly type: 'timeline';
      readonly view: TimelineView | undefined;
      /** Tracks of threads; undefined: none. */
      readonly tracks?: TracksView | undefined;
      /** Squares of time; undefined: none. */
      readonly heatmap?: Pick<HeatmapView, 'fit'> | undefined;
      /** When requests began and how long they took; undefined: that is not on screen. `marks`: a condition. */
      readonly durations?: (Pick<HeatmapView, 'fit'> & { readonly marks: string | undefined }) | undefined;
      /** ns from which on a time without samples is a gap; undefined: gaps are not on screen. */
      readonly leastGap?: number | undefined;
    }
  /** The facts of the file besides its samples: the summary is on screen. `epoch`: theirs; undefined: of any. */
  | {
      readonly type: 'facts';
      readonly facts: LogFacts;
      readonly project: FindingsProject;
      readonly epoch?: Epoch | undefined;
    }
  /** The threads are on screen: `threads` now, and whenever the profile grows. `search`: what their names are searched for. */
  | { readonly type: 'threads'; readonly shown: boolean; readonly search?: string | undefined }
  /**
   * Growth is measured while the log may grow; not of what comes while it is frozen, or at once when it is resumed. While
   * it is frozen, another run of the writer is not shown, and logs that it is compared with do not grow; nothing of it is
   * shown while it is `held`. `shown`: the list of what grew most is on screen: `recent` now, and every second while it
   * changes.
   */
  | {
      readonly type: 'growth';
      readonly measured: boolean;
      readonly frozen: boolean;
      readonly held?: boolean;
      readonly shown: boolean;
    }
  | PaneRequest
  /** Answered by `exportSource`: another worker writes, so that the mirror can keep answering. */
  | { readonly type: 'export'; readonly job: ExportJob }
  /** Tabs are compared as the runs of two sides: answered by `runs`. */
  | ({ readonly type: 'runs' } & RunsQuestion)
  /** Loads the code for `write`: the host, which serves it, may end before the next export. */
  | { readonly type: 'loadWriters' }
  /** Answered by `exported` or `exportFailed`. A worker that has no other requests can be ended to cancel the export. */
  | { readonly type: 'write'; readonly source: ExportSource }
  /**
   * Answered by a `barrier` of the same id when everything before it has been computed. With `flush` also what growth
   * made due and a timer would have computed later: for tests, which must not sleep.
   */
  | { readonly type: 'barrier'; readonly id: number; readonly flush: boolean };

export interface ExportJob {
  readonly id: number;
  readonly format: ExportFormatId;
  /** Instead of `format`: the comparison is written, in this format. */
  readonly compared: CompareFormatId | undefined;
  readonly fileName: string;
  readonly threads: ThreadGrouping;
  /** svg: root of what is drawn, also where the query does not narrow to it; undefined: everything. */
  readonly zoom: FlameZoom | undefined;
  /** svg: the bottom-up graph, which `zoom` refers to. */
  readonly isBottomUp: boolean;
  /** svg: width in pixels of what is drawn, which decides which frames are grouped. */
  readonly pixels: number;
  readonly theme: 'light' | 'dark';
  /** svg. */
  readonly colourBy: ColourBy;
  readonly orientation: 'flame' | 'icicle';
  /** methods, csv. */
  readonly order: SortOrder;
  readonly title: string;
  /** For a comparison: names of both sides. */
  readonly names: { readonly base: string; readonly next: string };
  readonly units: ProfileUnits;
  /** json: what was read of the file; undefined until the first status. */
  readonly facts: LogFacts | undefined;
  /** md: what is known of findings. */
  readonly project?: FindingsProject;
  /** For formats that carry the profile: its name in them, and their form; undefined: nothing is carried. */
  readonly name?: string;
  readonly page?: PageForm | undefined;
  /** For a comparison that is carried: what is known of both sides. */
  readonly sides?: ComparisonChoices['sides'];
}

/** Tabs as the runs of two sides. */
export interface RunsQuestion {
  readonly base: readonly NamedRun[];
  readonly next: readonly NamedRun[];
  readonly scope: Scope;
  readonly hidesErrors: boolean;
  readonly metric: Metric;
  readonly units: ProfileUnits;
}

export interface NamedRun {
  readonly log: string;
  readonly name: string;
  /** The facts about how it was recorded. */
  readonly facts: ComparedRecording['facts'];
}

/** The report, or why there is none. */
export interface RunsReport {
  readonly text: string;
  readonly markdown: string;
  readonly problem: string | undefined;
}

/** Input of an export, as of the request. */
export interface ExportSource {
  readonly query: ProfileQuery;
  readonly job: ExportJob;
  /** `packProfile`; transferred, and emptied by who reads it. */
  readonly profile: ArrayBuffer[];
  /** `packProfile` of another log that is compared with. */
  readonly base: ArrayBuffer[] | undefined;
}

/** Sums that percentages refer to, and what the header shows about the profile on screen. */
export interface ProfileSummary {
  /** All that the profile has, and their time. */
  readonly samples: number;
  readonly totalTime: number;
  /** The samples that are left out of every sum, because errors are hidden. Shares refer to the rest. */
  readonly hidden: SampleSum;
  /** The samples that are left out of every sum, because they are outside the scope; hidden samples are not among them. */
  readonly outside: SampleSum;
  /** The samples without a stack among those in scope, hidden or not. */
  readonly errors: number;
  /** The pseudo method that stands for an error -> its samples in scope. */
  readonly errorKinds: Readonly<Record<string, number>>;
  /**
   * Threads that have samples in scope, with hidden errors among them; undefined where nothing is outside, and while two
   * logs are joined.
   */
  readonly threadsInScope: number | undefined;
  /** The time that is looked at, seconds; undefined where no sample has a time. */
  readonly seconds: number | undefined;
  /** The samples of the rest that are not below the zoom, where the call tree and the methods show only what is. */
  readonly beyondZoom: SampleSum;
  /** Both sides of the comparison; undefined: nothing is compared. */
  readonly compared?: ComparedSides | undefined;
  readonly threads: number;
  readonly methods: number;
  readonly nodes: number;
  /** False for logs without times: all times are 0. */
  readonly timed: boolean;
  /** The attributes of its requests; none where it tells of none. */
  readonly contextKeys: readonly string[];
  /** Its samples are calls, which are its requests. */
  readonly areCalls: boolean;
}

/** Facts of a union besides those of its parts. */
export interface UnionFacts {
  /** All samples have times on one axis. */
  readonly timesAgree: boolean;
  /** The times of the first and the last sample, ns; undefined where they are not known. */
  readonly span: { readonly first: bigint; readonly last: bigint } | undefined;
  /** Only a part is shown, because all are more than a window holds. */
  readonly isFull: boolean;
}

/** The threads of a log, and which of them the expressions of a user select: only the mirror matches those. */
export interface ThreadsOfLog extends ThreadColumns {
  /** For the expressions in the scope. */
  readonly typed: TypedThreads;
  /** The names that the search finds; undefined: none is searched for. */
  readonly found: ReadonlySet<string> | undefined;
}

/** mirror -> window */
export type MirrorEvent =
  /** The delta is applied: acknowledge it to the host. */
  | {
      readonly type: 'applied';
      readonly epoch: Epoch;
      readonly revision: Revision;
      /** Call nodes that the mirror has now. */
      readonly nodes: number;
      /** All that the host had when it sent the delta. */
      readonly complete: boolean;
    }
  /** Facts that only the merged samples of a union tell. */
  | ({ readonly type: 'union' } & UnionFacts)
  /** The delta did not fit: subscribe again. */
  | { readonly type: 'gap' }
  | { readonly type: 'summary'; readonly summary: ProfileSummary }
  | { readonly type: 'threads'; readonly threads: ThreadsOfLog }
  | { readonly type: 'recent'; readonly recent: RecentlyGrown }
  /** undefined: no sample has a time. */
  | {
      readonly type: 'timeline';
      readonly columns: TimelineColumns | undefined;
      readonly tracks: TimeTracks | undefined;
      readonly heatmap: HeatmapColumns | undefined;
      readonly durations: DurationColumns | undefined;
      /** Bucket -> ns of it in gaps. */
      readonly gaps: Float64Array | undefined;
    }
  /** The package that hides the rest has changed; undefined: none does. */
  | { readonly type: 'hiding'; readonly hiding: HidingFrames | undefined }
  | PaneEvent
  | {
      readonly type: 'search';
      readonly text: string;
      /** undefined: the text is no valid expression; `problem` says why. */
      readonly problem: string | undefined;
      /** Distinct names that match. */
      readonly names: number;
      /** Samples with a match anywhere on their stack. */
      readonly samples: number;
      /** ns of those samples. */
      readonly time: number;
    }
  /** Reading a local file: status as a host would give it. */
  | { readonly type: 'status'; readonly status: LogStatus }
  | { readonly type: 'runs'; readonly report: RunsReport }
  | { readonly type: 'exportSource'; readonly source: ExportSource }
  /** Share of the file that is written, 0 to 1; sent at each hundredth. */
  | { readonly type: 'exporting'; readonly id: number; readonly share: number }
  | {
      readonly type: 'exported';
      readonly id: number;
      readonly name: string;
      readonly content: Blob;
      /** A phrase for each thing that was left out or rounded. */
      readonly notes: readonly string[];
    }
  | { readonly type: 'exportFailed'; readonly id: number; readonly text: string }
  | { readonly type: 'barrier'; readonly id: number }
  | { readonly type: 'failed'; readonly text: string };

/** Sends an event to the window. */
export type Post = (event: MirrorEvent) => void;
