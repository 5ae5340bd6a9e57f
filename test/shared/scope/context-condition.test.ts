import { expect, test } from 'vitest';
import { contextsText, durationText, parseSpan, spanText } from '../../../shared/scope/context-condition.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('spans');

test('a span is two durations, or two times since the earliest sample', () => {
  expect(parseSpan('100ms..2s')).toEqual({ from: 1e8, to: 2e9 });
  expect(parseSpan('1.5..')).toEqual({ from: 1.5e9, to: undefined });
  expect(parseSpan('..250us')).toEqual({ from: undefined, to: 250_000 });
  expect(parseSpan('5:00..1:00:00.25')).toEqual({ from: 300e9, to: 3_600.25e9 });
  expect(parseSpan('7ns..2m')).toEqual({ from: 7, to: 120e9 });
  expect(parseSpan('..')).toEqual({});
  const wrong = [
    '',
    '1s',
    '2s..1s',
    '1s..1s',
    '1s...2s',
    '1s..2s..3s',
    '-1s..',
    'a..b',
    '1s ..',
    '1h..2026-11-20T14:27:02Z',
  ];
  for (const text of [...wrong, '999999999999999h..']) expect(parseSpan(text), text).toBeUndefined();
});

test('a span that is written is read as it was', () => {
  const random = randomFor(0);
  for (let each = 0; each < 500; each++) {
    const from = random.below(1_000) * 10 ** random.below(13);
    const span = random.pick([{ from }, { to: from + 1 }, { from, to: from + 1 + random.below(1e6) }]);
    expect(parseSpan(spanText(span)), `SEED=${seed} ${JSON.stringify(span)}`).toEqual(span);
  }
});

test('contexts in a few words', () => {
  expect(contextsText({ where: [], took: {} })).toBe('all requests');
  const where = ['operation=checkout'];
  expect(contextsText({ where, took: { from: 1.25e8, to: 2e9 }, slower: 99 })).toBe(
    'operation=checkout, 125 ms to 2 s, slowest 1 %',
  );
  expect(contextsText({ where, took: { from: 100e9 }, began: { from: 5e9, to: 6.5e9 } })).toBe(
    'operation=checkout, 1 m 40 s or longer, began 0:05 to 0:06.5',
  );
  expect(contextsText({ where: [], took: { to: 1_600 }, began: { to: 6e10 } })).toBe(
    'shorter than 1.6 µs, began before 1:00',
  );
  expect([0, 999, 12_500, 3.2e9].map(durationText)).toEqual(['0 ns', '999 ns', '12.5 µs', '3.2 s']);
});
