import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import type { FlamePainter } from './flame-painter.ts';
import { LABEL_MARGIN, labelOf, PLAIN, styleOf, surfaceOf } from './frame-style.ts';
import type { LabelFont } from './label-font.ts';
import { LevelPixels } from './level-pixels.ts';
import { type Band, levelsBetween, levelTop, type PixelLayout } from './pixel-layout.ts';

/** CSS pixels drawn above and below the visible part: scrolling this far needs no new drawing. */
const OVERSCAN = 256;

/**
 * A CSS length of so many device pixels. The browser rounds lengths down to 64ths of a pixel; slightly less than an
 * integer would scale the canvas and blur it.
 */
function cssLength(devicePixels: number, pixelRatio: number): string {
  return `${(devicePixels + 1 / 128) / pixelRatio}px`;
}

/** Device pixels in which a canvas grows. */
const GRAIN = 256;

/**
 * The size of a canvas of `present` pixels that must hold `wanted`: the present one, unless more than half of it would be
 * unused. The element around it cuts off what is not needed.
 */
export function pixelsFor(wanted: number, present: number): number {
  const grown = Math.ceil(wanted / GRAIN) * GRAIN;
  return present >= wanted && present <= 2 * grown ? present : grown;
}

/**
 * Draws the visible part of a flame graph on a canvas. All frames of a level are equally high, so the pixels of a level
 * are one line of colours that is repeated. The lines go into a buffer of pixels, which costs the same for ten frames and
 * for thousands; only labels are drawn one by one.
 */
export class CanvasPainter implements FlamePainter {
  readonly name = 'canvas';
  readonly element = document.createElement('canvas');
  readonly #context = this.element.getContext('2d', { alpha: false });
  readonly #font: LabelFont;
  /** One level of pixels; as wide as the canvas was when it was made. */
  #strip = new ImageData(1, 1);
  #drawn: (Band & { readonly height: number }) | undefined;

  constructor(font: LabelFont) {
    this.#font = font;
    this.element.className = 'flame-canvas-layer';
  }

  draw(pixels: PixelLayout, scheme: ColourScheme, visible: Band, isMoving: boolean): void {
    const { pixelRatio, width, levelHeight } = pixels;
    // During an animation the next frame is drawn anew in any case.
    const overscan = isMoving ? 0 : Math.round(OVERSCAN * pixelRatio);
    const top = Math.max(0, Math.floor((visible.top - overscan) / levelHeight) * levelHeight);
    const bottom = Math.max(top, Math.min(pixels.height, Math.ceil(visible.bottom + overscan)));
    const { element } = this;
    const wide = pixelsFor(width, element.width);
    const high = pixelsFor(bottom - top, element.height);
    // Setting a size discards the old pixels, and allocating new ones costs more than drawing on them.
    const isResized = element.width !== wide || element.height !== high;
    if (isResized) {
      element.width = wide;
      element.height = high;
    }
    // Resizing resets the font, and setting it makes the browser compute the page's styles.
    if (this.#context !== null && (isResized || this.#drawn === undefined)) this.#font.applyTo(this.#context);
    element.style.width = cssLength(wide, pixelRatio);
    element.style.height = cssLength(high, pixelRatio);
    element.style.top = cssLength(top, pixelRatio);
    this.#drawn = { top, bottom, height: pixels.height };
    if (this.#context !== null) this.#paint(this.#context, pixels, scheme, { top, bottom });
  }

  needsMore({ top, bottom }: Band): boolean {
    if (this.#drawn === undefined) return true;
    const { height } = this.#drawn;
    const margin = (bottom - top) / 8;
    return (
      this.#drawn.top > Math.max(0, top - margin) || this.#drawn.bottom < Math.min(height, bottom + margin)
    );
  }

  #paint(context: CanvasRenderingContext2D, pixels: PixelLayout, scheme: ColourScheme, band: Band): void {
    const { width, levelHeight } = pixels;
    const { from, to } = levelsBetween(pixels, band);
    const surface = surfaceOf(scheme);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = surface;
    const drawnTo = (to - from) * levelHeight;
    // The canvas may be larger than what is drawn: it begins opaque black.
    context.fillRect(width, 0, this.element.width, this.element.height);
    context.fillRect(0, drawnTo, width, this.element.height);
    if (width === 0) return;

    if (this.#strip.width !== width || this.#strip.height !== levelHeight)
      this.#strip = new ImageData(width, levelHeight);
    const strip = new Uint32Array(this.#strip.data.buffer);
    const levels = new LevelPixels(pixels, scheme, from, to);
    for (let level = from; level < to; level++) {
      levels.fill(strip, level);
      context.putImageData(this.#strip, 0, levelTop(pixels, level) - band.top);
    }
    this.#label(context, pixels, scheme, band);
  }

  #label(context: CanvasRenderingContext2D, pixels: PixelLayout, scheme: ColourScheme, band: Band): void {
    const { layout, left, right, pixelRatio, levelHeight } = pixels;
    const { from, to } = levelsBetween(pixels, band);
    const baseline = this.#font.baselineIn(levelHeight / pixelRatio);
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, -band.top);
    const highest = Math.min(to, layout.levelStart.length - 1);
    let colour = '';
    for (let level = from; level < highest; level++) {
      const y = levelTop(pixels, level) / pixelRatio;
      for (let row = layout.levelStart[level]; row < layout.levelStart[level + 1]; row++) {
        const text = labelOf(pixels, row, this.#font);
        if (text === '') continue;
        const { text: tone } = styleOf(pixels, row, scheme);
        if (tone !== colour) context.fillStyle = colour = tone;
        const x = left[row] / pixelRatio;
        const isPlain = PLAIN.test(text);
        if (!isPlain) {
          context.save();
          context.beginPath();
          context.rect(x, y, (right[row] - left[row]) / pixelRatio, levelHeight / pixelRatio);
          context.clip();
        }
        context.fillText(text, x + LABEL_MARGIN, y + baseline);
        if (!isPlain) context.restore();
      }
    }
  }
}
