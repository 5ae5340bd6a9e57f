import type { TimelineColumns } from '../../../shared/engine/views/timeline-columns.ts';
import type { DrawingSize } from '../use-drawing.ts';
import { leftOf } from './timeline-geometry.ts';
import {
  type ColourScheme,
  type ColourTheme,
  familyFills,
  frameStyle,
} from '../../../shared/text/frame-colour.ts';
import type { TimeTracks } from '../../../shared/engine/views/time-tracks.ts';
import { SAMPLE_KINDS, type SampleKind } from '../../../shared/engine/views/self-groups.ts';

/** Pixels between two lines of a hatching. */
const HATCHING = 4;

/** Values of the buckets of the timeline, and how they are filled. */
interface DrawnLayer {
  readonly values: Float64Array;
  readonly fill: string | CanvasPattern;
}

/** Where a track is drawn, device pixels; `least`: as high as the smallest value. */
interface TrackBox {
  readonly top: number;
  readonly height: number;
  readonly width: number;
  readonly least: number;
}

/**
 * Draws a track: layers upon each other, from the bottom, and over them others that are parts of their sum, each from the
 * bottom. A value of `most` is as high as the box.
 */
export function drawTrack(
  context: CanvasRenderingContext2D,
  buckets: TimelineColumns,
  { layers, over = [] }: { readonly layers: readonly DrawnLayer[]; readonly over?: readonly DrawnLayer[] },
  { top, height, width, least }: TrackBox,
  most: number,
): void {
  const heightOf = (value: number): number =>
    value > 0 ? Math.round(Math.max(least, Math.min(1, value / most) * height)) : 0;
  const left = (at: number): number => Math.floor(leftOf(buckets, at, width));
  // Rectangles of whole pixels, and not one path: the browser needs more than twice the time for a path of a thousand rectangles.
  const draw = (values: Float64Array, fill: DrawnLayer['fill']): void => {
    context.fillStyle = fill;
    for (let from = 0, to = 0; from < values.length; from = to) {
      const size = heightOf(values[from]);
      while (to < values.length && heightOf(values[to]) === size) to++;
      if (size > 0)
        context.fillRect(left(from), top + height - size, Math.max(1, left(to) - left(from)), size);
    }
  };
  const sums = new Float64Array(buckets.samples.length);
  for (const { values } of layers) for (let at = 0; at < sums.length; at++) sums[at] += values[at];
  // From the top down: each layer is drawn over what is above it.
  for (const { values, fill } of layers.toReversed()) {
    draw(sums, fill);
    for (let at = 0; at < sums.length; at++) sums[at] -= values[at];
  }
  for (const { values, fill } of over) draw(values, fill);
}

/** Values that a scale ends at, times a power of ten: while a log grows, the scale seldom changes. */
const SCALE_ENDS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** The value at the top of the area. */
interface TimelineScale {
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
  const perSecond = scaleEnd((most * 1e9) / bucketNs);
  return { most: (perSecond * bucketNs) / 1e9, perSecond };
}

/** The end of a scale for values up to this one; 1 where all are 0. */
export function scaleEnd(most: number): number {
  if (most === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return (SCALE_ENDS.find((end) => end * power >= most) ?? 10) * power;
}

/**
 * Draws the samples of all threads: by the kinds of a track, or in one colour; over them what is selected, what matches the
 * search, and errors hatched.
 */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  buckets: TimelineColumns,
  kinds: readonly DrawnLayer[],
  { width, height, pixelRatio }: DrawingSize,
): void {
  const { samples, errors, matches, selected } = buckets;
  // The colours are those of the canvas's style, because only the style sheet knows the theme.
  const style = getComputedStyle(context.canvas);
  const hatched = errors.some((count) => count > 0);
  const track = {
    layers: kinds.length > 0 ? kinds : [{ values: samples, fill: style.color }],
    over: [
      { values: selected, fill: style.caretColor },
      { values: matches, fill: style.textDecorationColor },
      ...(hatched
        ? [{ values: errors, fill: hatchingOf(context, style.outlineColor, HATCHING * pixelRatio) }]
        : []),
    ],
  };
  // A single sample can be seen.
  drawTrack(
    context,
    buckets,
    track,
    { top: 0, height, width, least: pixelRatio },
    timelineScale(buckets).most,
  );
}

interface Hatching {
  readonly colour: string;
  readonly size: number;
  readonly fill: string | CanvasPattern;
}

/** Canvas -> its last hatching, because to make another tile for every drawing would take as long as the drawing. */
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

/** The names of kinds of samples for users. */
export const KIND_NAMES: Readonly<Record<SampleKind, string>> = {
  error: 'Error',
  application: 'Application',
  jdk: 'JDK',
  native: 'Native',
};

/** The colour of a kind of samples: the middle one of its frames in the flame graph. */
function kindFill(kind: SampleKind, theme: ColourTheme): string {
  const scheme: ColourScheme = { theme, colourBy: 'package', searching: false };
  if (kind !== 'error') return familyFills(kind, scheme)[1];
  return frameStyle({ label: '', kind: 'error', match: false }, scheme).unhatched;
}

/** The samples of a track by their kinds, from the bottom. `track`: its place; the one after the last is that of all threads. */
export function kindLayers(
  { kinds, buckets }: TimeTracks,
  track: number,
  theme: ColourTheme,
): readonly DrawnLayer[] {
  return SAMPLE_KINDS.map((kind, at) => {
    const from = (track * SAMPLE_KINDS.length + at) * buckets;
    return { values: kinds.subarray(from, from + buckets), fill: kindFill(kind, theme) };
  });
}
