import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { collectBytes } from '../../shared/export/export-input.ts';
import { exportPprof } from '../../shared/export/pprof.ts';
import { NO_LINE } from '../../shared/profile/frame-table.ts';
import { otherReading, withLines } from '../support/pprof-reading.ts';
import { differingLines, foldedLines, stacksOf } from '../support/profile-stacks.ts';
import { readInput } from '../support/read-input.ts';

const golden = (name: string): Buffer => gunzipSync(readFileSync(`test/golden/jfr/shop-jdk17.${name}.gz`));

test("shop-jdk17: what async-profiler's converter says as collapsed stacks it says as pprof", () => {
  const { profile, format, decoder } = readInput(golden('pprof'));
  expect(format).toBe('pprof');
  expect(decoder.damage).toBeUndefined();
  const expected = golden('reference-threads-lines.collapsed')
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/_\[[0-9a-z]\](?=;| \d+$)/g, '').replaceAll(':65535', `:${NO_LINE}`));
  const sums = new Map<string, number>();
  for (const line of expected) {
    const blank = line.lastIndexOf(' ');
    sums.set(line.slice(0, blank), (sums.get(line.slice(0, blank)) ?? 0) + Number(line.slice(blank + 1)));
  }
  const summed = Array.from(sums, ([key, sum]) => `${key} ${sum}`).sort();
  expect(differingLines(foldedLines(stacksOf(profile), withLines), summed)).toEqual([]);
});

describe('what is written is read the same, here and by pprof-format', () => {
  test.each([
    ['execution samples', {}],
    ['execution samples with a period', { period: '20' }],
    ['allocations', { 'sample-type': 'alloc', classes: 'on' }],
  ])('%s', (_, chosen) => {
    const read = readInput(golden('jfr'), chosen);
    const { units } = read.decoder.facts();
    const bytes = collectBytes((sink) => {
      expect(exportPprof(read.profile, { units, span: undefined }, sink)).toBe(0);
    });
    const again = readInput(bytes, { 'sample-type': 'samples' });
    expect(again.format).toBe('pprof');
    for (const weight of ['count', 'value'] as const) {
      if (weight === 'value' && units.value === undefined) continue;
      const expected = foldedLines(stacksOf(read.profile), withLines, weight);
      const { profile } = readInput(bytes);
      expect(differingLines(foldedLines(stacksOf(profile), withLines, weight), expected)).toEqual([]);
      expect(differingLines(otherReading(bytes, weight === 'count' ? 0 : 1), expected)).toEqual([]);
    }
  });
});
