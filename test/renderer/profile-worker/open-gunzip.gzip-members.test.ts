import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  findMemberHead,
  incompleteHeadBytes,
  memberSize,
} from '../../../renderer/profile-worker/open-gunzip.ts';

test('the heads of members are found, and other bytes are not', () => {
  const first = gzipSync('a'.repeat(1000));
  const both = Buffer.concat([first, gzipSync('b')]);
  expect(findMemberHead(both, 0)).toBe(0);
  expect(findMemberHead(both, 1)).toBe(first.length);
  expect(findMemberHead(both, first.length + 1)).toBe(-1);
  expect(findMemberHead(Uint8Array.of(0x1f, 0x8b, 0x08, 0xe0, 0x1f, 0x1f), 0)).toBe(-1);
  expect(memberSize(first)).toBe(1000);
  expect(memberSize(Uint8Array.of(1, 2, 3))).toBe(-1);
});

test('an incomplete head at the end is found', () => {
  const cases: readonly (readonly [bytes: readonly number[], count: number])[] = [
    [[], 0],
    [[0x1f], 1],
    [[7, 0x1f, 0x8b], 2],
    [[0x1f, 0x1f, 0x8b, 0x08], 3],
    [[0x1f, 0x8b, 0x08, 0x00], 0],
    [[0x8b, 0x08], 0],
  ];
  for (const [bytes, count] of cases) expect(incompleteHeadBytes(Uint8Array.from(bytes))).toBe(count);
});
