import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import { type LeanProfile, sweepUp } from '../profile/lean-profile.ts';
import type { NodeTable } from '../profile/node-table.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { CallTree } from './call-tree.ts';

/**
 * The nodes of a profile in runs: stretches of consecutive rows, each the only child of the row before, through which
 * every sample passes that passes through one of them. So all nodes of a run have the same totals, and 7.7 million
 * nodes have 0.4 million different ones at most.
 *
 *   node     0   1   2   3   4   5   6        children of 2: 3 and 5; a sample ended at 4
 *   parent  -1   0   1   2   3   2   5
 *   self                     1       2
 *   run      0   0   0   1   1   2   2
 *   total    3   3   3   1   1   2   2
 *
 * Runs are in order of their nodes, so parent < run as well. A run ends where a sample ended, or where another child
 * hangs, or where the next row hangs elsewhere; both become more while a profile grows, never less.
 *
 * The rows of a call tree make runs just so: 'node' is a row then, all the way down. They are less, by as much as threads
 * and frames fall into one group.
 */
export class NodeRuns {
  length = 0;
  /** run -> its first node; one more entry, the number of nodes. */
  start = new Int32Array(1);
  /** run -> the run whose last node is the parent of its first node; NONE for the run that begins with a thread's root. */
  parent = new Int32Array(0);
  /** run -> samples that passed through it. */
  count = new Float64Array(0);
  time = new TimeColumn(0);
  /** False when sums of times may leave the range in which doubles are exact: then only TimeColumn's sums are. */
  plainTimes = true;

  /** Whose rows are in runs, if not the profile's nodes. */
  readonly tree: CallTree | undefined;

  readonly #profile: LeanProfile;
  /** The table that the runs are of: the tree begins another one when it is numbered anew. */
  #table: NodeTable;
  /** One bit a node: a run starts here. Its words, and how many runs start before each word. */
  #starts = new Uint32Array(64);
  #before = new Int32Array(0);
  #nodes = 0;
  #selves = 0;

  constructor(profile: LeanProfile, tree?: CallTree) {
    this.#profile = profile;
    this.tree = tree;
    this.#table = this.nodes;
  }

  /** The nodes that are in runs. */
  get nodes(): NodeTable {
    return this.tree?.rows ?? this.#profile.nodes;
  }

  /**
   * Takes in what the profile has gained, and sums anew. One pass over the new nodes; else O(runs + nodes / 32). The
   * tree, if there is one, is updated first.
   */
  update(): void {
    if (this.#table !== this.nodes) this.#restart();
    this.#mark();
    this.#number();
    this.#sum();
  }

  /** The run of a node. */
  of(node: number): number {
    const word = node >>> 5;
    const upTo = this.#starts[word] & (0xffffffff >>> (31 - (node & 31)));
    return this.#before[word] + bitCount(upTo) - 1;
  }

  #restart(): void {
    this.#table = this.nodes;
    this.#starts = new Uint32Array(64);
    this.#nodes = 0;
    this.#selves = 0;
  }

  /** The node where the samples of a row of the SelfTable ended. */
  #leafOf(self: number): number {
    const node = this.#profile.selves.node[self];
    return this.tree === undefined ? node : this.tree.rowOf(node);
  }

  #mark(): void {
    const { selves } = this.#profile;
    const { parent, length } = this.#table;
    // A run may start one row after the last.
    const words = (length >>> 5) + 1;
    if (words > this.#starts.length) {
      this.#starts = grown(this.#starts, nextCapacity(this.#starts.length, words));
    }
    const starts = this.#starts;
    for (let node = this.#nodes; node < length; node++) {
      const up = parent[node];
      if (up === node - 1 && up !== NONE) continue;
      starts[node >>> 5] |= 1 << (node & 31);
      if (up !== NONE) starts[(up + 1) >>> 5] |= 1 << ((up + 1) & 31);
    }
    for (let self = this.#selves; self < selves.length; self++) {
      const next = this.#leafOf(self) + 1;
      starts[next >>> 5] |= 1 << (next & 31);
    }
    this.#nodes = length;
    this.#selves = selves.length;
  }

  #number(): void {
    const nodes = this.#table;
    const starts = this.#starts;
    const words = (nodes.length >>> 5) + 1;
    const before = words > this.#before.length ? new Int32Array(starts.length) : this.#before;
    let runs = 0;
    for (let word = 0; word < words; word++) {
      before[word] = runs;
      runs += bitCount(starts[word]);
    }
    // The row after the last starts a run that is not there yet.
    const { length } = nodes;
    if ((starts[length >>> 5] & (1 << (length & 31))) !== 0) runs--;
    const start = new Int32Array(runs + 1);
    let run = 0;
    for (let word = 0; word < words; word++) {
      for (let bits = starts[word]; bits !== 0; bits &= bits - 1) {
        start[run++] = (word << 5) + 31 - Math.clz32(bits & -bits);
      }
    }
    start[runs] = length;
    this.#before = before;
    this.start = start;
    this.length = runs;
    this.parent = new Int32Array(runs);
    for (let each = 0; each < runs; each++) {
      const up = nodes.parent[start[each]];
      this.parent[each] = up === NONE ? NONE : this.of(up);
    }
  }

  #sum(): void {
    const { selves } = this.#profile;
    const { length, parent } = this;
    const count = new Float64Array(length);
    const time = new TimeColumn(length);
    this.plainTimes = selves.time.sumsStayPlain(selves.length);
    for (let self = 0; self < selves.length; self++) {
      const run = this.of(this.#leafOf(self));
      count[run] += selves.count[self];
      time.addFrom(run, selves.time, self);
    }
    sweepUp(parent, length, count, time, this.plainTimes);
    this.count = count;
    this.time = time;
  }
}

/** How many bits of a 32-bit word are set. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
