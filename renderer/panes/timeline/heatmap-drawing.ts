import { colourBits } from '../../../shared/draw/row-styles.ts';
import type { HeatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';
import type { Interval, TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import type { DrawingSize } from '../use-drawing.ts';
import { HEATMAP_COLOURS, type HeatmapColours, levelOf, outsideColours } from './heatmap-colours.ts';

/** The colours as pixels of an image. */
interface Pixels {
  readonly empty: number;
  readonly samples: Uint32Array;
  readonly rest: Uint32Array;
  readonly matches: Uint32Array;
}

function pixelsOf({ empty, samples, rest, matches }: HeatmapColours): Pixels {
  const bits = (ramp: readonly string[]): Uint32Array => Uint32Array.from(ramp, colourBits);
  return { empty: colourBits(empty), samples: bits(samples), rest: bits(rest), matches: bits(matches) };
}

/**
 * Paints a pixel for each square into an image as wide as there are columns. The earliest square of a column is at the
 * bottom; those after the last sample are left empty. `range`: the time range, ns after the earliest sample; undefined: all.
 */
export function paintHeatmap(
  image: Uint32Array,
  heatmap: HeatmapColumns,
  range: Interval | undefined,
  colours: HeatmapColours,
): void {
  const { rows, squareNs, from, samples, last } = heatmap;
  const columns = samples.length / rows;
  const inside = pixelsOf(colours);
  const outside = pixelsOf(outsideColours(colours));
  for (let at = 0; at < samples.length && (from + at) * squareNs <= last; at++) {
    const time = (from + at) * squareNs;
    const isInside = range === undefined || (time < range.to && time + squareNs > range.from);
    const pixel = (rows - 1 - (at % rows)) * columns + Math.floor(at / rows);
    image[pixel] = colourOf(heatmap, at, isInside ? inside : outside);
  }
}

function colourOf(heatmap: HeatmapColumns, at: number, pixels: Pixels): number {
  const { samples, matches, selected, most, mostMatches, mostSelected } = heatmap;
  if (samples[at] === 0) return pixels.empty;
  if (matches !== undefined && matches[at] > 0) return pixels.matches[levelOf(matches[at], mostMatches)];
  if (selected !== undefined && selected[at] > 0) return pixels.samples[levelOf(selected[at], mostSelected)];
  const isMarking = matches !== undefined || selected !== undefined;
  return (isMarking ? pixels.rest : pixels.samples)[levelOf(samples[at], most)];
}

/** Draws the squares where their time is on the axis of the timeline. */
export function drawHeatmap(
  context: CanvasRenderingContext2D,
  { width, height, theme }: DrawingSize,
  heatmap: HeatmapColumns,
  { shown }: Pick<TimelineColumns, 'shown'>,
  range: Interval | undefined,
): void {
  const { rows, squareNs, from, samples } = heatmap;
  if (samples.length === 0) return;
  const image = new ImageData(samples.length / rows, rows);
  paintHeatmap(new Uint32Array(image.data.buffer), heatmap, range, HEATMAP_COLOURS[theme]);
  const squares = new OffscreenCanvas(image.width, image.height);
  squares.getContext('2d')?.putImageData(image, 0, 0);
  const xOf = (time: number): number => ((time - shown.from) / (shown.to - shown.from)) * width;
  const left = xOf(from * squareNs);
  context.imageSmoothingEnabled = false;
  context.drawImage(squares, left, 0, xOf((from + samples.length) * squareNs) - left, height);
}
