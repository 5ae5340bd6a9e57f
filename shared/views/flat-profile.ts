import { extended, NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { FrameGrouping } from './grouping.ts';
import { KeyTable } from './keys.ts';
import type { NodeRuns } from './node-runs.ts';
import { SelfChanges, type SelfGains } from '../values/self-changes.ts';

/**
 * How often a sample counts for a method that is on its stack more than once: `once`, so that no total exceeds the
 * number of samples; or `per-level`, once per occurrence, as the reference counts.
 */
export type Recursion = 'once' | 'per-level';

/** The flat profile: one row per key, over all threads. Row = key of the KeyTable. Grows with its profile. */
export class FlatProfile {
  readonly recursion: Recursion;
  keys: KeyTable;
  selfCount: Float64Array<ArrayBuffer> = new Float64Array(0);
  totalCount: Float64Array<ArrayBuffer> = new Float64Array(0);
  selfTime = new TimeColumn(0);
  totalTime = new TimeColumn(0);

  readonly #profile: LeanProfile;
  readonly #selfChanges = new SelfChanges();

  constructor(profile: LeanProfile, frames: FrameGrouping, recursion: Recursion) {
    this.#profile = profile;
    this.keys = new KeyTable(profile, frames);
    this.recursion = recursion;
  }

  get length(): number {
    return this.keys.length;
  }

  /**
   * Takes in what the profile has gained: along the stacks that gained, or where those are many in one pass over the
   * nodes, for which it asks for the profile's `runs`, up to date. Runs of a tree of the same frames do as well, and cost
   * less, where counts are `whole`: sums of fractions depend on the order in which they are made.
   */
  update(runs: (whole: boolean) => NodeRuns): void {
    if (!this.keys.update()) {
      this.keys = new KeyTable(this.#profile, this.keys.grouping);
      this.keys.update();
      this.#selfChanges.forget();
    }
    const gains = this.#selfChanges.take(this.#profile.selfValues);
    // Counted per level, a sample may enter a sum as often as its stack is deep: the gains' sums need not stay plain.
    if (gains !== undefined && this.recursion === 'once' && this.#add(gains)) return;
    this.#sum(runs(this.#selfChanges.areWhole));
  }

  /** False, with sums half done, when a pass over all nodes costs less. */
  #add(gains: SelfGains): boolean {
    const { parent, frame, length } = this.#profile.nodes;
    const keyOf = this.keys.ofFrame;
    const selfCount = (this.selfCount = extended(this.selfCount, this.keys.length));
    const totalCount = (this.totalCount = extended(this.totalCount, this.keys.length));
    this.selfTime.extend(this.keys.length);
    this.totalTime.extend(this.keys.length);
    const selfNs = this.selfTime.ns;
    const totalNs = this.totalTime.ns;
    /** key -> the last gain, counted from 1, that it took part in. */
    const seen = new Int32Array(this.keys.length);
    let steps = 0;
    for (let at = 0; at < gains.node.length; at++) {
      const count = gains.count[at];
      const ns = gains.ns[at];
      const leaf = gains.node[at];
      if (frame[leaf] >= 0) {
        selfCount[keyOf[frame[leaf]]] += count;
        selfNs[keyOf[frame[leaf]]] += ns;
      }
      for (let node = leaf; parent[node] !== NONE; node = parent[node]) {
        steps++;
        const key = keyOf[frame[node]];
        if (seen[key] === at + 1) continue;
        seen[key] = at + 1;
        totalCount[key] += count;
        totalNs[key] += ns;
      }
      if (steps > length) return false;
    }
    return true;
  }

  /** Where times stay plain, and a sample counts once, which is nearly always, sums are made without looking twice. */
  #sum(runs: NodeRuns): void {
    const keyOf = runs.tree === undefined ? this.keys.ofFrame : Int32Array.from(this.keys.labels.keys());
    const { length } = this.keys;
    this.selfCount = new Float64Array(length);
    this.totalCount = new Float64Array(length);
    this.selfTime = new TimeColumn(length);
    this.totalTime = new TimeColumn(length);
    // Counted per level, a sample may enter a sum as often as its stack is deep.
    if (this.recursion === 'once' && runs.plainTimes) sumPlain(runs, keyOf, this);
    else sumExact(runs, keyOf, this);
  }
}

/** key -> the samples that ended in it and those that it was in. */
type FlatSums = Pick<
  FlatProfile,
  'selfCount' | 'selfTime' | 'totalCount' | 'totalTime' | 'recursion' | 'length'
>;

/**
 * A key's total counts the nodes that have no node of the same key above them. Runs are visited in pre-order, in which
 * what is below a run comes right behind it: so a key that was counted in a run is above, or in the same run, until the
 * place behind that run's subtree is reached. For each key, the latest such place is all that is remembered.
 *
 * Samples end at the last node of a run.
 */
function sumPlain(runs: NodeRuns, keyOf: Int32Array, sums: FlatSums): void {
  const { start, parent, count, selfCount } = runs;
  const { frame } = runs.nodes;
  const { ns } = runs.time;
  const selfNs = runs.selfTime.ns;
  const keySelfCount = sums.selfCount;
  const keyCount = sums.totalCount;
  const keySelfNs = sums.selfTime.ns;
  const keyNs = sums.totalTime.ns;
  const { order, sizes } = preOrder(runs);
  const coveredTo = new Int32Array(sums.length);
  for (let at = 0; at < order.length; at++) {
    const run = order[at];
    const behind = at + sizes[run];
    const runCount = count[run];
    const runNs = ns[run];
    const end = start[run + 1];
    let key = NONE;
    // The root of a thread has no key.
    for (let node = start[run] + (parent[run] === NONE ? 1 : 0); node < end; node++) {
      key = keyOf[frame[node]];
      if (at < coveredTo[key]) continue;
      coveredTo[key] = behind;
      keyCount[key] += runCount;
      keyNs[key] += runNs;
    }
    if (key === NONE) continue;
    keySelfCount[key] += selfCount[run];
    keySelfNs[key] += selfNs[run];
  }
}

/** The same with sums that TimeColumn makes, and with every node counted unless a sample counts once. */
function sumExact(runs: NodeRuns, keyOf: Int32Array, sums: FlatSums): void {
  const { start, parent } = runs;
  const { frame } = runs.nodes;
  const once = sums.recursion === 'once';
  const { order, sizes } = preOrder(runs);
  const coveredTo = new Int32Array(sums.length);
  for (let at = 0; at < order.length; at++) {
    const run = order[at];
    const end = start[run + 1];
    let key = NONE;
    for (let node = start[run] + (parent[run] === NONE ? 1 : 0); node < end; node++) {
      key = keyOf[frame[node]];
      if (once && at < coveredTo[key]) continue;
      coveredTo[key] = at + sizes[run];
      sums.totalCount[key] += runs.count[run];
      sums.totalTime.addFrom(key, runs.time, run);
    }
    if (key === NONE) continue;
    sums.selfCount[key] += runs.selfCount[run];
    sums.selfTime.addFrom(key, runs.selfTime, run);
  }
}

/** All runs in pre-order; and run -> how many runs are in its subtree, itself among them. */
function preOrder({ length, parent }: NodeRuns): { readonly order: Int32Array; readonly sizes: Int32Array } {
  const sizes = subtreeSizes(parent, length);
  // A run's place is its parent's, plus one, plus the subtrees of the siblings before it; the parent's `next` is that.
  const next = new Int32Array(length);
  const order = new Int32Array(length);
  let roots = 0;
  for (let run = 0; run < length; run++) {
    const up = parent[run];
    const place = up === NONE ? roots : next[up];
    if (up === NONE) roots += sizes[run];
    else next[up] += sizes[run];
    next[run] = place + 1;
    order[place] = run;
  }
  return { order, sizes };
}

function subtreeSizes(parent: Int32Array, length: number): Int32Array {
  const sizes = new Int32Array(length).fill(1);
  for (let run = length - 1; run >= 0; run--) if (parent[run] !== NONE) sizes[parent[run]] += sizes[run];
  return sizes;
}
