import { expect, test } from 'vitest';
import { SAMPLES_AND_TIME } from '../../../../shared/profile/profile-units.ts';
import { flameKey } from '../../../../renderer/panes/flame/flame-keys.ts';
import { drawnText, frameDetails, placeAmongSiblings } from '../../../../renderer/panes/flame/flame-text.ts';
import {
  findFrame,
  type FlameStep,
  frameId,
  nextMatch,
  stepFrame,
} from '../../../../renderer/store/flame-walk.ts';
import { flameRows, SMALL_FLAME as rows } from '../../../support/flame-rows.ts';

const at = (label: string): number => rows.findIndex((row) => row.label === label);

test('keys walk from frame to frame as the picture shows them', () => {
  const walk = (from: string, ...steps: FlameStep[]): string =>
    rows[steps.reduce((place, step) => stepFrame(rows, place, step), at(from))].label;
  expect(walk('all', 'callee')).toBe('a');
  expect(walk('all', 'callee', 'callee', 'callee')).toBe('f');
  expect(walk('f', 'callee')).toBe('f');
  expect(walk('f', 'caller', 'right')).toBe('d');
  expect(walk('d', 'right')).toBe('e');
  expect(walk('e', 'left', 'left')).toBe('c');
  expect(walk('c', 'left')).toBe('c');
  expect(walk('b', 'right')).toBe('2 smaller frames');
  expect(walk('all', 'caller')).toBe('all');
  expect(stepFrame(rows, -1, 'callee')).toBe(0);
  expect(stepFrame([], -1, 'root')).toBe(-1);
});

test('matches are visited left to right and round again', () => {
  const next = (from: string, direction: 1 | -1): string => rows[nextMatch(rows, at(from), direction)].label;
  expect([next('all', 1), next('f', 1), next('e', 1)]).toEqual(['f', 'e', 'f']);
  expect([next('e', -1), next('f', -1), next('all', -1)]).toEqual(['f', 'e', 'e']);
  expect(nextMatch(rows, -1, -1)).toBe(at('e'));
  expect(nextMatch(flameRows('all 1'), -1, 1)).toBe(-1);
});

test('a remainder block is another frame than its parent, whose id it has', () => {
  const rest = rows[at('2 smaller frames')];
  expect(rest.id).toBe(rows[0].id);
  expect(findFrame(rows, frameId(rest))).toBe(at('2 smaller frames'));
  expect(findFrame(rows, frameId(rows[0]))).toBe(0);
  expect(findFrame(rows, undefined)).toBe(-1);
});

test('up and down follow the picture', () => {
  expect(flameKey('ArrowUp', 'flame')).toEqual({ type: 'step', step: 'callee' });
  expect(flameKey('ArrowUp', 'icicle')).toEqual({ type: 'step', step: 'caller' });
  expect(flameKey('ArrowDown', 'flame')).toEqual({ type: 'step', step: 'caller' });
  expect(flameKey('Backspace', 'flame')).toEqual({ type: 'out' });
  expect(flameKey('x', 'flame')).toBeUndefined();
});

test('a frame says what it weighs, of everything and of what is shown', () => {
  const whole = {
    samples: 20,
    totalTime: 1e9,
    hidden: { samples: 0, time: 0 },
    threads: 1,
    methods: 6,
    nodes: 9,
    timed: false,
  };
  expect(frameDetails(rows[at('c')], rows[0], whole, 'samples', SAMPLES_AND_TIME)).toBe(
    '4 samples (20.00 %)',
  );
  const zoomed = { ...rows[at('a')], kind: 'frame' as const };
  expect(
    frameDetails(
      { ...rows[at('c')], selfCount: 1, totalTime: 2e6 },
      zoomed,
      { ...whole, timed: true },
      'time',
      SAMPLES_AND_TIME,
    ),
  ).toBe('4 samples (20.00 %) · 1 self (5.00 %) · 2.00 ms · 66.67 % of the time shown');
});

test('what is folded is told', () => {
  const shown = {
    type: 'flame',
    pane: 'flame',
    rows,
    path: [],
    pathLeftOut: 0,
    zoom: undefined,
    searching: false,
    smaller: 2,
    smallerWeight: 1,
    deepest: 3,
  } as const;
  expect(drawnText(shown, 'samples', SAMPLES_AND_TIME)).toBe(
    '7 frames drawn · 2 smaller frames (10.0 % of samples) folded',
  );
  expect(
    drawnText({ ...shown, rows: rows.slice(0, 1), smaller: 0, smallerWeight: 0 }, 'time', SAMPLES_AND_TIME),
  ).toBe('1 frame drawn');
});

test('a frame knows its place among its siblings', () => {
  const place = (label: string): string => {
    const { position, count } = placeAmongSiblings(rows, at(label));
    return `${position} of ${count}`;
  };
  expect(['all', 'a', 'b', '2 smaller frames', 'd', 'e'].map(place)).toEqual([
    '1 of 1',
    '1 of 3',
    '2 of 3',
    '3 of 3',
    '2 of 2',
    '1 of 1',
  ]);
});
