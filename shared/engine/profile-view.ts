import { assert } from '../assert.ts';
import type { ComparedWhole } from './values/row-change.ts';
import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { isErrorMethod } from '../profile/method-table.ts';
import type { SampleTable } from '../profile/sample-table.ts';
import { comparedScopes } from '../scope/apart.ts';
import { commonKeys } from '../scope/common-keys.ts';
import { isEmptyScope, selectingOf, type TimeRange } from '../scope/scope.ts';
import { isMadeFrame } from '../scope/scope-frames.ts';
import type { ProfileInScope, ScopedProfile } from '../scope/scoped-profile.ts';
import { secondsIn } from '../scope/time-range.ts';
import type { Chains } from './trees/chains.ts';
import { type FrameKeys, frameKeysName, type ThreadGrouping, type TreeGrouping } from './trees/grouping.ts';
import type { GrowingTree } from './trees/growing-tree.ts';
import type { KeyTable } from './trees/keys.ts';
import { endsOfCallees, endsOfCallers, type MethodEnds } from './trees/method-ends.ts';
import { MethodTree } from './trees/method-tree.ts';
import type { BottomUpSums } from './values/bottom-up-sums.ts';
import type { ChainSums } from './values/chain-sums.ts';
import { ComparedRows } from './values/compared-rows.ts';
import type { ComparedScale, ComparedTo } from './values/compared-to.ts';
import type { StacksOfKeys } from './values/marked-stacks.ts';
import { either } from './values/masks.ts';
import { type MaskedValues, maskedValues } from './values/masked-values.ts';
import type { Metric } from './values/metric.ts';
import { MethodSums } from './values/method-sums.ts';
import type { RowSums, RowValues } from './values/row-sums.ts';
import { addedSamples, NO_SAMPLES, type SampleSum, type SelfValues } from './values/self-values.ts';
import type { SelfThreads } from './values/self-threads.ts';
import type { ThreadColumns } from './values/thread-sums.ts';
import type { TimeOrder } from './values/time-order.ts';
import type { ValuesSnapshot } from './values/values-snapshot.ts';
import type { Compared, Comparison } from './comparison/comparison.ts';
import { ComparedWidths } from './comparison/compared-widths.ts';
import { type CrowdedPackage, crowdedPackage } from './views/crowded-package.ts';
import { FlameMeasures } from './views/flame-measures.ts';
import type { FlatProfile } from './views/flat-profile.ts';
import type { LayoutRoot } from './views/flame-layout.ts';
import { type FileLines, sumLines } from './views/line-sums.ts';
import { methodRows } from './views/method-list.ts';
import { isSearching } from './views/search.ts';
import type { SearchMatches } from './views/search-matches.ts';
import type { TimelineMarks } from './views/timeline-columns.ts';
import { type ComparedSides, scaleOf, sidesOf } from './compared-sides.ts';
import { isOfMethod, methodKey } from './method-frames.ts';
import { MethodKeys } from './method-keys.ts';
import {
  BELOW_ZOOM,
  BOTTOM_UP,
  BOTTOM_UP_AGAIN,
  CALL_TREE,
  CHAIN_SUMS,
  CHAINS,
  FLAT,
  FOLDED_TREE,
  IN_RANGE,
  LABEL_ORDER,
  MATCHES,
  MEASURES,
  METHOD_ROWS,
  METHOD_SUMS,
  type MethodRows,
  OTHER_VALUES,
  PART_VALUES,
  SCOPED,
  SELECTED_NODES,
  SELF_THREADS,
  SUMS,
  THREAD_SUMS,
  TIME_ORDER,
  UNION,
} from './profile-steps.ts';
import {
  isBottomUpZoom,
  type MethodLines,
  type MethodRef,
  type ProfileQuery,
  type RowsOf,
  type TreeOf,
} from './query.ts';
import type { ProfileUnion } from './comparison/profile-union.ts';
import type { RecordedProfile, Structure } from './recorded-profile.ts';
import { type CountedInScope, ScopedValues } from './scoped-values.ts';
import type { Steps } from './steps.ts';
import { outsideZoom, zoomedRoot } from './zoomed-root.ts';

/** Whose query it is, and what the engine has for it. */
export interface ViewInputs {
  readonly source: RecordedProfile;
  /** The other log of the comparison; undefined until it is here. */
  readonly other: RecordedProfile | undefined;
  readonly query: ProfileQuery;
  /** How scopes and joins tell threads apart: by id where a pane does. */
  readonly threads: 'name' | 'id';
  /** A scope that changes stacks keeps the lines of frames, at ten times the rows. */
  readonly withLines?: boolean | undefined;
}

/** A flat profile of the baseline, with the scale of the comparison. */
export type ComparedFlat = ComparedTo & { readonly base: FlatProfile };

/** Self values of a range, and the samples outside of it. */
interface InRange {
  readonly values: SelfValues;
  readonly outside: SampleSum;
}

/** A zoom that narrows, in rows of the call tree or of its bottom-up tree; `root` undefined: it is not there. */
interface NarrowingZoom {
  readonly calls: GrowingTree;
  readonly root: LayoutRoot | undefined;
  readonly bottomUp: BottomUpSums | undefined;
}

/** Parts of the union of two logs that are compared. */
const NEXT = 0;
const BASE = 1;

/** Groupings from whose rows a tree of all threads can be made. */
const THREADS_APART: readonly ThreadGrouping[] = ['name', 'id', 'pool', 'group'];

/** Values of the baseline over the rows of the view, and by what both sides are divided. */
interface Baseline {
  readonly values: SelfValues;
  readonly outside: SampleSum;
  readonly scale: ComparedScale;
  readonly sides: ComparedSides;
}

/**
 * A profile as a query shows it, in one state of the engine. Which samples count is found out at once; trees and sums are
 * made when they are asked for.
 *
 *   source ─▶ range ─▶ joined with the other log ─▶ errors, scope ─▶ values ─┬─▶ sums of a tree ─▶ rows
 *                                └─▶ changed stacks ─▶ structure ─▶ trees ────┘
 */
export class ProfileView {
  readonly source: LeanProfile;
  readonly query: ProfileQuery;
  /** The profile on screen: all that was read, the part of it in scope, or two logs joined. */
  readonly profile: LeanProfile;
  /** Self values that all views sum. */
  readonly values: SelfValues;
  /** Samples that are outside the scope. */
  readonly outside: SampleSum;
  /** When the samples were taken, without those that they are compared with. */
  readonly range: TimeRange | undefined;

  readonly #steps: Steps;
  readonly #inputs: ViewInputs;
  readonly #inRange: SelfValues;
  /** The log, and the one that it is compared with. */
  readonly #joined: ProfileUnion | undefined;
  readonly #unscoped: Structure;
  /** Values over `#unscoped`. */
  readonly #side: ScopedValues;
  readonly #scoped: ScopedProfile | undefined;
  readonly #structure: Structure;
  readonly #baseline: Baseline | undefined;
  readonly #methodKeys: MethodKeys;
  /** Trees of `#structure` that were asked for. */
  readonly #trees: GrowingTree[] = [];
  #zoom: NarrowingZoom | undefined;

  constructor(steps: Steps, inputs: ViewInputs, remembered: Map<string, number>) {
    const { source, query } = inputs;
    const { scope, comparison, frames, hidesErrors } = query;
    const { samples } = source.profile;
    this.#steps = steps;
    this.#inputs = inputs;
    this.source = source.profile;
    this.query = query;
    this.#methodKeys = new MethodKeys(this, remembered);

    this.range =
      comparison === undefined ? scope.range : comparedScopes(scope, comparison.baseline, samples).next.range;
    const inRange = this.#inRangeOf(source, this.range);
    this.#inRange = inRange?.values ?? source.values;
    this.#joined = this.#unionWithOther();
    this.#unscoped = this.#joined ?? source;
    const all = this.#partValues(NEXT) ?? this.#inRange;
    this.#side = new ScopedValues(steps, this.#unscoped, all, { scope, frames, hidesErrors });
    this.#scoped = this.#scopedProfile(this.#unscoped, this.#side.shown);
    this.#structure = this.#scoped ?? this.#unscoped;
    this.profile = this.#structure.profile;
    this.values = this.#scoped?.profile.selfValues ?? this.#side.values;
    this.outside = addedSamples(inRange?.outside ?? NO_SAMPLES, this.#scoped?.outside ?? this.#side.outside);
    this.#baseline = this.#baselineOf();
  }

  /** All that the profile has in this state. */
  get allValues(): ValuesSnapshot {
    return this.#inputs.source.values;
  }

  /** Samples that are left out because of errors. */
  get hidden(): SampleSum {
    return this.#side.hidden;
  }

  /** Counts of the samples in scope besides their sums, and the time that they cover. O(rows). */
  get counted(): CountedInScope & { readonly seconds: number | undefined } {
    const { samples } = this.source;
    const seconds =
      samples === undefined || samples.length === 0 ? undefined : secondsIn(this.range, samples);
    // Without a scope these are the threads that the log has.
    const threads = this.isJoined || this.outside.samples === 0 ? undefined : this.selfThreads;
    return { ...this.#side.counted(this.#scoped?.isOutside, threads), seconds };
  }

  /** Two logs are joined. */
  get isJoined(): boolean {
    return this.#joined !== undefined;
  }

  /** The scope changes stacks, so that the panes show other call nodes than those of the log. */
  get changesStacks(): boolean {
    return this.#scoped !== undefined;
  }

  /** Both sides of the comparison; undefined: nothing is compared. */
  get sides(): ComparedSides | undefined {
    return this.#baseline?.sides;
  }

  /** The scale and the sums that all changes have in common; undefined: nothing is compared. */
  get comparedWhole(): ComparedWhole | undefined {
    const { comparison } = this.query;
    if (comparison === undefined || this.#baseline === undefined) return undefined;
    const { sides, scale } = this.#baseline;
    const samples = { base: sides.base.samples, next: sides.next.samples };
    return { ...comparison, samples, scale, seconds: sides.seconds };
  }

  /** Both sides as files are written of them, whether or not a zoom narrows them; the view must compare. */
  comparison(grouping: TreeGrouping): Comparison {
    const baseline = this.#baseline;
    assert(baseline !== undefined, 'a comparison is of a view that compares');
    const { sides, outside } = baseline;
    const { frames } = grouping;
    const ofBoth = <Of>(of: (values: SelfValues) => Of): Compared<Of> => ({
      base: of(baseline.values),
      next: of(this.values),
    });
    return {
      profile: this.profile,
      whole: sides,
      outside: { base: outside, next: this.outside },
      seconds: sides.seconds,
      calls: () => ({
        ...ofBoth((values) => this.#sumsOf(grouping, values)),
        tree: this.#tree(grouping),
      }),
      methods: (recursion) =>
        ofBoth((values) =>
          this.#steps.get(FLAT, this.#structure, frames, recursion, this.#treeWith(frames), values),
        ),
    };
  }

  /** Samples in scope that are not below the zoom that narrows the call tree and the methods. */
  get beyondZoom(): SampleSum {
    return (this.query.narrowing && this.#below(this.values)?.leftOut) ?? NO_SAMPLES;
  }

  /**
   * What is shown of one log, as a profile of its own with all lines, because some formats write all of a profile; the log
   * itself where nothing is left out. The view must be `withLines`, and nothing be compared. `isBelowZoom`: a zoom narrows it.
   */
  get alone(): ProfileInScope & { readonly isBelowZoom: boolean } {
    assert(this.query.comparison === undefined, 'a file of one profile has no other');
    const { source } = this.#inputs;
    const { scope, frames, hidesErrors } = this.query;
    const { shown, isError } = this.#side;
    const isBeyond = this.#rowsBeyondZoom();
    const isBelowZoom = isBeyond !== undefined;
    const isLeftOut = either(isBeyond, hidesErrors ? isError : undefined);
    if (isEmptyScope(scope) && isLeftOut === undefined) {
      const { profile } = source;
      const whole = { profile, values: profile.selfValues, outside: NO_SAMPLES };
      return { ...whole, isOutside: undefined, isBelowZoom };
    }
    const values = isBelowZoom ? maskedValues(shown, isBeyond) : shown;
    const { transforms, threads } = scope;
    const scoped = this.#steps.get(SCOPED, source, undefined, transforms, frames, values, threads);
    const { profile } = scoped;
    return {
      ...{ profile, values: profile.selfValues, isBelowZoom },
      outside: addedSamples(this.outside, this.beyondZoom),
      isOutside: either(scoped.isOutside, isLeftOut),
    };
  }

  // ---- Trees and their sums ----

  /** A tree and the sums of all values. */
  sums(grouping: TreeGrouping): RowSums {
    return this.#sumsOf(grouping, this.values);
  }

  /** The part of these sums below the zoom that narrows the call tree; all of them where none does. */
  narrowSums(grouping: TreeGrouping): RowSums {
    return this.#sumsOf(grouping, this.#narrowed(this.values));
  }

  /**
   * The rows of a tree, with their values: below the zoom that narrows, if there is one. Of a method that the profile does
   * not have there are none.
   */
  rows(of: RowsOf, grouping: TreeGrouping, method: MethodRef | undefined): RowValues {
    if (of === 'methods')
      return this.#compared((values) => methodRows(this.#flatOf(grouping.frames, values), this));
    if (of === 'calls') return this.#compared((values) => this.#sumsOf(grouping, this.#narrowed(values)));
    if (of === 'bottom-up')
      return this.#compared((values) => this.#bottomUpOf(grouping, this.#narrowed(values)));
    const { keys } = this.#tree(grouping);
    const key = method === undefined ? undefined : this.keyOfMethod(method, keys);
    if (key === undefined) return noRows(keys);
    return this.#compared((values) => {
      const sums = this.#chainSums(this.#tree(grouping), this.#narrowed(values));
      return this.#steps.get(METHOD_SUMS, this.#methodRows(of, key, grouping), sums);
    });
  }

  /** The rows of a tree of all methods, whether or not a zoom narrows it. */
  allRows(of: 'calls' | 'bottom-up', grouping: TreeGrouping): RowValues {
    return this.#compared((values) =>
      of === 'calls' ? this.#sumsOf(grouping, values) : this.#bottomUpOf(grouping, values),
    );
  }

  /** Where the rows of a tree of methods count samples. `key`: of the method whose callers or callees they are. */
  ends(of: Exclude<TreeOf, 'calls'>, grouping: TreeGrouping, key: number): MethodEnds {
    if (of === 'bottom-up') return this.#bottomUp(grouping).ends(this.#tree(grouping));
    const { made } = this.#methodRows(of, key, grouping);
    return made.direction === 'callers' ? endsOfCallers(made.rows) : endsOfCallees(made.rows);
  }

  flat(frames: FrameKeys): FlatProfile {
    return this.#flatOf(frames, this.values);
  }

  /** The baseline of `flat`; undefined: nothing is compared. */
  comparedFlat(frames: FrameKeys): ComparedFlat | undefined {
    const baseline = this.#baseline;
    return baseline && { base: this.#flatOf(frames, baseline.values), scale: baseline.scale };
  }

  /** Chains of call nodes, or of the rows of a tree with these keys. */
  chains(frames: FrameKeys): Chains {
    return this.#chains(this.#treeWith(frames));
  }

  /** Keys of all frames, of a view that is there already if there is one. */
  keys(frames: FrameKeys): KeyTable {
    return this.#treeWith(frames)?.keys ?? this.flat(frames).keys;
  }

  /** The widths of the frames of a flame graph. */
  measures(sums: RowValues, metric: Metric): FlameMeasures {
    if (!(sums instanceof ComparedRows)) return this.#steps.get(MEASURES, sums, metric);
    const { base, scale } = sums.compared;
    const widths = new ComparedWidths({ base, next: sums }, metric, () => scale);
    const measures = new FlameMeasures(widths, 'samples', (keys) => this.#steps.get(LABEL_ORDER, keys));
    measures.update();
    return measures;
  }

  /** A package that hides the rest, by a tree of this view; undefined for none, and where there is no tree. */
  crowdedPackage(frames: FrameKeys): CrowdedPackage | undefined {
    const tree = this.#treeWith(frames);
    return tree && crowdedPackage(this.#steps.get(SUMS, tree, this.values));
  }

  /**
   * The samples of a method by line; undefined for what is no method with a name, or not in scope. A method that a
   * transform has made part of `java.util.*` is found as that, which has no lines.
   */
  lines(method: MethodRef): MethodLines | undefined {
    const keys = this.keys(this.query.keys);
    // The frame by which it is remembered may be out of scope while others of the method are in it.
    const key = this.keyOfMethod(method, keys) ?? keys.find(method.label);
    const frame = key < 0 ? NONE : keys.firstFrame[key];
    const names = frame === NONE ? undefined : this.profile.methods.names[this.profile.frames.method[frame]];
    if (names === undefined || isErrorMethod(names) || isMadeFrame(this.idOfFrame(frame))) return undefined;
    const files = this.#linesOf(methodKey(this.profile, frame, this.query.frames));
    const { className, methodName } = names;
    return files.length === 0 ? undefined : { className, methodName, files };
  }

  // ---- Methods and frames ----

  /** See `MethodKeys`. */
  keyOfMethod(method: MethodRef, keys: KeyTable): number | undefined {
    return this.#methodKeys.of(method, keys);
  }

  /** The key that a row of methods stands for; undefined if its frames are not in scope. */
  keyOfMethodRow(id: number, keys: KeyTable): number | undefined {
    return this.#methodKeys.ofRow(id, keys);
  }

  /** The frame of the call node with this identity, negative for a thread; NONE if there is no such node. */
  frameOfNode(id: number): number {
    const { nodes } = this.profile;
    const known = this.#joined === undefined ? id : this.#joined.ids.nodeOf(id);
    const node = this.#scoped === undefined ? known : this.#scoped.nodeOf(id);
    return node >= 0 && node < nodes.length ? nodes.frame[node] : NONE;
  }

  /** The identity of a frame of `profile`: the same in every scope. */
  idOfFrame(frame: number): number {
    const id = this.#scoped === undefined ? frame : this.#scoped.idOfFrame(frame);
    return this.#joined === undefined || isMadeFrame(id) ? id : this.#joined.idOfFrame(id);
  }

  /** The frame of `profile` with this identity; NONE if there is none. */
  frameOf(id: number): number {
    const known = this.#joined === undefined || isMadeFrame(id) ? id : this.#joined.frameWithId(id);
    return this.#scoped === undefined || known === NONE ? known : this.#scoped.frameOf(known);
  }

  // ---- Search ----

  /** The keys that match the search; undefined while nothing is searched. */
  matches(keys: KeyTable): SearchMatches | undefined {
    const { search } = this.query;
    return isSearching(search) ? this.#steps.get(MATCHES, keys, search) : undefined;
  }

  /** How many keys match the search, and the samples with a match on their stack. */
  found(frames: FrameKeys): SampleSum & { readonly names: number } {
    if (!isSearching(this.query.search)) return { names: 0, ...NO_SAMPLES };
    const stacks = this.#stacks(frames);
    const matches = this.matches(stacks.keys);
    if (matches === undefined) return { names: 0, ...NO_SAMPLES };
    return { names: matches.names, ...matches.samplesOf(this.values, stacks) };
  }

  // ---- Single samples of the log: when they were taken, and in which threads ----

  /** No samples were added since this state began. */
  get hasAllSamples(): boolean {
    return this.#inputs.source.hasAllSamples;
  }

  /** Row of self values of the log -> its thread. */
  get selfThreads(): SelfThreads {
    return this.#steps.get(SELF_THREADS, this.#inputs.source);
  }

  /** The order of all samples in time, also of those that were added since this state began. */
  timeOrder(samples: SampleTable): TimeOrder {
    const order = this.#steps.get(TIME_ORDER, samples);
    order.update(samples);
    return order;
  }

  /** The threads by name, with their samples in scope, whether they are selected or not. */
  threads(): ThreadColumns {
    return this.#steps.get(THREAD_SUMS, this.#inputs.source).of(this.#own.shown, this.stacksOutside);
  }

  /**
   * Row of the log's SelfTable -> 1 where its stack is outside of the scope or a hidden error, whatever its thread and time;
   * undefined: none.
   */
  get stacksOutside(): Uint8Array | undefined {
    const own = this.#own;
    const outside = this.#ownScoped?.stacksOutside(own.shown) ?? own.stacksOutside;
    return this.query.hidesErrors ? either(outside, own.isError) : outside;
  }

  /**
   * Which samples are outside of the scope, whatever their time, or hidden errors, and which of the others have a match or
   * the selected method on their stack, as the scope makes it.
   */
  marks(selection: MethodRef | undefined): TimelineMarks {
    const own = this.#own;
    const { isError } = own;
    const outside = this.#ownScoped?.isOutside ?? own.isOutside;
    const isOutside = this.query.hidesErrors ? either(outside, isError) : outside;
    // Keys of the panes: a second flat profile would replace theirs.
    const stacks = this.#stacks(this.query.keys);
    const selected = selection && this.keyOfMethod(selection, stacks.keys);
    const matches = this.matches(stacks.keys);
    if (selected === undefined && matches === undefined)
      return { isOutside, isError, isMatch: undefined, isSelected: undefined };
    const leaves = this.#shownNodes();
    const isMatch = matches?.ofNodes(leaves, stacks);
    const isSelected =
      selected === undefined
        ? undefined
        : this.#steps.get(SELECTED_NODES, this.#structure).of(selected, stacks, leaves);
    return { isOutside, isError, isMatch, isSelected };
  }

  /**
   * Row of the log's SelfTable -> the call node of `profile` where its samples end; NONE where what the call tree and the
   * methods sum leaves them out. O(rows).
   */
  leaves(): Int32Array {
    const leaves = this.#leavesOfSide(this.#narrowed(this.values));
    const rows = this.#joined?.selfRowsOf(NEXT);
    return rows?.map((row) => leaves[row]) ?? leaves;
  }

  /** Row of the values over `#unscoped` -> the same. */
  #leavesOfSide(values: SelfValues): Int32Array {
    const { node, count, length } = values;
    const scoped = this.#scoped;
    if (scoped === undefined)
      return Int32Array.from({ length }, (_, row) => (count[row] === 0 ? NONE : node[row]));
    const { selfValues } = scoped.profile;
    const source = this.#side.shown;
    return scoped.leaves().map((leaf, row) => {
      const self = leaf === NONE ? NONE : selfValues.find(leaf);
      return self === NONE || source.count[row] === 0 || count[self] === 0 ? NONE : leaf;
    });
  }

  /**
   * Row of the log's SelfTable -> the call node of `profile` where its samples end, whenever they were taken; NONE where
   * the scope leaves their stack out. O(rows).
   */
  #shownNodes(): Int32Array {
    const all = this.allValues;
    const nodes = this.#joined?.nodesOf(NEXT, all) ?? all.node.subarray(0, all.length);
    return this.#scoped?.leavesOfNodes(nodes, all.length) ?? nodes;
  }

  /** Values over the log's own call nodes. While two logs are joined, they are found out only when samples are asked for. */
  get #own(): ScopedValues {
    if (this.#joined === undefined) return this.#side;
    const { scope, frames, hidesErrors } = this.query;
    const { source } = this.#inputs;
    return new ScopedValues(this.#steps, source, this.#inRange, { scope, frames, hidesErrors });
  }

  /** The scope that changes the stacks of the log alone; undefined: it changes none. */
  get #ownScoped(): ScopedProfile | undefined {
    return this.#joined === undefined
      ? this.#scoped
      : this.#scopedProfile(this.#inputs.source, this.#own.shown);
  }

  // ---- Which values ----

  #inRangeOf(source: RecordedProfile, range: TimeRange | undefined): InRange | undefined {
    const { samples } = source.profile;
    if (range === undefined || samples === undefined) return undefined;
    const values = this.#steps.get(IN_RANGE, source, samples, range);
    return { values, outside: values.outside };
  }

  /** Two logs over one structure; undefined while only one is looked at. */
  #unionWithOther(): ProfileUnion | undefined {
    const { source, other, threads, query, withLines } = this.#inputs;
    const baseline = query.comparison?.baseline;
    // Rows have the identities of this log where it has them, so that it must have some.
    if (baseline?.log === undefined || other === undefined) return undefined;
    const { keys, frames, scope } = query;
    const base = this.#inRangeOf(other, baseline.range)?.values ?? other.values;
    if (withLines === true)
      return this.#steps.get(UNION, source, other, undefined, undefined, this.#inRange, base);
    if (source.extent.nodes === 0) return undefined;
    // Where some transforms name lines and others BCIs, only those of the keys on screen find their frames.
    const common = commonKeys(keys, scope.transforms, frames) ?? keys;
    const treeOf = (of: RecordedProfile): GrowingTree => this.#steps.get(CALL_TREE, of, threads, common);
    return this.#steps.get(UNION, source, other, treeOf(source), treeOf(other), this.#inRange, base);
  }

  /** Values over the union; undefined while only one log is looked at. */
  #partValues(part: typeof NEXT | typeof BASE): SelfValues | undefined {
    return this.#joined && this.#steps.get(PART_VALUES, this.#joined, part);
  }

  /** The scope that changes stacks; undefined for one that changes none. */
  #scopedProfile(structure: Structure, shown: SelfValues): ScopedProfile | undefined {
    const { scope, frames } = this.query;
    if (selectingOf(scope) !== undefined) return undefined;
    const tree = this.#treeOfScope(structure);
    return this.#steps.get(SCOPED, structure, tree, scope.transforms, frames, shown, scope.threads);
  }

  /** The tree from which a scope that changes stacks is made; undefined: call nodes. */
  #treeOfScope(structure: Structure): GrowingTree | undefined {
    if (this.#inputs.withLines === true) return undefined;
    const { keys, frames, scope } = this.query;
    // Folding renames methods, so that the rows of a tree may lack the lines of one that is split by its new name.
    const needsLines = typeof keys !== 'string' && scope.transforms.some(({ kind }) => kind === 'fold');
    const common = commonKeys(keys, scope.transforms, frames);
    // A joined profile has only what its own keys tell apart.
    const of = structure === this.#joined ? (common ?? keys) : needsLines ? undefined : common;
    return of && this.#steps.get(CALL_TREE, structure, this.#inputs.threads, of);
  }

  /** The values of the baseline over the call nodes of the view; undefined: nothing is compared. */
  #baselineOf(): Baseline | undefined {
    const { query, source, other } = this.#inputs;
    const { scope, comparison, frames, hidesErrors } = query;
    // Until the other log is here, nothing is compared.
    if (comparison === undefined || (comparison.baseline.log !== undefined && this.#joined === undefined))
      return undefined;
    const { base } = comparedScopes(scope, comparison.baseline, source.profile.samples);
    const inRange = this.#inRangeOf(this.#joined === undefined ? source : (other ?? source), base.range);
    const all = this.#partValues(BASE) ?? inRange?.values ?? source.values;
    const side = new ScopedValues(this.#steps, this.#unscoped, all, { scope: base, frames, hidesErrors });
    const scoped = this.#scoped && this.#steps.get(OTHER_VALUES, this.#scoped, side.shown, base.threads);
    const values = scoped ?? side.values;
    const outside = addedSamples(inRange?.outside ?? NO_SAMPLES, scoped?.outside ?? side.outside);
    const before = this.#joined === undefined ? source : other;
    const sides = sidesOf(
      { profile: (before ?? source).profile, values, range: base.range },
      { profile: source.profile, values: this.values, range: this.range },
    );
    return { values, outside, sides, scale: scaleOf(sides, query) };
  }

  // ---- Which structure ----

  #tree(grouping: TreeGrouping): GrowingTree {
    const tree = this.#madeTree(grouping);
    if (!this.#trees.includes(tree)) this.#trees.push(tree);
    return tree;
  }

  /** A tree of all threads is made of the rows of one that tells threads apart, if there is one. */
  #madeTree({ threads, frames }: TreeGrouping): GrowingTree {
    const structure = this.#structure;
    const known = this.#steps.known(CALL_TREE, structure, threads, frames);
    if (known !== undefined || threads !== 'all')
      return known ?? this.#steps.get(CALL_TREE, structure, threads, frames);
    for (const by of THREADS_APART) {
      const finer = this.#steps.known(CALL_TREE, structure, by, frames);
      if (finer !== undefined) return this.#steps.get(FOLDED_TREE, structure, finer);
    }
    return this.#steps.get(CALL_TREE, structure, threads, frames);
  }

  /** A tree that this view has, whatever its grouping of threads. */
  #treeWith(frames: FrameKeys): GrowingTree | undefined {
    return this.#trees.find((tree) => frameKeysName(tree.grouping.frames) === frameKeysName(frames));
  }

  #chains(tree: GrowingTree | undefined): Chains {
    return this.#steps.get(CHAINS, this.#structure, tree, this.#structure.extent.selfValues);
  }

  /** All stacks, for keys to be looked for in them. */
  #stacks(frames: FrameKeys): StacksOfKeys {
    const { profile, extent } = this.#structure;
    return { profile, extent, keys: this.keys(frames), tree: this.#treeWith(frames) };
  }

  // ---- Sums ----

  #sumsOf(grouping: TreeGrouping, values: SelfValues): RowSums {
    return this.#steps.get(SUMS, this.#tree(grouping), values);
  }

  #chainSums(tree: GrowingTree | undefined, values: SelfValues): ChainSums {
    return this.#steps.get(CHAIN_SUMS, this.#chains(tree), values);
  }

  #flatOf(frames: FrameKeys, values: SelfValues): FlatProfile {
    const tree = this.#treeWith(frames);
    return this.#steps.get(FLAT, this.#structure, frames, 'once', tree, this.#narrowed(values));
  }

  #methodRows(direction: 'callers' | 'callees', key: number, grouping: TreeGrouping): { made: MethodRows } {
    const tree = this.#tree(grouping);
    return this.#steps.get(METHOD_ROWS, this.#structure, tree, this.#chains(tree), direction, key);
  }

  /** The bottom-up tree of everything in scope; a row of a thread is at the end where threads are told apart. */
  #bottomUp(grouping: TreeGrouping): BottomUpSums {
    const calls = this.#sumsOf(grouping, this.values);
    const base = this.#baseline && this.#sumsOf(grouping, this.#baseline.values);
    return this.#steps.get(BOTTOM_UP, calls, grouping.threads !== 'all', base);
  }

  #bottomUpOf(grouping: TreeGrouping, values: SelfValues): BottomUpSums {
    const whole = this.#bottomUp(grouping);
    const calls = this.#sumsOf(grouping, values);
    return calls === whole.calls ? whole : this.#steps.get(BOTTOM_UP_AGAIN, whole, calls);
  }

  /** Rows with what they are compared with. */
  #compared(rowsOf: (values: SelfValues) => RowValues): RowValues {
    const rows = rowsOf(this.values);
    return this.#baseline === undefined
      ? rows
      : new ComparedRows(rows, rowsOf(this.#baseline.values), this.#baseline.scale);
  }

  #linesOf(key: string): readonly FileLines[] {
    const { frames, scope, comparison: _, ...query } = this.query;
    const changesStacks = selectingOf(scope) === undefined;
    if (this.#inputs.withLines === true || (!changesStacks && !this.isJoined)) {
      const isOf = isOfMethod(this.profile, key, frames);
      return sumLines(this.profile, this.#narrowed(this.values), this.#structure.extent.nodes, isOf);
    }
    // The rows of a tree have lost their lines, and of two logs only this one has lines.
    const alone = { ...query, frames, scope: { ...scope, range: this.range } };
    const inputs = { ...this.#inputs, other: undefined, query: alone, withLines: true };
    return new ProfileView(this.#steps, inputs, this.#methodKeys.remembered).#linesOf(key);
  }

  // ---- The zoom that narrows ----

  /** The part of some values below the zoom; undefined: no zoom narrows. */
  #below(values: SelfValues): MaskedValues | undefined {
    this.#zoom ??= this.#zoomOf();
    const { calls, root, bottomUp } = this.#zoom;
    return root && this.#steps.get(BELOW_ZOOM, values, calls, root, bottomUp);
  }

  #narrowed(values: SelfValues): SelfValues {
    return this.query.narrowing === undefined ? values : (this.#below(values) ?? values);
  }

  /** Row of the log's SelfTable -> 1 where its samples are not below the zoom; undefined: no zoom narrows. */
  #rowsBeyondZoom(): Uint8Array | undefined {
    if (this.query.narrowing === undefined) return undefined;
    const { calls, root, bottomUp } = (this.#zoom ??= this.#zoomOf());
    if (root === undefined) return undefined;
    // A row without a node is outside of the scope in any case.
    const node = this.#shownNodes().map((shown) => Math.max(shown, 0));
    const ends = bottomUp?.ends(calls) ?? calls;
    return outsideZoom(bottomUp?.tree ?? calls, root, ends, { node, length: node.length });
  }

  #zoomOf(): NarrowingZoom {
    const { narrowing, keys } = this.query;
    assert(narrowing !== undefined, 'a zoom is looked for where one narrows');
    const { zoom, threads } = narrowing;
    const grouping = { threads, frames: keys };
    const isInverted = isBottomUpZoom(zoom);
    const root = zoomedRoot(this.allRows(isInverted ? 'bottom-up' : 'calls', grouping), zoom);
    return {
      calls: this.#tree(grouping),
      root,
      bottomUp: isInverted ? this.#bottomUp(grouping) : undefined,
    };
  }
}

/** The rows of a method that the profile does not have: none. */
function noRows(keys: KeyTable): MethodSums {
  return new MethodSums(new MethodTree({ keys, method: undefined, isInverted: false, threads: undefined }));
}
