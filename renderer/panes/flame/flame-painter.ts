import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import type { Band, PixelLayout } from '../../../shared/draw/pixel-layout.ts';

/** Draws a flame graph into an element of its own. A frame is where the layout has it, to a pixel. */
export interface FlamePainter {
  readonly name: 'canvas' | 'd3';
  readonly element: HTMLElement;
  /** Draws the levels that touch the `visible` band, device pixels, and replaces the previous drawing. */
  draw(pixels: PixelLayout, scheme: ColourScheme, visible: Band): void;
  /** Adds what scrolling may show next to the drawing. */
  drawOverscan(): void;
  /** Whether the visible band has left the drawn part, or nearly so. */
  needsMore(visible: Band): boolean;
}
