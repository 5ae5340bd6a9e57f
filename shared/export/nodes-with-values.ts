import type { LeanProfile } from '../profile/lean-profile.ts';
import { hasValues } from '../profile/self-table.ts';

/**
 * Node -> 1 for those that have samples or time, and for their callers; 0 for the others. Sums of times can be zero
 * although their parts are not, and a node can have time without a sample.
 */
export function nodesWithValues({ nodes, selfValues }: LeanProfile): Uint8Array {
  const has = new Uint8Array(nodes.length);
  for (let self = 0; self < selfValues.length; self++)
    if (hasValues(selfValues, self)) has[selfValues.node[self]] = 1;
  for (let row = nodes.length - 1; row > 0; row--)
    if (has[row] === 1 && !nodes.isRoot(row)) has[nodes.parent[row]] = 1;
  return has;
}

/** Number of threads in which samples without a frame ended, as a scope may leave them. Some formats cannot hold these. */
export function threadsWithoutFrames({ nodes, selfValues }: LeanProfile): number {
  let threads = 0;
  for (let self = 0; self < selfValues.length; self++)
    if (nodes.isRoot(selfValues.node[self]) && hasValues(selfValues, self)) threads++;
  return threads;
}
