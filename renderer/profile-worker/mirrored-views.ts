import { NONE } from '../../shared/profile/columns.ts';
import type { ComparedWhole } from '../../shared/compare/row-change.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { isErrorMethod } from '../../shared/profile/method-table.ts';
import { comparedScopes } from '../../shared/scope/apart.ts';
import { selectingOf, type TimeRange } from '../../shared/scope/scope.ts';
import { secondsIn, updatedInRange } from '../../shared/scope/time-range.ts';
import { isMadeFrame } from '../../shared/scope/scope-frames.ts';
import type { Chains } from '../../shared/trees/chains.ts';
import type { FrameKeys, ThreadGrouping, TreeGrouping } from '../../shared/trees/grouping.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import { extentOf, NODE_ROWS, type ProfileExtent } from '../../shared/trees/row-tree.ts';
import type { Metric } from '../../shared/values/metric.ts';
import type { MethodEnds } from '../../shared/trees/method-ends.ts';
import { MethodTree } from '../../shared/trees/method-tree.ts';
import { MethodSums } from '../../shared/values/method-sums.ts';
import type { RowSums, RowValues } from '../../shared/values/row-sums.ts';
import {
  addedSamples,
  NO_SAMPLES,
  type SampleSum,
  type SelfValues,
} from '../../shared/values/self-values.ts';
import type { ValuesInRange } from '../../shared/values/values-in-range.ts';
import { ValuesSnapshot } from '../../shared/values/values-snapshot.ts';
import type { CrowdedPackage } from '../../shared/views/crowded-package.ts';
import type { FlameMeasures } from '../../shared/views/flame-measures.ts';
import { SelfThreads } from '../../shared/values/self-threads.ts';
import type { SearchMatches } from '../../shared/views/search-matches.ts';
import type { TimelineMarks } from '../../shared/views/timeline-columns.ts';
import type { FlatProfile } from '../../shared/views/flat-profile.ts';
import { ChangedStacks } from './changed-stacks.ts';
import { Comparison } from './comparison.ts';
import { isOfMethod, methodKey } from './method-frames.ts';
import { MethodKeys } from './method-keys.ts';
import type { ComparedSides, ProfileSummary } from './mirror-messages.ts';
import type { MethodLines, MethodRef, RowId, RowsOf } from './pane-messages.ts';
import { type ComparedFlat, ProfileViews } from './profile-views.ts';
import { SamplesInScope } from './samples-in-scope.ts';
import { SideValues } from './side-values.ts';
import { INITIAL_VIEW, type SharedView } from './shared-view.ts';
import { ViewsOfLines } from './views-of-lines.ts';

/** Trees that panes show. */
export type TreeOf = Exclude<RowsOf, 'methods'>;

/**
 * The views of one profile, or of the part of it that is in scope. `advance` begins a state: until the next one all
 * views show the profile as it was then, however much it grows meanwhile.
 *
 * The views of the whole profile stay while a scope is in force, so that leaving it costs a sum and no new trees. Where
 * the scope changes no stack, they show it themselves.
 */
export class MirroredViews {
  /** All that was read. */
  readonly source: LeanProfile;
  /** In force from the next state on. */
  look: SharedView = INITIAL_VIEW;
  /** Likewise: `marks` are needed. */
  showsTimeline = false;

  readonly selfThreads: SelfThreads;
  readonly samples: SamplesInScope;

  readonly #snapshot: ValuesSnapshot;
  /** For a time range; undefined: samples of any time. */
  #inRange: ValuesInRange | undefined;
  /** The values of the source; while two logs are joined, those of the joined profile are used. */
  readonly #own: SideValues;
  readonly #comparison: Comparison;
  /** What of the source belongs to this state. */
  #extent: ProfileExtent = { frames: 0, nodes: 0, selfValues: 0 };
  readonly #whole: ProfileViews;
  /** For a scope that changes stacks. */
  readonly #changed = new ChangedStacks();
  /** Of the lines of a scope that changes stacks: its views group frames, and have lost their lines. */
  #lineViews: ViewsOfLines | undefined;
  readonly #methodKeys = new MethodKeys(this);
  #range: TimeRange | undefined;
  /** Counts states. */
  #state = 0;
  /** Some pane tells threads of one name apart. */
  #byThreadId = false;

  constructor(source: LeanProfile) {
    this.source = source;
    this.#snapshot = new ValuesSnapshot(source.selfValues);
    this.selfThreads = new SelfThreads(source.nodes);
    this.#own = new SideValues(source, this.selfThreads);
    this.#comparison = new Comparison(source, this.selfThreads);
    this.samples = new SamplesInScope(source, this.selfThreads, {
      look: this.look,
      extent: this.#extent,
      all: this.#snapshot,
      inRange: this.#snapshot,
      side: this.#own,
      joined: undefined,
      scoped: undefined,
    });
    this.#whole = new ProfileViews(source, NODE_ROWS);
  }

  /** In force from the next state on: the other log of a comparison; undefined until it is here. It may grow. */
  set other(other: LeanProfile | undefined) {
    this.#comparison.other = other;
  }

  /** What the panes show: all that was read, or the part of it that is in scope. */
  get profile(): LeanProfile {
    return this.#views.profile;
  }

  /** All that the profile has in this state. */
  get allValues(): ValuesSnapshot {
    return this.#snapshot;
  }

  /** What all views sum in this state. */
  get values(): SelfValues {
    return this.#inScope?.scoped.profile.selfValues ?? this.#next.values;
  }

  /** Samples that this state leaves out because of errors. */
  get hidden(): SampleSum {
    return this.#next.hidden;
  }

  /** What of the samples in scope the header counts, besides those that the panes sum. O(rows). */
  get counted(): Pick<ProfileSummary, 'errors' | 'threadsInScope' | 'seconds'> {
    const { source } = this;
    const seconds =
      source.samples === undefined || source.samples.length === 0
        ? undefined
        : secondsIn(this.#range, source.samples);
    // Without a scope these are the threads that the log has.
    const threads = this.isJoined || this.outside.samples === 0 ? undefined : this.selfThreads;
    return { ...this.#next.counted(this.#inScope?.scoped.isOutside, threads), seconds };
  }

  /** Samples that are outside the scope. */
  get outside(): SampleSum {
    const ofRest = this.#inScope?.scoped.outside ?? this.#next.outside;
    return addedSamples(this.#inRange?.outside ?? NO_SAMPLES, ofRest);
  }

  /** When the samples of this state were taken: without those that they are compared with. */
  get range(): TimeRange | undefined {
    return this.#range;
  }

  /** Samples in scope that are not below the zoom that narrows the call tree and the methods. */
  get beyondZoom(): SampleSum {
    return this.#views.beyondZoom;
  }

  /** Two logs are joined in this state. */
  get isJoined(): boolean {
    return this.#comparison.joined !== undefined;
  }

  /** What is compared in this state; undefined: nothing. */
  get sides(): ComparedSides | undefined {
    return this.#comparison.sides;
  }

  /** Begins a state: lets the views take in what the profile has gained. */
  advance(): void {
    const extent = (this.#extent = extentOf(this.source));
    this.#state++;
    this.#snapshot.take();
    const { frames, hidesErrors, scope, search } = this.look;
    const range = (this.#range = this.#nextRange);
    this.#inRange = updatedInRange(this.#inRange, range, this.source.samples, this.#snapshot);
    this.#updateJoin();
    const { joined } = this.#comparison;
    const all = joined?.joined.next.values ?? this.#inRange ?? this.#snapshot;
    const structure = joined === undefined ? extent : extentOf(joined.joined.profile);
    // The window says how many of the samples in scope are errors.
    this.#next.update(all, structure, { scope, frames, hidesErrors, findsErrors: true });
    this.#updateScope(structure);
    const scoped = this.#inScope?.scoped;
    this.samples.advance({
      look: this.look,
      extent,
      all: this.#snapshot,
      inRange: this.#inRange ?? this.#snapshot,
      side: this.#next,
      joined: joined?.joined.next,
      scoped,
    });
    const base = this.#comparison.update({
      look: this.look,
      all: this.#snapshot,
      extent: structure,
      scoped,
      values: this.values,
      range,
    });
    const { profile } = this.#views;
    this.#views.search = search;
    this.#views.advance(profile === this.source ? extent : extentOf(profile), this.values, base);
    this.#views.narrow(this.look.narrowing, this.look.keys);
  }

  /** What is looked at, without what it is compared with. */
  get #nextRange(): TimeRange | undefined {
    const { scope, comparison } = this.look;
    return comparison === undefined
      ? scope.range
      : comparedScopes(scope, comparison.baseline, this.source.samples).next.range;
  }

  /** See `SamplesInScope`. */
  marks(selection: MethodRef | undefined): TimelineMarks {
    // Those of the panes: a second flat profile would replace theirs.
    const stacks = this.#views.stacks(this.look.keys);
    const selected = selection && this.keyOfMethod(selection, stacks.keys);
    return this.samples.marks({ stacks, selected, matches: this.matches(stacks.keys) });
  }

  /** See `ProfileViews`. A scope that changes stacks does all its work when the state begins. */
  prefetch(extent: ProfileExtent): void {
    if (!this.isJoined) this.#own.prefetch(extent);
    if (this.#inScope === undefined && !this.isJoined) this.#whole.prefetch(extent);
  }

  sums(grouping: TreeGrouping): RowSums {
    return this.#views.sums(grouping);
  }

  /** What of them is below the zoom that narrows the call tree; the same sums where none does. */
  narrowSums(grouping: TreeGrouping): RowSums {
    return this.#views.narrowSums(grouping);
  }

  /**
   * The rows of a tree, with their values: below the zoom that narrows, if there is one. Of a method that the profile does
   * not have there are none.
   */
  rows(of: TreeOf, grouping: TreeGrouping, method: MethodRef | undefined): RowValues {
    if (of === 'calls' || of === 'bottom-up') return this.#views.rows(of, grouping);
    const { keys } = this.sums(grouping).tree;
    const key = method === undefined ? undefined : this.keyOfMethod(method, keys);
    return key === undefined ? noRows(keys) : this.#views.rowsOfMethod(of, key, grouping);
  }

  /** Where the rows of a tree of methods count samples. `key`: of the method whose callers or callees they are. */
  ends(of: Exclude<TreeOf, 'calls'>, grouping: TreeGrouping, key: number): MethodEnds {
    return of === 'bottom-up'
      ? this.#views.bottomUpEnds(grouping)
      : this.#views.endsOfMethod(of, key, grouping);
  }

  /** The rows of a tree of all methods, whether or not a zoom narrows it. */
  allRows(of: 'calls' | 'bottom-up', grouping: TreeGrouping): RowValues {
    return this.#views.allRows(of, grouping);
  }

  /** See `MethodKeys`. */
  keyOfMethod(method: MethodRef, keys: KeyTable): number | undefined {
    return this.#methodKeys.of(method, keys);
  }

  /** Likewise. */
  keyOfMethodRow(id: RowId, keys: KeyTable): number | undefined {
    return this.#methodKeys.ofRow(id, keys);
  }

  flat(frames: FrameKeys): FlatProfile {
    return this.#views.flat(frames);
  }

  /** What the values of `flat` are compared with; undefined: nothing. */
  comparedFlat(frames: FrameKeys): ComparedFlat | undefined {
    return this.#views.comparedFlat(frames);
  }

  /**
   * The samples of a method by line; undefined for what is no method with a name, or not in scope. A method that a
   * transform has made part of `java.util.*` is found as that, which has no lines.
   */
  lines(method: MethodRef): MethodLines | undefined {
    const keys = this.keys(this.look.keys);
    // The frame by which it is remembered may be out of scope while others of the method are in it.
    const key = this.keyOfMethod(method, keys) ?? keys.find(method.label);
    const frame = key < 0 ? NONE : keys.firstFrame[key];
    const { profile } = this.#views;
    const names = frame === NONE ? undefined : profile.methods.names[profile.frames.method[frame]];
    if (names === undefined || isErrorMethod(names) || isMadeFrame(this.idOfFrame(frame))) return undefined;
    const views = this.#viewsOfLines();
    const { frames } = this.look;
    const files = views.lines(isOfMethod(views.profile, methodKey(profile, frame, frames), frames));
    const { className, methodName } = names;
    return files.length === 0 ? undefined : { className, methodName, files };
  }

  /** Frees what only `lines` needs. */
  forgetLines(): void {
    this.#lineViews?.release();
    this.#lineViews = undefined;
  }

  /** See `ProfileViews`. */
  chains(frames: FrameKeys): Chains {
    return this.#views.chains(frames);
  }

  /** See `SamplesInScope`: for what the call tree and the methods sum. */
  leaves(): Int32Array {
    return this.samples.leaves(this.#views.narrowValues);
  }

  keys(frames: FrameKeys): KeyTable {
    return this.#views.keys(frames);
  }

  /** The keys that match the search; undefined while nothing is searched. */
  matches(keys: KeyTable): SearchMatches | undefined {
    return this.#views.matches(keys);
  }

  /** How many keys match the search, and the samples of this state with a match on their stack. */
  found(frames: FrameKeys): SampleSum & { readonly names: number } {
    return this.#views.found(frames);
  }

  measures(sums: RowValues, metric: Metric): FlameMeasures {
    return this.#views.measures(sums, metric);
  }

  /** See `ProfileViews`. */
  crowdedPackage(frames: FrameKeys): CrowdedPackage | undefined {
    return this.#views.crowdedPackage(frames);
  }

  /**
   * Frees trees in groupings that no pane uses. False: some pane tells threads of one name apart, which are one thread in
   * this state, and not in the next one.
   */
  keepOnly(groupings: readonly TreeGrouping[]): boolean {
    const wasById = this.#byThreadId;
    this.#byThreadId = groupings.some(({ threads }) => threads === 'id');
    this.#views.keepOnly(groupings);
    const areByName = this.#inScope !== undefined || this.isJoined;
    return wasById || !this.#byThreadId || !areByName;
  }

  /** The frame of the call node with this identity, negative for a thread; NONE if there is no such node. */
  frameOfNode(id: number): number {
    const { nodes } = this.profile;
    const { joined } = this.#comparison;
    const known = joined === undefined ? id : joined.joined.ids.nodeOf(id);
    const node = this.#inScope === undefined ? known : this.#inScope.scoped.nodeOf(id);
    return node >= 0 && node < nodes.length ? nodes.frame[node] : NONE;
  }

  /** The identity of a frame of `profile`: the same in every scope. */
  idOfFrame(frame: number): number {
    const id = this.#inScope === undefined ? frame : this.#inScope.scoped.idOfFrame(frame);
    const { joined } = this.#comparison;
    return joined === undefined || isMadeFrame(id) ? id : joined.joined.idOfFrame(id);
  }

  /** The frame of `profile` with this identity; NONE if there is none. */
  frameOf(id: number): number {
    const { joined } = this.#comparison;
    const known = joined === undefined || isMadeFrame(id) ? id : joined.joined.frameWithId(id);
    return this.#inScope === undefined || known === NONE ? known : this.#inScope.scoped.frameOf(known);
  }

  /** What all changes of this state have in common; undefined: nothing is compared. */
  get comparedWhole(): ComparedWhole | undefined {
    return this.#comparison.whole(this.look);
  }

  get #views(): ProfileViews {
    return this.#inScope?.views ?? this.#comparison.joined?.views ?? this.#whole;
  }

  get #inScope(): ChangedStacks['inScope'] {
    return this.#changed.inScope;
  }

  get #next(): SideValues {
    return this.#comparison.joined?.next ?? this.#own;
  }

  get #threads(): ThreadGrouping {
    return this.#byThreadId ? 'id' : 'name';
  }

  #updateJoin(): void {
    const join = this.#comparison.nextJoin(this.look, this.#threads);
    if (join !== 'kept') {
      this.#changed.leave();
      this.#comparison.leave();
    }
    if (join === 'joined') this.#whole.release();
    const next = { values: this.#inRange ?? this.#snapshot, extent: this.#extent };
    this.#comparison.join(this.look, this.#threads, next);
  }

  #viewsOfLines(): ProfileViews {
    if (this.#inScope === undefined && !this.isJoined) {
      this.forgetLines();
      return this.#whole;
    }
    const { frames, scope } = this.look;
    if (this.#lineViews?.isOf(scope, frames) !== true) {
      this.forgetLines();
      this.#lineViews = new ViewsOfLines(this.source, scope, frames);
    }
    // Of two logs only this one has lines.
    const values = this.isJoined ? (this.#inRange ?? this.#snapshot) : this.#next.shown;
    return this.#lineViews.at(this.#state, this.look, values, this.#extent);
  }

  #updateScope(extent: ProfileExtent): void {
    const { frames, keys, scope } = this.look;
    if (selectingOf(scope) !== undefined) return this.#changed.leave();
    const { joined } = this.#comparison;
    const grouping = { threads: this.#threads, frames: keys };
    const structure = joined?.joined.profile ?? this.source;
    const source = { structure, ids: joined?.joined.ids, grouping, scope, frames };
    this.#changed.update(source, this.#next.shown, extent);
  }
}

function noRows(keys: KeyTable): MethodSums {
  return new MethodSums(new MethodTree({ keys, method: undefined, isInverted: false, threads: undefined }));
}
