import { grown, nextCapacity, NONE, zeroed } from '../profile/columns.ts';
import { type LeanProfile, sweepUp } from '../profile/lean-profile.ts';
import type { NodeTable } from '../profile/node-table.ts';
import type { SelfTable } from '../profile/self-table.ts';
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
  start: Int32Array<ArrayBuffer> = new Int32Array(1);
  /** run -> the run whose last node is the parent of its first node; NONE for the run that begins with a thread's root. */
  parent: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** run -> samples that ended at its last node; and those that passed through it. */
  selfCount: Float64Array<ArrayBuffer> = new Float64Array(0);
  readonly selfTime = new TimeColumn(0);
  count: Float64Array<ArrayBuffer> = new Float64Array(0);
  readonly time = new TimeColumn(0);
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
  /** How often one was marked: no fewer than there are. */
  #marks = 0;
  #nodes = 0;
  #selfValues = 0;

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
    const leaves = this.#leaves();
    this.#mark(leaves);
    this.#number();
    this.#sum(leaves);
  }

  /** The run of a node. */
  of(node: number): number {
    return runOf(node, this.#starts, this.#before);
  }

  #restart(): void {
    this.#table = this.nodes;
    this.#starts = new Uint32Array(64);
    this.#marks = 0;
    this.#nodes = 0;
    this.#selfValues = 0;
  }

  /** The nodes where the samples of the rows of the SelfTable ended. */
  #leaves(): Int32Array {
    const { node, length } = this.#profile.selfValues;
    const { tree } = this;
    return tree === undefined ? node : node.subarray(0, length).map((each) => tree.rowOf(each));
  }

  #mark(leaves: Int32Array): void {
    const { selfValues } = this.#profile;
    const { parent, length } = this.#table;
    // A run may start one row after the last.
    const words = (length >>> 5) + 1;
    if (words > this.#starts.length) {
      this.#starts = grown(this.#starts, nextCapacity(this.#starts.length, words));
    }
    this.#marks += markForks(this.#starts, parent, this.#nodes, length);
    this.#marks += markLeaves(this.#starts, leaves, this.#selfValues, selfValues.length);
    this.#nodes = length;
    this.#selfValues = selfValues.length;
  }

  #number(): void {
    const { length, parent } = this.#table;
    const words = (length >>> 5) + 1;
    if (words > this.#before.length) this.#before = new Int32Array(this.#starts.length);
    const start = zeroed(this.start, this.#marks + 1);
    const runParent = zeroed(this.parent, this.#marks + 1);
    const marked = numberRuns(this.#starts, parent, words, this.#before, start, runParent);
    // The row after the last starts a run that is not there yet.
    this.length = start[marked - 1] === length ? marked - 1 : marked;
    this.start = start.subarray(0, this.length + 1);
    this.start[this.length] = length;
    this.parent = runParent.subarray(0, this.length);
  }

  #sum(leaves: Int32Array): void {
    const { selfValues } = this.#profile;
    const { length } = this;
    const selfCount = zeroed(this.selfCount, length);
    const { selfTime, time } = this;
    selfTime.clear(length);
    const absolute = addSelfValues(selfCount, selfTime.ns, selfValues, leaves, this.#starts, this.#before);
    this.plainTimes = selfValues.time.bigints === undefined && absolute <= Number.MAX_SAFE_INTEGER;
    if (!this.plainTimes) {
      selfTime.clear(length);
      for (let self = 0; self < selfValues.length; self++) {
        selfTime.addFrom(this.of(leaves[self]), selfValues.time, self);
      }
    }
    const count = zeroed(this.count, length);
    count.set(selfCount);
    time.clear(length);
    time.copyFrom(selfTime);
    sweepUp(this.parent, length, count, time, this.plainTimes);
    this.selfCount = selfCount;
    this.count = count;
  }
}

/** Marks where runs start because of the nodes from `from` on. How many marks it made. */
function markForks(starts: Uint32Array, parent: Int32Array, from: number, length: number): number {
  let marks = 0;
  for (let node = from; node < length; node++) {
    const afterParent = parent[node] + 1;
    if (afterParent === node && node > 0) continue;
    starts[node >>> 5] |= 1 << (node & 31);
    // Of a thread's root this is row 0, where a run starts anyway.
    starts[afterParent >>> 5] |= 1 << (afterParent & 31);
    marks += 2;
  }
  return marks;
}

/** The same because samples ended at these nodes. */
function markLeaves(starts: Uint32Array, leaves: Int32Array, from: number, length: number): number {
  for (let self = from; self < length; self++) {
    const next = leaves[self] + 1;
    starts[next >>> 5] |= 1 << (next & 31);
  }
  return length - from;
}

/**
 * Numbers the runs that are marked in so many words, and tells of each where it starts and the run above it, which has
 * its number by then: a parent is before its children. For each word, how many start before it. How many there are.
 */
function numberRuns(
  starts: Uint32Array,
  nodeParent: Int32Array,
  words: number,
  before: Int32Array,
  start: Int32Array,
  parent: Int32Array,
): number {
  let run = 0;
  for (let word = 0; word < words; word++) {
    before[word] = run;
    for (let bits = starts[word]; bits !== 0; bits &= bits - 1) {
      const node = (word << 5) + 31 - Math.clz32(bits & -bits);
      const up = nodeParent[node];
      start[run] = node;
      parent[run] = up === NONE ? NONE : runOf(up, starts, before);
      run++;
    }
  }
  return run;
}

/** The run of a node, given marks and how many are before each word of them. */
function runOf(node: number, starts: Uint32Array, before: Int32Array): number {
  const word = node >>> 5;
  return before[word] + bitCount(starts[word] & (0xffffffff >>> (31 - (node & 31)))) - 1;
}

/** Adds the self values to those of the runs; times as if they were plain. The sum of their absolute values. */
function addSelfValues(
  count: Float64Array,
  ns: Float64Array,
  selfValues: SelfTable,
  leaves: Int32Array,
  starts: Uint32Array,
  before: Int32Array,
): number {
  const counts = selfValues.count;
  const times = selfValues.time.ns;
  let absolute = 0;
  for (let self = 0; self < selfValues.length; self++) {
    const run = runOf(leaves[self], starts, before);
    const time = times[self];
    count[run] += counts[self];
    ns[run] += time;
    absolute += Math.abs(time);
  }
  return absolute;
}

/** How many bits of a 32-bit word are set. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
