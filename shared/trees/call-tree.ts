import { NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { TreeGrouping } from './grouping.ts';
import { GrowingTree } from './growing-tree.ts';
import { KeyTable, threadKey } from './keys.ts';
import { extentOf, type ProfileExtent, type RowId } from './row-tree.ts';

/**
 * The grouped call tree: call nodes with equal keys under the same parent are one row, threads with equal keys one root
 * (specs: Honest Profiler TreeProfileAggregator). The id of a row is its first call node. `rowOf` accepts any call
 * node, so an id from one grouping also finds a row in another.
 *
 *   row   parent   label          call nodes
 *   0     -1       http-worker    0 and 7, the roots of two threads of that name
 *   1      0       Shop.main      1 and 8
 *   2      1       Shop.parse     2, 5 (another line of Shop.main) and 9
 */
export class CallTree extends GrowingTree {
  /** Number of call nodes that the shown rows contain. */
  #shownNodes = 0;
  /** thread -> its name when its root was placed. */
  #threadNames: (string | undefined)[] = [];

  constructor(profile: LeanProfile, grouping: TreeGrouping) {
    super(profile, grouping, new KeyTable(profile, grouping.frames));
  }

  rowOf(id: RowId): number {
    return id >= 0 && id < this.#shownNodes ? this.rowOfTaken[id] : NONE;
  }

  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void {
    const rowOf = this.rowOfTaken;
    for (let at = 0; at < length; at++) into[at] = rowOf[node[at]];
  }

  update(extent = extentOf(this.profile)): 'grown' | 'renumbered' {
    const isRenamed = !this.keys.update(extent.frames) || this.#isThreadRenamed();
    if (isRenamed) this.#restart(extent);
    if (extent.nodes > this.taken) this.#takeNodes(extent.nodes);
    this.showAll();
    this.#shownNodes = this.taken;
    return isRenamed ? 'renumbered' : 'grown';
  }

  prefetch(extent: ProfileExtent, most: number): void {
    if (this.taken === 0 || !this.keys.update(extent.frames)) return;
    const end = Math.min(extent.nodes, this.taken + most);
    if (end > this.taken) this.#takeNodes(end);
  }

  override release(): void {
    super.release();
    this.#shownNodes = 0;
  }

  #takeNodes(end: number): void {
    const { parent, frame, capacity } = this.profile.nodes;
    this.reserve(end, capacity);
    const rowOf = this.rowOfTaken;
    const keyOf = this.keys.ofFrame;
    const { rows } = this;
    for (let node = this.taken; ; node++) {
      node = followRows(parent, frame, keyOf, rowOf, rows.parent, rows.frame, rows.length, node, end);
      if (node === end) break;
      const up = parent[node];
      rowOf[node] =
        up === NONE
          ? this.#threadRow(~frame[node], node)
          : this.laterChildRow(rowOf[up], keyOf[frame[node]], node);
    }
    this.taken = end;
  }

  #threadRow(thread: number, node: number): number {
    this.#threadNames[thread] = this.profile.threads.name[thread];
    return this.rootRow(threadKey(this.profile, thread, this.grouping.threads), node);
  }

  #isThreadRenamed(): boolean {
    if (this.grouping.threads === 'all') return false;
    const { name, root } = this.profile.threads;
    return this.#threadNames.some((old, thread) => root[thread] < this.taken && old !== name[thread]);
  }

  #restart(extent: ProfileExtent): void {
    this.keys = new KeyTable(this.profile, this.grouping.frames);
    this.keys.update(extent.frames);
    this.#threadNames = [];
    this.restart();
  }
}

/**
 * Finds the rows of nodes from `node` on, as long as each row is the one after the parent's row. That holds for nearly
 * all nodes: a path that occurred before has consecutive rows, also when it goes through other lines. Returns the first
 * node for which it does not hold, or `end`. A separate function with arrays only, so that all of them stay in
 * registers.
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
