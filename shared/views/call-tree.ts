import { ChildIndex } from '../profile/child-index.ts';
import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import { type LeanProfile, type NodeTotals, sumTotals } from '../profile/lean-profile.ts';
import { NodeTable } from '../profile/node-table.ts';
import type { FrameGrouping, ThreadGrouping } from './grouping.ts';
import { KeyTable, type RowKind, threadKey } from './keys.ts';

export interface TreeGrouping {
  readonly threads: ThreadGrouping;
  readonly frames: FrameGrouping;
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
export class CallTree {
  readonly grouping: TreeGrouping;
  /** Rows; the `frame` column holds what #labelOf explains: a key, or for a root the complement of a thread label. */
  rows = new NodeTable();
  totals: NodeTotals = sumTotals(this.rows);
  /** row -> the first node of the profile that it stands for: its identity, stable across regrouping. */
  firstNode = new Int32Array(1024);
  /** node of the profile -> row. */
  rowOf = new Int32Array(1024);
  keys: KeyTable;

  readonly #profile: LeanProfile;
  #children = new ChildIndex(this.rows);
  #nodes = 0;
  /** Root rows by thread label, and the labels in order of their roots' appearance. */
  #rootOf = new Map<string, number>();
  #threadLabels: string[] = [];
  /** thread -> its name when its root was placed. */
  #threadNames: (string | undefined)[] = [];

  constructor(profile: LeanProfile, grouping: TreeGrouping) {
    this.#profile = profile;
    this.grouping = grouping;
    this.keys = new KeyTable(profile, grouping.frames);
  }

  get length(): number {
    return this.rows.length;
  }

  /** The row that stands for a call node; undefined for one that the tree has not taken in. */
  find(node: number): number | undefined {
    return node >= 0 && node < this.#nodes ? this.rowOf[node] : undefined;
  }

  /**
   * Takes in what the profile has gained and sums anew: O(nodes), most of it one pass over the self columns. True when
   * a name that came late changed the grouping, and rows were numbered anew.
   */
  update(): boolean {
    const renamed = !this.keys.update() || this.#threadWasRenamed();
    if (renamed) this.#restart();
    const { nodes } = this.#profile;
    if (nodes.length > this.rowOf.length) {
      this.rowOf = grown(this.rowOf, nextCapacity(this.rowOf.length, nodes.length));
    }
    const { parent, frame } = nodes;
    const rowOf = this.rowOf;
    const keyOf = this.keys.ofFrame;
    for (let node = this.#nodes; node < nodes.length; node++) {
      const up = parent[node];
      rowOf[node] =
        up === NONE ? this.#rootRow(~frame[node], node) : this.#childRow(rowOf[up], keyOf[frame[node]], node);
    }
    this.#nodes = nodes.length;
    this.#sum();
    return renamed;
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
    return this.#children.firstChild(row);
  }

  nextSibling(row: number): number {
    return this.#children.nextSibling(row);
  }

  /** A row that counts nothing is the trace of a sample that was withdrawn; only roots are shown without samples. */
  isShown(row: number): boolean {
    return this.totals.count[row] > 0 || this.rows.parent[row] === NONE;
  }

  /** Root rows, in order of appearance. */
  roots(): number[] {
    return [...this.#rootOf.values()];
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
    if (known !== NONE) return known;
    const row = this.#append(parent, key, node);
    this.#children.add(parent, row);
    return row;
  }

  #append(parent: number, key: number, node: number): number {
    const row = this.rows.append(parent, key);
    this.#children.reserve(this.rows.capacity);
    if (row >= this.firstNode.length) this.firstNode = grown(this.firstNode, this.rows.capacity);
    this.firstNode[row] = node;
    return row;
  }

  #threadWasRenamed(): boolean {
    if (this.grouping.threads === 'all') return false;
    const { name, root } = this.#profile.threads;
    return this.#threadNames.some((old, thread) => root[thread] < this.#nodes && old !== name[thread]);
  }

  #restart(): void {
    this.keys = new KeyTable(this.#profile, this.grouping.frames);
    this.keys.update();
    this.rows = new NodeTable(this.rows.capacity);
    this.#children = new ChildIndex(this.rows);
    this.#nodes = 0;
    this.#rootOf = new Map();
    this.#threadLabels = [];
    this.#threadNames = [];
  }

  #sum(): void {
    const { rows, rowOf } = this;
    const { nodes } = this.#profile;
    const { selfCount } = nodes;
    rows.selfCount.fill(0, 0, rows.length);
    rows.selfTime.clear(rows.length);
    for (let node = 0; node < nodes.length; node++) {
      // Inner nodes, most of all, have no samples of their own, and without samples no time.
      if (selfCount[node] === 0) continue;
      rows.selfCount[rowOf[node]] += selfCount[node];
      rows.selfTime.addFrom(rowOf[node], nodes.selfTime, node);
    }
    this.totals = sumTotals(rows);
  }
}
