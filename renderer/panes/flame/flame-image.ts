import { assert } from '../../../shared/assert.ts';
import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { CanvasPainter } from './canvas-painter.ts';
import type { LabelFont } from './label-font.ts';
import type { PixelLayout } from '../../../shared/draw/pixel-layout.ts';

/** Browsers have no higher canvases that can be relied on, device pixels. */
const MAX_HEIGHT = 16_384;

/** An image of a graph as it is drawn, PNG, with all levels, and not only those that are in view. */
export interface FlameImage {
  readonly png: Promise<Blob>;
  /** Levels that do not fit into the image; the root is always in it. */
  readonly levelsLeftOut: number;
}

export function flameImage(pixels: PixelLayout, scheme: ColourScheme, font: LabelFont): FlameImage {
  const { width, height, levelHeight, orientation } = pixels;
  const levels = height / levelHeight;
  const shown = Math.min(levels, Math.floor(MAX_HEIGHT / levelHeight));
  const top = orientation === 'flame' ? height - shown * levelHeight : 0;
  const painter = new CanvasPainter(font);
  painter.draw(pixels, scheme, { top, bottom: top + shown * levelHeight });
  const image = document.createElement('canvas');
  image.width = width;
  image.height = shown * levelHeight;
  const context = image.getContext('2d');
  assert(context !== null, 'the graph on screen has a canvas, too');
  context.drawImage(painter.seen.element, 0, painter.seen.top - top);
  const png = new Promise<Blob>((resolve, reject) => {
    image.toBlob((blob) => {
      if (blob === null) reject(new Error('The image is too large.'));
      else resolve(blob);
    });
  });
  return { png, levelsLeftOut: levels - shown };
}
