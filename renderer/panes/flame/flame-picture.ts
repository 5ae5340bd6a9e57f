import type { FlameRow } from '../../profile-worker/pane-messages.ts';
import type { Orientation } from '../../store/preferences.ts';

/** CSS pixels from one level to the next, to the nearest device pixel. */
const LEVEL_HEIGHT = 19;

/**
 * Where everything is in a flame graph: what every painter draws, and what the pointer hits. CSS pixels from the top
 * left corner; edges lie on device pixels, so that every painter draws them equally sharp, and the edges
 * of neighbours coincide: nothing overlaps, and no gap opens where widths are rounded.
 *
 *   level 2        │ f │             rows       all  a  b  rest  f
 *   level 1   │  a │ b ││            left       0    0  50 90    50
 *   level 0   │ all     │            right      100  50 90 100   70
 *                                    levelStart 0  1            4  5
 */
export interface FlamePicture {
  readonly rows: readonly FlameRow[];
  readonly left: Float64Array;
  readonly right: Float64Array;
  /** level -> its first row; one entry more than there are levels. Rows of a level go left to right. */
  readonly levelStart: Int32Array;
  readonly orientation: Orientation;
  readonly width: number;
  readonly height: number;
  readonly levelHeight: number;
  readonly pixelRatio: number;
}

export interface FlameBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A horizontal part of the picture, CSS pixels. */
export interface Band {
  readonly top: number;
  readonly bottom: number;
}

export interface PictureSize {
  /** CSS pixels. */
  readonly width: number;
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number;
}

/** Rows come level by level, each level left to right, as the layout gives them. */
export function layPicture(
  rows: readonly FlameRow[],
  { width, pixelRatio }: PictureSize,
  orientation: Orientation,
): FlamePicture {
  const left = new Float64Array(rows.length);
  const right = new Float64Array(rows.length);
  const levels = rows.length === 0 ? 0 : rows[rows.length - 1].depth + 1;
  const levelHeight = Math.round(LEVEL_HEIGHT * pixelRatio) / pixelRatio;
  const levelStart = new Int32Array(levels + 1);
  if (rows.length > 0) {
    const devicePixels = Math.floor(width * pixelRatio);
    const perWeight = devicePixels / rows[0].weight;
    const origin = rows[0].start;
    for (let row = 0; row < rows.length; row++) {
      const { start, weight, depth } = rows[row];
      left[row] = Math.round((start - origin) * perWeight) / pixelRatio;
      right[row] = Math.round((start - origin + weight) * perWeight) / pixelRatio;
      levelStart[depth + 1] = row + 1;
    }
  }
  return {
    rows,
    left,
    right,
    levelStart,
    orientation,
    width,
    height: levels * levelHeight,
    levelHeight,
    pixelRatio,
  };
}

/** Top edge of a level; also of -1, where the root would stand. */
export function levelTop({ orientation, height, levelHeight }: FlamePicture, level: number): number {
  return orientation === 'icicle' ? level * levelHeight : height - (level + 1) * levelHeight;
}

export function boxOf(picture: FlamePicture, row: number): FlameBox {
  const { left, right, rows } = picture;
  return {
    x: left[row],
    y: levelTop(picture, rows[row].depth),
    width: right[row] - left[row],
    height: picture.levelHeight,
  };
}

/** The row at a point of the picture; -1 where none is drawn. */
export function rowAt(picture: FlamePicture, x: number, y: number): number {
  const { left, right, levelStart, orientation, height, levelHeight } = picture;
  const level = Math.floor((orientation === 'icicle' ? y : height - y) / levelHeight);
  if (level < 0 || level >= levelStart.length - 1) return -1;
  // The last of the level that begins at or before x: of those without width at x, the one that has some.
  let low = levelStart[level];
  let high = levelStart[level + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (left[middle] <= x) low = middle + 1;
    else high = middle;
  }
  for (let row = low - 1; row >= levelStart[level]; row--) {
    if (right[row] > left[row]) return x < right[row] ? row : -1;
  }
  return -1;
}

/** What can be seen of a picture in a pane of this height whose root's end is so far out of sight, CSS pixels. */
export function bandSeen({ height, orientation }: FlamePicture, fromRoot: number, paneHeight: number): Band {
  const hidden = Math.min(fromRoot, Math.max(0, height - paneHeight));
  const top = orientation === 'icicle' ? hidden : height - hidden - paneHeight;
  return { top, bottom: top + paneHeight };
}

/** The levels that a horizontal band of the picture touches: [from, to). */
export function levelsBetween(
  picture: FlamePicture,
  top: number,
  bottom: number,
): { readonly from: number; readonly to: number } {
  const levels = picture.levelStart.length - 1;
  const flipped = picture.orientation === 'flame';
  const first = flipped ? picture.height - bottom : top;
  const last = flipped ? picture.height - top : bottom;
  const within = (level: number): number => Math.min(Math.max(level, 0), levels);
  return {
    from: within(Math.floor(first / picture.levelHeight)),
    to: within(Math.ceil(last / picture.levelHeight)),
  };
}
