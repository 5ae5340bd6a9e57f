import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { isEmptyScope, selectingOf } from '../../shared/scope/scope.ts';
import { TreeSource } from '../../shared/scope/scope-source.ts';
import { ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import { ValuesInScope } from '../../shared/scope/values-in-scope.ts';
import { CallTree } from '../../shared/trees/call-tree.ts';
import type { FrameGrouping, TreeGrouping } from '../../shared/trees/grouping.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import { extentOf, NODE_ROWS, type ProfileExtent } from '../../shared/trees/row-tree.ts';
import type { Metric } from '../../shared/values/metric.ts';
import { MethodTree } from '../../shared/trees/method-tree.ts';
import { MethodSums } from '../../shared/values/method-sums.ts';
import type { RowSums, RowValues } from '../../shared/values/row-sums.ts';
import { NO_SAMPLES, type SampleSum, type SelfValues } from '../../shared/values/self-values.ts';
import { type ThreadColumns, ThreadSums } from '../../shared/values/thread-sums.ts';
import { ValuesSnapshot } from '../../shared/values/values-snapshot.ts';
import { ValuesWithoutErrors } from '../../shared/values/values-without-errors.ts';
import type { CrowdedPackage } from '../../shared/views/crowded-package.ts';
import type { FlameMeasures } from '../../shared/views/flame-measures.ts';
import type { SearchMatches } from '../../shared/views/search-matches.ts';
import type { FlatProfile } from '../../shared/views/flat-profile.ts';
import type { MethodRef, RowsOf } from './pane-messages.ts';
import { ProfileViews } from './profile-views.ts';
import { INITIAL_VIEW, type SharedView } from './shared-view.ts';

/** Trees that panes show. */
export type TreeOf = Exclude<RowsOf, 'methods'>;

/** The part of the profile that is in a scope that changes stacks. */
interface InScope {
  /** The grouping and the transforms. */
  readonly madeFor: string;
  /** Grouped by the names of the threads, or by their ids where a pane tells these apart. */
  readonly tree: CallTree;
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

  readonly #snapshot: ValuesSnapshot;
  #withoutErrors: ValuesWithoutErrors | undefined;
  readonly #whole: ProfileViews;
  /** For a scope that changes stacks. */
  #inScope: InScope | undefined;
  /** For a scope that leaves samples out and changes no stack. */
  #selected: { readonly madeFor: string; readonly inScope: ValuesInScope } | undefined;
  #threadSums: ThreadSums | undefined;
  /** Method as a pane names it -> identity of its first frame. */
  readonly #methods = new Map<string, number>();
  /** Some pane tells threads of one name apart. */
  #byThreadId = false;

  constructor(source: LeanProfile) {
    this.source = source;
    this.#snapshot = new ValuesSnapshot(source.selfValues);
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
    return this.#inScope?.scoped.profile.selfValues ?? this.#selected?.inScope.values ?? this.#sourceValues;
  }

  /** Samples that this state leaves out because of errors. */
  get hidden(): SampleSum {
    return this.#withoutErrors?.hidden ?? NO_SAMPLES;
  }

  /** Samples that are outside the scope. */
  get outside(): SampleSum {
    return this.#inScope?.scoped.outside ?? this.#selected?.inScope.outside ?? NO_SAMPLES;
  }

  /** Samples in scope that are not below the zoom that narrows the call tree and the methods. */
  get beyondZoom(): SampleSum {
    return this.#views.beyondZoom;
  }

  /** Begins a state: lets the views take in what the profile has gained. */
  advance(): void {
    const extent = extentOf(this.source);
    this.#snapshot.take();
    if (this.look.hidesErrors) {
      this.#withoutErrors ??= new ValuesWithoutErrors(this.source, this.#snapshot);
      this.#withoutErrors.update(extent);
    } else this.#withoutErrors = undefined;
    this.#updateScope(extent);
    const { profile } = this.#views;
    this.#views.search = this.look.search;
    this.#views.advance(profile === this.source ? extent : extentOf(profile), this.values);
    this.#views.narrow(this.look.narrowing, this.look.frames);
  }

  /** The threads of this state by name, with their samples in scope, whether they are selected or not. */
  threads(): ThreadColumns {
    this.#threadSums ??= new ThreadSums(this.source);
    const values = this.#sourceValues;
    const leftOut =
      this.#inScope?.scoped.stacksOutside(values.length) ?? this.#selected?.inScope.stacksOutside;
    return this.#threadSums.of(values, extentOf(this.source), leftOut);
  }

  /** Frees what `threads` keeps. */
  forgetThreads(): void {
    this.#threadSums = undefined;
  }

  /** See `ProfileViews`. A scope does all its work when the state begins. */
  prefetch(extent: ProfileExtent): void {
    if (this.#inScope === undefined) this.#whole.prefetch(extent);
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
    if (of === 'calls') return this.narrowSums(grouping);
    if (of === 'bottom-up') return this.#views.bottomUp(grouping);
    const { keys } = this.sums(grouping).tree;
    const key = method === undefined ? undefined : this.keyOfMethod(method, keys);
    return key === undefined ? noRows(keys) : this.#views.methodTree(of, key, grouping);
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
    return keys.keyOf(frame);
  }

  flat(frames: FrameGrouping): FlatProfile {
    return this.#views.flat(frames);
  }

  keys(frames: FrameGrouping): KeyTable {
    return this.#views.keys(frames);
  }

  /** The keys that match the search; undefined while nothing is searched. */
  matches(keys: KeyTable): SearchMatches | undefined {
    return this.#views.matches(keys);
  }

  /** How many keys match the search, and the samples of this state with a match on their stack. */
  found(frames: FrameGrouping): SampleSum & { readonly names: number } {
    return this.#views.found(frames);
  }

  measures(sums: RowValues, metric: Metric): FlameMeasures {
    return this.#views.measures(sums, metric);
  }

  /** See `ProfileViews`. */
  crowdedPackage(frames: FrameGrouping): CrowdedPackage | undefined {
    return this.#views.crowdedPackage(frames);
  }

  /** Frees trees in groupings that no pane uses. */
  keepOnly(groupings: readonly TreeGrouping[]): void {
    this.#byThreadId = groupings.some(({ threads }) => threads === 'id');
    this.#views.keepOnly(groupings);
  }

  /** The frame of the call node with this identity, negative for a thread; NONE if there is no such node. */
  frameOfNode(id: number): number {
    const { nodes } = this.profile;
    const node = this.#inScope === undefined ? id : this.#inScope.scoped.nodeOf(id);
    return node >= 0 && node < nodes.length ? nodes.frame[node] : NONE;
  }

  /** The identity of a frame of `profile`: the same in every scope. */
  idOfFrame(frame: number): number {
    return this.#inScope === undefined ? frame : this.#inScope.scoped.idOfFrame(frame);
  }

  /** The frame of `profile` with this identity; NONE if there is none. */
  frameOf(id: number): number {
    return this.#inScope === undefined ? id : this.#inScope.scoped.frameOf(id);
  }

  #frameOfMethod({ of, id, label }: MethodRef, keys: KeyTable): number {
    if (of === 'methods') return this.frameOf(id);
    if (of === 'calls') return Math.max(this.frameOfNode(id), NONE);
    const key = keys.find(label);
    return key < 0 ? NONE : keys.firstFrame[key];
  }

  get #views(): ProfileViews {
    return this.#inScope?.views ?? this.#whole;
  }

  get #sourceValues(): SelfValues {
    return this.#withoutErrors?.values ?? this.#snapshot;
  }

  #updateScope(extent: ProfileExtent): void {
    const { scope } = this.look;
    const isSelecting = selectingOf(scope) !== undefined;
    if (isSelecting) this.#leaveScope();
    if (isEmptyScope(scope) || !isSelecting) this.#selected = undefined;
    else this.#select(extent);
    if (!isSelecting) this.#changeStacks(extent);
  }

  #select(extent: ProfileExtent): void {
    const { frames, scope } = this.look;
    const madeFor = JSON.stringify([frames, scope.transforms]);
    if (this.#selected?.madeFor !== madeFor)
      this.#selected = { madeFor, inScope: new ValuesInScope(this.source, scope, frames) };
    else this.#selected.inScope.selectThreads(scope.threads);
    this.#selected.inScope.update(this.#sourceValues, extent);
  }

  #changeStacks(extent: ProfileExtent): void {
    const { frames, scope } = this.look;
    const grouping: TreeGrouping = { threads: this.#byThreadId ? 'id' : 'name', frames };
    const madeFor = JSON.stringify([grouping, scope.transforms]);
    let inScope = this.#inScope?.madeFor === madeFor ? this.#inScope : this.#enterScope(madeFor, grouping);
    inScope.scoped.selectThreads(scope.threads);
    if (inScope.scoped.update(this.#sourceValues, extent) === 'grown') return;
    inScope = this.#enterScope(madeFor, grouping);
    inScope.scoped.update(this.#sourceValues, extent);
  }

  #enterScope(madeFor: string, grouping: TreeGrouping): InScope {
    this.#leaveScope();
    const tree = new CallTree(this.source, grouping);
    const scoped = new ScopedProfile(new TreeSource(this.source, tree), this.look.scope, grouping.frames);
    const ids = { idOf: (node: number) => scoped.idOfNode(node), nodeOf: (id: number) => scoped.nodeOf(id) };
    this.#inScope = { madeFor, tree, scoped, views: new ProfileViews(scoped.profile, ids) };
    return this.#inScope;
  }

  #leaveScope(): void {
    this.#inScope?.views.release();
    this.#inScope?.scoped.release();
    this.#inScope?.tree.release();
    this.#inScope = undefined;
  }
}

function noRows(keys: KeyTable): MethodSums {
  return new MethodSums(new MethodTree({ keys, method: undefined, isInverted: false, threads: undefined }));
}
