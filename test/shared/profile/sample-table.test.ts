import { expect, test } from 'vitest';
import { applyDelta } from '../../../shared/delta/apply-delta.ts';
import { decodeDelta, encodeDelta } from '../../../shared/delta/delta-codec.ts';
import { deltasOfWhole } from '../../../shared/delta/make-delta.ts';
import { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { SampleTable } from '../../../shared/profile/sample-table.ts';
import { ValuesInRange } from '../../../shared/engine/values/values-in-range.ts';

const TIMES = {
  length: 4,
  ticks: Float64Array.of(105, 98, 109, 101),
  clock: { start: 100, perSecond: 1e9 },
  group: Int32Array.of(1, 0, 2, 1),
  value: Float64Array.of(10, 20, 30, -40),
};
/** Samples of group 2 are not counted. */
const SELF = Int32Array.of(7, 8, -1);

function textOf({ length, at, self, value }: SampleTable): string {
  return Array.from({ length }, (_, row) => `${at.exact(row)} ${self[row]} ${value.exact(row)}`).join(', ');
}

test('samples that are appended together are those that are appended one by one', () => {
  const table = new SampleTable();
  table.append(3, 4, 5);
  const { revision } = table;
  expect(table.appendAll(1000, TIMES, SELF)).toBe(true);
  expect(textOf(table)).toBe('3 4 5, 1005 8 10, 998 7 20, 1001 8 -40');
  expect(table.revision).toBeGreaterThan(revision);
});

test('where sums may not be exact as doubles, nothing is appended at once', () => {
  const large = Number.MAX_SAFE_INTEGER - 1;
  const refused = [
    { base: large, times: TIMES },
    { base: 0, times: { ...TIMES, ticks: Float64Array.of(5, -2, 1, large) } },
    { base: 0, times: { ...TIMES, value: Float64Array.of(5, -2, 1, -large) } },
  ].map(({ base, times }) => {
    const table = new SampleTable();
    return [table.appendAll(base, times, SELF), table.length];
  });
  expect(refused).toEqual([
    [false, 0],
    [false, 0],
    [false, 0],
  ]);
  const exact = new SampleTable();
  exact.append(2n ** 60n, 0, 0);
  const apart = new SampleTable();
  apart.append(1, 0, 1, 1);
  expect([exact, apart].map((table) => table.appendAll(0, TIMES, SELF))).toEqual([false, false]);
});

function capacityOf({ at, self, value, valueSelf }: SampleTable): number {
  const columns = [at.ns, self, value.column.ns, ...(valueSelf === undefined ? [] : [valueSelf])];
  return columns.reduce((bytes, column) => bytes + column.byteLength, 0);
}

test('a table that is trimmed has its rows and no more, and grows as before', () => {
  const table = new SampleTable();
  for (let row = 0; row < 4_000; row++) table.append(row, row % 7, 2 * row, row % 3);
  const text = textOf(table);
  expect(capacityOf(table)).toBeGreaterThan(24 * 4_500);
  table.trim();
  expect([capacityOf(table), textOf(table)]).toEqual([24 * 4_000, text]);
  table.append(9, 1, 2, 3);
  expect([textOf(table), table.valueSelf![4_000]]).toEqual([`${text}, 9 1 2`, 3]);
  const capacity = capacityOf(table);
  table.truncate(3_900);
  for (let row = 0; row < 2_050; row++) table.append(row, 0, 0);
  table.trim();
  // Little is not worth a copy.
  expect(capacityOf(table)).toBe(capacity);
});

/** A profile with two self values, and its table of samples. */
function profileWith(values: readonly (number | bigint)[]): LeanProfile {
  const profile = new LeanProfile(true, new SampleTable());
  profile.threads.append(0, 1);
  profile.appendRoot(0);
  for (const row of [0, 1]) profile.selfValues.rowOf(profile.nodes.append(0, row));
  values.forEach((value, row) => {
    profile.samples!.append(row, row % 2, value);
    profile.selfValues.add(row % 2, 1, value);
  });
  return profile;
}

function copyOf(profile: LeanProfile): SampleTable {
  const copy = new LeanProfile(true, new SampleTable());
  for (const delta of deltasOfWhole(profile, profile.samples))
    applyDelta(copy, decodeDelta(encodeDelta(delta, 8), 8));
  return copy.samples!;
}

function bytesOfValues({ value }: SampleTable): number {
  return value.column.ns.byteLength;
}

test.each([20, 2n ** 70n])('equal values are stored once, here and in copies: %s', (value) => {
  const profile = profileWith(Array.from({ length: 3_000 }, () => value));
  const { samples } = profile;
  const copy = copyOf(profile);
  expect([bytesOfValues(samples!), bytesOfValues(copy)]).toEqual([8, 8]);
  expect(textOf(copy)).toBe(textOf(samples!));
  expect(samples!.value.exact(2_999)).toBe(BigInt(value));
  const inRange = new ValuesInRange();
  inRange.update(samples!, profile.selfValues, { from: 1_000n, to: 1_003n });
  expect([0, 1].map((row) => [inRange.count[row], inRange.time.exact(row)])).toEqual([
    [2, 2n * BigInt(value)],
    [1, BigInt(value)],
  ]);
});

test.each([[[20, 20, 35, 20]], [[20, 20, 2n ** 70n, 20]], [[2n ** 70n, 2n ** 70n, 3, 2n ** 71n]]])(
  'from the first other value on, each is stored: %s',
  (values) => {
    const profile = profileWith(values);
    const { samples } = profile;
    expect(values.map((_, row) => samples!.value.exact(row))).toEqual(values.map(BigInt));
    expect(textOf(copyOf(profile))).toBe(textOf(samples!));
    samples!.truncate(2);
    samples!.append(9, 0, values[0]);
    expect([0, 1, 2].map((row) => samples!.value.exact(row))).toEqual(
      [0, 1, 0].map((row) => BigInt(values[row])),
    );
    samples!.truncate(0);
    samples!.append(9, 0, 7);
    expect(samples!.value.exact(0)).toBe(7n);
  },
);

test('samples that are appended together are equal to those before, or not', () => {
  const table = new SampleTable();
  table.reserve(12);
  expect(table.appendAll(0, { ...TIMES, value: 20 }, SELF)).toBe(true);
  expect(table.appendAll(10, { ...TIMES, value: 20 }, SELF)).toBe(true);
  expect(bytesOfValues(table)).toBe(8);
  expect(table.appendAll(20, { ...TIMES, value: 30 }, SELF)).toBe(true);
  expect(table.appendAll(30, TIMES, SELF)).toBe(true);
  expect(Array.from({ length: 12 }, (_, row) => Number(table.value.exact(row)))).toEqual([
    20, 20, 20, 20, 20, 20, 30, 30, 30, 10, 20, -40,
  ]);
});

test('after other values were taken back, equal ones need a single row again, and may differ later', () => {
  const table = new SampleTable();
  for (const value of [20, 30]) table.append(9, 0, value);
  table.truncate(0);
  for (let row = 0; row < 100; row++) table.append(9, 0, 20);
  table.trim();
  expect(bytesOfValues(table)).toBe(8);
  table.append(9, 0, 35);
  expect([0, 99, 100].map((row) => Number(table.value.exact(row)))).toEqual([20, 20, 35]);
});
