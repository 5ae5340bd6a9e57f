import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import type { LeanProfile, NodeTotals } from '../profile/lean-profile.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { FrameGrouping } from './grouping.ts';
import { KeyTable } from './keys.ts';

/**
 * How often a sample counts for a method that is on its stack more than once: `once`, so that no total exceeds the
 * number of samples; or `per-level`, once per occurrence, as the reference counts.
 */
export type Recursion = 'once' | 'per-level';

/**
 * The flat profile: one row per key, over all threads. Row = key of the KeyTable. Grows with its profile.
 *
 * A key's total counts the nodes that have no node of the same key above them. Which those are is decided once per
 * node, when it is new: nodes appear in order of creation, mostly as chains, so walking from the path of one node to
 * the path of the next costs about a stack per sample instead of a stack per node.
 */
export class FlatProfile {
  readonly recursion: Recursion;
  keys: KeyTable;
  selfCount = new Float64Array(0);
  totalCount = new Float64Array(0);
  selfTime = new TimeColumn(0);
  totalTime = new TimeColumn(0);

  readonly #profile: LeanProfile;
  /** node -> 1 when a node of the same key is above it. */
  #nested = new Uint8Array(1024);
  #nodes = 0;

  constructor(profile: LeanProfile, frames: FrameGrouping, recursion: Recursion) {
    this.#profile = profile;
    this.keys = new KeyTable(profile, frames);
    this.recursion = recursion;
  }

  get length(): number {
    return this.keys.length;
  }

  /** Takes in what the profile has gained; `totals` are the profile's own. O(nodes). */
  update(totals: NodeTotals): void {
    if (!this.keys.update()) {
      this.keys = new KeyTable(this.#profile, this.keys.grouping);
      this.keys.update();
      this.#nodes = 0;
    }
    if (this.recursion === 'once') this.#findNested();
    this.#sum(totals);
  }

  #findNested(): void {
    const { nodes } = this.#profile;
    const { parent, frame } = nodes;
    const keyOf = this.keys.ofFrame;
    if (nodes.length > this.#nested.length) {
      this.#nested = grown(this.#nested, nextCapacity(this.#nested.length, nodes.length));
    }
    const nested = this.#nested;
    // The path from a root to `top`: which nodes are on it, and how often each key is.
    const onPath = new Uint8Array(nodes.length);
    const occurrences = new Int32Array(this.keys.length);
    let top: number = NONE;
    const missing: number[] = [];
    for (let node = this.#nodes; node < nodes.length; node++) {
      if (parent[node] !== top) {
        missing.length = 0;
        let common = parent[node];
        while (common !== NONE && onPath[common] === 0) {
          missing.push(common);
          common = parent[common];
        }
        while (top !== common) {
          onPath[top] = 0;
          if (frame[top] >= 0) occurrences[keyOf[frame[top]]]--;
          top = parent[top];
        }
        for (let at = missing.length - 1; at >= 0; at--) {
          top = missing[at];
          onPath[top] = 1;
          if (frame[top] >= 0) occurrences[keyOf[frame[top]]]++;
        }
      }
      if (frame[node] >= 0) {
        const key = keyOf[frame[node]];
        nested[node] = occurrences[key] > 0 ? 1 : 0;
        occurrences[key]++;
      }
      onPath[node] = 1;
      top = node;
    }
    this.#nodes = nodes.length;
  }

  #sum(totals: NodeTotals): void {
    const { nodes, selves } = this.#profile;
    const { frame } = nodes;
    const keyOf = this.keys.ofFrame;
    const once = this.recursion === 'once';
    const nested = this.#nested;
    this.selfCount = new Float64Array(this.keys.length);
    this.totalCount = new Float64Array(this.keys.length);
    this.selfTime = new TimeColumn(this.keys.length);
    this.totalTime = new TimeColumn(this.keys.length);
    for (let self = 0; self < selves.length; self++) {
      const key = keyOf[frame[selves.node[self]]];
      this.selfCount[key] += selves.count[self];
      this.selfTime.addFrom(key, selves.time, self);
    }
    for (let node = 0; node < nodes.length; node++) {
      if (frame[node] < 0 || (once && nested[node] === 1)) continue;
      const key = keyOf[frame[node]];
      this.totalCount[key] += totals.count[node];
      this.totalTime.addFrom(key, totals.time, node);
    }
  }
}
