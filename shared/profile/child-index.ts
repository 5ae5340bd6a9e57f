import { FIRST_SLOTS, grown, NONE, release } from './columns.ts';
import type { NodeTable } from './node-table.ts';

/**
 * (parent, frame) -> node. Most nodes are appended directly after their parent, with the rest of a new stack. Such a
 * child needs no entry: it is found in the next row. Only children that are added later, about one per sample, are
 * entered in a hash table, and one byte per node shows whether it has any of these.
 *
 * This needs one byte per node, where lists of siblings would need nine. It takes a third of their time, because most of
 * the cost of a new node is the first access to its memory.
 */
export class ChildIndex {
  readonly #nodes: NodeTable;
  /** node -> 1 if it has children besides the one in the next row. */
  #hasLater: Uint8Array<ArrayBuffer>;
  /**
   * Later children by the hash of (parent, frame), four cells each: node, parent, frame, unused. So a probe reads one
   * cache line. Node 0 is a root and no child, so 0 marks a free slot.
   */
  #slots = new Int32Array(4 * FIRST_SLOTS);
  #length = 0;

  constructor(nodes: NodeTable) {
    this.#nodes = nodes;
    this.#hasLater = new Uint8Array(nodes.capacity);
  }

  reserve(capacity: number): void {
    if (capacity > this.#hasLater.length)
      this.#hasLater = grown(this.#hasLater, capacity, Math.min(this.#nodes.length, this.#hasLater.length));
  }

  /** Frees the memory. The index must not be used afterwards. */
  release(): void {
    release(this.#hasLater, this.#slots);
  }

  /** The child of `parent` with this frame, or NONE. */
  find(parent: number, frame: number): number {
    const nodes = this.#nodes;
    const next = parent + 1;
    if (next < nodes.length && nodes.frame[next] === frame && nodes.parent[next] === parent) return next;
    return this.findLater(parent, frame);
  }

  /** Like `find`, for a caller that has already checked the next row. */
  findLater(parent: number, frame: number): number {
    if (this.#hasLater[parent] === 0) return NONE;
    return this.#slots[this.#slotOf(parent, frame)] || NONE;
  }

  /** Adds a node that was just appended to the table. */
  add(parent: number, child: number): void {
    if (child === parent + 1) return;
    // What is written beyond the end of an array is lost. The table grows by itself when nodes are appended.
    if (parent >= this.#hasLater.length) this.reserve(this.#nodes.capacity);
    this.#hasLater[parent] = 1;
    this.#length++;
    if (this.#length * 8 > this.#slots.length) this.#growSlots();
    this.#insert(parent, this.#nodes.frame[child], child);
  }

  #growSlots(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(2 * old.length);
    for (let slot = 0; slot < old.length; slot += 4) {
      if (old[slot] !== 0) this.#insert(old[slot + 1], old[slot + 2], old[slot]);
    }
  }

  #insert(parent: number, frame: number, child: number): void {
    const slot = this.#slotOf(parent, frame);
    this.#slots[slot] = child;
    this.#slots[slot + 1] = parent;
    this.#slots[slot + 2] = frame;
  }

  #slotOf(parent: number, frame: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame, 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = (hash << 2) & mask;
    while (slots[slot] !== 0 && (slots[slot + 2] !== frame || slots[slot + 1] !== parent))
      slot = (slot + 4) & mask;
    return slot;
  }
}
