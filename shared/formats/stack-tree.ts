import { ChildIndex } from '../profile/child-index.ts';
import { NONE } from '../profile/columns.ts';
import { NodeTable } from '../profile/node-table.ts';

/** Bytes of a node: its columns, and its entry in the index of children. */
export const STACK_NODE_BYTES = 16;

/** A large factor: reserved pages that are never written cost no memory, but copying does. */
const GROWTH = 4;

/**
 * The stacks of a file that are read before it is known which of them count. They are paths of one tree, so that common
 * callers are stored once. A frame is any number; equal numbers are the same frame.
 *
 *   node   parent   frame       stacks
 *   0      -1       -           the parent of all outermost frames; an empty stack ends here
 *   1      0        840         840
 *   2      1        12          840 12
 *   3      1        60          840 60
 */
export class StackTree {
  readonly #nodes = new NodeTable(64);
  readonly #children = new ChildIndex(this.#nodes);

  constructor() {
    this.#nodes.append(NONE, ~0);
  }

  get length(): number {
    return this.#nodes.length;
  }

  /** -> the node of the caller. */
  get parent(): Int32Array {
    return this.#nodes.parent;
  }

  get frame(): Int32Array {
    return this.#nodes.frame;
  }

  /** Adds a stack of `depth` frames, leaf first, below a node. Returns the node where it ends. */
  place(frames: Int32Array, depth: number, below: number): number {
    const nodes = this.#nodes;
    const { parent, frame, length } = nodes;
    let node = below;
    let at = depth - 1;
    for (; at >= 0; at--) {
      // Most callees come next.
      const next = node + 1;
      const isNext = next < length && frame[next] === frames[at] && parent[next] === node;
      const known = isNext ? next : this.#children.findLater(node, frames[at]);
      if (known === NONE) break;
      node = known;
    }
    if (nodes.length + at >= nodes.capacity) nodes.reserve(GROWTH * (nodes.length + at + 1));
    // All callees of a new node are new.
    if (at >= 0) node = this.#append(node, frames[at--]);
    for (; at >= 0; at--) node = nodes.append(node, frames[at]);
    return node;
  }

  /** The callee of a node with a frame, which is added if it is new. */
  child(node: number, frame: number): number {
    const known = this.#children.find(node, frame);
    return known === NONE ? this.#append(node, frame) : known;
  }

  #append(node: number, frame: number): number {
    const child = this.#nodes.append(node, frame);
    this.#children.reserve(this.#nodes.capacity);
    this.#children.add(node, child);
    return child;
  }

  /** Frees the memory. */
  release(): void {
    this.#children.release();
  }
}
