import { NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { TreeGrouping } from './grouping.ts';
import { GrowingTree } from './growing-tree.ts';
import { KeyTable, threadKey } from './keys.ts';
import { extentOf, NODE_ROWS, type NodeIds, type ProfileExtent, type RowId } from './row-tree.ts';

/**
 * The grouped call tree: call nodes with equal keys below the same row are one row, and threads with equal keys are one
 * root (specs: Honest Profiler TreeProfileAggregator). The id of a row is its first call node. `rowOf` accepts any call
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
  /** thread -> its name when its root was added. */
  #threadNames: (string | undefined)[] = [];

  constructor(profile: LeanProfile, grouping: TreeGrouping, ids: NodeIds = NODE_ROWS) {
    super(profile, grouping, new KeyTable(profile, grouping.frames), ids);
  }

  rowOf(id: RowId): number {
    const node = this.ids.nodeOf(id);
    return node >= 0 && node < this.#shownNodes ? this.rowOfItem[node] : NONE;
  }

  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void {
    const rowOf = this.rowOfItem;
    for (let at = 0; at < length; at++) into[at] = rowOf[node[at]];
  }

  update(extent = extentOf(this.profile)): 'grown' | 'renumbered' {
    const isRenamed = !this.keys.update(extent.frames) || this.#isThreadRenamed();
    if (isRenamed) this.#restart(extent);
    if (extent.nodes > this.itemCount) this.#addNodes(extent.nodes);
    this.showAll();
    this.#shownNodes = this.itemCount;
    return isRenamed ? 'renumbered' : 'grown';
  }

  prefetch(extent: ProfileExtent, most: number): void {
    if (this.itemCount === 0 || !this.keys.update(extent.frames)) return;
    const end = Math.min(extent.nodes, this.itemCount + most);
    if (end > this.itemCount) this.#addNodes(end);
  }

  hasPrefetched({ nodes }: ProfileExtent): boolean {
    return this.itemCount >= nodes;
  }

  override release(): void {
    super.release();
    this.#shownNodes = 0;
  }

  #addNodes(end: number): void {
    const { parent, frame, capacity } = this.profile.nodes;
    this.reserve(end, capacity);
    const rowOf = this.rowOfItem;
    const keyOf = this.keys.ofFrame;
    const { rows } = this;
    for (let node = this.itemCount; ; node++) {
      node = followRows(parent, frame, keyOf, rowOf, rows.parent, rows.frame, rows.length, node, end);
      if (node === end) break;
      const up = parent[node];
      rowOf[node] =
        up === NONE
          ? this.#threadRow(~frame[node], node)
          : this.laterChildRow(rowOf[up], keyOf[frame[node]], node);
    }
    this.itemCount = end;
  }

  #threadRow(thread: number, node: number): number {
    this.#threadNames[thread] = this.profile.threads.name[thread];
    return this.rootRow(threadKey(this.profile, thread, this.grouping.threads), node);
  }

  #isThreadRenamed(): boolean {
    if (this.grouping.threads === 'all') return false;
    const { name, root } = this.profile.threads;
    return this.#threadNames.some((old, thread) => root[thread] < this.itemCount && old !== name[thread]);
  }

  #restart(extent: ProfileExtent): void {
    this.keys = new KeyTable(this.profile, this.grouping.frames);
    this.keys.update(extent.frames);
    this.#threadNames = [];
    this.restart();
  }
}

/**
 * Finds the rows of the nodes from `node` on, as long as each row directly follows the row of the node's parent. This is
 * true for nearly all nodes: a path that has occurred before has consecutive rows, even if its lines differ. Returns the
 * first node for which it is not true, or `end`. A separate function with arrays only, so that the engine can keep all of
 * them in registers.
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
