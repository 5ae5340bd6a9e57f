import { extended, NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { FrameGrouping } from './grouping.ts';
import { KeyTable } from './keys.ts';
import type { NodeRuns } from './node-runs.ts';
import { SelfChanges, type SelfGains } from './self-changes.ts';

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
    const gains = this.#selfChanges.take(this.#profile.selves);
    // Counted per level, a sample may enter a sum as often as its stack is deep: the gains' sums need not stay plain.
    if (gains !== undefined && this.recursion === 'once' && this.#add(gains)) return;
    this.#sumSelves();
    this.#sumTotals(runs(this.#selfChanges.areWhole));
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

  #sumSelves(): void {
    const { nodes, selves } = this.#profile;
    const keyOf = this.keys.ofFrame;
    this.selfCount = new Float64Array(this.keys.length);
    this.selfTime = new TimeColumn(this.keys.length);
    for (let self = 0; self < selves.length; self++) {
      const frame = nodes.frame[selves.node[self]];
      if (frame < 0) continue;
      this.selfCount[keyOf[frame]] += selves.count[self];
      this.selfTime.addFrom(keyOf[frame], selves.time, self);
    }
  }

  /**
   * A key's total counts the nodes that have no node of the same key above them. Runs are visited depth first, so that
   * the path from the root is at hand: the key at each depth, and for each key the depth at which it was last found
   * to be the first of its kind. It still is one when that depth is above and still holds the key, so leaving a
   * subtree costs nothing.
   */
  #sumTotals(runs: NodeRuns): void {
    const { frame } = runs.nodes;
    const keyOf = runs.tree === undefined ? this.keys.ofFrame : Int32Array.from(this.keys.labels.keys());
    const once = this.recursion === 'once';
    const totalCount = new Float64Array(this.keys.length);
    const totalTime = new TimeColumn(this.keys.length);
    // Counted per level, a sample may enter a sum as often as its stack is deep.
    const plain = once && runs.plainTimes;
    const { ns } = totalTime;

    const { start } = runs;
    const { order, depths, deepest } = depthFirst(runs);
    const path = new Int32Array(deepest + 1).fill(NONE);
    const firstAt = new Int32Array(this.keys.length);
    for (let at = 0; at < order.length; at++) {
      const run = order[at];
      const count = runs.count[run];
      const time = runs.time.ns[run];
      const end = start[run + 1];
      // The root of a thread, at depth 0, has no key.
      const begin = start[run] + (runs.parent[run] === NONE ? 1 : 0);
      const toDepth = depths[run] + 1 - begin;
      for (let node = begin; node < end; node++) {
        const key = keyOf[frame[node]];
        const depth = node + toDepth;
        path[depth] = key;
        if (once) {
          const first = firstAt[key];
          if (first < depth && path[first] === key) continue;
          firstAt[key] = depth;
        }
        totalCount[key] += count;
        if (plain) ns[key] += time;
        else totalTime.addFrom(key, runs.time, run);
      }
    }
    this.totalCount = totalCount;
    this.totalTime = totalTime;
  }
}

/** All runs in pre-order; run -> how many frames are above it; and the frames of the deepest stack. */
function depthFirst({ length, parent, start }: NodeRuns): {
  readonly order: Int32Array;
  readonly depths: Int32Array;
  readonly deepest: number;
} {
  const depths = new Int32Array(length);
  const sizes = new Int32Array(length).fill(1);
  let deepest = 0;
  for (let run = 0; run < length; run++) {
    const up = parent[run];
    if (up !== NONE) {
      // The thread's root is no frame.
      depths[run] = depths[up] + start[up + 1] - start[up] - (parent[up] === NONE ? 1 : 0);
    }
    deepest = Math.max(deepest, depths[run] + start[run + 1] - start[run]);
  }
  for (let run = length - 1; run >= 0; run--) if (parent[run] !== NONE) sizes[parent[run]] += sizes[run];
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
  return { order, depths, deepest };
}
