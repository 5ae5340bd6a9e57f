import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import type { DrawingSize } from '../use-drawing.ts';
import { leftOf } from './timeline-geometry.ts';

/** Pixels between two lines of a hatching. */
const HATCHING = 4;

/** A part of the area, and its colour. */
export interface DrawnLayer {
  readonly samples: Float64Array;
  readonly fill: string;
}

/** Rates that a scale ends at, times a power of ten: while a log grows, the scale seldom changes. */
const SCALE_ENDS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** What is as high as the area. */
export interface TimelineScale {
  /** Samples of a bucket. */
  readonly most: number;
  readonly perSecond: number;
}

export function timelineScale({
  samples,
  bucketNs,
}: Pick<TimelineColumns, 'samples' | 'bucketNs'>): TimelineScale {
  let most = 0;
  for (const count of samples) most = Math.max(most, count);
  if (most === 0) return { most: 1, perSecond: 0 };
  const rate = (most * 1e9) / bucketNs;
  const power = 10 ** Math.floor(Math.log10(rate));
  const perSecond = (SCALE_ENDS.find((end) => end * power >= rate) ?? 10) * power;
  return { most: (perSecond * bucketNs) / 1e9, perSecond };
}

/**
 * Draws samples over time as an area, of these layers from the bottom or of one colour; in it what is selected, what
 * matches the search, and errors hatched.
 */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  buckets: TimelineColumns,
  layers: readonly DrawnLayer[],
  { width, height, pixelRatio }: DrawingSize,
): void {
  const { samples, errors, matches, selected } = buckets;
  // The colours are those of the canvas's style, because only the style sheet knows the theme.
  const style = getComputedStyle(context.canvas);
  const { most } = timelineScale(buckets);
  // A single sample can be seen.
  const heightOf = (count: number): number =>
    count === 0 ? 0 : Math.round(Math.max(pixelRatio, (count / most) * height));
  // Of whole pixels, and not as one path: the browser needs more than twice the time for a path of a thousand rectangles.
  const draw = (columns: Float64Array, fill: string | CanvasPattern): void => {
    context.fillStyle = fill;
    const left = (at: number): number => Math.floor(leftOf(buckets, at, width));
    for (let from = 0, to = 0; from < columns.length; from = to) {
      const size = heightOf(columns[from]);
      while (to < columns.length && heightOf(columns[to]) === size) to++;
      if (size > 0) context.fillRect(left(from), height - size, left(to) - left(from), size);
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
