import { zeroed } from '../../profile/columns.ts';
import type { Chains } from '../trees/chains.ts';
import type { GrowingTree } from '../trees/growing-tree.ts';
import type { KeyTable } from '../trees/keys.ts';

/**
 * The call nodes, or rows of a tree, whose samples count for their key: no node above has the same key. One bit each. That
 * depends on the structure only, so that other values are summed over the same nodes without looking at their stacks again.
 *
 *   node      0  1  2  3  4      one stack, from the root
 *   key       a  b  a  a  c
 *   counts    1  1  0  0  1
 */
export class CountedNodes {
  bits: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  #keys: KeyTable | undefined;
  #tree: GrowingTree | undefined;
  #numbering = 0;
  #nodes = -1;

  /** Whether the bits are those of the nodes in these chains. */
  areOf(chains: Chains, keys: KeyTable): boolean {
    return (
      keys === this.#keys &&
      chains.tree === this.#tree &&
      (chains.tree?.numbering ?? 0) === this.#numbering &&
      chains.start[chains.length] === this.#nodes
    );
  }

  /** No bit is set; set those of the nodes in these chains. */
  restart(chains: Chains, keys: KeyTable): void {
    const nodes = chains.start[chains.length];
    this.bits = zeroed(this.bits, (nodes >>> 5) + 1);
    this.#keys = keys;
    this.#tree = chains.tree;
    this.#numbering = chains.tree?.numbering ?? 0;
    this.#nodes = nodes;
  }
}
