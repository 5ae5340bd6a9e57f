import { assert } from '../assert.ts';
import { NONE } from '../profile/columns.ts';
import { isErrorMethod } from '../profile/method-table.ts';
import { isEmptyScope, selectingOf } from '../scope/scope.ts';
import { isMadeFrame } from '../scope/scope-frames.ts';
import type { ProfileInScope } from '../scope/scoped-profile.ts';
import type { Chains } from './trees/chains.ts';
import { type FrameKeys, frameKeysName, type ThreadGrouping, type TreeGrouping } from './trees/grouping.ts';
import type { GrowingTree } from './trees/growing-tree.ts';
import type { KeyTable } from './trees/keys.ts';
import { endsOfCallees, endsOfCallers, type MethodEnds } from './trees/callers.ts';
import { MethodTree } from './trees/method-tree.ts';
import type { BottomUpSums } from './values/bottom-up-sums.ts';
import type { ChainSums } from './values/value-columns.ts';
import type { StacksOfKeys } from './values/marked-stacks.ts';
import { either, maskedValues } from './values/masked-values.ts';
import type { Metric } from './values/metric.ts';
import { MethodSums, type RowSums, type RowValues, ShownRows } from './values/row-sums.ts';
import { addedSamples, NO_SAMPLES, type SampleSum, type SelfValues } from './values/self-values.ts';
import type { Compared, Comparison } from './comparison/comparison.ts';
import { ComparedWidths } from './comparison/flame-difference.ts';
import { callSums, type PartSums, partSums, type SpreadParts } from './comparison/part-sums.ts';
import { type HidingFrames, hidingFrames } from './views/hiding-frames.ts';
import { FlameMeasures } from './views/flame-measures.ts';
import type { FlatProfile } from './views/flat-profile.ts';
import { type FileLines, sumLines } from './views/line-sums.ts';
import { methodRows } from './views/method-list.ts';
import { type RowTimes, timesOfKeys, timesOfRows } from './views/row-times.ts';
import { isSearching, type Search, type SearchMatches } from './views/search.ts';
import { isOfMethod, methodKey, MethodKeys } from './method-keys.ts';
import { NarrowingZoom } from './narrowing-zoom.ts';
import {
  BOTTOM_UP,
  BOTTOM_UP_AGAIN,
  CALL_TREE,
  CHAIN_SUMS,
  CHAINS,
  FLAT,
  FOLDED_TREE,
  LABEL_ORDER,
  MATCHES,
  MEASURES,
  METHOD_ROWS,
  METHOD_SUMS,
  type MethodRows,
  SCOPED,
  SUMS,
} from './profile-steps.ts';
import type { MethodLines, MethodRef, RowsOf, TreeOf } from './query.ts';
import type { Steps } from './steps.ts';
import { type ViewInputs, ViewValues } from './view-values.ts';
import { viewParts } from './view-parts.ts';
import { type SampledProfile, ViewSamples } from './view-samples.ts';

/** Groupings from whose rows a tree of all threads can be made. */
const THREADS_APART: readonly ThreadGrouping[] = ['name', 'id', 'pool', 'group'];

/**
 * A profile as a query shows it, in one state of the engine: trees and sums are made when they are asked for.
 *
 *   values ────────────┬─▶ sums of a tree ─▶ rows
 *   structure ─▶ trees ┘
 */
export class ProfileView extends ViewValues {
  readonly samples: ViewSamples;
  readonly search: Search;

  readonly #methodKeys: MethodKeys;
  /** Trees of `structure` that were asked for. */
  readonly #trees: GrowingTree[] = [];
  #zoom: NarrowingZoom | undefined;

  constructor(steps: Steps, inputs: ViewInputs, remembered: Map<string, number>) {
    super(steps, inputs);
    this.samples = new ViewSamples(this);
    this.search = inputs.search;
    this.#methodKeys = new MethodKeys(this, remembered);
  }

  /** Both sides as files are written of them, whether or not a zoom narrows them; the view must compare. */
  comparison(grouping: TreeGrouping): Comparison {
    const { baseline } = this;
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
          this.steps.get(FLAT, this.structure, frames, recursion, this.#treeWith(frames), values),
        ),
    };
  }

  /** Samples in scope that are not below the zoom that narrows the call tree and the methods. */
  get beyondZoom(): SampleSum {
    return this.#narrowing?.below(this.steps, this.values)?.leftOut ?? NO_SAMPLES;
  }

  /**
   * The shown part of one log, as a profile of its own with all lines, because some formats write all of a profile; the
   * log itself where nothing is left out. The view must be `withLines`, and nothing be compared. `isBelowZoom`: a zoom
   * narrows it. `leaves`: row of the log's SelfTable -> the call node there where its samples end; NONE outside.
   */
  get alone(): ProfileInScope & { readonly isBelowZoom: boolean; readonly leaves: () => Int32Array } {
    assert(this.query.comparison === undefined, 'a file of one profile has no other');
    const source = this.recorded;
    const { scope, frames, hidesErrors } = this.query;
    const { shown, isError } = this.side;
    const isBeyond = this.#rowsBeyondZoom();
    const isBelowZoom = isBeyond !== undefined;
    const isLeftOut = either(isBeyond, hidesErrors ? isError : undefined);
    if (isEmptyScope(scope) && isLeftOut === undefined) {
      const { profile } = source;
      const whole = { profile, values: profile.selfValues, outside: NO_SAMPLES };
      return { ...whole, isOutside: undefined, isBelowZoom, leaves: () => source.values.node };
    }
    const values = isBelowZoom ? maskedValues(shown, isBeyond) : shown;
    const { transforms, threads } = scope;
    const scoped = this.steps.get(SCOPED, source, undefined, transforms, frames, values, threads);
    const { profile } = scoped;
    const isOutside = either(scoped.isOutside, isLeftOut);
    return {
      profile,
      values: profile.selfValues,
      isBelowZoom,
      outside: addedSamples(this.outside, this.beyondZoom),
      isOutside,
      leaves: () => scoped.leaves().map((leaf, row) => (isOutside?.[row] === 1 ? NONE : leaf)),
    };
  }

  /** The shown part of one log, with the times of its samples, to be copied: see `alone`. */
  get shown(): SampledProfile {
    return { profile: this.profile, values: this.narrowed(this.values), timed: this.samples.timed };
  }

  // ---- Trees and their sums ----

  /** A tree and the sums of all values. */
  sums(grouping: TreeGrouping): RowSums {
    return this.#sumsOf(grouping, this.values);
  }

  /** The part of these sums below the zoom that narrows the call tree; all of them where none does. */
  narrowSums(grouping: TreeGrouping): RowSums {
    return this.#sumsOf(grouping, this.narrowed(this.values));
  }

  /**
   * The rows of a tree, with their values: below the zoom that narrows, if there is one. Of a method that the profile does
   * not have there are none.
   */
  rows(of: RowsOf, grouping: TreeGrouping, method: MethodRef | undefined): RowValues {
    if (of === 'methods')
      return this.#compared((values) => methodRows(this.#flatOf(grouping.frames, values), this));
    if (of === 'calls' || of === 'bottom-up')
      return this.#compared((values) => this.#rowsOf(of, grouping, this.narrowed(values)));
    const { keys } = this.#tree(grouping);
    const key = method === undefined ? undefined : this.keyOfMethod(method, keys);
    if (key === undefined) return noRows(keys);
    return this.#compared((values) => {
      const sums = this.#chainSums(this.#tree(grouping), this.narrowed(values));
      return this.steps.get(METHOD_SUMS, this.#methodRows(of, key, grouping), sums);
    });
  }

  /** The rows of a tree of all methods, whether or not a zoom narrows it. */
  allRows(of: 'calls' | 'bottom-up', grouping: TreeGrouping): RowValues {
    return this.#compared((values) => this.#rowsOf(of, grouping, values));
  }

  /** Where the rows of a tree of methods count samples. `key`: of the method whose callers or callees they are. */
  ends(of: Exclude<TreeOf, 'calls'>, grouping: TreeGrouping, key: number): MethodEnds {
    if (of === 'bottom-up') return this.#bottomUp(grouping).ends(this.#tree(grouping));
    const { made } = this.#methodRows(of, key, grouping);
    return made.direction === 'callers' ? endsOfCallers(made.rows) : endsOfCallees(made.rows);
  }

  /**
   * When rows have their samples; undefined where that is not known. Where two logs are compared, the samples are those of
   * the new one: rows of the base alone have none.
   */
  timesOfRows(of: RowsOf, grouping: TreeGrouping, rows: ArrayLike<number>, key = NONE): RowTimes | undefined {
    const { timed } = this.samples;
    if (timed === undefined) return undefined;
    if (of === 'methods')
      return timesOfKeys(timed, this.chains(grouping.frames), this.flat(grouping.frames).keys, rows);
    const ends = of === 'calls' ? this.narrowSums(grouping).tree : this.ends(of, grouping, key);
    return timesOfRows(timed, ends, rows);
  }

  flat(frames: FrameKeys): FlatProfile {
    return this.#flatOf(frames, this.values);
  }

  /** The baseline of `flat`; undefined: nothing is compared. */
  comparedFlat(frames: FrameKeys): FlatProfile | undefined {
    return this.baseline && this.#flatOf(frames, this.baseline.values);
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
    if (sums.compared === undefined) return this.steps.get(MEASURES, sums, metric);
    const { base, whole } = sums.compared;
    const widths = new ComparedWidths({ base, next: sums }, metric, () => whole.scale);
    const measures = new FlameMeasures(widths, 'samples', (keys) => this.steps.get(LABEL_ORDER, keys));
    measures.update();
    return measures;
  }

  /** The samples of methods in each part of what is shown: see `viewParts`. */
  partSums(of: SpreadParts, frames: FrameKeys, metric: Metric, everyNs?: bigint): PartSums {
    const { profile } = this;
    const keys = this.keys(frames);
    const parts = viewParts(this, of, everyNs);
    return partSums({ profile, keys, chains: this.#chains(undefined) }, parts, metric);
  }

  /**
   * The sums of one call: of samples whose stack begins as that of the call node with this identity, in any thread.
   * Undefined if there is no such node in scope.
   */
  callSums(id: number, of: SpreadParts, frames: FrameKeys, metric: Metric): PartSums | undefined {
    const { profile } = this;
    const node = this.nodeWithId(id);
    if (node === NONE || profile.nodes.isRoot(node)) return undefined;
    return callSums({ profile, keys: this.keys(frames) }, node, viewParts(this, of), metric);
  }

  /** Some tree of the view is there already. */
  hasTree(frames: FrameKeys): boolean {
    return this.#treeWith(frames) !== undefined;
  }

  /** Frames that hide the rest, by a tree of this view; undefined for none, and where there is no tree. */
  hidingFrames(frames: FrameKeys): HidingFrames | undefined {
    const tree = this.#treeWith(frames);
    return tree && hidingFrames(this.steps.get(SUMS, tree, this.values));
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

  // ---- Search ----

  /** The keys that match the search; undefined while nothing is searched. */
  matches(keys: KeyTable): SearchMatches | undefined {
    const { search } = this;
    return isSearching(search) ? this.steps.get(MATCHES, keys, search) : undefined;
  }

  /** The number of keys that match the search, and the samples with a match on their stack. */
  found(frames: FrameKeys): SampleSum & { readonly names: number } {
    if (!isSearching(this.search)) return { names: 0, ...NO_SAMPLES };
    const stacks = this.stacks(frames);
    const matches = this.matches(stacks.keys);
    if (matches === undefined) return { names: 0, ...NO_SAMPLES };
    return { names: matches.names, ...matches.samplesOf(this.values, stacks) };
  }

  // ---- Which structure ----

  #tree(grouping: TreeGrouping): GrowingTree {
    const tree = this.#madeTree(grouping);
    if (!this.#trees.includes(tree)) this.#trees.push(tree);
    return tree;
  }

  /** A tree of all threads is made of the rows of one that tells threads apart, if there is one. */
  #madeTree({ threads, frames }: TreeGrouping): GrowingTree {
    const structure = this.structure;
    const known = this.steps.known(CALL_TREE, structure, threads, frames);
    if (known !== undefined || threads !== 'all')
      return known ?? this.steps.get(CALL_TREE, structure, threads, frames);
    for (const by of THREADS_APART) {
      const finer = this.steps.known(CALL_TREE, structure, by, frames);
      if (finer !== undefined) return this.steps.get(FOLDED_TREE, structure, finer);
    }
    return this.steps.get(CALL_TREE, structure, threads, frames);
  }

  /** A tree that this view has, whatever its grouping of threads. */
  #treeWith(frames: FrameKeys): GrowingTree | undefined {
    return this.#trees.find((tree) => frameKeysName(tree.grouping.frames) === frameKeysName(frames));
  }

  #chains(tree: GrowingTree | undefined): Chains {
    return this.steps.get(CHAINS, this.structure, tree, this.structure.extent.selfValues);
  }

  /** All stacks, for keys to be looked for in them. */
  stacks(frames: FrameKeys): StacksOfKeys {
    const { profile, extent } = this.structure;
    return { profile, extent, keys: this.keys(frames), tree: this.#treeWith(frames) };
  }

  // ---- Sums ----

  #sumsOf(grouping: TreeGrouping, values: SelfValues): RowSums {
    return this.steps.get(SUMS, this.#tree(grouping), values);
  }

  #chainSums(tree: GrowingTree | undefined, values: SelfValues): ChainSums {
    return this.steps.get(CHAIN_SUMS, this.#chains(tree), values);
  }

  #flatOf(frames: FrameKeys, values: SelfValues): FlatProfile {
    const tree = this.#treeWith(frames);
    return this.steps.get(FLAT, this.structure, frames, 'once', tree, this.narrowed(values));
  }

  #methodRows(direction: 'callers' | 'callees', key: number, grouping: TreeGrouping): { made: MethodRows } {
    const tree = this.#tree(grouping);
    return this.steps.get(METHOD_ROWS, this.structure, tree, this.#chains(tree), direction, key);
  }

  /** The bottom-up tree of everything in scope; a row of a thread is at the end where threads are told apart. */
  #bottomUp(grouping: TreeGrouping): BottomUpSums {
    const calls = this.#sumsOf(grouping, this.values);
    const base = this.baseline && this.#sumsOf(grouping, this.baseline.values);
    return this.steps.get(BOTTOM_UP, calls, grouping.threads !== 'all', base);
  }

  #rowsOf(of: 'calls' | 'bottom-up', grouping: TreeGrouping, values: SelfValues): RowSums | BottomUpSums {
    if (of === 'calls') return this.#sumsOf(grouping, values);
    const whole = this.#bottomUp(grouping);
    const calls = this.#sumsOf(grouping, values);
    return calls === whole.calls ? whole : this.steps.get(BOTTOM_UP_AGAIN, whole, calls);
  }

  /** Rows with what they are compared with. */
  #compared(rowsOf: (values: SelfValues) => RowValues): RowValues {
    const rows = rowsOf(this.values);
    const whole = this.comparedWhole;
    if (this.baseline === undefined || whole === undefined) return rows;
    const base = rowsOf(this.baseline.values);
    // Rows that only the baseline has are shown, too.
    return new ShownRows(rows, (row) => rows.isShown(row) || base.isShown(row), { base, whole });
  }

  #linesOf(key: string): readonly FileLines[] {
    const { frames, scope, comparison: _, ...query } = this.query;
    const changesStacks = selectingOf(scope) === undefined;
    if (this.inputs.withLines === true || (!changesStacks && !this.isJoined)) {
      const isOf = isOfMethod(this.profile, key, frames);
      return sumLines(this.profile, this.narrowed(this.values), this.structure.extent.nodes, isOf);
    }
    // The rows of a tree have lost their lines, and of two logs only this one has lines.
    const alone = { ...query, frames, scope: { ...scope, range: this.range } };
    const inputs = { ...this.inputs, other: undefined, query: alone, withLines: true };
    return new ProfileView(this.steps, inputs, this.#methodKeys.remembered).#linesOf(key);
  }

  // ---- The zoom that narrows ----

  get #narrowing(): NarrowingZoom | undefined {
    if (this.query.narrowing === undefined) return undefined;
    return (this.#zoom ??= new NarrowingZoom(this.query, {
      allRows: (of, grouping) => this.allRows(of, grouping),
      measures: (rows, metric) => this.measures(rows, metric),
      tree: (grouping) => this.#tree(grouping),
      bottomUp: (grouping) => this.#bottomUp(grouping),
    }));
  }

  narrowed(values: SelfValues): SelfValues {
    return this.#narrowing?.below(this.steps, values) ?? values;
  }

  /** Row of the log's SelfTable -> 1 where its samples are not below the zoom; undefined: no zoom narrows. */
  #rowsBeyondZoom(): Uint8Array | undefined {
    // A row without a node is outside of the scope in any case.
    return this.#narrowing?.rowsBeyond(this.samples.shownNodes().map((shown) => Math.max(shown, 0)));
  }
}

/** The rows of a method that the profile does not have: none. */
function noRows(keys: KeyTable): MethodSums {
  return new MethodSums(new MethodTree({ keys, method: undefined, isInverted: false, threads: undefined }));
}
