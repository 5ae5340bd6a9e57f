import { expect, test } from 'vitest';
import { Cursor } from '../../../../../shared/formats/jfr/chunk/cursor.ts';
import { JfrBytes } from '../../../../support/jfr-writer/jfr-bytes.ts';
import { testSeed } from '../../../../support/test-seed.ts';

const { randomFor } = testSeed('jfr cursor');

test('integers that are skipped end where those that are read do', () => {
  const random = randomFor(0);
  for (let turn = 0; turn < 2_000; turn++) {
    const out = new JfrBytes();
    const count = 1 + random.below(30);
    const widest = 1 + random.below(52);
    for (let left = count; left > 0; left--)
      out.integer(random.below(20) === 0 ? -1 : Math.floor(random.next() * 2 ** random.below(widest)));
    const bytes = out.written.slice();
    const [skips, reads] = [new Cursor(bytes), new Cursor(bytes)];
    for (let skipped = 0; skipped <= count; skipped++) {
      skips.moveTo(0, bytes.length);
      skips.skipIntegers(skipped);
      reads.moveTo(0, bytes.length);
      for (let left = skipped; left > 0; left--) reads.integer();
      expect([skips.at, skips.hasFailed()]).toEqual([reads.at, false]);
    }
    skips.moveTo(0, bytes.length);
    skips.skipIntegers(count + 1);
    expect(skips.hasFailed()).toBe(true);
    skips.moveTo(0, bytes.length - 1);
    skips.skipIntegers(count);
    expect(skips.hasFailed()).toBe(true);
  }
});
