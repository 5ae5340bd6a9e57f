import { expect, test } from 'vitest';
import { HEATMAP_COLOURS, levelOf } from '../../../renderer/panes/heatmap/heatmap-colours.ts';
import { paintHeatmap } from '../../../renderer/panes/heatmap/heatmap-drawing.ts';
import {
  axisLabels,
  blocksOf,
  columnsAround,
  squareAt,
  squareSize,
  timeOfSquares,
} from '../../../renderer/panes/heatmap/heatmap-geometry.ts';
import { heatmapKey } from '../../../renderer/panes/heatmap/heatmap-keys.ts';
import { nextScale, scaleChoices } from '../../../renderer/panes/heatmap/heatmap-scales.ts';
import { squareText } from '../../../renderer/panes/heatmap/heatmap-text.ts';
import { colourBits } from '../../../shared/draw/row-styles.ts';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import { HEATMAP_SCALES, type HeatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';

const { fine, middle, coarse } = HEATMAP_SCALES;
const SECOND = 1e9;

/** Columns 1 and 2 of three; the last sample is in row 1 of the last. */
const HEATMAP: HeatmapColumns = {
  ...{ first: '0', last: 2 * SECOND + 30e6, scale: 'fine', length: 3, from: 1 },
  samples: Uint32Array.from({ length: 100 }, (_, at) => (at === 0 ? 4 : at === 51 ? 1 : 0)),
  matches: undefined,
  selected: undefined,
  ...{ most: 4, mostMatches: 0, mostSelected: 0 },
};

test('a time of a square that a browser cannot show is not to be chosen, and its hint says why', () => {
  const choices = (days: number): string[] =>
    scaleChoices(days * 86_400 * SECOND).map(
      ({ text, hint, disabled }) => `${text}${disabled ? ' disabled' : ''}: ${hint}`,
    );
  const coarser = ['250 ms: A column is 15 seconds', '5 s: A column is five minutes: a day fits'];
  expect(choices(170)).toEqual(['20 ms: A column is a second', ...coarser]);
  expect(choices(180)).toEqual([
    '20 ms disabled: The log is too long: it would have more columns than a browser can show',
    ...coarser,
  ]);
  expect(scaleChoices(undefined).some(({ disabled }) => disabled)).toBe(false);
  const next = (days: number, from: keyof typeof HEATMAP_SCALES, step: 1 | -1): string | undefined =>
    nextScale(days * 86_400 * SECOND, from, step);
  expect([next(1, 'middle', -1), next(1, 'fine', -1), next(1, 'coarse', 1)]).toEqual([
    ...['fine', undefined, undefined],
  ]);
  expect([next(180, 'middle', -1), next(180, 'middle', 1)]).toEqual([undefined, 'coarse']);
});

test('an interval covers the rest of its first column, whole columns, and the start of the last one', () => {
  const blocks = (from: number, to: number): string[] =>
    blocksOf({ from: from * 1e6, to: to * 1e6 }, { scale: 'fine', last: 10 * SECOND }).map(
      ({ column, columns, row, rows }) => `${column}+${columns} ${row}+${rows}`,
    );
  expect(blocks(40, 3_020)).toEqual(['0+1 2+48', '1+2 0+50', '3+1 0+1']);
  expect(blocks(1_000, 2_000)).toEqual(['1+1 0+50']);
  expect(blocks(30, 50)).toEqual(['0+1 1+2']);
  expect(blocks(980, 1_020)).toEqual(['0+1 49+1', '1+1 0+1']);
  expect(blocks(-500, 20)).toEqual(['0+1 0+1']);
  expect(blocks(10_000, 90_000)).toEqual(['10+1 0+1']);
  expect(blocks(20, 20)).toEqual([]);
});

test('squares are as large as all columns allow, and as small as can be seen and hit', () => {
  const place = { width: 1_000, height: 200, pixelRatio: 1 };
  expect(squareSize(place, 100, fine)).toEqual({ width: 10, height: 4 });
  expect(squareSize(place, 1, fine)).toEqual({ width: 40, height: 4 });
  expect(squareSize(place, 86_400, fine)).toEqual({ width: 4, height: 4 });
  // Three months and more in columns of seconds: no wider than a browser can lay out.
  expect(squareSize(place, 90 * 86_400, fine).width).toBe(1);
  expect(squareSize({ ...place, pixelRatio: 2 }, 3_000_000, fine).width).toBe(8);
  expect(squareSize({ ...place, pixelRatio: 2 }, 100, middle)).toEqual({ width: 20, height: 6 });
  expect(squareSize({ ...place, height: 10 }, 100, fine)).toEqual({ width: 10, height: 1 });
});

test('the square at a point is the one that is drawn there; time goes up within a column', () => {
  const size = { width: 10, height: 4 };
  expect(squareAt(0, 199, size, HEATMAP)).toBe(0);
  expect(squareAt(0, 0, size, HEATMAP)).toBe(49);
  expect(squareAt(15, 195, size, HEATMAP)).toBe(51);
  // Outside, and after the last sample.
  expect([squareAt(-5, 500, size, HEATMAP), squareAt(900, 0, size, HEATMAP)]).toEqual([0, 101]);
  expect(timeOfSquares(52, 50, fine)).toEqual({ from: SECOND, to: SECOND + 60e6 });
  expect(timeOfSquares(3, 3, coarse)).toEqual({ from: 15 * SECOND, to: 20 * SECOND });
});

test('what is asked for has a page before and two after the columns on screen, and stays for small steps', () => {
  expect(columnsAround(0, 100)).toEqual({ from: 0, columns: 400 });
  expect(columnsAround(99, 100)).toEqual({ from: 0, columns: 400 });
  expect(columnsAround(250, 100)).toEqual({ from: 100, columns: 400 });
});

test('times below the columns are round, and do not touch', () => {
  const texts = (...args: Parameters<typeof axisLabels>): string =>
    axisLabels(...args)
      .map(({ column, text }) => `${column} ${text}`)
      .join(', ');
  expect(texts(fine, 0, 12, 20)).toBe('0 0:00, 5 0:05, 10 0:10');
  // There is no space for 0:10 below one narrow column.
  expect(texts(fine, 0, 11, 20)).toBe('0 0:00, 5 0:05');
  expect(texts(fine, 3_600, 3_641, 4)).toBe('3600 1:00:00, 3630 1:00:30');
  expect(texts(middle, 7, 40, 10)).toBe('20 5:00');
  expect(texts(coarse, 0, 288, 4)).toBe(
    '0 0:00, 24 2:00:00, 48 4:00:00, 72 6:00:00, 96 8:00:00, 120 10:00:00, 144 12:00:00, 168 14:00:00, ' +
      '192 16:00:00, 216 18:00:00, 240 20:00:00, 264 22:00:00',
  );
});

test('keys move by squares and columns within the samples', () => {
  const after = (key: string, square: number): unknown => {
    const action = heatmapKey(key, square, 50, 1_000);
    return action?.type === 'move' ? action.to : action;
  };
  const keys = ['ArrowUp', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'PageDown', 'PageUp', 'Home', 'End', 'x'];
  expect(keys.map((key) => after(key, 60))).toEqual([61, 59, 110, 10, 560, 0, 0, 1_000, undefined]);
  expect([after('ArrowUp', 1_000), after('ArrowDown', 0), after('toString', 0)]).toEqual([
    1_000,
    0,
    undefined,
  ]);
});

test('a square is spoken with its time and what is in it', () => {
  expect(squareText(HEATMAP, 50, SAMPLES_AND_TIME)).toBe('0:01 to 0:01.02: 4 samples');
  const marked = { ...HEATMAP, matches: HEATMAP.samples, selected: HEATMAP.samples };
  expect(squareText(marked, 101, SAMPLES_AND_TIME)).toBe(
    '0:02.02 to 0:02.04: 1 sample, 1 with a match, 1 with the selected method',
  );
  // Of a column that was not counted only the time is known.
  expect(squareText(HEATMAP, 3, SAMPLES_AND_TIME)).toBe('0:00.06 to 0:00.08');
});

test('every square is painted in the colour of its samples, paler outside the range, and nothing after the last', () => {
  const colours = HEATMAP_COLOURS.light;
  const width = 30;
  const image = new Uint32Array(width * 50 * 2);
  const square = { width: 10, height: 2 };
  const paint = (change: object): ((x: number, row: number) => number) => {
    const picture = {
      heatmap: HEATMAP,
      square,
      width,
      left: 0,
      gap: { x: 1, y: 0 },
      range: undefined,
      colours,
    };
    paintHeatmap(image, { ...picture, ...change });
    return (x, row) => image[(49 - row) * 2 * width + x];
  };
  const surface = colourBits(colours.surface);
  const empty = colourBits(colours.empty);
  const crowded = colourBits(colours.samples[levelOf(4, 4)]);
  const single = colourBits(colours.samples[levelOf(1, 4)]);
  const whole = paint({});
  // The first column was not counted; after a square there is a gap.
  expect([whole(0, 0), whole(10, 0), whole(18, 0), whole(19, 0)]).toEqual([
    surface,
    crowded,
    crowded,
    surface,
  ]);
  expect([whole(10, 1), whole(20, 0), whole(20, 1), whole(20, 2)]).toEqual([empty, empty, single, surface]);
  const scrolled = paint({ left: 15 });
  expect([scrolled(0, 0), scrolled(4, 0), scrolled(5, 1)]).toEqual([crowded, surface, single]);
  const ranged = paint({ range: { from: 2 * SECOND + 21e6, to: 3 * SECOND } });
  expect(ranged(20, 1)).toBe(single);
  expect([crowded, surface]).not.toContain(ranged(10, 0));
  const marked = paint({
    heatmap: { ...HEATMAP, matches: new Uint32Array(100).fill(2, 0, 1), mostMatches: 2 },
  });
  expect(marked(10, 0)).toBe(colourBits(colours.matches[levelOf(2, 2)]));
  expect(marked(20, 1)).toBe(colourBits(colours.rest[levelOf(1, 4)]));
});
