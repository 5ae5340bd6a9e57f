import { HEATMAP_SCALES, type HeatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';
import { colourBits } from '../../../shared/draw/row-styles.ts';
import type { Interval } from '../../../shared/engine/views/timeline-columns.ts';
import { type HeatmapColours, levelOf, outsideColours } from './heatmap-colours.ts';
import { lastSquare, type SquareSize } from './heatmap-geometry.ts';

export interface HeatmapImage {
  readonly heatmap: HeatmapColumns;
  readonly square: SquareSize;
  /** Device pixels: of the image, and between the left edges of the first column and of the image. */
  readonly width: number;
  readonly left: number;
  /** Between two columns, and between two rows, device pixels. */
  readonly gap: { readonly x: number; readonly y: number };
  /** The time range, ns after the earliest sample; undefined: all. */
  readonly range: Interval | undefined;
  readonly colours: HeatmapColours;
}

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
 * Paints the squares into the pixels of an image that is as wide as `width` and as high as all rows. Row 0 is at the
 * bottom. Columns that were not counted are left empty.
 */
export function paintHeatmap(image: Uint32Array, of: HeatmapImage): void {
  const { heatmap, square, width, left, gap, range, colours } = of;
  const { rows, squareNs } = HEATMAP_SCALES[heatmap.scale];
  const inside = pixelsOf(colours);
  const outside = pixelsOf(outsideColours(colours));
  const surface = colourBits(colours.surface);
  const first = Math.max(heatmap.from, Math.floor(left / square.width));
  const counted = heatmap.from + heatmap.samples.length / rows;
  const end = Math.min(counted, Math.ceil((left + width) / square.width));
  const last = lastSquare(heatmap);
  image.fill(surface);
  for (let row = 0; row < rows; row++) {
    const line = (rows - 1 - row) * square.height * width;
    for (let column = first; column < end; column++) {
      const at = column * rows + row;
      if (at > last) break;
      const time = at * squareNs;
      const isInside = range === undefined || (time < range.to && time + squareNs > range.from);
      const colour = colourOf(heatmap, at - heatmap.from * rows, isInside ? inside : outside);
      const x = column * square.width - left;
      image.fill(colour, line + Math.max(0, x), line + Math.min(width, x + square.width - gap.x));
    }
    for (let y = 1; y < square.height - gap.y; y++) image.copyWithin(line + y * width, line, line + width);
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

/** What a canvas shows of a heatmap. */
export interface VisibleHeatmap extends Pick<HeatmapImage, 'heatmap' | 'square' | 'colours' | 'range'> {
  /** CSS pixels: how far it is scrolled, and what is visible. */
  readonly scrollLeft: number;
  readonly width: number;
  readonly pixelRatio: number;
}

/** Rows at least this high have a gap between them, CSS pixels: lower ones would look like stripes. */
const LEAST_GAPPED = 5;

export function drawHeatmap(canvas: HTMLCanvasElement, visible: VisibleHeatmap): void {
  const { heatmap, square, colours, range, scrollLeft, width, pixelRatio } = visible;
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) return;
  const all = heatmap.length * square.width;
  const wide = Math.max(1, Math.min(all, Math.floor(width * pixelRatio)));
  const high = HEATMAP_SCALES[heatmap.scale].rows * square.height;
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${wide / pixelRatio}px`;
    canvas.style.height = `${high / pixelRatio}px`;
  }
  const line = Math.max(1, Math.round(pixelRatio / 2));
  const image = new ImageData(wide, high);
  paintHeatmap(new Uint32Array(image.data.buffer), {
    ...{ heatmap, square, range, colours },
    width: wide,
    left: Math.max(0, Math.min(all - wide, Math.round(scrollLeft * pixelRatio))),
    gap: { x: line, y: square.height >= LEAST_GAPPED * pixelRatio ? line : 0 },
  });
  context.putImageData(image, 0, 0);
}
