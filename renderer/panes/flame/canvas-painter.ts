import type { ColourScheme } from '../../../shared/text/frame-colour.ts';
import { levelOf } from '../../../shared/engine/views/flame-columns.ts';
import { LABEL_MARGIN, labelOf, PLAIN } from '../../../shared/draw/frame-label.ts';
import { surfaceOf } from '../../../shared/draw/frame-look.ts';
import type { LabelFont } from './label-font.ts';
import { LevelPixels } from './level-pixels.ts';
import {
  type Band,
  bandOfLevels,
  type Levels,
  levelsBetween,
  levelTop,
  type PixelLayout,
} from '../../../shared/draw/pixel-layout.ts';
import { RowStyles } from '../../../shared/draw/row-styles.ts';

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

/** CSS pixels that can be drawn above and below the visible part: scrolling this far then needs no new drawing. */
const OVERSCAN = 256;

/**
 * Draws the visible part of a flame graph on a canvas, and what scrolling may show next on one above and one below it, so
 * that an animation need not copy these. All frames of a level are equally high, so the pixels of a level are one line of
 * colours that is repeated. The lines go into a buffer of pixels, which costs the same for ten frames and for thousands;
 * only labels are drawn one by one.
 */
export class CanvasPainter implements FlamePainter {
  readonly name = 'canvas';
  readonly element = document.createElement('div');
  readonly #font: LabelFont;
  readonly #above: CanvasLayer;
  readonly #seen: CanvasLayer;
  readonly #below: CanvasLayer;
  /** One level of pixels; as wide as the graph was when it was made. */
  #strip = new ImageData(1, 1);
  #styles: RowStyles | undefined;
  #drawn: Drawn | undefined;

  constructor(font: LabelFont) {
    this.#font = font;
    this.#above = new CanvasLayer(font);
    this.#seen = new CanvasLayer(font);
    this.#below = new CanvasLayer(font);
    // A canvas may be higher than its levels: the next one covers the rest.
    this.element.append(...this.#layers.map(({ element }) => element));
  }

  /** From top to bottom. */
  get #layers(): readonly CanvasLayer[] {
    return [this.#above, this.#seen, this.#below];
  }

  /** The canvas with what was drawn last, and the line of the graph at its upper edge, device pixels. */
  get seen(): { readonly element: HTMLCanvasElement; readonly top: number } {
    return this.#seen;
  }

  draw(pixels: PixelLayout, scheme: ColourScheme, visible: Band): void {
    if (this.#drawn?.pixels === pixels && !this.needsMore(visible)) {
      const changed = this.#drawn.styles.changedBySelection(scheme);
      if (changed !== undefined) return this.#repaint(this.#drawn, scheme, changed);
    }
    const overscan = Math.round(OVERSCAN * pixels.pixelRatio);
    const band = { top: visible.top - overscan, bottom: visible.bottom + overscan };
    const levels = levelsBetween(pixels, visible);
    if (this.#styles?.isOf(pixels, scheme) !== true) this.#styles = new RowStyles(pixels, scheme);
    this.#drawn = { pixels, scheme, styles: this.#styles, levels, reach: levelsBetween(pixels, band) };
    this.#above.hide();
    this.#below.hide();
    // A zoom may be less deep than the pane is high, and the graph that one goes back to is not.
    this.#seen.place(pixels, scheme, levels, visible.bottom - visible.top + pixels.levelHeight);
    this.#paint(this.#drawn, [levels]);
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
    this.#paint(this.#drawn, ranges);
  }

  drawOverscan(): void {
    if (this.#drawn === undefined) return;
    const { pixels, scheme, levels, reach } = this.#drawn;
    const before = { from: reach.from, to: levels.from };
    const after = { from: levels.to, to: reach.to };
    const isIcicle = pixels.orientation === 'icicle';
    const most = Math.round(OVERSCAN * pixels.pixelRatio) + pixels.levelHeight;
    const wanted = [
      [isIcicle ? this.#above : this.#below, before],
      [isIcicle ? this.#below : this.#above, after],
    ] as const;
    const added = wanted.filter(([, { from, to }]) => from < to);
    for (const [layer, range] of added) layer.place(pixels, scheme, range, most);
    this.#paint(
      this.#drawn,
      added.map(([, range]) => range),
    );
    this.#drawn = { ...this.#drawn, levels: reach };
  }

  needsMore({ top, bottom }: Band): boolean {
    if (this.#drawn === undefined) return true;
    const { pixels, levels, reach } = this.#drawn;
    const drawn = bandOfLevels(pixels, levels);
    const margin = levels === reach ? (bottom - top) / 8 : 0;
    return drawn.top > Math.max(0, top - margin) || drawn.bottom < Math.min(pixels.height, bottom + margin);
  }

  /** Ranges of levels in ascending order, each on one of the canvases. */
  #paint(drawn: Drawn, ranges: readonly Levels[]): void {
    const { pixels, scheme, styles } = drawn;
    const { width, levelHeight } = pixels;
    if (width === 0) return;
    if (this.#strip.width !== width || this.#strip.height !== levelHeight)
      this.#strip = new ImageData(width, levelHeight);
    const strip = new Uint32Array(this.#strip.data.buffer);
    const levels = new LevelPixels(pixels, scheme, styles);
    for (const range of ranges) {
      const layer = this.#layers.find((each) => each.levels.from <= range.from && each.levels.to >= range.to);
      if (!layer?.context) continue;
      for (let level = range.from; level < range.to; level++) {
        levels.fill(strip, level);
        layer.context.putImageData(this.#strip, 0, levelTop(pixels, level) - layer.top);
      }
      this.#label(layer.context, drawn, range, layer.top);
    }
  }

  #label(
    context: CanvasRenderingContext2D,
    { pixels, styles }: Drawn,
    { from, to }: Levels,
    top: number,
  ): void {
    const { layout, left, right, pixelRatio, levelHeight } = pixels;
    const baseline = this.#font.baselineIn(levelHeight / pixelRatio);
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, -top);
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

/** The drawing on the canvases. */
interface Drawn {
  readonly pixels: PixelLayout;
  readonly scheme: ColourScheme;
  readonly styles: RowStyles;
  /** The painted levels. */
  readonly levels: Levels;
  /** The painted levels with a margin for scrolling. */
  readonly reach: Levels;
}

/** Device pixels in which a canvas grows. */
const GRAIN = { width: 256, height: 64 };

/**
 * The length of a canvas of `present` pixels that must hold `wanted`: the present one, unless more than half of it would be
 * unused. Pixels up to `most`, which may be wanted next, are kept: the first drawing on new ones takes three times as long.
 * The element around it cuts off what is not needed.
 */
function pixelsFor(wanted: number, present: number, grain: number, most = wanted): number {
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
class CanvasLayer {
  readonly element = document.createElement('canvas');
  readonly context = this.element.getContext('2d', { alpha: false });
  /** The contents on screen. */
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
