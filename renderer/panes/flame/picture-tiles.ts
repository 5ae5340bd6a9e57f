import type { FlamePicture } from './flame-picture.ts';

/**
 * A piece of a picture that can be drawn by itself: neighbouring siblings, and below each the part of its subtree that
 * no other tile has.
 */
export interface PictureTile {
  /** Parents before children, siblings left to right; the siblings at the top first. */
  readonly rows: readonly number[];
  /** Number of siblings at the top. */
  readonly tops: number;
}

/**
 * Cuts a picture into tiles of at most `most` frames, every frame with a width in exactly one. From the leaves to the
 * root: where a frame and what is left of its subtree is more than a tile takes, its children go into tiles of their
 * own, as many neighbours together as fit. Linear, and nothing recurses.
 *
 *   level 2   │ c │ d │ e │
 *   level 1   │ a     │ b │          most 3:  c d · a b e · all
 *   level 0   │ all       │
 */
export function cutPicture(picture: FlamePicture, most: number): readonly PictureTile[] {
  const { rows, left, right } = picture;
  const isDrawn = (row: number): boolean => right[row] > left[row];
  const { firstChild, lastChild } = childRanges(picture);
  /** row -> frames of its subtree that no tile has yet, itself included. */
  const open = new Int32Array(rows.length);
  const tiles: PictureTile[] = [];
  const childrenCut = new Uint8Array(rows.length);

  function collect(tops: readonly number[]): PictureTile {
    const collected = [...tops];
    for (const row of collected) {
      if (childrenCut[row] === 1) continue;
      for (let child = firstChild[row]; child < lastChild[row]; child++)
        if (isDrawn(child)) collected.push(child);
    }
    return { rows: collected, tops: tops.length };
  }

  for (let row = rows.length - 1; row >= 0; row--) {
    if (!isDrawn(row)) continue;
    let below = 0;
    for (let child = firstChild[row]; child < lastChild[row]; child++) below += open[child];
    open[row] = 1;
    if (below + 1 <= most) {
      open[row] += below;
      continue;
    }
    let tops: number[] = [];
    let size = 0;
    for (let child = firstChild[row]; child < lastChild[row]; child++) {
      if (!isDrawn(child)) continue;
      if (size + open[child] > most) {
        tiles.push(collect(tops));
        tops = [];
        size = 0;
      }
      tops.push(child);
      size += open[child];
    }
    tiles.push(collect(tops));
    childrenCut[row] = 1;
  }
  if (rows.length > 0 && isDrawn(0)) tiles.push(collect([0]));
  return tiles;
}

/** row -> its children, [first, last): rows come level by level, so the children of one are neighbours. */
function childRanges({ rows }: FlamePicture): {
  readonly firstChild: Int32Array;
  readonly lastChild: Int32Array;
} {
  const firstChild = new Int32Array(rows.length);
  const lastChild = new Int32Array(rows.length);
  for (let row = 1; row < rows.length; row++) {
    const { parent } = rows[row];
    if (lastChild[parent] === 0) firstChild[parent] = row;
    lastChild[parent] = row + 1;
  }
  return { firstChild, lastChild };
}
