import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { isBlock } from '../../../shared/views/flame-columns.ts';
import { blockStyle, styleOf, surfaceOf } from './frame-style.ts';
import { colourBits } from './level-pixels.ts';
import { columnLeft, type PixelLayout } from './pixel-layout.ts';

/** A whole graph in `width` × `height` pixels, without labels, hatches and gaps. O(rows + columns + pixels). */
export function minimapPixels(
  pixels: PixelLayout,
  scheme: ColourScheme,
  width: number,
  height: number,
): ImageData {
  const { layout, left, right, orientation } = pixels;
  const image = new ImageData(width, Math.max(1, Math.round(height)));
  const target = new Uint32Array(image.data.buffer).fill(colourBits(surfaceOf(scheme)));
  const x = (edge: number): number => Math.floor((edge * width) / pixels.width);
  const y = (level: number): number => {
    const share = orientation === 'icicle' ? level / layout.levels : 1 - level / layout.levels;
    return Math.round(share * image.height);
  };
  const fill = (from: number, to: number, fromLevel: number, toLevel: number, colour: number): void => {
    const lines = [y(fromLevel), y(toLevel)].sort((a, b) => a - b);
    const end = Math.min(width, Math.max(x(from) + 1, x(to)));
    for (let line = lines[0]; line < Math.max(lines[1], lines[0] + 1) && line < image.height; line++)
      target.fill(colour, line * width + x(from), line * width + end);
  };
  for (let level = 0; level + 1 < layout.levelStart.length; level++) {
    for (let row = layout.levelStart[level]; row < layout.levelStart[level + 1]; row++) {
      if (right[row] <= left[row]) continue;
      if (!isBlock(layout, row) || row === 0) {
        fill(left[row], right[row], level, level + 1, colourBits(styleOf(pixels, row, scheme).fill));
        continue;
      }
      for (let at = layout.columnStart[row]; at < layout.columnStart[row + 1]; at++) {
        const { fill: colour } = blockStyle(layout.columnMatch[at] === 1, scheme);
        const from = columnLeft(pixels, row, at);
        fill(from, from + 1, level, layout.columnTop[at], colourBits(colour));
      }
    }
  }
  return image;
}
