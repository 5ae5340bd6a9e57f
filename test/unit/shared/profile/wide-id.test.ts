import { expect, test } from 'vitest';
import { WideIdIndex } from '../../../../shared/aggregate/wide-id-index.ts';
import { compareWideIds, highHalf, lowHalf, wideId, wideIdText } from '../../../../shared/profile/wide-id.ts';

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

test('an id and its halves say the same', () => {
  for (const id of IDS) {
    expect(wideId(highHalf(id), lowHalf(id))).toBe(id);
    expect(wideIdText(highHalf(id), lowHalf(id))).toBe(String(id));
  }
});

test('the order of halves is the order of ids', () => {
  const sorted = [...IDS].sort((a, b) => (a < b ? -1 : 1));
  for (let at = 1; at < sorted.length; at++) {
    const [low, high] = [sorted[at - 1], sorted[at]];
    expect(compareWideIds(highHalf(low), lowHalf(low), highHalf(high), lowHalf(high))).toBeLessThan(0);
    expect(compareWideIds(highHalf(high), lowHalf(high), highHalf(high), lowHalf(high))).toBe(0);
  }
});

test('ids stay distinct in an index', () => {
  const index = new WideIdIndex();
  for (const id of IDS) {
    expect(index.find(highHalf(id), lowHalf(id))).toBe(-1);
    index.add(highHalf(id), lowHalf(id));
  }
  expect(IDS.map((id) => index.find(highHalf(id), lowHalf(id)))).toEqual(Array.from(IDS.keys()));
});
