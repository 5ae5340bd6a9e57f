import type { TimelineColumns } from '../../../shared/views/timeline-columns.ts';
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
  const draw = (columns: Float64Array, fill: string | CanvasPattern): void => {
    context.fillStyle = fill;
    context.beginPath();
    for (let at = 0; at < columns.length; at++) {
      if (columns[at] === 0) continue;
      const left = Math.floor((at * width) / columns.length);
      const right = Math.floor(((at + 1) * width) / columns.length);
      // A single sample can be seen.
      const size = Math.max(pixelRatio, (columns[at] / most) * height);
      context.rect(left, height - size, right - left, size);
    }
    context.fill();
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
  draw(errors, hatching(context, style.outlineColor, HATCHING * pixelRatio));
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
