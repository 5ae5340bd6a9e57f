import type { ProfileView } from '../engine/profile-view.ts';
import type { MethodRef } from '../engine/query.ts';
import type { ThreadGrouping } from '../engine/trees/grouping.ts';
import { timePattern, type TimePattern } from '../engine/views/time-pattern.ts';
import { NONE } from '../profile/columns.ts';
import { type PoolShare, poolsOfKeys, poolsOfRow } from './pool-shares.ts';

/** The threads that have a method on their stacks, and the times. */
export interface AboutMethod {
  readonly pools: readonly PoolShare[];
  /** Undefined where the times of samples are not known. */
  readonly when: { readonly pattern: TimePattern | undefined; readonly counts: Uint32Array } | undefined;
}

/**
 * About a call, where the row is one of the call tree with these threads; otherwise, and without `threads`, about a method
 * wherever it is called. Undefined: it is not there.
 */
export function aboutMethod(
  view: ProfileView,
  ref: MethodRef,
  threads?: ThreadGrouping,
): AboutMethod | undefined {
  const { keys: frames, metric } = view.query;
  if (ref.of === 'calls' && threads !== undefined) {
    const grouping = { threads, frames };
    const { tree } = view.sums(grouping);
    const row = tree.rowOf(ref.id);
    if (row === NONE) return undefined;
    const pools = poolsOfRow(view, tree, row, metric);
    return { pools, when: whenOf(view.timesOfRows('calls', grouping, [row])) };
  }
  const key = view.keyOfMethod(ref, view.keys(frames));
  if (key === undefined) return undefined;
  const [pools] = poolsOfKeys(view, frames, [key], metric);
  return { pools, when: whenOf(view.timesOfRows('methods', { threads: 'all', frames }, [key])) };
}

function whenOf(counts: Uint32Array | undefined): AboutMethod['when'] {
  return counts && { pattern: timePattern(counts), counts };
}
