import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { comparisonOf } from '../../support/comparison-of.ts';
import { WrittenComparison } from '../../../shared/export/written-comparison.ts';
import { writeReport } from '../../../shared/export/compare-report.ts';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';

/** Methods that call nothing -> their samples, and their time without. */
type Methods = Readonly<Record<string, readonly [samples: number, ns: number]>>;

function profileOf(methods: Methods): LeanProfile {
  const aggregator = new ProfileAggregator();
  const root = aggregator.root(aggregator.thread(0, 1));
  for (const [at, [methodName, [samples, ns]]] of Object.entries(methods).entries()) {
    aggregator.defineMethod(aggregator.method(0, at + 1), { file: '', className: 'Shop', methodName });
    aggregator.samplesAt(aggregator.callee(root, 1, 0, at + 1, 1, 1), samples, ns);
  }
  return aggregator.profile;
}

/** The part of a report about methods themselves, each line without the blanks around and between its cells. */
function selfReport(
  base: Methods,
  next: Methods,
  metric: 'samples' | 'time' = 'samples',
  isSampled = true,
): string[] {
  const [before, after] = [profileOf(base), profileOf(next)];
  const written = new WrittenComparison({
    comparison: comparisonOf(before, after, { threads: 'all', frames: 'fqmn' }),
    units: SAMPLES_AND_TIME,
    isSampled,
    title: 'test',
    names: { base: 'a', next: 'b' },
    ranges: { base: undefined, next: undefined },
    metric,
    filter: KEEP_ALL,
    recursion: 'once',
    by: 'share',
    seconds: undefined,
    notes: [],
    root: () => undefined,
    theme: 'light',
    orientation: 'flame',
    width: 1200,
  });
  let text = '';
  writeReport(written, (piece) => (text += piece));
  const [, self] = /\nSelf: [^\n]*\n([^]*?)\nTotal: /.exec(text) ?? [];
  return self
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' | '));
}

const MANY = 1e9;

test('a change that is real and less than 0.01 points is not counted as chance', () => {
  // 0.002 points of 2 * 10^9 samples: far more than chance explains.
  const base = { run: [MANY, 0], wait: [MANY, 0], slow: [50_000, 0], noise: [1000, 0] } as const;
  const next = { run: [MANY, 0], wait: [MANY, 0], slow: [90_000, 0], noise: [1001, 0] } as const;
  expect(selfReport(base, next)).toEqual([
    '1 method changed by less than 0.01 points. 3 other methods changed no more than chance explains.',
  ]);
  const [, ...rows] = selfReport(base, { ...next, run: [2 * MANY, 0] });
  expect(rows).toEqual([
    expect.stringMatching(/ \| Shop\.wait$/),
    expect.stringMatching(/ \| Shop\.run$/),
    '2 other methods changed by less than 0.01 points.',
  ]);
  expect(selfReport(base, base)).toEqual(['No method changed.']);
});

test('of numbers that were counted, no change is by chance', () => {
  const base = { run: [MANY, 0], call: [5, 0] } as const;
  expect(selfReport(base, { ...base, call: [6, 0] }, 'samples', false)).toEqual([
    '2 methods changed by less than 0.01 points.',
  ]);
  expect(selfReport(base, base, 'samples', false)).toEqual(['No method changed.']);
});

test('a method that has time and no sample is one of the methods', () => {
  const base = { run: [100, 9000], wait: [0, 1000] } as const;
  const next = { run: [100, 9000] } as const;
  // No sample confirms it.
  expect(selfReport(base, next, 'time')).toEqual(['No method changed.']);
  const [, ...rows] = selfReport(base, next, 'time', false);
  expect(rows).toEqual([
    '10.00 % | 0.00 % | −10.00 | exact | 1.00 µs | 0 | base | Shop.wait',
    '90.00 % | 100.00 % | +10.00 | exact | 9.00 µs | 9.00 µs | Shop.run',
  ]);
});
