import { colourBits } from '../../../shared/draw/row-styles.ts';
import type { HeatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';
import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import type { DrawingSize } from '../use-drawing.ts';
import { mixed, oklch } from '../../../shared/text/oklch.ts';

/** Colours of a number of samples, from the fewest on. */
type Ramp = readonly string[];

/** Colours of a heatmap, `#rrggbb`. */
export interface HeatmapColours {
  readonly surface: string;
  /** A square without samples. */
  readonly empty: string;
  /** Samples, and those with the selected method. */
  readonly samples: Ramp;
  /** Samples while something else is marked. */
  readonly rest: Ramp;
  readonly matches: Ramp;
}

/** So many numbers of samples can be told apart. */
const LEVELS = 16;

interface Shade {
  readonly lightness: number;
  readonly chroma: number;
}

function ramp(hue: number, fewest: Shade, most: Shade): Ramp {
  return Array.from({ length: LEVELS }, (_, level) => {
    const share = level / (LEVELS - 1);
    const between = (of: keyof Shade): number => fewest[of] + (most[of] - fewest[of]) * share;
    return oklch(between('lightness'), between('chroma'), hue);
  });
}

const shade = (lightness: number, chroma: number): Shade => ({ lightness, chroma });

/** Hues as those of bars and matches in tokens.css. */
const HUES = { samples: 278, matches: 330 };

export const HEATMAP_COLOURS: Readonly<Record<'light' | 'dark', HeatmapColours>> = {
  light: {
    surface: '#ffffff',
    empty: '#f3f4f6',
    samples: ramp(HUES.samples, shade(0.89, 0.05), shade(0.33, 0.2)),
    rest: ramp(HUES.samples, shade(0.9, 0.008), shade(0.6, 0.02)),
    matches: ramp(HUES.matches, shade(0.84, 0.1), shade(0.42, 0.22)),
  },
  dark: {
    surface: '#191b20',
    empty: '#202228',
    samples: ramp(HUES.samples, shade(0.36, 0.07), shade(0.9, 0.08)),
    rest: ramp(HUES.samples, shade(0.32, 0.008), shade(0.58, 0.02)),
    matches: ramp(HUES.matches, shade(0.42, 0.12), shade(0.86, 0.13)),
  },
};

/** The share of the surface in the colour of a time outside the range. */
const OUTSIDE = 0.75;

/** Paler colours, for squares outside of the range. */
function outsideColours(colours: HeatmapColours): HeatmapColours {
  const { surface } = colours;
  const pale = (colour: string): string => mixed(colour, surface, OUTSIDE);
  return {
    surface,
    empty: pale(colours.empty),
    samples: colours.samples.map(pale),
    rest: colours.rest.map(pale),
    matches: colours.matches.map(pale),
  };
}

/**
 * The level of a number of samples, at least 1, of which `most` are in one square. By its root, because a few crowded
 * squares would make all others alike.
 */
export function levelOf(count: number, most: number): number {
  return Math.min(LEVELS - 1, Math.floor(Math.sqrt(count / Math.max(1, most)) * LEVELS));
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

/** Counts of cells, column after column, the lowest cell of each first. */
export interface CountedCells extends Pick<
  HeatmapColumns,
  'samples' | 'matches' | 'selected' | 'most' | 'mostMatches' | 'mostSelected'
> {
  /** Cells of a column. */
  readonly rows: number;
}

/**
 * Paints a pixel for each cell into an image as wide as there are columns. The first cell of a column is at the bottom.
 * `isInside`: whether a cell, by its place among the counts, is in scope; undefined: it is left empty.
 */
export function paintHeatmap(
  image: Uint32Array,
  cells: CountedCells,
  isInside: (at: number) => boolean | undefined,
  colours: HeatmapColours,
): void {
  const { rows, samples } = cells;
  const columns = samples.length / rows;
  const inside = pixelsOf(colours);
  const outside = pixelsOf(outsideColours(colours));
  for (let at = 0; at < samples.length; at++) {
    const isIn = isInside(at);
    if (isIn === undefined) continue;
    const pixel = (rows - 1 - (at % rows)) * columns + Math.floor(at / rows);
    image[pixel] = colourOf(cells, at, isIn ? inside : outside);
  }
}

function colourOf(cells: CountedCells, at: number, pixels: Pixels): number {
  const { samples, matches, selected, most, mostMatches, mostSelected } = cells;
  if (samples[at] === 0) return pixels.empty;
  if (matches !== undefined && matches[at] > 0) return pixels.matches[levelOf(matches[at], mostMatches)];
  if (selected !== undefined && selected[at] > 0) return pixels.samples[levelOf(selected[at], mostSelected)];
  const isMarking = matches !== undefined || selected !== undefined;
  return (isMarking ? pixels.rest : pixels.samples)[levelOf(samples[at], most)];
}

/** Draws cells where their time is on the axis of the timeline: from `begin` on, each column `columnNs` wide. */
export function drawHeatmap(
  context: CanvasRenderingContext2D,
  { width, height, theme }: DrawingSize,
  cells: CountedCells,
  { shown }: Pick<TimelineColumns, 'shown'>,
  { begin, columnNs }: { readonly begin: number; readonly columnNs: number },
  isInside: (at: number) => boolean | undefined,
): void {
  const { rows, samples } = cells;
  if (samples.length === 0) return;
  const image = new ImageData(samples.length / rows, rows);
  paintHeatmap(new Uint32Array(image.data.buffer), cells, isInside, HEATMAP_COLOURS[theme]);
  const squares = new OffscreenCanvas(image.width, image.height);
  squares.getContext('2d')?.putImageData(image, 0, 0);
  const xOf = (time: number): number => ((time - shown.from) / (shown.to - shown.from)) * width;
  const left = xOf(begin);
  context.imageSmoothingEnabled = false;
  context.drawImage(squares, left, 0, xOf(begin + image.width * columnNs) - left, height);
}
