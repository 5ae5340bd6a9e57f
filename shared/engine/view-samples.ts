import { boundsOf } from '../scope/time-range.ts';
import { UNBOUNDED } from './values/time-range.ts';
import type { TimedSamples } from './views/row-times.ts';
import { NONE } from '../profile/columns.ts';
import type { MethodNames } from '../profile/method-table.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import type { ScopedProfile } from '../scope/scoped-profile.ts';
import type { FrameKeys } from './trees/grouping.ts';
import { type KeyTable, threadKeys } from './trees/keys.ts';
import type { StacksOfKeys } from './values/marked-stacks.ts';
import { either, maskedValues } from './values/masked-values.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { SelfValues } from './values/self-values.ts';
import { sumsByThreadName, type ThreadColumns } from './values/self-threads.ts';
import type { TimeOrder } from './values/time-order.ts';
import { type HeatmapColumns, heatmapColumns, type HeatmapView } from './views/heatmap-columns.ts';
import type { SearchMatches } from './views/search.ts';
import {
  type TimelineColumns,
  timelineColumns,
  type TimelineMarks,
  type TimelineView,
} from './views/timeline-columns.ts';
import { type TimeTracks, timeTracks, type TrackSamples, type TracksView } from './views/time-tracks.ts';
import { SELECTED_NODES, SELF_GROUPS, TIME_ORDER, TIMELINE_COUNTS, TRACK_ORDER } from './profile-steps.ts';
import type { MethodRef } from './query.ts';
import { ScopedValues, NEXT, type ViewValues } from './view-values.ts';

/** A view whose single samples are asked for. */
interface SampledView extends ViewValues {
  keyOfMethod(method: MethodRef, keys: KeyTable): number | undefined;
  matches(keys: KeyTable): SearchMatches | undefined;
  /** The part of some values below the zoom that narrows. */
  narrowed(values: SelfValues): SelfValues;
  /** All stacks, for keys to be looked for in them. */
  stacks(frames: FrameKeys): StacksOfKeys;
}

/** Samples and their stacks: as they were recorded, or as a view shows them. */
export interface SampledProfile {
  readonly profile: LeanProfile;
  readonly values: SelfValues;
  /** Undefined where times are not known. */
  readonly timed: TimedSamples | undefined;
}

/** The single samples of the log of a view: when they were taken, in which threads, and where they count. */
export class ViewSamples {
  readonly #view: SampledView;

  constructor(view: SampledView) {
    this.#view = view;
  }

  /** No samples were added since this state began. */
  get hasAllSamples(): boolean {
    return this.#view.inputs.source.hasAllSamples;
  }

  /** The samples with their times, as the view counts them; undefined where these are not known. */
  get timed(): TimedSamples | undefined {
    const { range, samplesInContexts: samples } = this.#view;
    if (samples === undefined || samples.length === 0) return undefined;
    return {
      samples,
      bounds: range === undefined ? UNBOUNDED : boundsOf(range, samples),
      leaves: this.leaves(),
    };
  }

  /**
   * The samples in scope on their recorded stacks, which no transform has changed, so that findings do not depend on which
   * frames are hidden or joined, nor on whether samples without a stack are. A zoom does not narrow them. O(rows).
   */
  get recorded(): SampledProfile {
    const { range, source } = this.#view;
    const isOutside = this.#ownScoped?.isOutside ?? this.#own.isOutside;
    const { inRange } = this.#view;
    const values = isOutside === undefined ? inRange : maskedValues(inRange, isOutside);
    const samples = this.#view.samplesInContexts;
    if (samples === undefined || samples.length === 0) return { profile: source, values, timed: undefined };
    const { node, length } = inRange;
    const leaves = Int32Array.from({ length }, (_, row) => (isOutside?.[row] === 1 ? NONE : node[row]));
    const bounds = range === undefined ? UNBOUNDED : boundsOf(range, samples);
    return { profile: source, values, timed: { samples, bounds, leaves } };
  }

  /** The order of all samples in time, also of those that were added since this state began. */
  timeOrder(samples: SampleTable): TimeOrder {
    const order = this.#view.steps.get(TIME_ORDER, samples);
    order.update(samples);
    return order;
  }

  /**
   * Samples over the time of all, also those that were added since this state began: all of them, or those in the contexts of
   * the scope.
   */
  timeline(view: TimelineView, marks: TimelineMarks): TimelineColumns | undefined {
    const { samplesInContexts: samples, source } = this.#view;
    if (samples === undefined) return undefined;
    return timelineColumns(
      samples,
      view,
      marks,
      this.#view.steps.get(TIMELINE_COUNTS, samples),
      source.samples,
    );
  }

  /** The samples of `timeline` in squares of time. */
  heatmap(view: HeatmapView, marks: TimelineMarks): HeatmapColumns | undefined {
    const { samplesInContexts: samples, source } = this.#view;
    return samples && heatmapColumns(samples, this.timeOrder(samples), view, marks, source.samples);
  }

  /** The tracks of threads over the time of a timeline, of its samples. */
  tracks(columns: TimelineColumns, view: TracksView, { isSelected }: TimelineMarks): TimeTracks | undefined {
    const { samplesInContexts: samples, recorded: source } = this.#view;
    if (samples === undefined) return undefined;
    const groups = this.#view.steps.get(SELF_GROUPS, source);
    const { profile } = source;
    const of: TrackSamples = {
      table: samples,
      threads: groups.threads(),
      kinds: groups.kinds(),
      methods: groups.methods(),
      methodLabel: (method) => methodText(profile.methods.names[method]),
      names: threadKeys(profile, 'name'),
      ids: threadKeys(profile, 'id'),
      isOutside: this.stacksOutside,
      isSelected,
    };
    const { blocks } = this.#view.steps.get(TIMELINE_COUNTS, samples);
    return timeTracks(of, columns, view, blocks, this.#view.steps.get(TRACK_ORDER, source));
  }

  /** The threads by name, with their samples in scope, whether they are selected or not. */
  threads(): ThreadColumns {
    const { recorded, selfThreads } = this.#view;
    const { shown } = this.#own;
    const threadOf = recorded.threadsRead(selfThreads.of(shown));
    return sumsByThreadName(recorded.read, shown, threadOf, this.stacksOutside);
  }

  /**
   * Row of the log's SelfTable -> 1 where its stack is outside of the scope or a hidden error, whatever its thread and time;
   * undefined: none.
   */
  get stacksOutside(): Uint8Array | undefined {
    const own = this.#own;
    const outside = this.#ownScoped?.stacksOutside(own.shown) ?? own.stacksOutside;
    return this.#view.query.hidesErrors ? either(outside, own.isError) : outside;
  }

  /**
   * The samples that are outside of the scope, whatever their time, or hidden errors, and those of the others that have a
   * match or the selected method on their stack, as the scope makes it.
   */
  marks(selection: MethodRef | undefined): TimelineMarks {
    const own = this.#own;
    const { isError } = own;
    const outside = this.#ownScoped?.isOutside ?? own.isOutside;
    const isOutside = this.#view.query.hidesErrors ? either(outside, isError) : outside;
    // Keys of the panes: a second flat profile would replace theirs.
    const stacks = this.#view.stacks(this.#view.query.keys);
    const selected = selection && this.#view.keyOfMethod(selection, stacks.keys);
    const matches = this.#view.matches(stacks.keys);
    if (selected === undefined && matches === undefined)
      return { isOutside, isError, isMatch: undefined, isSelected: undefined };
    const leaves = this.shownNodes();
    const isMatch = matches?.ofNodes(leaves, stacks);
    const isSelected =
      selected === undefined
        ? undefined
        : this.#view.steps.get(SELECTED_NODES, this.#view.structure).of(selected, stacks, leaves);
    return { isOutside, isError, isMatch, isSelected };
  }

  /**
   * Row of the log's SelfTable -> the call node of `profile` where its samples end; NONE where what the call tree and the
   * methods sum leaves them out. O(rows).
   */
  leaves(): Int32Array {
    const leaves = this.#leavesOfSide(this.#view.narrowed(this.#view.values));
    const rows = this.#view.joined?.selfRowsOf(NEXT);
    return rows?.map((row) => leaves[row]) ?? leaves;
  }

  /** Row of the values of the view's side, before logs are joined -> the node where its samples end, or NONE. */
  #leavesOfSide(values: SelfValues): Int32Array {
    const { node, count, length } = values;
    const scoped = this.#view.scoped;
    if (scoped === undefined)
      return Int32Array.from({ length }, (_, row) => (count[row] === 0 ? NONE : node[row]));
    const { selfValues } = scoped.profile;
    const source = this.#view.side.shown;
    return scoped.leaves().map((leaf, row) => {
      const self = leaf === NONE ? NONE : selfValues.find(leaf);
      return self === NONE || source.count[row] === 0 || count[self] === 0 ? NONE : leaf;
    });
  }

  /**
   * Row of the log's SelfTable -> the call node of `profile` where its samples end, whenever they were taken; NONE where
   * the scope leaves their stack out. O(rows).
   */
  shownNodes(): Int32Array {
    const all = this.#view.allValues;
    const nodes = this.#view.joined?.nodesOf(NEXT, all) ?? all.node.subarray(0, all.length);
    return this.#view.scoped?.leavesOfNodes(nodes, all.length) ?? nodes;
  }

  /** Values over the log's own call nodes. While two logs are joined, they are found out only when samples are asked for. */
  get #own(): ScopedValues {
    if (this.#view.joined === undefined) return this.#view.side;
    const { scope, frames, hidesErrors } = this.#view.query;
    const { recorded: source } = this.#view;
    return new ScopedValues(this.#view.steps, source, this.#view.inRange, { scope, frames, hidesErrors });
  }

  /** The scope that changes the stacks of the log alone; undefined: it changes none. */
  get #ownScoped(): ScopedProfile | undefined {
    return this.#view.joined === undefined
      ? this.#view.scoped
      : this.#view.scopedProfile(this.#view.recorded, this.#own.shown);
  }
}

/** A method in a list. */
export function methodText(names: MethodNames | undefined): string {
  if (names === undefined) return 'a method without a name';
  return names.className === '' ? names.methodName : `${names.className}.${names.methodName}`;
}
