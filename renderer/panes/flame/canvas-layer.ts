import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { surfaceOf } from '../../../shared/draw/frame-look.ts';
import type { LabelFont } from './label-font.ts';
import { type Band, bandOfLevels, type Levels, type PixelLayout } from '../../../shared/draw/pixel-layout.ts';

/** Device pixels in which a canvas grows. */
const GRAIN = { width: 256, height: 64 };

/**
 * The length of a canvas of `present` pixels that must hold `wanted`: the present one, unless more than half of it would be
 * unused. Pixels up to `most`, which may be wanted next, are kept: the first drawing on new ones takes three times as long.
 * The element around it cuts off what is not needed.
 */
export function pixelsFor(wanted: number, present: number, grain: number, most = wanted): number {
  const grown = (pixels: number): number => Math.max(1, Math.ceil(pixels / grain)) * grain;
  const kept = Math.max(2 * grown(wanted), grown(most));
  return present >= wanted && present <= kept ? present : grown(wanted);
}

/**
 * A CSS length of so many device pixels. The browser rounds lengths down to 64ths of a pixel; slightly less than an
 * integer would scale the canvas and blur it.
 */
function cssLength(devicePixels: number, pixelRatio: number): string {
  return `${(devicePixels + 1 / 128) / pixelRatio}px`;
}

/**
 * A canvas with neighbouring levels of a flame graph. The browser copies a canvas completely in each frame in which it was
 * drawn on, so it has hardly more pixels than these levels.
 */
export class CanvasLayer {
  readonly element = document.createElement('canvas');
  readonly context = this.element.getContext('2d', { alpha: false });
  /** What it shows. */
  levels: Levels = { from: 0, to: 0 };
  /** The line of the graph at its upper edge, device pixels. */
  top = 0;
  readonly #font: LabelFont;
  #isSized = false;

  constructor(font: LabelFont) {
    this.#font = font;
    this.element.className = 'flame-canvas-layer';
    this.element.hidden = true;
  }

  /** Gives the canvas the size and the place of other levels. `most`: device pixels that it may have to be high next. */
  place(pixels: PixelLayout, scheme: ColourScheme, levels: Levels, most?: number): void {
    const { pixelRatio, width } = pixels;
    const { element, context } = this;
    const { top, bottom } = bandOfLevels(pixels, levels);
    const wide = pixelsFor(width, element.width, GRAIN.width);
    const high = pixelsFor(bottom - top, element.height, GRAIN.height, most);
    // Setting a size discards the old pixels, and allocating new ones costs more than drawing on them.
    const isResized = !this.#isSized || element.width !== wide || element.height !== high;
    if (isResized) {
      element.width = wide;
      element.height = high;
    }
    // Resizing resets the font, and setting it makes the browser compute the page's styles.
    if (context !== null && isResized) this.#font.applyTo(context);
    this.#isSized = true;
    this.levels = levels;
    this.top = top;
    element.style.width = cssLength(wide, pixelRatio);
    element.style.height = cssLength(high, pixelRatio);
    element.style.top = cssLength(top, pixelRatio);
    element.hidden = false;
    if (context !== null) this.#clear(context, scheme, { top: bottom - top, bottom: high }, width);
  }

  hide(): void {
    this.levels = { from: 0, to: 0 };
    this.element.hidden = true;
  }

  /** Paints the surface beside and below the levels. */
  #clear(context: CanvasRenderingContext2D, scheme: ColourScheme, below: Band, width: number): void {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = surfaceOf(scheme);
    context.fillRect(width, 0, this.element.width, this.element.height);
    context.fillRect(0, below.top, width, below.bottom);
  }
}
