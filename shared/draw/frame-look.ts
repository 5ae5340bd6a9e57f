import { type ColourScheme, type FrameStyle, frameStyle, FLAME_TONES } from '../text/frame-colour.ts';
import { isBlock, levelOf } from '../engine/views/flame-columns.ts';
import { columnLeft, levelTop, type PixelLayout } from './pixel-layout.ts';

/** CSS pixels. Narrower frames touch each other: a gap would take a third of them. */
const LEAST_GAPPED = 3;
/** CSS pixels. Narrower matches have no outline, only the tint. */
const LEAST_OUTLINED = 4;

/** The style of blocks of narrow frames, in pixel columns that hold a match and in others. */
export function blockStyle(match: boolean, scheme: ColourScheme): FrameStyle {
  return frameStyle({ label: '', kind: 'block', match }, scheme);
}

export function surfaceOf({ theme }: ColourScheme): string {
  return FLAME_TONES[theme].surface;
}

/** Device pixels that a frame leaves free at its right and its lower edge. */
function gapOf({ pixelRatio }: PixelLayout): number {
  return Math.max(1, Math.round(pixelRatio));
}

/** Device pixels that are filled of a frame. */
export function filledWidth(pixels: PixelLayout, row: number): number {
  const width = pixels.right[row] - pixels.left[row];
  const hasGap = width >= LEAST_GAPPED * pixels.pixelRatio && !isBlock(pixels.layout, row);
  return hasGap ? width - gapOf(pixels) : width;
}

/** Device pixels that are filled of a level. */
export function filledHeight(pixels: PixelLayout): number {
  return pixels.levelHeight - gapOf(pixels);
}

/** Device pixels of the outline of a match; 0 where it does not fit. */
export function outlineWidth(pixels: PixelLayout, row: number): number {
  const hasSpace = pixels.right[row] - pixels.left[row] >= LEAST_OUTLINED * pixels.pixelRatio;
  return hasSpace ? gapOf(pixels) : 0;
}

/** CSS pixels. Narrower areas are not hatched: of the lines there would be dots only. */
const LEAST_HATCHED = 12;

/** Whether an area of so many device pixels is wide enough for a hatch. */
export function isHatchable({ pixelRatio }: PixelLayout, width: number): boolean {
  return width >= LEAST_HATCHED * pixelRatio;
}

/** Diagonal lines, device pixels: one of `line` pixels every `period`, counted from the upper left corner of a level. */
export function hatchOf({ pixelRatio }: PixelLayout): { readonly period: number; readonly line: number } {
  return { period: Math.round(6 * pixelRatio), line: Math.max(1, Math.round(1.5 * pixelRatio)) };
}

/**
 * The columns of a block that match the search, or those that do not, as an SVG path in CSS pixels, with the gap of its
 * highest level; empty for none. `x` and `y` are the place of the graph.
 */
export function blockPath(pixels: PixelLayout, block: number, match: boolean, x = 0, y = 0): string {
  const { layout, orientation, pixelRatio, levelHeight } = pixels;
  const { columnStart, columnTop, columnMatch } = layout;
  const depth = levelOf(layout, block);
  const end = columnStart[block + 1];
  let path = '';
  for (let column = columnStart[block]; column < end;) {
    let next = column + 1;
    while (next < end && columnTop[next] === columnTop[column] && columnMatch[next] === columnMatch[column])
      next++;
    if ((columnMatch[column] === 1) === match) {
      const left = columnLeft(pixels, block, column);
      const width = rounded((columnLeft(pixels, block, next) - left) / pixelRatio);
      const top = levelTop(pixels, orientation === 'flame' ? columnTop[column] - 1 : depth);
      const height = ((columnTop[column] - depth) * levelHeight - gapOf(pixels)) / pixelRatio;
      path += `M${rounded(left / pixelRatio + x)} ${rounded(top / pixelRatio + y)}h${width}v${height}h${-width}z`;
    }
    column = next;
  }
  return path;
}

/** Device pixels from the left edge of a block to the right edge of its last column. */
export function blockWidth(pixels: PixelLayout, block: number): number {
  const { columnStart } = pixels.layout;
  return columnLeft(pixels, block, columnStart[block + 1]) - columnLeft(pixels, block, columnStart[block]);
}

/** Rounded to a hundredth of a pixel. */
export function rounded(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
