import { afterEach, expect, test, vi } from 'vitest';
import { drawTimeline, timelineScale } from '../../../../renderer/panes/timeline/timeline-drawing.ts';
import type { TimelineColumns } from '../../../../shared/engine/views/timeline-columns.ts';

afterEach(() => vi.unstubAllGlobals());

interface Drawn {
  readonly fill: unknown;
  /** `left top width height` */
  readonly rects: string[];
}

/** A canvas that notes what is filled, and the lines of the tile of a hatching. */
function recordedCanvas(): { readonly drawn: Drawn[]; readonly lines: string[]; context: unknown } {
  const drawn: Drawn[] = [];
  const lines: string[] = [];
  const tile = {
    strokeStyle: '',
    lineWidth: 0,
    moveTo: () => undefined,
    lineTo: (x: number, y: number) => lines.push(`${x} ${y}`),
    stroke: () => undefined,
  };
  const canvas = { width: 0, height: 0, getContext: () => tile };
  vi.stubGlobal('document', { createElement: () => canvas });
  vi.stubGlobal('getComputedStyle', () => ({
    color: 'area',
    caretColor: 'selected',
    textDecorationColor: 'match',
    outlineColor: 'error',
  }));
  const context = {
    canvas: {},
    fillStyle: '' as unknown,
    fillRect: (...sides: readonly number[]) => {
      const rect = sides.join(' ');
      if (drawn.at(-1)?.fill === context.fillStyle) drawn.at(-1)?.rects.push(rect);
      else drawn.push({ fill: context.fillStyle, rects: [rect] });
    },
    createPattern: (of: unknown) => ({ hatching: tile.strokeStyle, isTile: of === canvas }),
  };
  return { drawn, lines, context };
}

const columns = (change: Partial<TimelineColumns>): TimelineColumns => ({
  first: '0',
  last: 4e9 - 1,
  shown: { from: 0, to: 4e9 },
  from: 0,
  bucketNs: 1e9,
  samples: Float64Array.of(4, 0, 8, 2),
  errors: new Float64Array(4),
  matches: new Float64Array(4),
  selected: new Float64Array(4),
  ...change,
});
const SIZE = { width: 40, height: 16, pixelRatio: 1, theme: 'light' } as const;

test('errors are hatched over the area, as high as their part of the samples, with one tile for all drawings', () => {
  const { drawn, lines, context } = recordedCanvas();
  const errors = Float64Array.of(1, 0, 4, 0);
  drawTimeline(context as CanvasRenderingContext2D, columns({ errors }), [], SIZE);
  expect(drawn).toEqual([
    { fill: 'area', rects: ['0 8 10 8', '20 0 10 16', '30 12 10 4'] },
    { fill: { hatching: 'error', isTile: true }, rects: ['0 14 10 2', '20 8 10 8'] },
  ]);
  const ofTile = lines.length;
  expect(ofTile).toBeGreaterThan(1);
  drawTimeline(context as CanvasRenderingContext2D, columns({ errors }), [], SIZE);
  expect(lines.length).toBe(ofTile);
  drawTimeline(context as CanvasRenderingContext2D, columns({ errors }), [], { ...SIZE, pixelRatio: 2 });
  expect(lines.length).toBe(2 * ofTile);
});

test('layers, selection and matches lie below the hatching, and a single sample can be seen', () => {
  const { drawn, context } = recordedCanvas();
  const part = Float64Array.of(0, 0, 0, 0.001);
  const all = columns({ errors: part, matches: part, selected: part });
  const layers = [
    { values: Float64Array.of(4, 0, 6, 2), fill: 'lower' },
    { values: Float64Array.of(0, 0, 2, 0), fill: 'upper' },
  ];
  drawTimeline(context as CanvasRenderingContext2D, all, layers, SIZE);
  expect(drawn.map(({ fill }) => (typeof fill === 'string' ? fill : 'hatching'))).toEqual([
    'upper',
    'lower',
    'selected',
    'match',
    'hatching',
  ]);
  expect(drawn.slice(2).map(({ rects }) => rects)).toEqual([['30 15 10 1'], ['30 15 10 1'], ['30 15 10 1']]);
});

test('the scale ends at a round rate, and a bucket that begins before the shown part is cut', () => {
  const { drawn, context } = recordedCanvas();
  const samples = Float64Array.of(1, 5.5, 0, 5.5);
  const cut = columns({ samples, shown: { from: 0.5e9, to: 3.5e9 } });
  expect(timelineScale(cut)).toEqual({ most: 6, perSecond: 6 });
  expect(timelineScale({ samples, bucketNs: 2e8 })).toEqual({ most: 6, perSecond: 30 });
  drawTimeline(context as CanvasRenderingContext2D, cut, [], { ...SIZE, width: 30 });
  expect(drawn).toEqual([{ fill: 'area', rects: ['0 13 5 3', '5 1 10 15', '25 1 5 15'] }]);
});

test('neighbours of equal height are one rectangle of whole pixels, and no tile is made without errors', () => {
  const { drawn, lines, context } = recordedCanvas();
  const samples = Float64Array.of(8, 7.9, 0, 3.3);
  drawTimeline(context as CanvasRenderingContext2D, columns({ samples }), [], SIZE);
  expect(drawn).toEqual([{ fill: 'area', rects: ['0 0 20 16', '30 9 10 7'] }]);
  expect(lines).toEqual([]);
});
