import { NONE } from '../../shared/profile/columns.ts';
import { SelfTable } from '../../shared/profile/self-table.ts';
import type { ComparedWhole } from '../../shared/compare/row-change.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { isErrorMethod } from '../../shared/profile/method-table.ts';
import { type Scope, selectingOf, type TimeRange } from '../../shared/scope/scope.ts';
import { boundsOf, secondsIn } from '../../shared/scope/time-range.ts';
import { NodeSource, TreeSource } from '../../shared/scope/scope-source.ts';
import { isMadeFrame } from '../../shared/scope/scope-frames.ts';
import { ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import type { Chains } from '../../shared/trees/chains.ts';
import { CallTree } from '../../shared/trees/call-tree.ts';
import type { FrameKeys, TreeGrouping } from '../../shared/trees/grouping.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import { extentOf, NODE_ROWS, type ProfileExtent } from '../../shared/trees/row-tree.ts';
import type { ComparedScale } from '../../shared/values/compared-to.ts';
import { MarkedNodes } from '../../shared/values/marked-nodes.ts';
import type { Metric } from '../../shared/values/metric.ts';
import type { MethodEnds } from '../../shared/trees/method-ends.ts';
import { MethodTree } from '../../shared/trees/method-tree.ts';
import { MethodSums } from '../../shared/values/method-sums.ts';
import type { SampleTable } from '../../shared/profile/sample-table.ts';
import type { RowSums, RowValues } from '../../shared/values/row-sums.ts';
import {
  addedSamples,
  NO_SAMPLES,
  type SampleSum,
  type SelfValues,
  sumSelfValues,
} from '../../shared/values/self-values.ts';
import { type ThreadColumns, ThreadSums } from '../../shared/values/thread-sums.ts';
import { TimeOrder } from '../../shared/values/time-order.ts';
import { ValuesInRange } from '../../shared/values/values-in-range.ts';
import { ValuesSnapshot } from '../../shared/values/values-snapshot.ts';
import type { CrowdedPackage } from '../../shared/views/crowded-package.ts';
import type { FlameMeasures } from '../../shared/views/flame-measures.ts';
import { SelfThreads } from '../../shared/values/self-threads.ts';
import type { SearchMatches } from '../../shared/views/search-matches.ts';
import type { TimelineMarks } from '../../shared/views/timeline-columns.ts';
import type { FlatProfile } from '../../shared/views/flat-profile.ts';
import { isOfMethod, methodKey } from './method-frames.ts';
import { frameIdOf, isLineId } from './method-ids.ts';
import { JoinedLogs } from './joined-logs.ts';
import type { ComparedSides } from './mirror-messages.ts';
import type { MethodLines, MethodRef, RowId, RowsOf } from './pane-messages.ts';
import { type ComparedFlat, ProfileViews } from './profile-views.ts';
import { OutsideOfLog } from './outside-of-log.ts';
import { SideValues } from './side-values.ts';
import { INITIAL_VIEW, type SharedView } from './shared-view.ts';
import { ViewsOfLines } from './views-of-lines.ts';

/** Trees that panes show. */
export type TreeOf = Exclude<RowsOf, 'methods'>;

/** The part of the profile that is in a scope that changes stacks. */
interface InScope {
  /** The grouping and the transforms. */
  readonly madeFor: string;
  /**
   * Grouped by the names of the threads, or by their ids where a pane tells these apart. undefined where the scope is made
   * from call nodes.
   */
  readonly tree: CallTree | undefined;
  readonly scoped: ScopedProfile;
  readonly views: ProfileViews;
}

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
  /** Likewise: the other log of a comparison; undefined until it is here. It may grow. */
  other: LeanProfile | undefined;

  readonly selfThreads: SelfThreads;

  readonly #snapshot: ValuesSnapshot;
  /** For a time range; undefined: samples of any time. */
  #inRange: ValuesInRange | undefined;
  /** The values of the source; while two logs are joined, those of the joined profile are used. */
  readonly #own: SideValues;
  #joined: JoinedLogs | undefined;
  /** While two logs are joined: what of the samples of this one is in scope, and the state of which it is. */
  #ofLog: { readonly outside: OutsideOfLog; state: number } | undefined;
  /** What is compared with: the same for another range or other threads; undefined: nothing is compared. */
  #base: SideValues | undefined;
  #baseInRange: ValuesInRange | undefined;
  /** Those of the baseline in a scope that changes stacks. */
  #baseInScope: SelfTable | undefined;
  #sides: ComparedSides | undefined;
  /** What of the source belongs to this state. */
  #extent: ProfileExtent = { frames: 0, nodes: 0, selfValues: 0 };
  readonly #whole: ProfileViews;
  /** For a scope that changes stacks. */
  #inScope: InScope | undefined;
  #threadSums: ThreadSums | undefined;
  #timeOrder: TimeOrder | undefined;
  /** Of the lines of a scope that changes stacks: its views group frames, and have lost their lines. */
  #lineViews: ViewsOfLines | undefined;
  /** Method as a pane names it -> identity of its first frame. */
  readonly #methods = new Map<string, number>();
  /** The method that `marks` looked for last, and the nodes with it on their path. */
  #selected: { readonly keys: KeyTable; readonly key: number; readonly nodes: MarkedNodes } | undefined;
  /** Counts states. */
  #state = 0;
  /** Revision of the SampleTable when this state began. */
  #samplesRevision = 0;
  /** Some pane tells threads of one name apart. */
  #byThreadId = false;

  constructor(source: LeanProfile) {
    this.source = source;
    this.#snapshot = new ValuesSnapshot(source.selfValues);
    this.selfThreads = new SelfThreads(source.nodes);
    this.#own = new SideValues(source, this.selfThreads);
    this.#whole = new ProfileViews(source, NODE_ROWS);
  }

  /** What the panes show: all that was read, or the part of it that is in scope. */
  get profile(): LeanProfile {
    return this.#views.profile;
  }

  /** All that the profile has in this state. */
  get allValues(): SelfValues {
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

  /** Samples that are outside the scope. */
  get outside(): SampleSum {
    const ofRest = this.#inScope?.scoped.outside ?? this.#next.outside;
    return addedSamples(this.#inRange?.outside ?? NO_SAMPLES, ofRest);
  }

  /** Samples in scope that are not below the zoom that narrows the call tree and the methods. */
  get beyondZoom(): SampleSum {
    return this.#views.beyondZoom;
  }

  /** Two logs are joined in this state. */
  get isJoined(): boolean {
    return this.#joined !== undefined;
  }

  /** What is compared in this state; undefined: nothing. */
  get sides(): ComparedSides | undefined {
    return this.#sides;
  }

  /** Begins a state: lets the views take in what the profile has gained. */
  advance(): void {
    const extent = (this.#extent = extentOf(this.source));
    this.#state++;
    this.#snapshot.take();
    this.#samplesRevision = this.source.samples?.revision ?? 0;
    const { frames, hidesErrors, scope, search } = this.look;
    this.#inRange = this.#updatedRange(this.#inRange, scope.range);
    const findsErrors = this.showsTimeline;
    this.#updateJoin(extent);
    const values = this.#joined?.joined.next.values ?? this.#inRange ?? this.#snapshot;
    const structure = this.#joined === undefined ? extent : extentOf(this.#structure);
    this.#next.update(values, structure, { scope, frames, hidesErrors, findsErrors });
    this.#updateScope(structure);
    const base = this.#updateBase(structure);
    this.#sides = base && this.#sidesWith(base);
    const { profile } = this.#views;
    this.#views.search = search;
    this.#views.advance(
      profile === this.source ? extent : extentOf(profile),
      this.values,
      base && this.#sides && { values: base, scale: this.#scaleOf(this.#sides) },
    );
    this.#views.narrow(this.look.narrowing, this.look.keys);
  }

  /** No samples were added since this state began. */
  get hasAllSamples(): boolean {
    return this.#samplesRevision === (this.source.samples?.revision ?? 0);
  }

  /** The order of all samples in time, also of those that were added since this state began. */
  timeOrder(samples: SampleTable): TimeOrder {
    this.#timeOrder ??= new TimeOrder();
    this.#timeOrder.update(samples);
    return this.#timeOrder;
  }

  /** The threads of this state by name, with their samples in scope, whether they are selected or not. */
  threads(): ThreadColumns {
    this.#threadSums ??= new ThreadSums(this.source, this.selfThreads);
    const values = this.#joined === undefined ? this.#next.shown : this.#outsideOfLog().shown;
    return this.#threadSums.of(values, this.stacksOutside);
  }

  /** Row of the SelfTable -> 1 where its stack is outside of the scope, whatever its thread and time; undefined: none. */
  get stacksOutside(): Uint8Array | undefined {
    if (this.#joined !== undefined) return this.#outsideOfLog().stacksOutside;
    return this.#inScope?.scoped.stacksOutside(this.#next.shown) ?? this.#next.stacksOutside;
  }

  /**
   * Which samples of this state are outside of the scope but for its time range, and what is on the stacks of the others.
   * Matches and the selection are not known where the scope changes stacks, and where two logs are joined.
   */
  marks(selection: MethodRef | undefined): TimelineMarks {
    if (this.#joined !== undefined) {
      const { isOutside, isError } = this.#outsideOfLog();
      return { isOutside, isError, isMatch: undefined, isSelected: undefined };
    }
    const isOutside = this.#inScope?.scoped.isOutside ?? this.#next.isOutside;
    const { isError } = this.#next;
    if (this.#inScope !== undefined) return { isOutside, isError, isMatch: undefined, isSelected: undefined };
    const matches = this.matches(this.keys(this.look.keys));
    return {
      isOutside,
      isError,
      isMatch: matches && this.#rowsOf(matches.nodesWithMatch(this.#extent)),
      isSelected: selection && this.#rowsWith(selection),
    };
  }

  /** Frees what `threads` keeps. */
  forgetThreads(): void {
    this.#threadSums = undefined;
  }

  /** See `ProfileViews`. A scope does all its work when the state begins. */
  prefetch(extent: ProfileExtent): void {
    if (this.#inScope === undefined && this.#joined === undefined) this.#whole.prefetch(extent);
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

  /** The rows of a call tree, whether or not a zoom narrows it. */
  allCalls(grouping: TreeGrouping): RowValues {
    return this.#views.allCalls(grouping);
  }

  /**
   * The key of a method, which is remembered by its frame: a row by which it was chosen may not exist after a change of
   * the grouping.
   */
  keyOfMethod(method: MethodRef, keys: KeyTable): number | undefined {
    const name = `${method.of} ${method.id} ${method.label}`;
    const known = this.#methods.get(name);
    const frame = known === undefined ? this.#frameOfMethod(method, keys) : this.frameOf(known);
    if (frame === NONE) return undefined;
    if (known === undefined) this.#methods.set(name, this.idOfFrame(frame));
    const key = keys.keyOf(frame);
    // A split method has the first frame of one of its lines.
    return key === undefined || keys.labels[key] === method.label ? key : keys.methodOf[key];
  }

  /** The key that a row of methods stands for; undefined if its frames are not in scope. */
  keyOfMethodRow(id: RowId, keys: KeyTable): number | undefined {
    const key = keys.keyOf(this.frameOf(frameIdOf(id)));
    return key === undefined || isLineId(id) ? key : keys.methodOf[key];
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

  /**
   * Row of the source's SelfTable -> the call node of `profile` where its samples end; NONE where the call tree and the
   * methods leave them out, and where two logs are joined. O(rows).
   */
  leaves(): Int32Array {
    if (this.#joined !== undefined) return new Int32Array(this.#snapshot.length).fill(NONE);
    const { count, node, length } = this.#views.narrowValues;
    const scoped = this.#inScope?.scoped;
    if (scoped === undefined)
      return Int32Array.from({ length }, (_, row) => (count[row] === 0 ? NONE : node[row]));
    const { selfValues } = scoped.profile;
    const source = this.#next.shown;
    return scoped.leaves().map((leaf, row) => {
      const self = leaf === NONE ? NONE : selfValues.find(leaf);
      return self === NONE || source.count[row] === 0 || count[self] === 0 ? NONE : leaf;
    });
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
    const areByName = this.#inScope !== undefined || this.#joined !== undefined;
    return wasById || !this.#byThreadId || !areByName;
  }

  /** The frame of the call node with this identity, negative for a thread; NONE if there is no such node. */
  frameOfNode(id: number): number {
    const { nodes } = this.profile;
    const known = this.#joined === undefined ? id : this.#joined.joined.ids.nodeOf(id);
    const node = this.#inScope === undefined ? known : this.#inScope.scoped.nodeOf(id);
    return node >= 0 && node < nodes.length ? nodes.frame[node] : NONE;
  }

  /** The identity of a frame of `profile`: the same in every scope. */
  idOfFrame(frame: number): number {
    const id = this.#inScope === undefined ? frame : this.#inScope.scoped.idOfFrame(frame);
    return this.#joined === undefined || isMadeFrame(id) ? id : this.#joined.joined.idOfFrame(id);
  }

  /** The frame of `profile` with this identity; NONE if there is none. */
  frameOf(id: number): number {
    const known = this.#joined === undefined || isMadeFrame(id) ? id : this.#joined.joined.frameWithId(id);
    return this.#inScope === undefined || known === NONE ? known : this.#inScope.scoped.frameOf(known);
  }

  #frameOfMethod({ of, id, label }: MethodRef, keys: KeyTable): number {
    if (of === 'methods') return this.frameOf(frameIdOf(id));
    if (of === 'calls') return Math.max(this.frameOfNode(id), NONE);
    const key = keys.find(label);
    return key < 0 ? NONE : keys.firstFrame[key];
  }

  get #views(): ProfileViews {
    return this.#inScope?.views ?? this.#joined?.views ?? this.#whole;
  }

  /** What trees and values are of: the source, or two logs joined. */
  get #structure(): LeanProfile {
    return this.#joined?.joined.profile ?? this.source;
  }

  get #next(): SideValues {
    return this.#joined?.next ?? this.#own;
  }

  /** The values of a range; undefined: of any time. */
  #updatedRange(
    known: ValuesInRange | undefined,
    range: TimeRange | undefined,
    samples = this.source.samples,
    all: SelfValues = this.#snapshot,
  ): ValuesInRange | undefined {
    if (range === undefined || samples === undefined) return undefined;
    const inRange = known ?? new ValuesInRange();
    inRange.update(samples, all, boundsOf(range, samples));
    return inRange;
  }

  /** Joins the two logs of a comparison, or ends it. */
  #updateJoin(extent: ProfileExtent): void {
    const { other } = this;
    const { comparison, keys } = this.look;
    if (comparison?.baseline.log === undefined || other === undefined) {
      if (this.#joined === undefined) return;
      this.#leaveScope();
      this.#joined.release();
      this.#joined = undefined;
      this.#ofLog?.outside.release();
      this.#ofLog = undefined;
      return;
    }
    const grouping = { threads: this.#byThreadId ? 'id' : 'name', frames: keys } as const;
    if (this.#joined?.isOf(this.source, other, grouping) !== true) {
      this.#leaveScope();
      this.#joined?.release();
      this.#whole.release();
      this.#joined = new JoinedLogs(this.source, other, grouping);
    }
    const { range } = comparison.baseline;
    this.#baseInRange = this.#updatedRange(this.#baseInRange, range, other.samples, other.selfValues);
    const base = { values: this.#baseInRange ?? other.selfValues, extent: extentOf(other) };
    const next = { values: this.#inRange ?? this.#snapshot, extent };
    const joined = this.#joined.updated(base, next);
    if (joined !== this.#joined) this.#leaveScope();
    this.#joined = joined;
  }

  /** The scope of the baseline; undefined: nothing is compared. */
  get #baseScope(): Scope | undefined {
    const { comparison, scope } = this.look;
    const baseline = comparison?.baseline;
    // Until the other log is here, nothing is compared.
    if (baseline?.log !== undefined && this.#joined === undefined) return undefined;
    return (
      baseline && {
        ...scope,
        range: baseline.log === undefined ? (baseline.range ?? scope.range) : baseline.range,
        threads: baseline.threads ?? scope.threads,
      }
    );
  }

  /** The values of the baseline over the nodes of the views; undefined: nothing is compared. */
  #updateBase(extent: ProfileExtent): SelfValues | undefined {
    const scope = this.#baseScope;
    if (scope === undefined) {
      this.#base = undefined;
      this.#baseInRange = undefined;
      this.#baseInScope = undefined;
      return undefined;
    }
    const { frames, hidesErrors } = this.look;
    const findsErrors = false;
    let base: SideValues;
    if (this.#joined === undefined) {
      this.#baseInRange = this.#updatedRange(this.#baseInRange, scope.range);
      base = this.#base ??= new SideValues(this.source, this.selfThreads);
      base.update(this.#baseInRange ?? this.#snapshot, extent, { scope, frames, hidesErrors, findsErrors });
    } else {
      base = this.#joined.base;
      base.update(this.#joined.joined.base.values, extent, { scope, frames, hidesErrors, findsErrors });
    }
    if (this.#inScope === undefined) {
      this.#baseInScope = undefined;
      return base.values;
    }
    this.#baseInScope ??= new SelfTable(false);
    this.#inScope.scoped.sumOther(base.shown, scope.threads, this.#baseInScope);
    return this.#baseInScope;
  }

  #sidesWith(base: SelfValues): ComparedSides {
    const { samples } = this.source;
    const before = this.#joined === undefined ? samples : this.other?.samples;
    const hasTimes = (samples?.length ?? 0) > 0 && (before?.length ?? 0) > 0;
    const seconds =
      samples === undefined || before === undefined || !hasTimes
        ? undefined
        : {
            base: secondsIn(this.#baseScope?.range, before),
            next: secondsIn(this.look.scope.range, samples),
          };
    return { base: sumSelfValues(base), next: sumSelfValues(this.values), seconds };
  }

  /** What all changes of this state have in common; undefined: nothing is compared. */
  get comparedWhole(): ComparedWhole | undefined {
    const { comparison } = this.look;
    if (comparison === undefined || this.#sides === undefined) return undefined;
    const { base, next, seconds } = this.#sides;
    const samples = { base: base.samples, next: next.samples };
    return { ...comparison, samples, scale: this.#scaleOf(this.#sides), seconds };
  }

  #scaleOf({ base, next, seconds }: ComparedSides): ComparedScale {
    const { metric, comparison } = this.look;
    const by = comparison?.by;
    if (by === 'amount') return { metric, base: 1, next: 1 };
    if (by === 'rate' && seconds !== undefined) return { metric, ...seconds };
    return metric === 'samples'
      ? { metric, base: base.samples, next: next.samples }
      : { metric, base: base.time, next: next.time };
  }

  /** Row of the SelfTable -> 1 where `isMarked` has the node. */
  #rowsOf(isMarked: Uint8Array): Uint8Array {
    const { length, node } = this.#snapshot;
    const rows = new Uint8Array(length);
    for (let row = 0; row < length; row++) rows[row] = isMarked[node[row]];
    return rows;
  }

  #rowsWith(selection: MethodRef): Uint8Array | undefined {
    // Those of the panes: a second flat profile would replace theirs.
    const keys = this.keys(this.look.keys);
    const key = this.keyOfMethod(selection, keys);
    if (key === undefined) {
      this.#selected = undefined;
      return undefined;
    }
    if (this.#selected?.keys !== keys || this.#selected.key !== key) {
      // A byte for each node, of which a key that is held down would leave dozens to the garbage collector.
      const nodes = this.#selected?.nodes ?? new MarkedNodes();
      nodes.restart();
      this.#selected = { keys, key, nodes };
    }
    const { frames, nodes } = this.#extent;
    const { ofFrame, methodOf } = keys;
    // Of a split method all lines are meant.
    const isOfKey = Uint8Array.from({ length: frames }, (_, frame) =>
      ofFrame[frame] === key || methodOf[ofFrame[frame]] === key ? 1 : 0,
    );
    this.#selected.nodes.update(this.source.nodes, nodes, isOfKey);
    return this.#rowsOf(this.#selected.nodes.isMarked);
  }

  #outsideOfLog(): OutsideOfLog {
    this.#ofLog ??= { outside: new OutsideOfLog(this.source), state: -1 };
    if (this.#ofLog.state === this.#state) return this.#ofLog.outside;
    this.#ofLog.state = this.#state;
    const { frames, keys, hidesErrors, scope } = this.look;
    const side = { scope, frames, hidesErrors, findsErrors: true };
    const all = this.#inRange ?? this.#snapshot;
    this.#ofLog.outside.update(all, this.#extent, side, { threads: 'name', frames: keys });
    return this.#ofLog.outside;
  }

  #viewsOfLines(): ProfileViews {
    if (this.#inScope === undefined && this.#joined === undefined) {
      this.forgetLines();
      return this.#whole;
    }
    const { frames, keys, scope, narrowing } = this.look;
    if (this.#lineViews?.isOf(scope, frames) !== true) {
      this.forgetLines();
      this.#lineViews = new ViewsOfLines(this.source, scope, frames);
    }
    // Of two logs only this one has lines.
    const values = this.#joined === undefined ? this.#next.shown : (this.#inRange ?? this.#snapshot);
    return this.#lineViews.at(this.#state, values, this.#extent, narrowing, keys);
  }

  #updateScope(extent: ProfileExtent): void {
    if (selectingOf(this.look.scope) === undefined) this.#changeStacks(extent);
    else this.#leaveScope();
  }

  #changeStacks(extent: ProfileExtent): void {
    const { keys, scope } = this.look;
    const grouping: TreeGrouping = { threads: this.#byThreadId ? 'id' : 'name', frames: keys };
    const madeFor = JSON.stringify([grouping, scope.transforms]);
    let inScope = this.#inScope?.madeFor === madeFor ? this.#inScope : this.#enterScope(madeFor, grouping);
    inScope.scoped.selectThreads(scope.threads);
    if (inScope.scoped.update(this.#next.shown, extent) === 'grown') return;
    inScope = this.#enterScope(madeFor, grouping);
    inScope.scoped.update(this.#next.shown, extent);
  }

  #enterScope(madeFor: string, grouping: TreeGrouping): InScope {
    this.#leaveScope();
    // It is over the nodes of another profile.
    this.#baseInScope = undefined;
    const { scope, frames } = this.look;
    // Folding renames methods, so that the rows of a tree may lack the lines of one that is split by its new name.
    const needsLines =
      typeof grouping.frames !== 'string' && scope.transforms.some(({ kind }) => kind === 'fold');
    const structure = this.#structure;
    const isTree = !needsLines || this.#joined !== undefined;
    const tree = isTree ? new CallTree(structure, grouping, this.#joined?.joined.ids) : undefined;
    const source = tree === undefined ? new NodeSource(structure) : new TreeSource(structure, tree);
    const scoped = new ScopedProfile(source, scope, frames);
    const ids = { idOf: (node: number) => scoped.idOfNode(node), nodeOf: (id: number) => scoped.nodeOf(id) };
    this.#inScope = { madeFor, tree, scoped, views: new ProfileViews(scoped.profile, ids) };
    return this.#inScope;
  }

  #leaveScope(): void {
    this.#inScope?.views.release();
    this.#inScope?.scoped.release();
    this.#inScope?.tree?.release();
    this.#inScope = undefined;
  }
}

function noRows(keys: KeyTable): MethodSums {
  return new MethodSums(new MethodTree({ keys, method: undefined, isInverted: false, threads: undefined }));
}
