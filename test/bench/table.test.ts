import { expect, test } from 'vitest';
import { median, percentile } from './median.ts';
import { GOAL_HEADING, goalLines, markdownTable, textTable, verdictOf, withUnit } from './table.ts';
import { figure, measured, unmeasured } from './measured.ts';

const ROWS = [
  measured('summary', ['time 0.8512 × sha256sum goal 0.8', 'memory 0.49 × file goal 1.5']),
  unmeasured('growth', 'no room\n    at a stack that is told elsewhere'),
  measured('bundle', ['all 453.2 kB goal 453.2', 'worker 61.4 kB']),
];

test('a table has a line per figure, and says what gave none', () => {
  expect(`\n${textTable(GOAL_HEADING, goalLines(ROWS))}\n`).toBe(`
what                figure              value                goal
what summary does   time     0.85 × sha256sum   ≤ 0.8 × sha256sum   falls short
                    memory        0.49 × file        ≤ 1.5 × file   pass
what growth does                                                    not measured: no room
what bundle does    all                453 kB            ≤ 453 kB   pass
                    worker            61.4 kB                       no goal
`);
});

test('the same as Markdown', () => {
  expect(markdownTable(GOAL_HEADING, goalLines(ROWS.slice(2)))).toBe(
    [
      '| what | figure | value | goal |  |',
      '| --- | --- | --: | --: | --- |',
      '| what bundle does | all | 453 kB | ≤ 453 kB | pass |',
      '|  | worker | 61.4 kB |  | no goal |',
    ].join('\n'),
  );
});

test('a goal is kept at its value and below; what is no number keeps none', () => {
  expect(verdictOf(figure('time 300 ms goal 300'))).toBe('pass');
  expect(verdictOf(figure('time 300.1 ms goal 300'))).toBe('falls short');
  expect(verdictOf(figure('time NaN ms goal 300'))).toBe('falls short');
  expect(verdictOf(figure('time 7 ms'))).toBe('no goal');
});

test('values keep three digits, whole ones all', () => {
  expect([0.0123, 0.456, 1.005, 23.45, 678.9, 12_345.6].map((value) => withUnit(value, 'ms'))).toEqual([
    '0.012 ms',
    '0.46 ms',
    '1.01 ms',
    '23.5 ms',
    '679 ms',
    '12,346 ms',
  ]);
});

test('median and percentile', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(3);
  expect(percentile([5, 1, 4, 2, 3], 0.8)).toBe(4);
  expect(percentile([7], 0.95)).toBe(7);
});
