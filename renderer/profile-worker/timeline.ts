import type { ProfileView } from '../../shared/engine/profile-view.ts';
import type { MethodRef } from '../../shared/engine/query.ts';
import {
  type TimelineColumns,
  timelineColumns,
  type TimelineView,
} from '../../shared/engine/views/timeline-columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { SampleTable } from '../../shared/profile/sample-table.ts';
import { threadKeys } from '../../shared/engine/trees/keys.ts';
import { SelfGroups } from '../../shared/engine/views/self-groups.ts';
import { type LanesView, type ThreadLanes, threadLanes } from '../../shared/engine/views/thread-lanes.ts';
import { TimelineCounts } from '../../shared/engine/views/timeline-counts.ts';
import { timeGaps } from '../../shared/engine/views/time-gaps.ts';
import {
  byKind,
  byPool,
  type TimelineLayer,
  timelineLayers,
  type TimelineLayers,
} from '../../shared/engine/views/timeline-layers.ts';
import { SELECTION_PAUSE_MS, selectedMethod, whatIsMarked } from './marked-samples.ts';
import type { MirrorEvent, Post } from './mirror-messages.ts';
import type { Selection } from './pane-messages.ts';

/** States whose samples over time are kept, at some 30 kB each. */
const KEPT_STATES = 8;

type TimelineEvent = Extract<MirrorEvent, { readonly type: 'timeline' }>;

/** What is remembered of one table of samples. */
interface Counted {
  readonly of: SampleTable;
  readonly counts: TimelineCounts;
  /** State, as JSON -> its report, the latest last: an undo sends it again, and looks at no sample for that. */
  readonly reports: Map<string, TimelineEvent>;
}

/** The profile that the timeline shows. `shown` is its view in the present state. `epoch` tells the profiles of a log apart. */
export interface TimelineState {
  readonly shown: ProfileView;
  readonly selection: Selection | undefined;
  readonly epoch: number;
}

/**
 * Sends the window the samples over time, whenever they have changed. The samples of a selected method are looked for in
 * all call nodes: neither the next selection of an arrow key that is held down nor a zoom of the flame graph waits for
 * that.
 */
export class Timeline {
  /** Undefined: not on screen. */
  view: TimelineView | undefined;
  /** What its area is divided by; undefined: nothing. */
  layers: TimelineLayers | undefined;
  /** undefined: no lanes are on screen. */
  lanes: LanesView | undefined;

  /** ns from which on a time without samples is a gap; undefined: gaps are not on screen. */
  leastGap: number | undefined;

  readonly #post: Post;
  readonly #state: () => TimelineState;
  /** A report that is due. */
  #due: ReturnType<typeof setTimeout> | undefined;
  /** The state that the window knows, as JSON. */
  #reported = '';
  #groups: { readonly of: LeanProfile; readonly groups: SelfGroups } | undefined;
  #counted: Counted | undefined;

  constructor(post: Post, state: () => TimelineState) {
    this.#post = post;
    this.#state = state;
  }

  /** Reports when the requests that have arrived are answered. */
  reportNext(): void {
    this.#reportIn(0);
  }

  /** Reports when no other method is selected for a while. */
  reportSelected(): void {
    this.#reportIn(SELECTION_PAUSE_MS);
  }

  /** Reports now if a report is due. */
  finish(): void {
    if (this.#due !== undefined) this.report();
  }

  /** Reports no more. */
  close(): void {
    clearTimeout(this.#due);
  }

  #reportIn(ms: number): void {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => this.report(), ms);
  }

  report(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    const { shown, selection, epoch } = this.#state();
    const { view } = this;
    const { samples } = shown.source;
    if (view === undefined || samples === undefined) {
      this.#reported = '';
      this.#counted = undefined;
      return;
    }
    const method = selectedMethod(selection);
    const { layers, lanes, leastGap } = this;
    const reported = JSON.stringify([epoch, view, layers, lanes, leastGap, whatIsMarked(shown, method)]);
    if (reported === this.#reported && samples === this.#counted?.of) return;
    // Marks of samples that came after the state began are known in the next one: then all is counted again.
    const isFinal = shown.samples.hasAllSamples;
    this.#reported = isFinal ? reported : '';
    const { reports } = this.#countedOf(samples);
    const report = reports.get(reported) ?? this.#count(shown, samples, view, method);
    if (isFinal) keep(reports, reported, report);
    this.#post(report);
  }

  #count(
    shown: ProfileView,
    samples: SampleTable,
    view: TimelineView,
    method: MethodRef | undefined,
  ): TimelineEvent {
    const marks = shown.samples.marks(method);
    const columns = timelineColumns(samples, view, marks, this.#countedOf(samples).counts);
    return {
      type: 'timeline',
      columns,
      layers: columns && this.#layersOf(shown, samples, columns, marks.isOutside),
      lanes: columns && this.#lanesOf(shown, samples, columns),
      gaps:
        columns && this.leastGap !== undefined
          ? timeGaps(samples, shown.samples.timeOrder(samples), columns, this.leastGap)
          : undefined,
    };
  }

  #layersOf(
    shown: ProfileView,
    samples: SampleTable,
    columns: TimelineColumns,
    isOutside: Uint8Array | undefined,
  ): readonly TimelineLayer[] | undefined {
    if (this.layers === undefined) return undefined;
    const groups = this.#groupsOf(shown);
    const grouping =
      this.layers === 'kind'
        ? byKind(groups.kinds())
        : byPool(groups.threads(), threadKeys(shown.source, 'name'), samples);
    return timelineLayers(samples, columns, grouping, isOutside, this.#countedOf(samples).counts.blocks);
  }

  #lanesOf(shown: ProfileView, table: SampleTable, columns: TimelineColumns): ThreadLanes | undefined {
    if (this.lanes === undefined) return undefined;
    const groups = this.#groupsOf(shown);
    const [threads, kinds] = [groups.threads(), groups.kinds()];
    const [names, ids] = [threadKeys(shown.source, 'name'), threadKeys(shown.source, 'id')];
    const isOutside = shown.samples.stacksOutside;
    const { blocks } = this.#countedOf(table).counts;
    return threadLanes({ table, threads, kinds, names, ids, isOutside }, columns, this.lanes, blocks);
  }

  #countedOf(samples: SampleTable): Counted {
    if (this.#counted?.of !== samples)
      this.#counted = { of: samples, counts: new TimelineCounts(), reports: new Map() };
    return this.#counted;
  }

  #groupsOf({ source, selfThreads }: ProfileView): SelfGroups {
    if (this.#groups?.of !== source)
      this.#groups = { of: source, groups: new SelfGroups(source, selfThreads) };
    return this.#groups.groups;
  }
}

function keep(reports: Map<string, TimelineEvent>, state: string, report: TimelineEvent): void {
  reports.delete(state);
  reports.set(state, report);
  const [oldest] = reports.keys();
  if (reports.size > KEPT_STATES) reports.delete(oldest);
}
