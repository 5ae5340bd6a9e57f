import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import type { Band, PixelLayout } from './pixel-layout.ts';

/** Draws a flame graph into an element of its own. All painters draw the same pixels of the same layout. */
export interface FlamePainter {
  readonly name: 'canvas' | 'd3';
  readonly element: HTMLElement;
  /** Draws at least what is `visible`, device pixels, instead of what was drawn before. `isMoving`: for one frame. */
  draw(pixels: PixelLayout, scheme: ColourScheme, visible: Band, isMoving: boolean): void;
  /** Whether scrolling has left what is drawn, or is about to. */
  needsMore(visible: Band): boolean;
}
