import { expect, test } from 'vitest';
import { boundsText, clockText, parseTime, rangeText } from '../../../shared/scope/time-range.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('time-text');

test.each([
  ['12.5', 'first 12500000000'],
  ['90s', 'first 90000000000'],
  ['5m', 'first 300000000000'],
  ['1.5h', 'first 5400000000000'],
  ['250ms', 'first 250000000'],
  ['0.0000000019', 'first 1'],
  ['2:05.25', 'first 125250000000'],
  ['1:02:05', 'first 3725000000000'],
  ['1795174022011079152ns', '1970 1795174022011079152'],
  ['-5ns', '1970 -5'],
  ['1970-01-01T00:00:01.5Z', '1970 1500000000'],
  ['1970-01-01T01:00:00.000000001+01:00', '1970 1'],
  ['1970-01-01T00:01Z', '1970 60000000000'],
  ['', '-'],
  ['-1', '-'],
  ['1,5', '-'],
  ['5 m', '-'],
  ['noon', '-'],
  ['2:5', '-'],
  ['1970-01-01T00:00:01', '-'],
  ['1970-13-01T00:00:01Z', '-'],
])('%j means %s', (text, expected) => {
  const time = parseTime(text);
  expect(time === undefined ? '-' : `${time.since} ${time.ns}`).toBe(expected);
});

test('a time that is written is read again, to the nanosecond', () => {
  for (let scenario = 0; scenario < 300; scenario++) {
    const random = randomFor(scenario);
    const ns = BigInt(random.below(2 ** 31)) * BigInt(10 ** random.below(6)) + BigInt(random.below(1_000));
    expect(parseTime(clockText(ns)), `SEED=${seed} scenario ${scenario}`).toEqual({ since: 'first', ns });
  }
});

test('ranges in a few words', () => {
  const first = 1_000_000_000_000_000_000n;
  const at = (seconds: number): string => String(first + BigInt(seconds * 1e9));
  const texts = [
    rangeText({ kind: 'between', from: at(12.5), to: at(3_725) }, first),
    rangeText({ kind: 'between', from: at(0.0009), to: undefined }, first),
    rangeText({ kind: 'between', from: undefined, to: at(60) }, first),
    rangeText({ kind: 'latest', ns: 300e9 }, first),
    rangeText({ kind: 'between', from: at(0), to: undefined }, undefined),
    // As a link may have it: no date.
    rangeText({ kind: 'between', from: '9'.repeat(25), to: undefined }, undefined),
  ];
  expect(texts).toEqual([
    '0:12.5 to 1:02:05',
    'from 0:00',
    'before 1:00',
    'last 5 min',
    'from 2001-09-09T01:46:40.000Z',
    'from 9999999999999999999999999 ns',
  ]);
  const bounds = {
    from: undefined,
    to: BigInt(at(10)),
    except: { from: BigInt(at(2)), to: BigInt(at(3.5)) },
  };
  expect(boundsText(bounds, first)).toBe('before 0:10, without 0:02 to 0:03.5');
});
