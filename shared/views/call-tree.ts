import { assert } from '../assert.ts';
import { ChildIndex } from '../profile/child-index.ts';
import { extended, grown, nextCapacity, NONE, release, zeroed } from '../profile/columns.ts';
import { type LeanProfile, type NodeTotals, sweepUp } from '../profile/lean-profile.ts';
import { NodeTable } from '../profile/node-table.ts';
import type { SelfTable } from '../profile/self-table.ts';
import { TimeColumn } from '../profile/time-column.ts';
import type { FrameGrouping, ThreadGrouping } from './grouping.ts';
import { KeyTable, type RowKind, threadKey } from './keys.ts';
import { SelfChanges, type SelfGains } from '../values/self-changes.ts';
import type { TreeRows } from './tree-rows.ts';

export interface TreeGrouping {
  readonly threads: ThreadGrouping;
  readonly frames: FrameGrouping;
}

/**
 * Rows of a call tree: nodes whose `frame` is a key, or for a root the complement of a number of a thread label. All
 * rows have self values here, because rows are sorted by them.
 */
export class RowTable extends NodeTable {
  selfCount = new Float64Array(0);
  readonly selfTime = new TimeColumn(0);
}

/**
 * The call tree as people look at it: call nodes with equal keys under the same parent are one row, threads with
 * equal keys one root (specs: Honest Profiler TreeProfileAggregator). Grows with its profile and keeps its numbering:
 * parent < row, as in the profile.
 *
 *   row   parent   label          nodes of the profile
 *   0     -1       http-worker    0 and 7, the roots of two threads of that name
 *   1      0       Shop.main      1 and 8
 *   2      1       Shop.parse     2, 5 (another line of Shop.main) and 9
 */
export class CallTree implements TreeRows {
  readonly grouping: TreeGrouping;
  rows = new RowTable();
  totals: NodeTotals = { count: new Float64Array(0), time: new TimeColumn(0) };
  /** row -> the first node of the profile that it stands for: its identity, stable across regrouping. */
  firstNode = new Int32Array(1024);
  keys: KeyTable;
  /** Counts updates. */
  revision = 0;
  /** Rows whose self values the last update changed; undefined when it summed everything anew. */
  changed: readonly number[] | undefined;

  readonly #profile: LeanProfile;
  /** A tree of the same frames that tells threads apart, whose rows are taken in instead of the profile's nodes. */
  readonly #finer: CallTree | undefined;
  /** The finer tree's when they were taken in: others after it was numbered anew. */
  #finerRows: RowTable | undefined;
  readonly #selfChanges = new SelfChanges();
  /** node of the profile, or row of the finer tree -> row. */
  #rowOf = new Int32Array(1024);
  /** How many of those are taken in. */
  #taken = 0;
  /** Rows that are shown: those behind were taken in ahead of the next update, and no shown row leads to them yet. */
  #shown = 0;
  #children = new ChildIndex(this.rows);
  /**
   * row -> its latest child that is shown, the latest that there is, and the sibling before it; 0 for none, since row 0
   * is nobody's child.
   */
  #lastChild = new Int32Array(1024);
  #newestChild = new Int32Array(1024);
  #siblingBefore = new Int32Array(1024);
  #nodes = 0;
  /** Root rows by thread label, and the labels in order of their roots' appearance. */
  #rootOf = new Map<string, number>();
  #threadLabels: string[] = [];
  /** thread -> its name when its root was placed. */
  #threadNames: (string | undefined)[] = [];

  /**
   * With `finer`, which may be given where all threads are one and is updated first, the tree costs what that has rows,
   * and comes out the same: 0.6 million where there are 7.7 million nodes.
   */
  constructor(profile: LeanProfile, grouping: TreeGrouping, finer?: CallTree) {
    assert(
      finer === undefined || (grouping.threads === 'all' && finer.grouping.frames === grouping.frames),
      'all threads as one can be made of every tree of the same frames, and nothing else can',
    );
    this.#profile = profile;
    this.grouping = grouping;
    this.#finer = finer;
    this.#finerRows = finer?.rows;
    this.keys = finer?.keys ?? new KeyTable(profile, grouping.frames);
  }

  get length(): number {
    return this.#shown;
  }

  /** All that the profile has by now is in it, by the names that are known by now. */
  get isCurrent(): boolean {
    if (this.#finerRows !== this.#finer?.rows) return false;
    return this.#nodes === this.#profile.nodes.length && this.keys.isCurrent;
  }

  /** The row that stands for a call node; undefined for one that the tree has not taken in. */
  find(node: number): number | undefined {
    return node >= 0 && node < this.#nodes ? this.rowOf(node) : undefined;
  }

  /** The same for a node that the tree has taken in. */
  rowOf(node: number): number {
    return this.#rowOf[this.#finer === undefined ? node : this.#finer.rowOf(node)];
  }

  /**
   * Takes in what the profile has gained, and adds it to what is above it; where that is much, sums everything anew,
   * O(nodes). True when a name that came late changed the grouping, and rows were numbered anew.
   */
  update(): boolean {
    const renamed = this.#mustRestart();
    if (renamed) this.#restart();
    if (this.#finer === undefined) this.#takeNodes(this.#profile.nodes.length);
    else this.#takeRows(this.#finer, this.#finer.#shown);
    this.#show();
    this.#nodes = this.#profile.nodes.length;
    const gains = this.#selfChanges.take(this.#profile.selfValues);
    this.changed = gains && this.#add(gains);
    if (this.changed === undefined) this.#sum();
    this.revision++;
    return renamed;
  }

  /**
   * Does of the next update what can be done before it, and shows nothing of it: takes in at most `most` nodes of those
   * before `end`, whose frames are before `frames`, or of the rows that the finer tree has taken in so far. Given what the
   * profile had one delta ago, because names come late: a row that got its name after it was taken in has all rows
   * numbered anew.
   */
  takeAhead(end: number, frames: number, most: number): void {
    const finer = this.#finer;
    if (
      this.#taken === 0 ||
      (finer === undefined ? !this.keys.update(frames) : this.#finerRows !== finer.rows)
    )
      return;
    const until = Math.min(finer?.rows.length ?? end, this.#taken + most);
    if (until <= this.#taken) return;
    if (finer === undefined) this.#takeNodes(until);
    else this.#takeRows(finer, until);
  }

  /** Gives the memory back at once. No row is found in the tree any more. */
  release(): void {
    const { rows, totals } = this;
    release(rows.parent, rows.frame, rows.selfCount, rows.selfTime.ns, totals.count, totals.time.ns);
    release(this.firstNode, this.#rowOf, this.#lastChild, this.#newestChild, this.#siblingBefore);
    this.#children.release();
    rows.length = 0;
    this.#shown = 0;
    this.#nodes = 0;
    this.#taken = 0;
    this.#rootOf = new Map();
  }

  label(row: number): string {
    const key = this.rows.frame[row];
    return key < 0 ? this.#threadLabels[~key] : this.keys.labels[key];
  }

  kind(row: number): RowKind {
    const key = this.rows.frame[row];
    if (key < 0) return this.grouping.threads === 'all' ? 'all' : 'thread';
    return this.keys.isError[key] ? 'error' : 'frame';
  }

  /** First of a row's children, in no particular order; NONE when it has none. */
  firstChild(row: number): number {
    return this.#lastChild[row] || NONE;
  }

  nextSibling(row: number): number {
    return this.#siblingBefore[row] || NONE;
  }

  /** A row that counts nothing is the trace of a sample that was withdrawn; only roots are shown without samples. */
  isShown(row: number): boolean {
    return this.totals.count[row] > 0 || this.rows.parent[row] === NONE;
  }

  /** Root rows, in order of appearance. */
  roots(): number[] {
    return [...this.#rootOf.values()].filter((row) => row < this.#shown);
  }

  /** The nodes before `length`. */
  #takeNodes(length: number): void {
    const { parent, frame, capacity } = this.#profile.nodes;
    const rowOf = this.#room(length, capacity);
    const keyOf = this.keys.ofFrame;
    const { rows } = this;
    for (let node = this.#taken; ; node++) {
      node = followRows(parent, frame, keyOf, rowOf, rows.parent, rows.frame, rows.length, node, length);
      if (node === length) break;
      const up = parent[node];
      rowOf[node] =
        up === NONE ? this.#rootRow(~frame[node], node) : this.#laterRow(rowOf[up], keyOf[frame[node]], node);
    }
    this.#taken = length;
  }

  /** The rows before `length`. They are in the order of their first nodes, so that ours come as if we took in nodes. */
  #takeRows({ rows, firstNode }: CallTree, length: number): void {
    const { parent, frame } = rows;
    const threadOf = this.#profile.nodes.frame;
    const rowOf = this.#room(length, length);
    for (let row = this.#taken; row < length; row++) {
      const up = parent[row];
      const node = firstNode[row];
      rowOf[row] =
        up === NONE ? this.#rootRow(~threadOf[node], node) : this.#childRow(rowOf[up], frame[row], node);
    }
    this.#taken = length;
  }

  /**
   * Makes room for so many to be taken in, and for as many rows as that can be. Where more are expected, it is made for
   * these at once: pages that are never written cost no memory, growing by copies does.
   */
  #room(length: number, expected: number): Int32Array {
    if (length > this.#rowOf.length) {
      this.#rowOf = grown(this.#rowOf, nextCapacity(this.#rowOf.length, expected), this.#taken);
    }
    this.#reserve(this.rows.length + length - this.#taken, this.rows.length + expected - this.#taken);
    return this.#rowOf;
  }

  #rootRow(thread: number, node: number): number {
    const label = threadKey(this.#profile, thread, this.grouping.threads);
    this.#threadNames[thread] = this.#profile.threads.name[thread];
    let row = this.#rootOf.get(label);
    if (row === undefined) {
      row = this.#append(NONE, ~this.#threadLabels.length, node);
      this.#threadLabels.push(label);
      this.#rootOf.set(label, row);
    }
    return row;
  }

  #childRow(parent: number, key: number, node: number): number {
    const known = this.#children.find(parent, key);
    return known === NONE ? this.#newRow(parent, key, node) : known;
  }

  /** The same where the row behind the parent's is known to be another. */
  #laterRow(parent: number, key: number, node: number): number {
    const known = this.#children.findLater(parent, key);
    return known === NONE ? this.#newRow(parent, key, node) : known;
  }

  #newRow(parent: number, key: number, node: number): number {
    const row = this.#append(parent, key, node);
    this.#children.add(parent, row);
    this.#siblingBefore[row] = this.#newestChild[parent];
    this.#newestChild[parent] = row;
    return row;
  }

  #append(parent: number, key: number, node: number): number {
    const row = this.rows.append(parent, key);
    this.firstNode[row] = node;
    return row;
  }

  /** Has every row that is there lead to its children. */
  #show(): void {
    const { parent, length } = this.rows;
    const gained = length - this.#shown;
    if (gained > length / 8) this.#lastChild.set(this.#newestChild.subarray(0, length));
    else
      for (let row = this.#shown; row < length; row++)
        if (parent[row] !== NONE) this.#lastChild[parent[row]] = row;
    this.#shown = length;
  }

  #reserve(most: number, expected: number): void {
    if (most <= this.firstNode.length) return;
    const capacity = nextCapacity(this.firstNode.length, expected);
    this.rows.reserve(capacity);
    this.#children.reserve(capacity);
    const { length } = this.rows;
    this.firstNode = grown(this.firstNode, capacity, length);
    this.#lastChild = grown(this.#lastChild, capacity, this.#shown);
    this.#newestChild = grown(this.#newestChild, capacity, length);
    this.#siblingBefore = grown(this.#siblingBefore, capacity, length);
  }

  #mustRestart(): boolean {
    if (this.#finer !== undefined) return this.#finerRows !== this.#finer.rows;
    return !this.keys.update() || this.#threadWasRenamed();
  }

  #threadWasRenamed(): boolean {
    if (this.grouping.threads === 'all') return false;
    const { name, root } = this.#profile.threads;
    return this.#threadNames.some((old, thread) => root[thread] < this.#taken && old !== name[thread]);
  }

  #restart(): void {
    this.#finerRows = this.#finer?.rows;
    this.keys = this.#finer?.keys ?? new KeyTable(this.#profile, this.grouping.frames);
    this.keys.update();
    this.#lastChild.fill(0, 0, this.rows.length);
    this.#newestChild.fill(0, 0, this.rows.length);
    this.#siblingBefore.fill(0, 0, this.rows.length);
    this.rows = new RowTable(this.firstNode.length);
    this.#children = new ChildIndex(this.rows);
    this.#shown = 0;
    this.#nodes = 0;
    this.#taken = 0;
    this.#selfChanges.forget();
    this.#rootOf = new Map();
    this.#threadLabels = [];
    this.#threadNames = [];
  }

  /** The rows that changed themselves; undefined, with sums half done, when a sweep over all rows costs less. */
  #add(gains: SelfGains): readonly number[] | undefined {
    const { rows } = this;
    const { length, parent, selfTime } = rows;
    const { time } = this.totals;
    rows.selfCount = extended(rows.selfCount, length);
    selfTime.extend(length);
    time.extend(length);
    const { selfCount } = rows;
    const count = extended(this.totals.count, length);
    this.totals = { count, time };
    const changed = new Set<number>();
    let steps = 0;
    for (let at = 0; at < gains.node.length; at++) {
      const gained = gains.count[at];
      const ns = gains.ns[at];
      const leaf = this.rowOf(gains.node[at]);
      selfCount[leaf] += gained;
      selfTime.ns[leaf] += ns;
      changed.add(leaf);
      for (let row = leaf; row !== NONE; row = parent[row]) {
        count[row] += gained;
        time.ns[row] += ns;
        steps++;
      }
      if (steps > length) return undefined;
    }
    return [...changed];
  }

  #sum(): void {
    const { rows } = this;
    const finer = this.#finer;
    const { selfValues } = this.#profile;
    const { length, selfTime } = rows;
    const plain = selfValues.time.sumsStayExact(selfValues.length);
    const selfCount = zeroed(rows.selfCount, length);
    selfTime.clear(length);
    if (plain) addSelfValues(selfValues, finer && finer.#rowOf, this.#rowOf, selfCount, selfTime.ns);
    else {
      for (let self = 0; self < selfValues.length; self++) {
        const row = this.rowOf(selfValues.node[self]);
        selfCount[row] += selfValues.count[self];
        selfTime.addFrom(row, selfValues.time, self);
      }
    }
    rows.selfCount = selfCount;
    const count = zeroed(this.totals.count, length);
    count.set(selfCount);
    const { time } = this.totals;
    time.clear(length);
    time.copyFrom(selfTime);
    sweepUp(rows.parent, length, count, time, plain);
    this.totals = { count, time };
  }
}

/**
 * Finds the rows of nodes from `node` on as long as each is the row behind its parent's, as of nearly all nodes: a call
 * path that was met before has its rows in a row, and so has the same path by other lines. Returns the first node of
 * which that is not so, or `end`. Alone, and of arrays only: what is rare would take the processor's registers.
 */
function followRows(
  parent: Int32Array,
  frame: Int32Array,
  keyOf: Int32Array,
  rowOf: Int32Array,
  rowParent: Int32Array,
  rowKey: Int32Array,
  rows: number,
  node: number,
  end: number,
): number {
  for (; node < end; node++) {
    const up = parent[node];
    if (up === NONE) return node;
    const row = rowOf[up] + 1;
    if (row >= rows || rowKey[row] !== keyOf[frame[node]] || rowParent[row] !== row - 1) return node;
    rowOf[node] = row;
  }
  return end;
}

/**
 * Adds the self values of nodes to those of their rows, by way of a finer tree's. Alone, and of arrays only: a log that is
 * opened is summed once or twice, so that what matters is how soon the loop is compiled.
 */
function addSelfValues(
  { length, node, count, time: { ns } }: SelfTable,
  finerRowOf: Int32Array | undefined,
  rowOf: Int32Array,
  selfCount: Float64Array,
  selfNs: Float64Array,
): void {
  for (let self = 0; self < length; self++) {
    const row = rowOf[finerRowOf === undefined ? node[self] : finerRowOf[node[self]]];
    selfCount[row] += count[self];
    selfNs[row] += ns[self];
  }
}
