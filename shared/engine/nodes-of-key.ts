import { MarkedStacks, type StacksOfKeys } from './values/marked-stacks.ts';

/** Which call nodes have a selected method on their path. */
export class NodesOfKey {
  /** What was looked for last. */
  #key: number | undefined;
  /** Kept for the next key: without a tree it has a byte for each call node, and an arrow key that is held down selects dozens. */
  #stacks = new MarkedStacks();

  /** Of these call nodes: -> 1 if this key is on the path; 0 for NONE. */
  of(key: number, stacks: StacksOfKeys, nodes: Int32Array): Uint8Array {
    if (key !== this.#key) this.#stacks.restart();
    this.#key = key;
    const { length, methodOf } = stacks.keys;
    // Of a split method all lines are meant.
    const isKey = (each: number): 0 | 1 => (each === key || methodOf[each] === key ? 1 : 0);
    const isMarked = Uint8Array.from({ length }, (_, each) => isKey(each));
    return this.#stacks.ofNodes(nodes, isMarked, stacks);
  }

  forget(): void {
    this.#key = undefined;
    this.#stacks = new MarkedStacks();
  }
}
