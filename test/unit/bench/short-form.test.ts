import { expect, test } from 'vitest';
import {
  betterOf,
  LIMIT_HEADING,
  limitLines,
  limitOf,
  type Recorded,
  recordedWith,
  regressionsOf,
} from '../../bench/short-form.ts';
import { textTable } from '../../bench/table.ts';
import type { Yardstick } from '../../bench/yardstick.ts';
import { figure, measured, QUIET, unmeasured } from './measured.ts';

const SLOW: Yardstick = { loopMs: 50, sha256Ms: 100 };
const FAST: Yardstick = { loopMs: 10, sha256Ms: 20 };
/** Half as fast at everything but SHA-256, for which it has instructions. */
const HASHING: Yardstick = { loopMs: 40, sha256Ms: 10 };

const recorded = (text: string): Recorded => recordedWith({}, [measured('row', [text])]);
const limit = (text: string, then: string, now: Yardstick): number | undefined =>
  limitOf(figure(text), now, recorded(then).row);

test('the limit is three times the larger of goal and recorded value', () => {
  expect(limit('time 1 ms goal 10', 'time 4 ms', QUIET)).toBe(30);
  expect(limit('time 1 ms goal 10', 'time 40 ms', QUIET)).toBe(120);
  expect(limit('time 1 ms', 'time 4 ms', QUIET)).toBe(12);
  expect(limit('time 1 ms', 'other 4 ms', QUIET)).toBeUndefined();
  expect(limitOf(figure('time 1 ms goal 10'), SLOW, undefined)).toBe(30);
});

test('milliseconds and shares of a core may grow as the machine gets slower, ratios and bytes may not', () => {
  expect(limit('time 1 ms', 'time 4 ms', SLOW)).toBe(30);
  expect(limit('time 1 s', 'time 4 s', SLOW)).toBe(30);
  expect(limit('cpu 1 %', 'cpu 4 %', SLOW)).toBe(30);
  expect(limit('time 1 × sha256sum', 'time 4 × sha256sum', SLOW)).toBe(12);
  expect(limit('size 1 bytes', 'size 4 bytes', SLOW)).toBe(12);
});

test('a faster machine is held against nothing stricter', () => {
  expect(limit('time 1 ms', 'time 4 ms', FAST)).toBe(12);
});

test('against a sha256sum with instructions of its own a ratio may be as much larger', () => {
  expect(limit('time 1 × sha256sum', 'time 2 × sha256sum', HASHING)).toBe(3 * 2 * 8);
});

test('what is beyond its limit, or no number, has regressed', () => {
  const rows = (value: string): string[] =>
    regressionsOf(measured('row', [`time ${value} ms goal 1`]), recorded('time 4 ms')).map(({ id }) => id);
  expect(rows('12')).toEqual([]);
  expect(rows('12.1')).toEqual(['time']);
  expect(rows('NaN')).toEqual(['time']);
});

test('of two measurements the better value of each figure counts', () => {
  const better = betterOf(
    measured('row', ['time 90 ms goal 10', 'memory 1 × file goal 2']),
    measured('row', ['time 20 ms goal 10', 'memory 3 × file goal 2'], SLOW),
  );
  expect(better).toMatchObject({
    seconds: 2,
    outcome: { figures: [{ value: 20 }, { value: 1 }], yardstick: SLOW },
  });
  expect(betterOf(unmeasured('row', 'hung'), measured('row', ['time 2 ms']))).toEqual(
    measured('row', ['time 2 ms']),
  );
  expect(betterOf(measured('row', ['time 2 ms']), unmeasured('row', 'hung'))).toEqual(
    measured('row', ['time 2 ms']),
  );
});

test('recording replaces the rows that were measured and keeps the others', () => {
  const before = recordedWith({}, [measured('a', ['time 1 ms']), measured('b', ['time 2 ms'])]);
  expect(recordedWith(before, [measured('b', ['time 3.14159 ms'], SLOW), unmeasured('a', 'hung')])).toEqual({
    a: { yardstick: QUIET, figures: { time: 1 } },
    b: { yardstick: SLOW, figures: { time: 3.14 } },
  });
});

test('the table shows the limits', () => {
  const rows = [
    measured('row', ['time 13 ms goal 1', 'size 2 kB']),
    measured('new', ['time 2 ms goal 1']),
    unmeasured('broken', 'it ended'),
  ];
  expect(`\n${textTable(LIMIT_HEADING, limitLines(rows, recorded('time 4 ms')))}\n`).toBe(`
what               figure   value     limit
what row does      time     13 ms   ≤ 12 ms   REGRESSED
                   size      2 kB             told
what new does      time      2 ms    ≤ 3 ms   ok, unrecorded
what broken does                              not measured: it ended
`);
});
