import { expect, test } from 'vitest';
import { SampleTable } from '../../../shared/profile/sample-table.ts';
import { SelfTable } from '../../../shared/profile/self-table.ts';
import { comparedRanges, sideWithout } from '../../../shared/scope/apart.ts';
import type { Baseline, TimeRange } from '../../../shared/scope/scope.ts';
import { boundsOf, secondsIn } from '../../../shared/scope/time-range.ts';
import { ValuesInRange } from '../../../shared/engine/values/values-in-range.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('ranges apart');

const between = (from?: number, to?: number): TimeRange => ({
  kind: 'between',
  from: from?.toString(),
  to: to?.toString(),
});

/** A sample at each second from 0 to 9, and one at 3.5 s. */
function tenSeconds(): { readonly samples: SampleTable; readonly values: SelfTable } {
  const samples = new SampleTable();
  const values = new SelfTable(true);
  samples.origin = 0n;
  for (const seconds of [0, 1, 2, 3, 4, 3.5, 5, 6, 7, 8, 9]) {
    const row = values.rowOf(samples.length);
    samples.append(seconds * 1e9, row, 1);
    values.add(row, 1, 1);
  }
  return { samples, values };
}

function secondsOf(range: TimeRange | undefined): readonly number[] {
  const { samples, values } = tenSeconds();
  if (range === undefined)
    return Array.from({ length: samples.length }, (_, row) => samples.at.ns[row] / 1e9);
  const inRange = new ValuesInRange();
  inRange.update(samples, values, boundsOf(range, samples));
  return Array.from({ length: samples.length }, (_, row) => row)
    .filter((row) => inRange.count[row] === 1)
    .map((row) => samples.at.ns[row] / 1e9);
}

test('a part of the time is compared with the rest, and the other way round', () => {
  const { samples } = tenSeconds();
  const part = between(2e9, 5e9);
  const [rest, all] = [
    [0, 1, 5, 6, 7, 8, 9],
    [0, 1, 2, 3, 4, 3.5, 5, 6, 7, 8, 9],
  ];
  const ofWhole = comparedRanges({}, { range: part }, samples);
  expect([ofWhole.base, secondsOf(ofWhole.next)]).toEqual([part, rest]);
  // Three seconds of nine and one ns, in which the last sample is.
  expect([secondsIn(ofWhole.base, samples), secondsIn(ofWhole.next, samples)]).toEqual([3, 6 + 1e-9]);
  const ofPart = comparedRanges({ range: part }, { range: between(undefined, 9e9) }, samples);
  expect([secondsOf(ofPart.base), ofPart.next]).toEqual([[0, 1, 5, 6, 7, 8], part]);
  const overlapping = comparedRanges({ range: between(4e9) }, { range: between(undefined, 6e9) }, samples);
  expect([secondsOf(overlapping.base), secondsOf(overlapping.next)]).toEqual([
    [0, 1, 2, 3, 4, 3.5, 5],
    [6, 7, 8, 9],
  ]);
  const latest = comparedRanges({}, { range: { kind: 'latest', ns: 2e9 } }, samples);
  expect([secondsOf(latest.base), secondsOf(latest.next)]).toEqual([[7, 8, 9], all.slice(0, 8)]);
});

test.each<[string, TimeRange | undefined, Baseline]>([
  ['ranges that touch, as a mark makes them', between(4e9), { range: between(undefined, 4e9) }],
  ['equal ranges', between(4e9, 6e9), { range: between(4e9, 6e9) }],
  ['another log', undefined, { log: 'b', range: between(4e9) }],
  ['other threads over the same time', undefined, { threads: ['main'] }],
  ['other threads, and another time', undefined, { threads: ['main'], range: between(4e9) }],
])('%s are compared as they are', (_, range, baseline) => {
  const { samples } = tenSeconds();
  expect(comparedRanges({ range }, baseline, samples)).toEqual({
    base: baseline.log === undefined ? (baseline.range ?? range) : baseline.range,
    next: range,
  });
});

test('no sample is on both sides, and none that was on one is lost, whatever the ranges', () => {
  const random = randomFor(0);
  const pick = (): TimeRange | undefined =>
    random.below(5) === 0
      ? undefined
      : between(...[random.below(11) * 1e9, random.below(11) * 1e9].toSorted((a, b) => a - b));
  for (let round = 0; round < 300; round++) {
    const [range, base] = [pick(), pick() ?? between()];
    const { samples } = tenSeconds();
    const compared = comparedRanges({ range }, { range: base }, samples);
    const [before, after] = [secondsOf(compared.base), secondsOf(compared.next)];
    const where = `SEED=${seed} ${JSON.stringify([range, base])}`;
    const areEqual =
      sideWithout(boundsOf(base, samples), boundsOf(range ?? between(), samples)) === undefined;
    if (!areEqual)
      expect(
        before.filter((at) => after.includes(at)),
        where,
      ).toEqual([]);
    const either = new Set([...secondsOf(base), ...secondsOf(range)]);
    expect(new Set([...before, ...after]), where).toEqual(either);
  }
});
