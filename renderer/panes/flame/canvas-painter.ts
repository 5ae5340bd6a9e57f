import { PICTURE_TONES } from '../../../shared/text/frame-colour.ts';
import { type Band, type FlamePicture, levelsBetween, levelTop } from './flame-picture.ts';
import {
  filledHeight,
  filledWidth,
  fillOf,
  type FlameLook,
  isEdged,
  LABEL_MARGIN,
  labelOf,
  type LabelTone,
  labelToneOf,
  PLAIN,
} from './frame-dress.ts';
import type { LabelFont } from './label-font.ts';

/** CSS pixels drawn above and below what can be seen: as far as one may scroll before it must be drawn again. */
const OVERSCAN = 256;

/**
 * A length of so many device pixels. The browser rounds lengths down to 64ths of one; a hair less than a whole one would
 * have it scale the canvas, and blur it.
 */
function cssLength(devicePixels: number, pixelRatio: number): string {
  return `${(devicePixels + 1 / 128) / pixelRatio}px`;
}

/** Device pixels in which a canvas grows. */
const GRAIN = 256;

/**
 * How many pixels a canvas that has `present` of them gets so that `wanted` have room: as many as it has, as long as not
 * more than twice the room is given away. What is beyond the picture is cut off by the element around it.
 */
export function pixelsFor(wanted: number, present: number): number {
  const grown = Math.ceil(wanted / GRAIN) * GRAIN;
  return present >= wanted && present <= 2 * grown ? present : grown;
}

/**
 * Draws the moving picture: the visible part of it, at once. Costs the visible frames, whatever the profile's size or
 * the stacks' depth; an element for the whole of a deep picture would not fit into memory.
 */
export class CanvasPainter {
  readonly element = document.createElement('canvas');
  readonly #context = this.element.getContext('2d', { alpha: false });
  readonly #font: LabelFont;
  #drawn: Band | undefined;

  constructor(font: LabelFont) {
    this.#font = font;
    this.element.className = 'flame-moving';
  }

  /** Draws what is visible, and a little more. */
  draw(picture: FlamePicture, look: FlameLook, visible: Band): void {
    const { pixelRatio, width, levelHeight } = picture;
    const top = Math.max(0, Math.floor((visible.top - OVERSCAN) / levelHeight) * levelHeight);
    const bottom = Math.min(picture.height, visible.bottom + OVERSCAN);
    const { element } = this;
    const pixels = {
      x: pixelsFor(Math.floor(width * pixelRatio), element.width),
      y: pixelsFor(Math.ceil((bottom - top) * pixelRatio), element.height),
    };
    // Setting a size throws the old pixels away, and new ones cost more than what is drawn on them.
    const isResized = element.width !== pixels.x || element.height !== pixels.y;
    if (isResized) {
      element.width = pixels.x;
      element.height = pixels.y;
    }
    // It goes with the pixels; and to set one the browser works out the styles of the page.
    if (this.#context !== null && (isResized || this.#drawn === undefined)) this.#font.applyTo(this.#context);
    this.#drawn = { top, bottom };
    element.style.width = cssLength(pixels.x, pixelRatio);
    element.style.height = cssLength(pixels.y, pixelRatio);
    element.style.top = cssLength(Math.round(top * pixelRatio), pixelRatio);
    if (this.#context !== null) this.#paint(this.#context, picture, look, { top, bottom });
  }

  /** Whether scrolling has left what is drawn, or is about to. */
  needsMore(visible: Band, height: number): boolean {
    if (this.#drawn === undefined) return true;
    const { top, bottom } = this.#drawn;
    return (
      top > Math.max(0, visible.top - OVERSCAN / 2) ||
      bottom < Math.min(height, visible.bottom + OVERSCAN / 2)
    );
  }

  #paint(context: CanvasRenderingContext2D, picture: FlamePicture, look: FlameLook, band: Band): void {
    const { rows, left, right, levelStart, pixelRatio } = picture;
    const tones = PICTURE_TONES[look.theme];
    const height = filledHeight(picture);
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, -band.top * pixelRatio);
    context.fillStyle = tones.surface;
    // All of the canvas, which may be larger than what is drawn: it begins opaque black.
    context.fillRect(0, band.top, this.element.width / pixelRatio, this.element.height / pixelRatio);

    const levels = levelsBetween(picture, band.top, band.bottom);
    const edged: number[] = [];
    const labelled: Record<LabelTone, { readonly text: string; readonly row: number }[]> = {
      label: [],
      dimmedLabel: [],
      remainderLabel: [],
    };
    for (let level = levels.from; level < levels.to; level++) {
      const y = levelTop(picture, level);
      for (let row = levelStart[level]; row < levelStart[level + 1]; row++) {
        if (right[row] <= left[row]) continue;
        context.fillStyle = fillOf(rows[row], look);
        context.fillRect(left[row], y, filledWidth(picture, row), height);
        if (isEdged(picture, row)) edged.push(row);
        const text = labelOf(picture, row, this.#font);
        if (text !== '') labelled[labelToneOf(rows[row], look)].push({ text, row });
      }
    }

    context.strokeStyle = tones.remainderEdge;
    context.lineWidth = 1;
    context.setLineDash([2, 2]);
    for (const row of edged) {
      const y = levelTop(picture, rows[row].depth);
      context.strokeRect(left[row] + 0.5, y + 0.5, filledWidth(picture, row) - 1, height - 1);
    }

    const baseline = this.#font.baselineIn(picture.levelHeight);
    for (const tone of ['label', 'dimmedLabel', 'remainderLabel'] as const) {
      context.fillStyle = tones[tone];
      for (const { text, row } of labelled[tone]) {
        const y = levelTop(picture, rows[row].depth);
        const clipped = !PLAIN.test(text);
        if (clipped) {
          context.save();
          context.beginPath();
          context.rect(left[row], y, right[row] - left[row], height);
          context.clip();
        }
        context.fillText(text, left[row] + LABEL_MARGIN, y + baseline);
        if (clipped) context.restore();
      }
    }
  }
}
