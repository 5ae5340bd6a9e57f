import { expect, test } from 'vitest';
import {
  countText,
  formatBytes,
  formatCount,
  formatExactTime,
  formatQuantity,
  formatRate,
  formatShare,
  formatSpan,
  formatTime,
} from '../../../shared/text/format-value.ts';

test('counts have group marks and a true minus sign', () => {
  expect([0, 7, 999, 1000, 12345, 1234567, -1234].map(formatCount)).toEqual([
    '0',
    '7',
    '999',
    '1,000',
    '12,345',
    '1,234,567',
    '−1,234',
  ]);
  expect([
    formatQuantity(1, 'sample'),
    formatQuantity(0, 'sample'),
    formatQuantity(2, 'match', 'matches'),
  ]).toEqual(['1 sample', '0 samples', '2 matches']);
});

test('parts of samples are shown to three digits, counts beyond 2^32 whole', () => {
  expect([0.5, 2.499, 12.34, 99.94, 99.96, 1234.5, 0.001, -0.001, -2.5, 5e12].map(formatCount)).toEqual([
    '0.5',
    '2.5',
    '12.3',
    '99.9',
    '100',
    '1,235',
    '<0.01',
    '<−0.01',
    '−2.5',
    '5,000,000,000,000',
  ]);
  expect(formatQuantity(0.5, 'sample')).toBe('0.5 samples');
  expect(formatTime(12_345.6)).toBe('12.3 µs');
  expect(formatTime(12.6)).toBe('13 ns');
});

test('counts for programs have every digit, no exponent, and none of the noise of sums', () => {
  expect([0, 7, 2 ** 53, 5e12, 1e21, 0.1 + 0.2, 2.5, 1e-9, 1 / 3, 1e-7 / 3].map(countText)).toEqual([
    '0',
    '7',
    '9007199254740992',
    '5000000000000',
    '1000000000000000000000',
    '0.3',
    '2.5',
    '0.000000001',
    '0.333333333333333',
    '0.00000003333333333333',
  ]);
});

test('B14: shares never read as nothing where there is something, and never divide by nothing', () => {
  expect(formatShare(1, 8)).toBe('12.50 %');
  expect(formatShare(1, 8, 0)).toBe('13 %');
  expect(formatShare(0, 8)).toBe('0.00 %');
  expect(formatShare(1, 1_000_000)).toBe('<0.01 %');
  expect(formatShare(-1, 8)).toBe('−12.50 %');
  expect(formatShare(1, 0)).toBe('–');
  expect(formatShare(1, -5)).toBe('–');
});

test('times take the unit that leaves three digits, chosen by what is shown', () => {
  const times = [
    0, 1, 870, 999, 1_000, 999_499, 999_999, 1_234_567, 12_345_678, 999_600_000, 61.25e9, -2.5e6, 4e12,
  ];
  expect(times.map(formatTime)).toEqual([
    '0',
    '1 ns',
    '870 ns',
    '999 ns',
    '1.00 µs',
    '999 µs',
    '1.00 ms',
    '1.23 ms',
    '12.3 ms',
    '1.00 s',
    '61.3 s',
    '−2.50 ms',
    '4,000 s',
  ]);
  expect(formatExactTime(-1_234_567)).toBe('−1,234,567 ns');
});

test('spans are told as people tell them', () => {
  expect([0.82e9, 4.2e9, 59.96e9, 133e9, 3_840e9, 90_000e9].map(formatSpan)).toEqual([
    '820 ms',
    '4.2 s',
    '1 m 00 s',
    '2 m 13 s',
    '1 h 04 m',
    '25 h 00 m',
  ]);
});

test('bytes and rates', () => {
  expect([512, 4_200, 18_123_456, 999_600, 313e6].map(formatBytes)).toEqual([
    '512 B',
    '4.2 kB',
    '18.1 MB',
    '1.0 MB',
    '313 MB',
  ]);
  expect([0.42, 9.97, 248.2, 12_345].map(formatRate)).toEqual(['0.4 /s', '10 /s', '248 /s', '12,345 /s']);
});
