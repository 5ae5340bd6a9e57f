import { expect, test } from 'vitest';
import { comparedCell } from '../../../../renderer/panes/table/compared-cells.ts';
import type { ComparedWhole } from '../../../../shared/compare/row-change.ts';
import { SAMPLES_AND_TIME } from '../../../../shared/profile/profile-units.ts';

const SHARES: ComparedWhole = {
  by: 'share',
  scale: { metric: 'samples', base: 1000, next: 2000 },
  samples: { base: 1000, next: 2000 },
  seconds: { base: 10, next: 20 },
  isSampled: true,
};

const row = (baseTotalCount: number, totalCount: number) => ({
  ...{ selfCount: 0, selfTime: 0, baseSelfCount: 0, baseSelfTime: 0 },
  ...{ totalCount, baseTotalCount, totalTime: totalCount * 1e6, baseTotalTime: baseTotalCount * 1e6 },
});
const texts = (base: number, next: number, whole = SHARES): readonly string[] =>
  (['totalBase', 'totalNew', 'totalChange'] as const).map(
    (id) => comparedCell(id, row(base, next), whole, SAMPLES_AND_TIME).text,
  );
const change = (base: number, next: number, whole = SHARES) =>
  comparedCell('totalChange', row(base, next), whole, SAMPLES_AND_TIME);

test('base, new and difference of shares; a side without the row says so', () => {
  expect(texts(100, 300)).toEqual(['10.00', '15.00', '+5.00']);
  expect(texts(0, 300)).toEqual(['–', '15.00', '+15.00']);
  expect(texts(100, 0)).toEqual(['10.00', '–', '−10.00']);
  expect(texts(0, 0)).toEqual(['', '', '']);
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
