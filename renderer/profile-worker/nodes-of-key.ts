import type { KeyTable } from '../../shared/trees/keys.ts';
import { MarkedStacks, type StacksOfKeys } from '../../shared/values/marked-stacks.ts';

/** Which call nodes have a selected method on their path. */
export class NodesOfKey {
  /** The method that was looked for last. */
  #last: { readonly keys: KeyTable; readonly key: number } | undefined;
  // Of call nodes it is a byte each, of which a key that is held down would leave dozens to the garbage collector.
  #stacks: MarkedStacks | undefined;

  /** Of these call nodes: -> 1 if this key is on the path; 0 for NONE. */
  of(key: number, stacks: StacksOfKeys, nodes: Int32Array): Uint8Array {
    const { keys } = stacks;
    this.#stacks ??= new MarkedStacks();
    if (this.#last?.keys !== keys || this.#last.key !== key) this.#stacks.restart();
    this.#last = { keys, key };
    const { methodOf } = keys;
    // Of a split method all lines are meant.
    const isKey = (each: number): 0 | 1 => (each === key || methodOf[each] === key ? 1 : 0);
    const isMarked = Uint8Array.from({ length: keys.length }, (_, each) => isKey(each));
    return this.#stacks.ofNodes(nodes, isMarked, stacks);
  }

  forget(): void {
    this.#stacks = undefined;
    this.#last = undefined;
  }
}
