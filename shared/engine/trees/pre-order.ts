import { NONE } from '../../profile/columns.ts';
import type { Chains } from './chains.ts';

/** `order`: all chains in pre-order. `sizes`: chain -> the number of chains in its subtree, including itself. */
export function preOrder({ length, parent }: Pick<Chains, 'length' | 'parent'>): {
  readonly order: Int32Array;
  readonly sizes: Int32Array;
} {
  const sizes = subtreeSizes(parent, length);
  // chain -> the position of its next child: the chain's own position, plus one, plus the sizes of the subtrees of the
  // children that have their positions.
  const next = new Int32Array(length);
  const order = new Int32Array(length);
  let roots = 0;
  for (let chain = 0; chain < length; chain++) {
    const up = parent[chain];
    const place = up === NONE ? roots : next[up];
    if (up === NONE) roots += sizes[chain];
    else next[up] += sizes[chain];
    next[chain] = place + 1;
    order[place] = chain;
  }
  return { order, sizes };
}

function subtreeSizes(parent: Int32Array, length: number): Int32Array {
  const sizes = new Int32Array(length).fill(1);
  for (let chain = length - 1; chain >= 0; chain--)
    if (parent[chain] !== NONE) sizes[parent[chain]] += sizes[chain];
  return sizes;
}
