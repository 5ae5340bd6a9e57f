import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { isBlock } from '../../../shared/engine/views/flame-columns.ts';
import { BlockCells } from './block-cells.ts';
import { blockStyle, surfaceOf } from '../../../shared/draw/frame-look.ts';
import type { PixelLayout } from '../../../shared/draw/pixel-layout.ts';
import { colourBits, pixelStyle, RowStyles } from '../../../shared/draw/row-styles.ts';

/**
 * A whole graph in `width` × `height` pixels, without labels, hatches and gaps. Each level is drawn once, as a line.
 * O(rows + pixel columns of blocks + levels × width + pixels).
 */
export function minimapPixels(
  pixels: PixelLayout,
  scheme: ColourScheme,
  width: number,
  height: number,
): ImageData {
  const { layout, left, right, orientation } = pixels;
  const { levels, levelStart } = layout;
  const image = new ImageData(width, Math.max(1, Math.round(height)));
  const target = new Uint32Array(image.data.buffer);
  const surface = colourBits(surfaceOf(scheme));
  const plainBlock = pixelStyle(blockStyle(false, scheme)).unhatched;
  const matchBlock = pixelStyle(blockStyle(true, scheme)).unhatched;
  const styles = new RowStyles(pixels, scheme);
  const cells = new BlockCells(pixels, width);
  const line = new Uint32Array(width);
  const scale = width / pixels.width;
  const y = (level: number): number =>
    Math.round((orientation === 'icicle' ? level / levels : 1 - level / levels) * image.height);

  target.fill(surface);
  for (let level = 0; level < levels; level++) {
    line.fill(surface);
    cells.visit(level, (from, to, match) => line.fill(match ? matchBlock : plainBlock, from, to));
    const first = level + 1 < levelStart.length ? levelStart[level] : 0;
    const end = level + 1 < levelStart.length ? levelStart[level + 1] : 0;
    // From the right: where several frames are in one pixel the last one is seen, and the others need no style.
    let free = width;
    for (let row = end - 1; row >= first && free > 0; row--) {
      if ((isBlock(layout, row) && row > 0) || right[row] <= left[row]) continue;
      const from = Math.floor(left[row] * scale);
      if (from >= free) continue;
      const to = Math.min(free, Math.floor((right[row] - 1) * scale) + 1);
      const { unhatched } = styles.at(row);
      for (let x = from; x < to; x++) line[x] = unhatched;
      free = from;
    }
    const top = Math.min(y(level), y(level + 1));
    const bottom = Math.min(image.height, Math.max(top + 1, y(level), y(level + 1)));
    for (let at = top; at < bottom; at++) target.set(line, at * width);
  }
  return image;
}
