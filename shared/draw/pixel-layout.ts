import { firstColumnPixel, type FlameLayout, isBlock, levelOf } from '../engine/views/flame-columns.ts';

/** CSS pixels from one level to the next, to the nearest device pixel. */
const LEVEL_HEIGHT = 19;

/**
 * Where the rows of a flame graph are, in device pixels from the top left corner: what every painter draws, and what the
 * pointer hits. Neighbours share an edge, so nothing overlaps and no gap opens. A block covers every pixel column that it
 * touches; frames are drawn over it.
 *
 *   level 2        │ f │             rows       all  a  b  block  f
 *   level 1   │  a │ b ││            left       0    0  50 90     50
 *   level 0   │ all     │            right      100  50 90 100    70
 */
export interface PixelLayout {
  readonly layout: FlameLayout;
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Label of the thread that the root is in; undefined where it stands for several. */
  readonly thread: string | undefined;
  readonly orientation: 'flame' | 'icicle';
  readonly width: number;
  readonly height: number;
  readonly levelHeight: number;
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number;
  /** During an animation: left and right edges before clipping, device pixels. Otherwise 0 and `width`. */
  readonly origin: number;
  readonly extent: number;
}

/** In CSS pixels. */
export interface FlameBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A horizontal band of the graph, [top, bottom). */
export interface Band {
  readonly top: number;
  readonly bottom: number;
}

/** A range of levels: [from, to). */
export interface Levels {
  readonly from: number;
  readonly to: number;
}

interface PaneSize {
  /** CSS pixels. */
  readonly width: number;
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number;
}

export function devicePixels({ width, pixelRatio }: PaneSize): number {
  return Math.floor(width * pixelRatio);
}

export function pixelLayout(
  layout: FlameLayout,
  size: PaneSize,
  orientation: 'flame' | 'icicle',
  thread?: string,
): PixelLayout {
  const { pixelRatio } = size;
  const width = devicePixels(size);
  const levelHeight = Math.round(LEVEL_HEIGHT * pixelRatio);
  return {
    layout,
    ...edgesOf(layout, layout.length, width, 0, width),
    thread,
    orientation,
    width,
    height: layout.levels * levelHeight,
    levelHeight,
    pixelRatio,
    origin: 0,
    extent: width,
  };
}

/**
 * The graph at another left edge and width, as shares of the pane's width. What lies outside is clipped. Only the
 * rows of the first `levels` levels have their places.
 */
export function movedTo(pixels: PixelLayout, left: number, width: number, levels: number): PixelLayout {
  const { layout } = pixels;
  const { levelStart } = layout;
  const origin = left * pixels.width;
  const extent = width * pixels.width;
  const rows = levelStart[Math.min(levels, levelStart.length - 1)];
  return { ...pixels, ...edgesOf(layout, rows, pixels.width, origin, extent), origin, extent };
}

/** The edges of the first `rows` rows. */
function edgesOf(
  layout: FlameLayout,
  rows: number,
  width: number,
  origin: number,
  extent: number,
): { readonly left: Int32Array; readonly right: Int32Array } {
  const { length, start, weight } = layout;
  const within = (edge: number): number => Math.max(0, Math.min(width, edge));
  const left = new Int32Array(rows);
  const right = new Int32Array(rows);
  const whole = length === 0 ? 1 : weight[0];
  for (let row = 0; row < rows; row++) {
    const from = (start[row] * extent) / whole + origin;
    const to = ((start[row] + weight[row]) * extent) / whole + origin;
    if (isBlock(layout, row)) {
      left[row] = within(Math.floor(Math.min(origin + extent - 1, from)));
      right[row] = within(Math.max(Math.ceil(to), Math.floor(from) + 1));
    } else {
      left[row] = within(Math.round(from));
      right[row] = within(Math.round(to));
    }
  }
  return { left, right };
}

/** Top edge of a level. */
export function levelTop({ orientation, height, levelHeight }: PixelLayout, level: number): number {
  return orientation === 'icicle' ? level * levelHeight : height - (level + 1) * levelHeight;
}

/** Rectangle of a row; for a block that of its lowest level. */
export function boxOf(pixels: PixelLayout, row: number): FlameBox {
  const { layout, left, right, levelHeight, pixelRatio } = pixels;
  return {
    x: left[row] / pixelRatio,
    y: levelTop(pixels, levelOf(layout, row)) / pixelRatio,
    width: (right[row] - left[row]) / pixelRatio,
    height: levelHeight / pixelRatio,
  };
}

/** Edges of a pixel column of a block, `at` an entry of `columnTop`, at the width that the graph has now. */
export function columnLeft(
  { layout, width, left, origin, extent }: PixelLayout,
  block: number,
  at: number,
): number {
  const column = at - layout.columnStart[block];
  if (extent === layout.pixels && origin === 0) return left[block] + column;
  const first = firstColumnPixel(layout.start[block], layout.weight[0], layout.pixels);
  const x = Math.floor(((first + column) * extent) / layout.pixels + origin);
  return Math.max(0, Math.min(width, x));
}

/** The row that is drawn at a point, CSS pixels; -1 where none is. */
export function rowAt(pixels: PixelLayout, cssX: number, cssY: number): number {
  const { layout, orientation, height, levelHeight, pixelRatio, width } = pixels;
  const x = Math.floor(cssX * pixelRatio);
  const y = Math.floor(cssY * pixelRatio);
  if (x < 0 || x >= width || y < 0 || y >= height) return -1;
  const level = Math.floor((orientation === 'icicle' ? y : height - 1 - y) / levelHeight);
  const highest = layout.levelStart.length - 2;
  if (level <= highest) {
    const row = rowInLevel(pixels, level, x);
    if (row >= 0) return row;
  }
  // A block further towards the root may reach up to here.
  for (let below = Math.min(level - 1, highest); below >= 0; below--) {
    const row = rowInLevel(pixels, below, x);
    if (row < 0 || !isBlock(layout, row)) continue;
    return reachesLevel(pixels, row, x, level) ? row : -1;
  }
  return -1;
}

function reachesLevel(pixels: PixelLayout, block: number, x: number, level: number): boolean {
  const { layout } = pixels;
  let at = layout.columnStart[block];
  const end = layout.columnStart[block + 1];
  if (at === end) return false;
  while (at + 1 < end && columnLeft(pixels, block, at + 1) <= x) at++;
  return layout.columnTop[at] > level;
}

/** The row of a level at a pixel; a frame before a block, because it is drawn over that. */
function rowInLevel({ layout, left, right }: PixelLayout, level: number, x: number): number {
  const from = layout.levelStart[level];
  let low = from;
  let high = layout.levelStart[level + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (layout.start[middle] * right[0] < (x + 1) * layout.weight[0]) low = middle + 1;
    else high = middle;
  }
  let block = -1;
  // Edges are rounded: the row that covers the pixel is one of a few that begin near it.
  for (let row = Math.min(low + 1, layout.levelStart[level + 1] - 1); row >= from; row--) {
    if (left[row] <= x && x < right[row]) {
      if (!isBlock(layout, row)) return row;
      if (block < 0) block = row;
    } else if (right[row] < x - 1) break;
  }
  return block;
}

/** Visible band of a graph in a pane of this height, scrolled this far from the root. */
export function bandSeen({ height, orientation }: PixelLayout, fromRoot: number, paneHeight: number): Band {
  const hidden = Math.min(fromRoot, Math.max(0, height - paneHeight));
  const top = orientation === 'icicle' ? hidden : height - hidden - paneHeight;
  return { top, bottom: top + paneHeight };
}

/** The levels that a band touches. */
export function levelsBetween(
  { layout, orientation, height, levelHeight }: PixelLayout,
  { top, bottom }: Band,
): Levels {
  const first = orientation === 'flame' ? height - bottom : top;
  const last = orientation === 'flame' ? height - top : bottom;
  const within = (level: number): number => Math.min(Math.max(level, 0), layout.levels);
  return { from: within(Math.floor(first / levelHeight)), to: within(Math.ceil(last / levelHeight)) };
}

/** The band that levels fill. */
export function bandOfLevels({ orientation, height, levelHeight }: PixelLayout, { from, to }: Levels): Band {
  return orientation === 'icicle'
    ? { top: from * levelHeight, bottom: to * levelHeight }
    : { top: height - to * levelHeight, bottom: height - from * levelHeight };
}
