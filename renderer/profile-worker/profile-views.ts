import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { CallTree } from '../../shared/trees/call-tree.ts';
import { Chains } from '../../shared/trees/chains.ts';
import { FoldedThreadsTree } from '../../shared/trees/folded-threads-tree.ts';
import { type FrameKeys, frameKeysName, type TreeGrouping } from '../../shared/trees/grouping.ts';
import type { GrowingTree } from '../../shared/trees/growing-tree.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import type { MethodEnds } from '../../shared/trees/method-ends.ts';
import type { NodeIds, ProfileExtent } from '../../shared/trees/row-tree.ts';
import { ChainSums } from '../../shared/values/chain-sums.ts';
import { ComparedRows } from '../../shared/values/compared-rows.ts';
import type { ComparedScale, ComparedTo } from '../../shared/values/compared-to.ts';
import type { Metric } from '../../shared/values/metric.ts';
import type { StacksOfKeys } from '../../shared/values/marked-stacks.ts';
import { MaskedValues } from '../../shared/values/masked-values.ts';
import { RowSums, type RowValues } from '../../shared/values/row-sums.ts';
import { NO_SAMPLES, type SampleSum, type SelfValues } from '../../shared/values/self-values.ts';
import { type CrowdedPackage, crowdedPackage } from '../../shared/views/crowded-package.ts';
import type { FlameMeasures } from '../../shared/views/flame-measures.ts';
import { FlatProfile } from '../../shared/views/flat-profile.ts';
import { type FileLines, sumLines } from '../../shared/views/line-sums.ts';
import type { Search } from '../../shared/views/search.ts';
import type { SearchMatches } from '../../shared/views/search-matches.ts';
import { BottomUpViews } from './bottom-up-views.ts';
import { MeasuredRows } from './measured-rows.ts';
import { MethodViews } from './method-views.ts';
import { isBottomUpZoom, type Narrowing } from './pane-messages.ts';
import { SearchedKeys } from './searched-keys.ts';
import { outsideZoom, zoomedRoot } from './zoomed-root.ts';

/** Call nodes or rows that a tree prefetches at once: some 25 ms, for which a request may wait. */
const MAX_PREFETCHED = 1 << 18;

/** The values of a baseline, and how they are compared. */
export interface BaseValues {
  readonly values: SelfValues;
  readonly scale: ComparedScale;
}

/** What a flat profile is compared with. */
export type ComparedFlat = ComparedTo & { readonly base: FlatProfile };

/** A view and the state in which it was updated last. */
interface Updated<View> {
  readonly view: View;
  state: number;
}

/**
 * The trees and sums of one profile, each made when it is first asked for and updated at most once per state. `advance`
 * begins a state.
 */
export class ProfileViews {
  readonly profile: LeanProfile;

  readonly #ids: NodeIds;
  /** Views whose trees and chains these sum, so that both have the same rows; undefined: they make their own. */
  readonly #structure: ProfileViews | undefined;
  /** The views of what is compared with; undefined: nothing is compared. */
  #base: ProfileViews | undefined;
  #scale: ComparedScale | undefined;
  /** Counts states. */
  #state = 0;
  #extent: ProfileExtent = { frames: 0, nodes: 0, selfValues: 0 };
  #values: SelfValues;
  /** Grouping -> its tree, summed. */
  readonly #trees = new Map<string, Updated<RowSums>>();
  /** The values below a zoom, which `narrowSums` and `flat` sum; undefined: all. */
  #narrow: { readonly of: SelfValues; readonly values: MaskedValues } | undefined;
  #narrowSums: Updated<RowSums> | undefined;
  /** Tree whose rows are in chains, or undefined for call nodes -> its chains. */
  readonly #chains = new Map<GrowingTree | undefined, Updated<ChainSums>>();
  readonly #bottomUps: BottomUpViews;
  readonly #methods: MethodViews;
  #flat: Updated<FlatProfile> | undefined;
  readonly #measured = new MeasuredRows();
  readonly #searched: SearchedKeys;

  constructor(profile: LeanProfile, ids: NodeIds, structure?: ProfileViews) {
    this.profile = profile;
    this.#ids = ids;
    this.#structure = structure;
    this.#values = profile.selfValues;
    const calls = {
      tree: (grouping: TreeGrouping) => this.sums(grouping).tree,
      chainSums: (tree: GrowingTree) => this.#chainSums(tree),
    };
    const ofOthers = structure === undefined ? undefined : structure.#methods;
    this.#methods = new MethodViews(profile, calls, ofOthers);
    const sums = {
      sums: (grouping: TreeGrouping) => this.sums(grouping),
      narrowSums: (grouping: TreeGrouping) => this.narrowSums(grouping),
      baseSums: (grouping: TreeGrouping) => this.#base?.sums(grouping),
    };
    this.#bottomUps = new BottomUpViews(sums, structure === undefined ? undefined : structure.#bottomUps);
    this.#searched = new SearchedKeys();
  }

  set search(search: Search) {
    this.#searched.search = search;
  }

  /**
   * Begins a state: until the next one all views show the profile up to `extent`, and sum `values`. `base`: what they are
   * compared with; undefined: nothing.
   */
  advance(extent: ProfileExtent, values: SelfValues, base?: BaseValues): void {
    this.#state++;
    this.#methods.clear();
    this.#bottomUps.advance();
    this.#extent = extent;
    this.#values = values;
    this.#scale = base?.scale;
    if (base === undefined) this.#dropBase();
    else {
      this.#base ??= new ProfileViews(this.profile, this.#ids, this);
      this.#base.advance(extent, base.values);
    }
  }

  /** Samples that `narrow` leaves out. */
  get beyondZoom(): SampleSum {
    return this.#narrow?.values.leftOut ?? NO_SAMPLES;
  }

  /**
   * In this state, `narrowSums` and `flat` have only what is below a zoom; all if it is undefined or names no row. To be
   * called when the state has begun.
   */
  narrow(narrowing: Narrowing | undefined, frames: FrameKeys): void {
    if (narrowing === undefined) return this.#narrowTo(undefined);
    const { zoom, threads } = narrowing;
    const grouping = { threads, frames };
    const isInverted = isBottomUpZoom(zoom);
    const rows = this.allRows(isInverted ? 'bottom-up' : 'calls', grouping);
    const root = zoomedRoot(rows, zoom);
    const ends = isInverted ? this.bottomUpEnds(grouping) : this.sums(grouping).tree;
    this.#narrowTo(root && ((values) => outsideZoom(rows.tree, root, ends, values)));
  }

  /** `isOutside`: of some values, which of them are left out; undefined: none. */
  #narrowTo(isOutside: ((values: SelfValues) => Uint8Array) | undefined): void {
    if (this.#base !== undefined) this.#base.#narrowTo(isOutside);
    if (isOutside === undefined) {
      this.#narrow = undefined;
      this.#dropNarrowSums();
      return;
    }
    if (this.#narrow?.of !== this.#values)
      this.#narrow = { of: this.#values, values: new MaskedValues(this.#values) };
    this.#narrow.values.update(isOutside(this.#values));
  }

  /**
   * Does part of the next state's work on trees and chains: takes in call nodes and frames before these. Results are visible
   * only after `advance`.
   */
  prefetch(extent: ProfileExtent): void {
    for (const { view } of this.#trees.values()) view.tree.prefetch(extent, MAX_PREFETCHED);
    for (const { view } of this.#chains.values()) view.chains.prefetch(extent, MAX_PREFETCHED);
  }

  /** Frees the memory of all trees at once. */
  release(): void {
    this.keepOnly([]);
  }

  /** A tree and its sums. A tree of all threads is made of the rows of one that tells threads apart, if there is one. */
  sums(grouping: TreeGrouping): RowSums {
    const name = nameOf(grouping);
    let entry = this.#trees.get(name);
    const shared = this.#structure?.sums(grouping).tree;
    if (entry !== undefined && shared !== undefined && entry.view.tree !== shared) {
      entry.view.release();
      entry = undefined;
    }
    if (entry === undefined) {
      entry = { view: new RowSums(shared ?? this.#newTree(grouping), this.#values), state: -1 };
      this.#trees.set(name, entry);
    }
    if (entry.state !== this.#state) {
      const { view } = entry;
      if (shared === undefined) {
        if (view.tree instanceof FoldedThreadsTree) this.sums(view.tree.finer.grouping);
        view.tree.update(this.#extent);
      }
      view.values = this.#values;
      view.update();
      entry.state = this.#state;
    }
    return entry.view;
  }

  /** The sums of what is below the zoom; those of everything where there is none. */
  narrowSums(grouping: TreeGrouping): RowSums {
    const whole = this.sums(grouping);
    if (this.#narrow === undefined) return whole;
    if (this.#narrowSums?.view.tree !== whole.tree) this.#dropNarrowSums();
    this.#narrowSums ??= { view: new RowSums(whole.tree, this.#narrow.values), state: -1 };
    const { view, state } = this.#narrowSums;
    if (state !== this.#state) {
      view.values = this.#narrow.values;
      view.update();
      this.#narrowSums.state = this.#state;
    }
    return view;
  }

  /** The call tree of everything, or of what is below a zoom, or the bottom-up tree of that; with what it is compared with. */
  rows(of: 'calls' | 'bottom-up', grouping: TreeGrouping): RowValues {
    return this.#compared((views) =>
      of === 'calls' ? views.narrowSums(grouping) : views.#bottomUps.narrow(grouping),
    );
  }

  /** The same of everything. A bottom-up tree has the same rows there. */
  allRows(of: 'calls' | 'bottom-up', grouping: TreeGrouping): RowValues {
    return this.#compared((views) =>
      of === 'calls' ? views.sums(grouping) : views.#bottomUps.whole(grouping),
    );
  }

  /** The callers or callees of the method with this key of the grouping, with what they are compared with. */
  rowsOfMethod(direction: 'callers' | 'callees', key: number, grouping: TreeGrouping): RowValues {
    return this.#compared((views) => views.#methods.sums({ direction, key, grouping }));
  }

  /** What the values of `flat` are compared with; undefined: nothing. */
  comparedFlat(frames: FrameKeys): ComparedFlat | undefined {
    const scale = this.#scale;
    return scale && this.#base && { base: this.#base.flat(frames), scale };
  }

  /** Where samples are counted in the bottom-up tree. */
  bottomUpEnds(grouping: TreeGrouping): MethodEnds {
    return this.#bottomUps.ends(grouping);
  }

  /** Where samples are counted among the callers or callees of the method with this key. */
  endsOfMethod(direction: 'callers' | 'callees', key: number, grouping: TreeGrouping): MethodEnds {
    return this.#methods.ends({ direction, key, grouping });
  }

  flat(frames: FrameKeys): FlatProfile {
    if (this.#flat === undefined || !isSame(this.#flat.view.keys.grouping, frames)) {
      this.#flat = { view: new FlatProfile(this.profile, frames, 'once'), state: -1 };
    }
    const { view, state } = this.#flat;
    if (state !== this.#state) {
      const chainSums = (areWhole: boolean): ChainSums =>
        this.#chainSums(areWhole ? this.treeOf(frames) : undefined);
      view.update(this.narrowValues, chainSums, this.#extent);
      this.#flat.state = this.#state;
    }
    return view;
  }

  /** What `narrowSums` and `flat` sum. */
  get narrowValues(): SelfValues {
    return this.#narrow?.values ?? this.#values;
  }

  /** Chains of call nodes, or of the rows of a tree with these keys. */
  chains(frames: FrameKeys): Chains {
    return this.#chainSums(this.treeOf(frames)).chains;
  }

  /** The lines of a method, of the samples that `flat` sums. `isOfMethod`: see `sumLines`. */
  lines(isOfMethod: (frame: number) => boolean): readonly FileLines[] {
    return sumLines(this.profile, this.narrowValues, this.#extent.nodes, isOfMethod);
  }

  /** Keys of all frames of this state, of a view that is there already if there is one. */
  keys(frames: FrameKeys): KeyTable {
    return this.treeOf(frames)?.keys ?? this.flat(frames).keys;
  }

  /** A tree updated in this state, whatever its grouping of threads. */
  treeOf(frames: FrameKeys): GrowingTree | undefined {
    if (this.#structure !== undefined) return this.#structure.treeOf(frames);
    for (const { view, state } of this.#trees.values())
      if (isSame(view.tree.grouping.frames, frames) && state === this.#state) return view.tree;
    return undefined;
  }

  /** All stacks of this state, for keys to be looked for in them. */
  stacks(frames: FrameKeys): StacksOfKeys {
    const { profile } = this;
    return { profile, extent: this.#extent, keys: this.keys(frames), tree: this.treeOf(frames) };
  }

  /** The keys that match the search; undefined while nothing is searched. */
  matches(keys: KeyTable): SearchMatches | undefined {
    return this.#searched.matches(keys);
  }

  /** How many keys match the search, and the samples of this state with a match on their stack. */
  found(frames: FrameKeys): SampleSum & { readonly names: number } {
    if (!this.#searched.isSearching) return { names: 0, ...NO_SAMPLES };
    const stacks = this.stacks(frames);
    const matches = this.matches(stacks.keys);
    if (matches === undefined) return { names: 0, ...NO_SAMPLES };
    return { names: matches.names, ...matches.samplesOf(this.#values, stacks) };
  }

  measures(sums: RowValues, metric: Metric): FlameMeasures {
    return this.#measured.of(sums, metric);
  }

  /** A package that hides the rest, by a tree of this state; undefined for none, and where there is no tree. */
  crowdedPackage(frames: FrameKeys): CrowdedPackage | undefined {
    for (const { view, state } of this.#trees.values())
      if (isSame(view.tree.grouping.frames, frames) && state === this.#state) return crowdedPackage(view);
    return undefined;
  }

  /** Frees trees in groupings that no pane uses. A tree that a tree of all threads is made from is kept with it. */
  keepOnly(groupings: readonly TreeGrouping[]): void {
    const kept = new Set(groupings.map(nameOf));
    for (const [name, { view }] of this.#trees) {
      if (!(view.tree instanceof FoldedThreadsTree) || !kept.has(name)) continue;
      const { finer } = view.tree;
      if (kept.has(nameOf(finer.grouping))) continue;
      // From now on it can be made from another tree in use.
      if (groupings.some(({ threads, frames }) => threads !== 'all' && isSame(frames, finer.grouping.frames)))
        kept.delete(name);
      else kept.add(nameOf(finer.grouping));
    }
    for (const [name, { view }] of this.#trees) if (!kept.has(name)) this.#drop(name, view);
  }

  #compared(of: (views: ProfileViews) => RowValues): RowValues {
    const rows = of(this);
    return this.#base === undefined || this.#scale === undefined
      ? rows
      : new ComparedRows(rows, of(this.#base), this.#scale);
  }

  #dropBase(): void {
    if (this.#base === undefined) return;
    for (const name of [...this.#base.#trees.keys()]) this.#base.#forget(name);
    this.#base = undefined;
  }

  #dropNarrowSums(): void {
    this.#bottomUps.dropNarrow();
    this.#narrowSums?.view.release();
    this.#narrowSums = undefined;
  }

  #drop(name: string, sums: RowSums): void {
    if (this.#narrowSums?.view.tree === sums.tree) this.#dropNarrowSums();
    this.#measured.drop(sums);
    this.#chains.delete(sums.tree);
    this.#methods.clear();
    this.#trees.delete(name);
    if (this.#base !== undefined) this.#base.#forget(name);
    sums.tree.release();
    sums.release();
  }

  /** Of views over the trees of others: frees what they have summed over one, before it is released. */
  #forget(name: string): void {
    const sums = this.#trees.get(name)?.view;
    if (sums === undefined) return;
    if (this.#narrowSums?.view.tree === sums.tree) this.#dropNarrowSums();
    this.#chains.delete(sums.tree);
    this.#methods.clear();
    this.#trees.delete(name);
    sums.release();
  }

  #newTree(grouping: TreeGrouping): GrowingTree {
    const finer = grouping.threads === 'all' ? this.#treeByThreads(grouping.frames) : undefined;
    return finer === undefined
      ? new CallTree(this.profile, grouping, this.#ids)
      : new FoldedThreadsTree(this.profile, finer);
  }

  /** A tree that tells threads apart. */
  #treeByThreads(frames: FrameKeys): GrowingTree | undefined {
    for (const { view } of this.#trees.values()) {
      const { grouping } = view.tree;
      if (grouping.threads !== 'all' && isSame(grouping.frames, frames)) return view.tree;
    }
    return undefined;
  }

  /** Chains of the profile's call nodes, or of a tree's rows. */
  #chainSums(tree: GrowingTree | undefined): ChainSums {
    let entry = this.#chains.get(tree);
    const shared = this.#structure === undefined ? undefined : this.#structure.#chainSums(tree).chains;
    if (entry === undefined || (shared !== undefined && entry.view.chains !== shared)) {
      entry = { view: new ChainSums(shared ?? new Chains(this.profile, tree)), state: -1 };
      this.#chains.set(tree, entry);
    }
    const { view, state } = entry;
    if (state !== this.#state) {
      if (shared === undefined) view.chains.update(this.#extent);
      view.update(this.narrowValues);
      entry.state = this.#state;
    }
    return view;
  }
}

function nameOf({ threads, frames }: TreeGrouping): string {
  return `${threads} ${frameKeysName(frames)}`;
}

function isSame(a: FrameKeys, b: FrameKeys): boolean {
  return a === b || frameKeysName(a) === frameKeysName(b);
}
