import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { SliceInterner } from '../../read/slice-interner.ts';
import { ChildIndex } from '../../profile/child-index.ts';
import { FIRST_ROWS, grown, nextCapacity, NONE } from '../../profile/columns.ts';
import { NodeTable } from '../../profile/node-table.ts';

const SNAPSHOT_BYTES = 20;
/** Its columns, and its entry in the index of children. */
const NODE_BYTES = 16;

/**
 * Snapshots in the order of the file, stored until it is known which of them count. Their stacks are paths in one tree
 * of code signatures, so a snapshot needs 20 bytes and only the nodes that no other stack has.
 *
 *   row   segment   sequence   ms              node
 *   0     0         0          1795174578459   3         Thread.run:840 > Shop.serve:12 > Work.fib:60
 *   1     0         1          1795174578469   0         an empty stack
 *   2     1         0          1795174578460   3
 */
export class Snapshots {
  length = 0;
  segment = new Int32Array(FIRST_ROWS);
  sequence = new Int32Array(FIRST_ROWS);
  /** ms since 1970. */
  ms = new Float64Array(FIRST_ROWS);
  /** -> row of `stacks`; 0 for an empty stack. */
  node = new Int32Array(FIRST_ROWS);
  /** Distinct code signatures, UTF-8: `className.methodName:line`. */
  readonly signatures: SliceInterner;
  /** Row 0 is the parent of all outermost frames. `frame` is the number of a signature. */
  readonly stacks = new NodeTable(FIRST_ROWS);
  readonly #children = new ChildIndex(this.stacks);

  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
    this.signatures = new SliceInterner(memory);
    this.stacks.append(NONE, ~0);
  }

  /**
   * `stack`: `depth` numbers of signatures, root first, borrowed for the call. Once the limit on memory is exceeded,
   * snapshots are ignored.
   */
  append(segment: number, sequence: number, ms: number, stack: Int32Array, depth: number): void {
    if (this.#memory.isExceeded) return;
    const row = this.length;
    if (row === this.segment.length) {
      const capacity = nextCapacity(row, row + 1);
      this.segment = grown(this.segment, capacity);
      this.sequence = grown(this.sequence, capacity);
      this.ms = grown(this.ms, capacity);
      this.node = grown(this.node, capacity);
    }
    const nodes = this.stacks.length;
    this.segment[row] = segment;
    this.sequence[row] = sequence;
    this.ms[row] = ms;
    this.node[row] = this.#place(stack, depth);
    const bytes = SNAPSHOT_BYTES + (this.stacks.length - nodes) * NODE_BYTES;
    this.#memory.keep(bytes);
    this.length = row + 1;
  }

  #place(stack: Int32Array, depth: number): number {
    let node = 0;
    for (let level = 0; level < depth; level++) {
      let child = this.#children.find(node, stack[level]);
      if (child === NONE) {
        child = this.stacks.append(node, stack[level]);
        this.#children.reserve(this.stacks.capacity);
        this.#children.add(node, child);
      }
      node = child;
    }
    return node;
  }
}
