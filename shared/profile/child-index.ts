import { grown, NONE } from './columns.ts';
import type { NodeTable } from './node-table.ts';

/**
 * (parent, frame) -> node. Most nodes are appended right behind their parent, as the rest of a stack that is new: such
 * a child needs no entry, it is found by looking at the next row. Only children that came later, about one per sample,
 * enter an open-addressing table, and one byte per node says whether it has any.
 *
 * This costs one byte a node where lists of siblings cost nine, and a third of the time: most of what a new node costs
 * is touching its memory for the first time.
 */
export class ChildIndex {
  readonly #nodes: NodeTable;
  /** node -> 1 when it has children besides the one in the next row. */
  #hasLater: Uint8Array<ArrayBuffer>;
  /** Later children, by hash of (parent, frame). */
  #slots = new Int32Array(256).fill(NONE);
  #length = 0;

  constructor(nodes: NodeTable) {
    this.#nodes = nodes;
    this.#hasLater = new Uint8Array(nodes.capacity);
  }

  reserve(capacity: number): void {
    if (capacity > this.#hasLater.length) this.#hasLater = grown(this.#hasLater, capacity);
  }

  /** The child of `parent` with this frame, or NONE. */
  find(parent: number, frame: number): number {
    const nodes = this.#nodes;
    const next = parent + 1;
    if (next < nodes.length && nodes.frame[next] === frame && nodes.parent[next] === parent) return next;
    return this.#hasLater[parent] === 0 ? NONE : this.#slots[this.#slotOf(parent, frame)];
  }

  /** Notes a node that was just appended to the table. */
  add(parent: number, child: number): void {
    if (child === parent + 1) return;
    this.#hasLater[parent] = 1;
    this.#length++;
    if (this.#length * 2 > this.#slots.length) {
      const old = this.#slots;
      this.#slots = new Int32Array(old.length * 2).fill(NONE);
      for (const node of old) if (node !== NONE) this.#insert(node);
    }
    this.#insert(child);
  }

  #insert(node: number): void {
    this.#slots[this.#slotOf(this.#nodes.parent[node], this.#nodes.frame[node])] = node;
  }

  #slotOf(parent: number, frame: number): number {
    const { parent: parents, frame: frames } = this.#nodes;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame, 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    while (slots[slot] !== NONE && (frames[slots[slot]] !== frame || parents[slots[slot]] !== parent)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
