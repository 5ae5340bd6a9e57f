import { type FrameGrouping, type FrameKeys, refines } from '../engine/trees/grouping.ts';
import { keysOfTransform, type Transform } from './scope.ts';

/**
 * Keys that tell apart all frames which `shown` or a transform tells apart: rows of such a tree have what a scope needs.
 * undefined: there are none, because lines, BCIs and ids tell different frames apart. `inUse`: see `keysOfTransform`.
 *
 *   shown    transforms       common
 *   fqmn     fqmn             fqmn
 *   fqmn     line, fqmn       line
 *   line     fqmn             line
 *   line     bci              none
 */
export function commonKeys(
  shown: FrameKeys,
  transforms: readonly Transform[],
  inUse: FrameGrouping,
): FrameKeys | undefined {
  const needed: FrameKeys[] = [shown];
  for (const transform of transforms) {
    const keys = keysOfTransform(transform, inUse);
    if (keys !== undefined) needed.push(keys);
  }
  return needed.find((fine) => needed.every((coarse) => refines(fine, coarse)));
}
