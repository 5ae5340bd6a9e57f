import { grown, NONE, nextCapacity, release } from '../../profile/columns.ts';
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
  readonly #runs = new RowsInRuns();
  /** Number of call nodes that the shown rows contain. */
  #shownNodes = 0;
  /** thread -> its name when its root was added. */
  #threadNames: (string | undefined)[] = [];

  constructor(profile: LeanProfile, grouping: TreeGrouping, ids: NodeIds = NODE_ROWS) {
    super(profile, grouping, new KeyTable(profile, grouping.frames), ids);
  }

  get itemBytes(): number {
    return this.#runs.bytes;
  }

  rowOf(id: RowId): number {
    const node = this.ids.nodeOf(id);
    return node >= 0 && node < this.#shownNodes ? this.#runs.of(node) : NONE;
  }

  rowsOfNodes(node: Int32Array, length: number, into: Int32Array): void {
    for (let at = 0; at < length; at++) into[at] = this.#runs.of(node[at]);
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
    this.#runs.release();
    this.#shownNodes = 0;
  }

  #addNodes(end: number): void {
    const { parent, frame, capacity } = this.profile.nodes;
    this.reserve(end, capacity);
    const keyOf = this.keys.ofFrame;
    const { rows } = this;
    let node = this.itemCount;
    let row = node === 0 ? NONE : this.#runs.of(node - 1);
    while (node < end) {
      const up = parent[node];
      const next =
        up === NONE
          ? this.#threadRow(~frame[node], node)
          : this.childRow(up === node - 1 ? row : this.#runs.of(up), keyOf[frame[node]], node);
      if (next !== row + 1 || node === 0) this.#runs.begin(node, next);
      const stop = followRows(
        parent,
        frame,
        keyOf,
        rows.parent,
        rows.frame,
        rows.length,
        next + 1,
        node + 1,
        end,
      );
      row = next + stop - node - 1;
      node = stop;
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
    this.#runs.forget();
    this.restart();
  }
}

/**
 * Passes the nodes from `node` on, as long as each is called by the one before it and has the row that directly follows:
 * `row` and so on. This is true for nearly all nodes: a path that has occurred before has consecutive rows, even if its
 * lines differ. Returns the first node for which it is not true, or `end`. A separate function with arrays only, so that the
 * engine can keep all of them in registers.
 */
function followRows(
  parent: Int32Array,
  frame: Int32Array,
  keyOf: Int32Array,
  rowParent: Int32Array,
  rowKey: Int32Array,
  rows: number,
  row: number,
  node: number,
  end: number,
): number {
  for (; node < end && row < rows; node++, row++)
    if (parent[node] !== node - 1 || rowKey[row] !== keyOf[frame[node]] || rowParent[row] !== row - 1) break;
  return node;
}

/**
 * Call node -> its row. A node is mostly called by the one before it, and so are their rows: they are kept as runs, in
 * which both follow each other. A log of 7.7 million call nodes has some 0.2 million runs, of 8 bytes each.
 *
 *   call node   0  1  2  3  4  5     runs   first call node   0  3
 *   row         0  1  2  1  2  3            its row           0  1
 */
class RowsInRuns {
  /** Run -> its first call node, in ascending order. */
  #first = new Int32Array(64);
  /** Run -> the row of that call node. */
  #row = new Int32Array(64);
  #length = 0;
  /** The run of the last answer: callers often ask for nodes that are next to each other. */
  #last = 0;

  get bytes(): number {
    return this.#first.byteLength + this.#row.byteLength;
  }

  /** Begins a run with a node that is behind all others. */
  begin(node: number, row: number): void {
    if (this.#length === this.#first.length) {
      const capacity = nextCapacity(this.#length, this.#length + 1);
      this.#first = grown(this.#first, capacity);
      this.#row = grown(this.#row, capacity);
    }
    this.#first[this.#length] = node;
    this.#row[this.#length++] = row;
  }

  /** The row of a node that has one. O(log runs). */
  of(node: number): number {
    const first = this.#first;
    let low = this.#last;
    let end = low + 1;
    if (first[low] > node) [low, end] = [0, low];
    else if (end < this.#length && first[end] <= node) [low, end] = [end, this.#length];
    while (end - low > 1) {
      const middle = (low + end) >>> 1;
      if (first[middle] <= node) low = middle;
      else end = middle;
    }
    this.#last = low;
    return this.#row[low] + node - first[low];
  }

  /** Nodes get other rows. */
  forget(): void {
    this.#length = 0;
    this.#last = 0;
  }

  release(): void {
    this.forget();
    release(this.#first, this.#row);
  }
}
