import type { RowId } from './trees/row-tree.ts';

/**
 * Ids of the rows of methods. A method has the identity of its first frame. A line of a split method needs another id than
 * the method, which may begin with the same frame: the complement of its first frame, less one, because NONE is -1.
 *
 *   Shop.parse       7
 *   Shop.parse:40   -9   its first frame is 7
 *   Shop.parse:42  -14   its first frame is 12
 */
export function lineIdOf(frameId: number): RowId {
  return -2 - frameId;
}

export function isLineId(id: RowId): boolean {
  return id < -1;
}

/** The identity of the first frame. */
export function frameIdOf(id: RowId): number {
  return isLineId(id) ? -2 - id : id;
}
