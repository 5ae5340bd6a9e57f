import { newLogView } from '../../../../renderer/store/state/window-state.ts';
import { expect, test } from 'vitest';
import {
  HEATMAP_COLOURS,
  levelOf,
  paintHeatmap,
} from '../../../../renderer/panes/timeline/heatmap-drawing.ts';
import { isInRange, squareText } from '../../../../renderer/panes/timeline/HeatmapTrack.tsx';
import { squareAfterKey } from '../../../../renderer/panes/timeline/timeline-keys.ts';
import { colourBits } from '../../../../shared/draw/row-styles.ts';
import type { HeatmapColumns } from '../../../../shared/engine/views/heatmap-columns.ts';
import type { Interval } from '../../../../shared/engine/views/timeline-columns.ts';

const SECOND = 1e9;

/** Columns 1 and 2 of three; the last sample is in row 1 of the last. */
const HEATMAP: HeatmapColumns = {
  first: '0',
  last: 2 * SECOND + 30e6,
  rows: 50,
  squareNs: 20e6,
  from: 50,
  samples: Uint32Array.from({ length: 100 }, (_, at) => (at === 0 ? 4 : at === 51 ? 1 : 0)),
  matches: undefined,
  selected: undefined,
  most: 4,
  mostMatches: 0,
  mostSelected: 0,
};

test('keys move by squares and columns within the samples', () => {
  const after = (key: string, square: number): number | undefined => squareAfterKey(key, square, 50, 1_000);
  const keys = ['ArrowUp', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'PageDown', 'PageUp', 'Home', 'End', 'x'];
  expect(keys.map((key) => after(key, 60))).toEqual([61, 59, 110, 10, 560, 0, 0, 1_000, undefined]);
  expect([after('ArrowUp', 1_000), after('ArrowDown', 0), after('toString', 0)]).toEqual([
    1_000,
    0,
    undefined,
  ]);
});

test('a square is spoken with its time and what is in it', () => {
  const log = newLogView('a', undefined, 'a', '');
  expect(squareText(log, HEATMAP, 50)).toBe('0:01 to 0:01.02: 4 samples');
  const marked = { ...HEATMAP, matches: HEATMAP.samples, selected: HEATMAP.samples };
  expect(squareText(log, marked, 101)).toBe(
    '0:02.02 to 0:02.04: 1 sample, 1 with a match, 1 with the selected method',
  );
  // Outside of what is on screen only the time is known.
  expect(squareText(log, HEATMAP, 3)).toBe('0:00.06 to 0:00.08');
});

test('every square is painted in the colour of its samples, paler outside the range, and nothing after the last', () => {
  const colours = HEATMAP_COLOURS.light;
  const paint = (
    range?: Interval,
    change: Partial<HeatmapColumns> = {},
  ): ((column: number, row: number) => number) => {
    const image = new Uint32Array(2 * 50);
    paintHeatmap(image, { ...HEATMAP, ...change }, isInRange(HEATMAP, range), colours);
    return (column, row) => image[(49 - row) * 2 + column];
  };
  const empty = colourBits(colours.empty);
  const crowded = colourBits(colours.samples[levelOf(4, 4)]);
  const single = colourBits(colours.samples[levelOf(1, 4)]);
  const whole = paint();
  expect([whole(0, 0), whole(0, 1), whole(1, 0), whole(1, 1), whole(1, 2)]).toEqual([
    crowded,
    empty,
    empty,
    single,
    0,
  ]);
  const ranged = paint({ from: 2 * SECOND + 21e6, to: 3 * SECOND });
  expect(ranged(1, 1)).toBe(single);
  expect([crowded, 0]).not.toContain(ranged(0, 0));
  const marked = paint(undefined, { matches: new Uint32Array(100).fill(2, 0, 1), mostMatches: 2 });
  expect(marked(0, 0)).toBe(colourBits(colours.matches[levelOf(2, 2)]));
  expect(marked(1, 1)).toBe(colourBits(colours.rest[levelOf(1, 4)]));
});
