import { expect, test } from 'vitest';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import {
  flameKey,
  findFrame,
  type FlameStep,
  frameId,
  stepFrame,
} from '../../../renderer/panes/flame/flame-walk.ts';
import {
  comparedDetails,
  drawnText,
  framesText,
  frameDetails,
  frameWhole,
  groupedText,
  placeAmongSiblings,
} from '../../../renderer/panes/flame/flame-text.ts';
import {
  flameCounts,
  flameRow,
  flameRows,
  framesOfMethod,
  labelAt,
  levelOf,
} from '../../../shared/engine/views/flame-columns.ts';
import { flameOf, SMALL_FLAME as layout } from '../../support/drawn-flame.ts';
import { profileSummary } from '../../support/window-events.ts';

const at = (label: string): number => flameRows(layout).findIndex((row) => row.label === label);

test('a frame of a comparison: both sides by the metric, and how sure the difference is', () => {
  const one = (value: number): Float64Array<ArrayBuffer> => new Float64Array(layout.length).fill(value);
  const compared = {
    ...layout,
    totalCount: one(300),
    totalTime: one(1e9),
    difference: {
      baseSelfCount: one(0),
      baseTotalCount: one(300),
      baseTotalTime: one(1e8),
      level: new Int8Array(layout.length),
      hasBoth: true,
    },
  };
  const details = (by: 'share' | 'amount', metric: Metric): string => {
    const scales = { samples: { base: 1000, next: 2000 }, time: { base: 1e9, next: 2e9 } };
    const scale = { metric, ...(by === 'share' ? scales[metric] : { base: 1, next: 1 }) };
    const whole = { by, scale, samples: scales.samples, seconds: undefined, isSampled: true };
    return comparedDetails(compared, at('b'), whole, SAMPLES_AND_TIME);
  };
  expect(details('share', 'samples')).toMatch(
    /^base 30\.00 % \(300 samples\) · new 15\.00 % \(300 samples\) · −15\.00 points, 95 % interval −/,
  );
  expect(details('share', 'time')).toMatch(
    /^base 10\.00 % \(100 ms, 300 samples\) · new 50\.00 % \(1\.00 s, 300 samples\) · \+40\.00 points, samples do not confirm it: 95 % interval of samples −/,
  );
  // Widths are of both sides together: their samples are told, not the width.
  expect(framesText(compared, [at('b')], 'samples', SAMPLES_AND_TIME)).toBe(
    'base 300 samples, new 300, in 1 place',
  );
  expect(details('amount', 'time')).toBe(
    'base 100 ms (300 samples) · new 1.00 s (300 samples) · +900 ms, samples do not confirm it',
  );
});

test('keys walk from frame to frame as the picture shows them', () => {
  const walk = (from: string, ...steps: FlameStep[]): string =>
    labelAt(
      layout,
      steps.reduce((place, step) => stepFrame(layout, place, step), at(from)),
    );
  expect(walk('all', 'callee')).toBe('a');
  expect(walk('all', 'callee', 'callee', 'callee')).toBe('f');
  expect(walk('f', 'callee')).toBe('f');
  expect(walk('f', 'caller', 'right')).toBe('d');
  expect(walk('d', 'right')).toBe('e');
  expect(walk('e', 'left', 'left')).toBe('c');
  expect(walk('c', 'left')).toBe('c');
  expect(walk('b', 'right')).toBe('2 narrow frames');
  expect(walk('all', 'caller')).toBe('all');
  expect(stepFrame(layout, -1, 'callee')).toBe(0);
  expect(stepFrame(flameOf(''), -1, 'root')).toBe(-1);
});

test('rows are found by their identity; a block before a root that begins with it', () => {
  const ids = flameRows(layout).map((_, row) => frameId(layout, row));
  expect(new Set(ids).size).toBe(layout.length);
  ids.forEach((id, row) => expect(findFrame(layout, id)).toBe(row));
  expect(findFrame(layout, undefined)).toBe(-1);
  const zoomed = flameOf(`
    ~9 3
      ~4 2
      ~5 1
  `);
  zoomed.id.fill(7, 0, 2);
  expect([0, 1, 2].map((row) => findFrame(zoomed, frameId(zoomed, row)))).toEqual([1, 1, 2]);
});

test('frames of a method are all that are drawn, level by level, and no blocks', () => {
  const recursive = flameOf(`
    all 10
      a 6
        b 4
          a 3
      b 3
        ~2 1
      a 1
  `);
  const levels = (method: string | undefined): number[] =>
    framesOfMethod(recursive, method).map((row) => levelOf(recursive, row));
  expect([levels('a'), levels('b')]).toEqual([
    [1, 1, 3],
    [1, 2],
  ]);
  expect([levels('all'), levels('~2'), levels(''), levels(undefined)]).toEqual([[], [], [], []]);
});

test('up and down follow the picture', () => {
  expect(flameKey('ArrowUp', 'flame')).toEqual({ type: 'step', step: 'callee' });
  expect(flameKey('ArrowUp', 'icicle')).toEqual({ type: 'step', step: 'caller' });
  expect(flameKey('ArrowDown', 'flame')).toEqual({ type: 'step', step: 'caller' });
  expect(flameKey('Backspace', 'flame')).toEqual({ type: 'out' });
  expect(flameKey('x', 'flame')).toBeUndefined();
});

test('a frame says what it weighs, of everything and of what is shown', () => {
  const whole = { samples: 20, of: 'all', timed: false } as const;
  expect(
    frameDetails(flameRow(layout, at('c')), flameRow(layout, 0), whole, 'samples', SAMPLES_AND_TIME),
  ).toBe('4 samples (20.00 % of all)');
  const zoomed = { ...flameRow(layout, at('a')), kind: 'frame' as const };
  expect(
    frameDetails(
      { ...flameRow(layout, at('c')), selfCount: 1, totalTime: 2e6 },
      zoomed,
      { ...whole, timed: true },
      'time',
      SAMPLES_AND_TIME,
    ),
  ).toBe('4 samples (20.00 % of all) · 1 self (5.00 % of all) · 2.00 ms · 66.67 % of the time shown');
});

test('the percentages of a frame are of all, or of what is in scope', () => {
  const summary = {
    ...profileSummary({ samples: 40, totalTime: 1e9, methods: 6, nodes: 9, timed: true }),
    hidden: { samples: 8, time: 0 },
    outside: { samples: 12, time: 0 },
  };
  expect(frameWhole(summary)).toEqual({ samples: 20, of: 'scope', timed: true });
  const none = { samples: 0, time: 0 };
  expect(frameWhole({ ...summary, outside: none })).toEqual({ samples: 32, of: 'all', timed: true });
});

test('the frames of a method are told by their weight, recursive calls once, and by their number', () => {
  const recursive = flameOf(`
    all 20
      a 10
        b 8
          a 6
      b 4
        a 4
  `);
  const told = (label: string): string => {
    const rows = flameRows(recursive).flatMap((row, index) => (row.label === label ? [index] : []));
    return framesText(recursive, rows, 'samples', SAMPLES_AND_TIME);
  };
  expect(told('a')).toBe('14 samples, 70.00 % of what is shown, in 3 places');
  expect(told('b')).toBe('12 samples, 60.00 % of what is shown, in 2 places');
});

test('grouped frames are told where they hold a hundredth or more', () => {
  expect(drawnText(flameCounts(layout))).toBe('7 frames · 2 narrow frames grouped');
  expect(groupedText(flameCounts(layout), 'samples', SAMPLES_AND_TIME)).toContain(
    ': 10.0 % of samples end in them.',
  );
  const small = flameOf(`
    all 1000
      a 991
      ~5 9
  `);
  expect(drawnText(flameCounts(small))).toBe('2 frames');
});

test('a frame knows its place among its siblings', () => {
  const place = (label: string): string => {
    const { position, count } = placeAmongSiblings(layout, at(label));
    return `${position} of ${count}`;
  };
  expect(['all', 'a', 'b', '2 narrow frames', 'd', 'e'].map(place)).toEqual([
    '1 of 1',
    '1 of 3',
    '2 of 3',
    '3 of 3',
    '2 of 2',
    '1 of 1',
  ]);
});
