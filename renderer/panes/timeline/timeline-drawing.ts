import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import type { DrawingSize } from '../use-drawing.ts';

/** Pixels between two lines of a hatching. */
const HATCHING = 4;

/** A part of the area, and its colour. */
export interface DrawnLayer {
  readonly samples: Float64Array;
  readonly fill: string;
}

/**
 * Draws samples over time as an area, of these layers from the bottom or of one colour; in it what is selected, what
 * matches the search, and errors hatched.
 */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  { samples, errors, matches, selected }: TimelineColumns,
  layers: readonly DrawnLayer[],
  { width, height, pixelRatio }: DrawingSize,
): void {
  // The colours are those of the canvas's style, because only the style sheet knows the theme.
  const style = getComputedStyle(context.canvas);
  let most = 1;
  for (const count of samples) most = Math.max(most, count);
  // A single sample can be seen.
  const heightOf = (count: number): number =>
    count === 0 ? 0 : Math.round(Math.max(pixelRatio, (count / most) * height));
  // Of whole pixels, and not as one path: the browser needs more than twice the time for a path of a thousand rectangles.
  const draw = (columns: Float64Array, fill: string | CanvasPattern): void => {
    context.fillStyle = fill;
    const leftOf = (at: number): number => Math.floor((at * width) / columns.length);
    for (let from = 0, to = 0; from < columns.length; from = to) {
      const size = heightOf(columns[from]);
      while (to < columns.length && heightOf(columns[to]) === size) to++;
      if (size > 0) context.fillRect(leftOf(from), height - size, leftOf(to) - leftOf(from), size);
    }
  };
  draw(samples, style.color);
  // From the top down: each layer is drawn over what is above it.
  const sums = samples.slice();
  for (const layer of layers.toReversed()) {
    draw(sums, layer.fill);
    for (let at = 0; at < sums.length; at++) sums[at] -= layer.samples[at];
  }
  draw(selected, style.caretColor);
  draw(matches, style.textDecorationColor);
  if (errors.some((count) => count > 0))
    draw(errors, hatchingOf(context, style.outlineColor, HATCHING * pixelRatio));
}

interface Hatching {
  readonly colour: string;
  readonly size: number;
  readonly fill: string | CanvasPattern;
}

/** Of each canvas the last one: another tile for every drawing would take as long as the drawing. */
const hatchings = new WeakMap<HTMLCanvasElement, Hatching>();

function hatchingOf(context: CanvasRenderingContext2D, colour: string, size: number): Hatching['fill'] {
  let found = hatchings.get(context.canvas);
  if (found?.colour !== colour || found.size !== size) {
    found = { colour, size, fill: hatching(context, colour, size) };
    hatchings.set(context.canvas, found);
  }
  return found.fill;
}

function hatching(context: CanvasRenderingContext2D, colour: string, size: number): string | CanvasPattern {
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(size);
  const lines = tile.getContext('2d');
  if (lines === null) return colour;
  lines.strokeStyle = colour;
  lines.lineWidth = size / 3;
  for (const shift of [-size, 0, size]) {
    lines.moveTo(shift, size);
    lines.lineTo(shift + size, 0);
  }
  lines.stroke();
  return context.createPattern(tile, 'repeat') ?? colour;
}
