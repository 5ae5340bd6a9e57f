import type { SampleTable } from '../profile/sample-table.ts';
import { SelfTable } from '../profile/self-table.ts';
import type { Scope, TimeRange } from '../scope/scope.ts';
import { NodeSource, type ScopeSource, TreeSource } from '../scope/scope-source.ts';
import { ScopedProfile } from '../scope/scoped-profile.ts';
import { boundsOf } from '../scope/time-range.ts';
import { ValuesInScope } from '../scope/values-in-scope.ts';
import { CallTree } from './trees/call-tree.ts';
import { type Callees, calleesOf, type Callers, callersOf, type MethodTreeOptions } from './trees/callers.ts';
import { Chains } from './trees/chains.ts';
import { FoldedThreadsTree } from './trees/folded-threads-tree.ts';
import type { FrameGrouping, FrameKeys, Recursion, TreeThreads } from './trees/grouping.ts';
import type { GrowingTree } from './trees/growing-tree.ts';
import type { KeyTable } from './trees/keys.ts';
import { LabelOrder, FlameMeasures } from './views/flame-measures.ts';
import { BottomUpSums } from './values/bottom-up-sums.ts';
import { ChainSums } from './values/value-columns.ts';
import { MaskedValues, ValuesWithoutErrors } from './values/masked-values.ts';
import type { Metric } from './values/metric.ts';
import { type MethodSums, sumCallees, sumCallers, RowSums, type RowValues } from './values/row-sums.ts';
import { SelfThreads } from './values/self-threads.ts';
import { NO_SAMPLES, type SelfValues } from './values/self-values.ts';
import { TimeOrder } from './values/time-order.ts';
import { ValuesInRange } from './values/values-in-range.ts';
import { FlatProfile } from './views/flat-profile.ts';
import { type ValidSearch, SearchMatches } from './views/search.ts';
import { SelfGroups } from './views/self-groups.ts';
import type { TrackOrder } from './views/time-tracks.ts';
import { TimelineCounts } from './views/timeline-counts.ts';
import { NodesOfKey } from './values/marked-stacks.ts';
import { ProfileUnion } from './comparison/profile-union.ts';
import type { RecordedProfile, Structure } from './recorded-profile.ts';
import type { Step } from './steps.ts';
import { type LayoutRoot, outsideZoom } from './views/flame-layout.ts';

/** Call nodes or rows that a tree prefetches at once: some 25 ms, for which a request may wait. */
const MAX_PREFETCHED = 1 << 18;

// ---- Values: how many samples ended at each call node ----

/** The self values of the samples in a time range. O(samples). */
export const IN_RANGE: Step<
  [source: { readonly values: SelfValues }, samples: SampleTable, range: TimeRange],
  ValuesInRange
> = {
  name: 'values in a range',
  place: 1,
  make: () => new ValuesInRange(),
  grow: (result, [{ values }, samples, range]) => result.update(samples, values, boundsOf(range, samples)),
  bytes: ({ count }) => 16 * count.length,
};

/** Self values without the samples that have an error on their stack. O(new nodes + rows). */
export const WITHOUT_ERRORS: Step<[structure: Structure, values: SelfValues], ValuesWithoutErrors> = {
  name: 'values without errors',
  place: 1,
  make: ([{ profile }, values]) => new ValuesWithoutErrors(profile, values),
  grow: (result, [{ extent }, values]) => result.update(extent, values),
  prefetch: (result, upTo) => result.prefetch(upTo),
  bytes: ({ isError }) => 17 * (isError?.length ?? 0),
};

/** Row of self values -> its thread. */
export const SELF_THREADS: Step<[structure: Structure], SelfThreads> = {
  name: 'threads of self values',
  make: ([{ profile }]) => new SelfThreads(profile.nodes),
  // It takes in further rows by itself, and what is made of it keeps its numbers.
  grow: () => true,
};

/** Self values in a scope that changes no stack. `frames`: what keys of transforms are made of that do not say it. */
export const SELECTED: Step<
  [
    structure: Structure,
    transforms: Scope['transforms'],
    frames: FrameGrouping,
    values: SelfValues,
    threads: readonly string[],
  ],
  ValuesInScope
> = {
  name: 'values of a selection',
  place: 3,
  make: ([structure, transforms, frames, , threads], steps) =>
    new ValuesInScope(structure.profile, { threads, transforms }, frames, steps.get(SELF_THREADS, structure)),
  grow(result, [{ extent }, , , values, threads]) {
    result.selectThreads(threads);
    result.update(values, extent);
  },
  bytes: ({ isOutside }) => 18 * isOutside.length,
  release: (result) => result.release(),
};

/** Self values without those that a zoom leaves out. `calls`: the call tree of `bottomUp`, or the tree itself. */
export const BELOW_ZOOM: Step<
  [values: SelfValues, calls: GrowingTree, root: LayoutRoot, bottomUp: BottomUpSums | undefined],
  MaskedValues
> = {
  name: 'values below a zoom',
  place: 1,
  make: ([values]) => new MaskedValues(values),
  grow(result, [values, calls, root, bottomUp]) {
    const ends = bottomUp?.ends(calls) ?? calls;
    result.update(outsideZoom(bottomUp?.tree ?? calls, root, ends, values));
  },
  bytes: ({ count }) => 16 * count.length,
};

// ---- Structure: who called whom ----

/**
 * The part of a profile that is in a scope which changes stacks. It is made from the rows of a tree that tells threads
 * apart, some ten times fewer than call nodes; undefined: from the call nodes, with their lines.
 */
export const SCOPED: Step<
  [
    structure: Structure,
    tree: GrowingTree | undefined,
    transforms: Scope['transforms'],
    frames: FrameGrouping,
    values: SelfValues,
    threads: readonly string[],
  ],
  ScopedProfile
> = {
  name: 'profile of changed stacks',
  place: 4,
  make: ([structure, tree, transforms, frames, , threads]) =>
    new ScopedProfile(sourceOf(structure, tree), { threads, transforms }, frames),
  grow(result, [{ extent }, , , , values, threads]) {
    result.selectThreads(threads);
    return result.update(values, extent) === 'grown';
  },
  bytes: ({ profile, sourceLength }) => 16 * profile.nodes.length + 12 * sourceLength,
  release: (result) => result.release(),
};

/** Other values of the source of a scope that changes stacks, over the call nodes in scope. */
export const OTHER_VALUES: Step<
  [scoped: ScopedProfile, values: SelfValues, threads: readonly string[]],
  OtherValues
> = {
  name: 'other values of changed stacks',
  place: 1,
  make: () => new OtherValues(false),
  grow(result, [scoped, values, threads]) {
    result.outside = scoped.sumOther(values, threads, result);
  },
  bytes: ({ length }) => 24 * length,
};

class OtherValues extends SelfTable {
  /** Samples that the scope leaves out. */
  outside = NO_SAMPLES;
}

/**
 * Two profiles over one structure, which grows with both, the one with identities first: the rows of a tree of each;
 * undefined: their call nodes, with their lines.
 */
export const UNION: Step<
  [
    next: RecordedProfile,
    base: RecordedProfile,
    nextTree: GrowingTree | undefined,
    baseTree: GrowingTree | undefined,
    nextValues: SelfValues,
    baseValues: SelfValues,
  ],
  ProfileUnion
> = {
  name: 'union of two profiles',
  place: 4,
  make([next, base, nextTree, baseTree]) {
    const union = new ProfileUnion({ threads: 'together', keepsIds: true });
    union.add('next', sourceOf(next, nextTree));
    union.add('base', sourceOf(base, baseTree));
    return union;
  },
  grow: (result, [next, base, , , nextValues, baseValues]) =>
    result.update([
      { values: nextValues, extent: next.extent },
      { values: baseValues, extent: base.extent },
    ]) === 'grown',
  bytes: ({ profile }) => 28 * profile.nodes.length,
};

function sourceOf({ profile, ids }: Structure, tree: GrowingTree | undefined): ScopeSource {
  return tree === undefined ? new NodeSource(profile, ids) : new TreeSource(profile, tree);
}

/** The values of one part over the structure of all. */
export const PART_VALUES: Step<[union: ProfileUnion, part: number], MaskedValues> = {
  name: 'values of a part',
  make: ([{ profile }]) => new MaskedValues(profile.selfValues),
  grow: (result, [union, part]) => union.valuesOf(part, result),
  bytes: ({ count }) => 16 * count.length,
};

/** A call tree, made from the call nodes. */
export const CALL_TREE: Step<[structure: Structure, threads: TreeThreads, frames: FrameKeys], GrowingTree> = {
  name: 'call tree',
  make: ([{ profile, ids }, threads, frames]) => new CallTree(profile, { threads, frames }, ids),
  grow: (result, [{ extent }]) => result.update(extent),
  prefetch: (result, upTo) => result.prefetch(upTo, MAX_PREFETCHED),
  bytes: treeBytes,
  release: (result) => result.release(),
};

/** A call tree of all threads, made from the rows of one that tells them apart. */
export const FOLDED_TREE: Step<[structure: Structure, finer: GrowingTree], GrowingTree> = {
  name: 'folded call tree',
  make: ([{ profile }, finer]) => new FoldedThreadsTree(profile, finer),
  grow: (result, [{ extent }]) => result.update(extent),
  prefetch: (result, upTo) => result.prefetch(upTo, MAX_PREFETCHED),
  bytes: treeBytes,
  release: (result) => result.release(),
};

/** Chains of call nodes, or of the rows of a tree. `selfValues`: how many rows of self values there are. */
export const CHAINS: Step<[structure: Structure, tree: GrowingTree | undefined, selfValues: number], Chains> =
  {
    name: 'chains',
    place: 2,
    make: ([{ profile }, tree]) => new Chains(profile, tree),
    grow: (result, [{ extent }]) => result.update(extent),
    prefetch: (result, upTo) => result.prefetch(upTo, MAX_PREFETCHED),
    bytes: ({ length, start }) => 12 * length + ((start.at(-1) ?? 0) >>> 2),
  };

function treeBytes({ prefetchedLength, itemBytes }: GrowingTree): number {
  return 32 * prefetchedLength + itemBytes;
}

// ---- Sums of values over structure ----

/** Self and total values of the rows of a tree. */
export const SUMS: Step<[tree: GrowingTree, values: SelfValues], RowSums> = {
  name: 'sums over a tree',
  place: 1,
  make: ([tree, values]) => new RowSums(tree, values),
  grow(result, [, values]) {
    result.values = values;
    result.update();
  },
  bytes: ({ totalCount }) => 32 * totalCount.length,
  release: (result) => result.release(),
};

export const CHAIN_SUMS: Step<[chains: Chains, values: SelfValues], ChainSums> = {
  name: 'sums over chains',
  place: 1,
  make: ([chains]) => new ChainSums(chains),
  grow: (result, [, values]) => result.update(values),
  bytes: ({ totalCount }) => 32 * totalCount.length,
};

/** The flat profile. `tree`: one with these keys, if there is one. */
export const FLAT: Step<
  [
    structure: Structure,
    frames: FrameKeys,
    recursion: Recursion,
    tree: GrowingTree | undefined,
    values: SelfValues,
  ],
  FlatProfile
> = {
  name: 'flat profile',
  place: 3,
  make: ([{ profile }, frames, recursion]) => new FlatProfile(profile, frames, recursion),
  grow(result, [structure, , , tree, values], steps) {
    const sums = (areWhole: boolean): ChainSums => {
      const { selfValues } = structure.extent;
      const chains = steps.get(CHAINS, structure, areWhole ? tree : undefined, selfValues);
      return steps.get(CHAIN_SUMS, chains, values);
    };
    result.update(values, sums, structure.extent);
  },
  bytes: ({ length }) => 160 * length,
};

/** The bottom-up tree of a call tree. `base`: other values of it, which have rows, too. */
export const BOTTOM_UP: Step<[calls: RowSums, hasThreads: boolean, base: RowSums | undefined], BottomUpSums> =
  {
    name: 'bottom-up tree',
    place: 2,
    make: ([calls, hasThreads]) => new BottomUpSums(calls, hasThreads),
    grow(result, [calls, , base]) {
      // Rows that were renumbered have another table of keys.
      if (result.tree.keys !== calls.tree.keys) return false;
      result.update(base);
    },
    bytes: ({ totalCount }) => 80 * totalCount.length,
  };

/** Other values of the same call tree over the rows of a bottom-up tree. */
export const BOTTOM_UP_AGAIN: Step<[rows: BottomUpSums, calls: RowSums], BottomUpSums> = {
  name: 'other values of a bottom-up tree',
  make: ([rows, calls]) => rows.sumsOf(calls),
  grow(result, [rows]) {
    if (result.tree !== rows.tree) return false;
    result.sumAgain();
  },
  bytes: ({ totalCount }) => 32 * totalCount.length,
};

/** The rows of callers or callees of one method, without values. */
export type MethodRows =
  | { readonly direction: 'callers'; readonly rows: Callers }
  | { readonly direction: 'callees'; readonly rows: Callees };

export const METHOD_ROWS: Step<
  [structure: Structure, tree: GrowingTree, chains: Chains, direction: 'callers' | 'callees', key: number],
  { readonly made: MethodRows }
> = {
  name: 'callers or callees',
  make([{ profile }, tree, chains, direction, key]) {
    const { threads } = tree.grouping;
    const options: MethodTreeOptions = {
      chains,
      keys: tree.keys,
      key,
      recursion: 'once',
      threads: threads === 'all' ? undefined : threads,
    };
    const made: MethodRows =
      direction === 'callers'
        ? { direction, rows: callersOf(profile, options) }
        : { direction, rows: calleesOf(options) };
    return { made };
  },
  bytes: ({ made }) => 64 * made.rows.tree.length + 4 * made.rows.chains.length,
};

export const METHOD_SUMS: Step<[rows: { readonly made: MethodRows }, sums: ChainSums], MethodSums> = {
  name: 'sums of callers or callees',
  make: ([{ made }, sums]) =>
    made.direction === 'callers' ? sumCallers(made.rows, sums) : sumCallees(made.rows, sums),
  bytes: ({ tree }) => 32 * tree.length,
};

// ---- Further results ----

/** The matches of a search, in one table of keys. */
export const MATCHES: Step<[keys: KeyTable, search: ValidSearch], SearchMatches> = {
  name: 'matches of a search',
  make: ([keys, search]) => new SearchMatches(keys, search),
  grow: (result) => result.update(),
};

/** The call nodes that have a selected method on their path. */
export const SELECTED_NODES: Step<[structure: Structure], NodesOfKey> = {
  name: 'call nodes of the selected method',
  make: () => new NodesOfKey(),
  grow: () => true,
};

export const LABEL_ORDER: Step<[keys: KeyTable], LabelOrder> = {
  name: 'order of labels',
  make: ([keys]) => new LabelOrder(keys),
  grow: () => true,
};

/** The widths of the frames of a flame graph. */
export const MEASURES: Step<[sums: RowValues, metric: Metric], FlameMeasures> = {
  name: 'widths of frames',
  make: ([sums, metric], steps) => new FlameMeasures(sums, metric, (keys) => steps.get(LABEL_ORDER, keys)),
  grow: (result) => result.update(),
  bytes: ({ weights }) => 24 * weights.length,
};

/** The order of samples in time. */
export const TIME_ORDER: Step<[samples: SampleTable], TimeOrder> = {
  name: 'order in time',
  make: () => new TimeOrder(),
  grow: (result, [samples]) => result.update(samples),
  bytes: ({ order }) => order?.byteLength ?? 0,
};

/** The counts that the timeline keeps of samples. */
export const TIMELINE_COUNTS: Step<[samples: SampleTable], TimelineCounts> = {
  name: 'samples over time',
  make: () => new TimelineCounts(),
  grow: () => true,
  bytes: ({ blocks }) => 32 * blocks.length,
};

/** The order in which tracks of threads were shown last. */
export const TRACK_ORDER: Step<[structure: Structure], TrackOrder> = {
  name: 'order of tracks',
  make: () => new Map<string, number>(),
  grow: () => true,
};

export const SELF_GROUPS: Step<[structure: Structure], SelfGroups> = {
  name: 'kinds of samples',
  make: ([structure], steps) => new SelfGroups(structure.profile, steps.get(SELF_THREADS, structure)),
  grow: () => true,
  bytes: ({ length }) => 4 * length,
};
