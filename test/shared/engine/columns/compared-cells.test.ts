import { expect, test } from 'vitest';
import { comparedCell } from '../../../../shared/engine/columns/compared-cells.ts';
import { rowText } from '../../../../renderer/panes/table/row-text.ts';
import type { Row } from '../../../../renderer/profile-worker/pane-messages.ts';
import { profileSummary } from '../../../support/window-events.ts';
import type { ComparedWhole } from '../../../../shared/engine/values/row-change.ts';
import { SAMPLES_AND_TIME } from '../../../../shared/profile/profile-units.ts';

const SHARES: ComparedWhole = {
  by: 'share',
  scale: { metric: 'samples', base: 1000, next: 2000 },
  samples: { base: 1000, next: 2000 },
  seconds: { base: 10, next: 20 },
  isSampled: true,
};

const row = (baseTotalCount: number, totalCount: number) => ({
  selfCount: 0,
  selfTime: 0,
  baseSelfCount: 0,
  baseSelfTime: 0,
  totalCount,
  baseTotalCount,
  totalTime: totalCount * 1e6,
  baseTotalTime: baseTotalCount * 1e6,
});
const texts = (base: number, next: number, whole = SHARES): readonly string[] =>
  (['Base', 'New', 'Change'] as const).map(
    (id) => comparedCell('total', id, row(base, next), whole, SAMPLES_AND_TIME).text,
  );
const change = (base: number, next: number, whole = SHARES) =>
  comparedCell('total', 'Change', row(base, next), whole, SAMPLES_AND_TIME);

test('base, new and difference of shares; a side without the row says so', () => {
  expect(texts(100, 300)).toEqual(['10.00', '15.00', '+5.00']);
  expect(texts(0, 300)).toEqual(['–', '15.00', '+15.00']);
  expect(texts(100, 0)).toEqual(['10.00', '–', '−10.00']);
  expect(texts(0, 0)).toEqual(['', '', '']);
});

test('a copied row has the units of the titles, and none where there is no number', () => {
  const copied = (by: ComparedWhole['by'], base = 100): string => {
    const scales = { share: [1000, 2000], amount: [1, 1], rate: [10, 20] } as const;
    const [baseScale, next] = scales[by];
    const compared = { ...SHARES, by, scale: { metric: 'samples', base: baseScale, next } } as const;
    const columns = (['totalShare', 'totalBase', 'totalNew', 'totalChange'] as const).map((id) => ({ id }));
    const whole = profileSummary({ samples: 2000 });
    const measure = {
      metric: 'samples',
      units: SAMPLES_AND_TIME,
      whole,
      largest: row(0, 0),
      compared,
    } as const;
    return rowText({ ...row(base, 300), label: 'a.B.c' } as Row, columns, measure);
  };
  expect(copied('share')).toBe('a.B.c\t15.00 %\t10.00 %\t15.00 %\t+5.00 points');
  expect(copied('share', 0)).toBe('a.B.c\t15.00 %\t–\t15.00 %\t+15.00 points');
  expect(copied('amount')).toMatch(/\t100\t300\t/);
  expect(copied('rate')).toBe('a.B.c\t15.00 %\t10 /s\t15 /s\t+5.0 /s');
});

test('a difference that chance explains is grey, and the tooltip says why', () => {
  expect(change(100, 300)).toMatchObject({ tone: 'grew' });
  expect(change(100, 300).exact).toMatch(/^\+5\.00 points, 95 % interval \+\d/);
  expect(change(300, 300)).toMatchObject({ tone: 'shrank' });
  expect(change(100, 210)).toMatchObject({ tone: 'chance' });
  expect(change(100, 210).exact).toContain('chance explains it: 95 % interval −');
  expect(change(1, 4).exact).toContain('too few samples to tell');
  expect(change(0, 300).exact).toContain('only in the new samples');
});

test('a difference of what is not independent of each other is coloured, and the tooltip says that it may be chance', () => {
  const allocations = { ...SHARES, isDependent: true };
  expect(change(100, 300, allocations)).toMatchObject({
    tone: 'grew',
    exact: '+5.00 points, samples are not independent of each other: it may be chance',
  });
  expect(change(100, 210, allocations)).toMatchObject({ tone: 'chance' });
});

test('a difference of times that the samples do not confirm is grey; an interval says that it is of samples', () => {
  const ofTime = { ...SHARES, scale: { metric: 'time', base: 1e9, next: 2e9 } } as const;
  const timed = (base: number, next: number, times: readonly [number, number]) => {
    const values = { ...row(base, next), baseTotalTime: times[0] * 1e6, totalTime: times[1] * 1e6 };
    return comparedCell('total', 'Change', values, ofTime, SAMPLES_AND_TIME);
  };
  expect(timed(100, 300, [100, 1000])).toMatchObject({ tone: 'grew' });
  expect(timed(100, 300, [100, 1000]).exact).toMatch(
    /^\+40\.00 points, 95 % interval of samples \+2\.\d\d to \+7\.\d\d$/,
  );
  expect(timed(300, 300, [100, 1000])).toMatchObject({ text: '+40.00', tone: 'chance' });
  expect(timed(300, 300, [100, 1000]).exact).toMatch(
    /^\+40\.00 points, samples do not confirm it: 95 % interval of samples \u2212\d+\.\d\d to \u2212\d+\.\d\d$/,
  );
});

test('amounts and amounts per second, of samples and of time', () => {
  const amounts = { ...SHARES, by: 'amount', scale: { metric: 'samples', base: 1, next: 1 } } as const;
  expect(texts(1100, 300, amounts)).toEqual(['1,100', '300', '−800']);
  const rates = { ...SHARES, by: 'rate', scale: { metric: 'samples', base: 10, next: 20 } } as const;
  expect(texts(100, 300, rates)).toEqual(['10', '15', '+5.0']);
  const times = { ...amounts, scale: { ...amounts.scale, metric: 'time' } } as const;
  expect(texts(2000, 1000, times)).toEqual(['2.00 s', '1.00 s', '−1.00 s']);
});

test('while a side has no samples there are no differences', () => {
  const none = { ...SHARES, samples: { base: 1000, next: 0 } };
  expect(change(100, 0, none).text).toBe('');
});
