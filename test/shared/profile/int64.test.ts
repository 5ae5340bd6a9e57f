import { expect, test } from 'vitest';
import { Int64Index } from '../../../shared/aggregate/int64-index.ts';
import { compareInt64, int64, int64Text } from '../../../shared/profile/int64.ts';

/** 2 048 neighbours at 2^62, and every edge of 64, 53 and 32 bits. */
const IDS = [
  ...Array.from({ length: 2_048 }, (_, at) => 2n ** 62n + BigInt(at)),
  ...[0n, 31n, 32n, 53n, 63n].flatMap((bits) => [
    2n ** bits - 1n,
    2n ** bits + 1n,
    -(2n ** bits),
    -(2n ** bits) - 1n,
  ]),
]
  .map((id) => BigInt.asIntN(64, id))
  .filter((id, at, all) => all.indexOf(id) === at);

function highHalf(id: bigint): number {
  return Number(BigInt.asIntN(32, id >> 32n));
}

function lowHalf(id: bigint): number {
  return Number(BigInt.asIntN(32, id));
}

test('an id and its halves say the same', () => {
  for (const id of IDS) {
    expect(int64(highHalf(id), lowHalf(id))).toBe(id);
    expect(int64Text(highHalf(id), lowHalf(id))).toBe(String(id));
  }
});

test('the order of halves is the order of ids', () => {
  const sorted = [...IDS].sort((a, b) => (a < b ? -1 : 1));
  for (let at = 1; at < sorted.length; at++) {
    const [low, high] = [sorted[at - 1], sorted[at]];
    expect(compareInt64(highHalf(low), lowHalf(low), highHalf(high), lowHalf(high))).toBeLessThan(0);
    expect(compareInt64(highHalf(high), lowHalf(high), highHalf(high), lowHalf(high))).toBe(0);
  }
});

test('ids stay distinct in an index', () => {
  const index = new Int64Index();
  for (const id of IDS) {
    expect(index.find(highHalf(id), lowHalf(id))).toBe(-1);
    index.add(highHalf(id), lowHalf(id));
  }
  expect(IDS.map((id) => index.find(highHalf(id), lowHalf(id)))).toEqual(Array.from(IDS.keys()));
});
