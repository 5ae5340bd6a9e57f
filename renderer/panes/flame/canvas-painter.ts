import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { levelOf } from '../../../shared/views/flame-columns.ts';
import type { FlamePainter } from './flame-painter.ts';
import { LABEL_MARGIN, labelOf, PLAIN, surfaceOf } from './frame-style.ts';
import type { LabelFont } from './label-font.ts';
import { LevelPixels } from './level-pixels.ts';
import {
  type Band,
  bandOfLevels,
  type Levels,
  levelsBetween,
  levelTop,
  type PixelLayout,
} from './pixel-layout.ts';
import { RowStyles } from './row-styles.ts';

/** CSS pixels that can be drawn above and below the visible part: scrolling this far then needs no new drawing. */
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
 * unused. Pixels up to `most`, which may be wanted next, are kept: the first drawing on new ones takes three times as long.
 * The element around it cuts off what is not needed.
 */
export function pixelsFor(wanted: number, present: number, most = wanted): number {
  const grain = (pixels: number): number => Math.ceil(pixels / GRAIN) * GRAIN;
  const kept = Math.max(2 * grain(wanted), grain(most));
  return present >= wanted && present <= kept ? present : grain(wanted);
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
  #styles: RowStyles | undefined;
  #drawn: Drawn | undefined;

  constructor(font: LabelFont) {
    this.#font = font;
    this.element.className = 'flame-canvas-layer';
  }

  /** The line of the graph at the upper edge of the canvas, device pixels. */
  get top(): number {
    return this.#drawn?.band.top ?? 0;
  }

  draw(pixels: PixelLayout, scheme: ColourScheme, visible: Band): void {
    if (this.#drawn?.pixels === pixels && !this.needsMore(visible)) {
      const changed = this.#drawn.styles.changedBySelection(scheme);
      if (changed !== undefined) return this.#repaint(this.#drawn, scheme, changed);
    }
    const { pixelRatio, width, levelHeight } = pixels;
    const overscan = Math.round(OVERSCAN * pixelRatio);
    const top = Math.max(0, Math.floor((visible.top - overscan) / levelHeight) * levelHeight);
    const bottom = Math.max(top, Math.min(pixels.height, Math.ceil(visible.bottom + overscan)));
    const { element } = this;
    const wide = pixelsFor(width, element.width);
    // A zoom may be less deep than the pane is high, and the graph that one goes back to is not.
    const high = pixelsFor(bottom - top, element.height, visible.bottom - visible.top + 2 * overscan);
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
    if (this.#styles?.isOf(pixels, scheme) !== true) this.#styles = new RowStyles(pixels, scheme);
    const levels = levelsBetween(pixels, visible);
    this.#drawn = { pixels, scheme, styles: this.#styles, band: { top, bottom }, levels };
    if (this.#context === null) return;
    this.#clear(this.#context, this.#drawn);
    this.#paint(this.#context, this.#drawn, [levels]);
  }

  /** Paints the levels of these rows again, as far as they were drawn. */
  #repaint(before: Drawn, scheme: ColourScheme, rows: readonly number[]): void {
    const { pixels, levels } = before;
    this.#styles = new RowStyles(pixels, scheme);
    this.#drawn = { ...before, scheme, styles: this.#styles };
    const ranges = [...new Set(rows.map((row) => levelOf(pixels.layout, row)))]
      .filter((level) => level >= levels.from && level < levels.to)
      .sort((a, b) => a - b)
      .map((level) => ({ from: level, to: level + 1 }));
    if (this.#context !== null) this.#paint(this.#context, this.#drawn, ranges);
  }

  drawOverscan(): void {
    if (this.#drawn === undefined || this.#context === null) return;
    const { pixels, band, levels } = this.#drawn;
    const all = levelsBetween(pixels, band);
    this.#paint(this.#context, this.#drawn, [
      { from: all.from, to: levels.from },
      { from: levels.to, to: all.to },
    ]);
    this.#drawn = { ...this.#drawn, levels: all };
  }

  needsMore({ top, bottom }: Band): boolean {
    if (this.#drawn === undefined) return true;
    const { pixels, band, levels } = this.#drawn;
    const drawn = bandOfLevels(pixels, levels);
    const hasOverscan = drawn.top <= band.top && drawn.bottom >= band.bottom;
    const margin = hasOverscan ? (bottom - top) / 8 : 0;
    return drawn.top > Math.max(0, top - margin) || drawn.bottom < Math.min(pixels.height, bottom + margin);
  }

  /** Paints the surface around the drawn levels. */
  #clear(context: CanvasRenderingContext2D, { pixels, scheme, band, levels }: Drawn): void {
    const { top, bottom } = bandOfLevels(pixels, levels);
    const { width: wide, height: high } = this.element;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = surfaceOf(scheme);
    context.fillRect(pixels.width, 0, wide, high);
    context.fillRect(0, 0, pixels.width, top - band.top);
    context.fillRect(0, bottom - band.top, pixels.width, high);
  }

  /** Ranges of levels in ascending order. */
  #paint(context: CanvasRenderingContext2D, drawn: Drawn, ranges: readonly Levels[]): void {
    const { pixels, scheme, styles, band } = drawn;
    const { width, levelHeight } = pixels;
    if (width === 0) return;
    if (this.#strip.width !== width || this.#strip.height !== levelHeight)
      this.#strip = new ImageData(width, levelHeight);
    const strip = new Uint32Array(this.#strip.data.buffer);
    const levels = new LevelPixels(pixels, scheme, styles);
    for (const { from, to } of ranges) {
      for (let level = from; level < to; level++) {
        levels.fill(strip, level);
        context.putImageData(this.#strip, 0, levelTop(pixels, level) - band.top);
      }
    }
    for (const range of ranges) this.#label(context, drawn, range);
  }

  #label(context: CanvasRenderingContext2D, { pixels, styles, band }: Drawn, { from, to }: Levels): void {
    const { layout, left, right, pixelRatio, levelHeight } = pixels;
    const baseline = this.#font.baselineIn(levelHeight / pixelRatio);
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, -band.top);
    const highest = Math.min(to, layout.levelStart.length - 1);
    let colour = '';
    for (let level = from; level < highest; level++) {
      const y = levelTop(pixels, level) / pixelRatio;
      for (let row = layout.levelStart[level]; row < layout.levelStart[level + 1]; row++) {
        const text = labelOf(pixels, row, this.#font);
        if (text === '') continue;
        const { text: tone } = styles.at(row).style;
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

/** What is on the canvas. */
interface Drawn {
  readonly pixels: PixelLayout;
  readonly scheme: ColourScheme;
  readonly styles: RowStyles;
  /** What the canvas can hold. */
  readonly band: Band;
  /** What was painted. */
  readonly levels: Levels;
}
