import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { describe, expect, test } from 'vitest';
import { collectBytes } from '../../shared/export/byte-sink.ts';
import { exportPprof } from '../../shared/export/pprof.ts';
import { NO_LINE } from '../../shared/profile/frame-table.ts';
import { differingLines, foldedLines, methodText, type ProfileStack, stacksOf } from '../support/profile-stacks.ts';
import { readInput } from '../support/read-input.ts';
import { missingFile, testUnless } from '../support/test-unless.ts';

const golden = (name: string): Buffer => gunzipSync(readFileSync(`test/golden/jfr/shop-jdk17.${name}.gz`));

const withLines = ({ thread, threadId, frames }: ProfileStack): string =>
  [`[${thread ?? ''} tid=${threadId}]`, ...frames.map((each) => `${methodText(each)}:${each.line}`)].join(';');

/** What pprof-format, another reader, makes of a profile: `[thread tid=1];root:1;leaf:2 values…` */
function otherReading(bytes: Uint8Array, value: number): string[] {
  const profile = Profile.decode(bytes);
  const text = (index: number | bigint): string => profile.stringTable.strings[Number(index)];
  const locations = new Map(profile.location.map((location) => [String(location.id), location]));
  const functions = new Map(profile.function.map((each) => [String(each.id), each]));
  const sums = new Map<string, bigint>();
  for (const sample of profile.sample) {
    const label = (key: string): (typeof sample.label)[number] | undefined =>
      sample.label.find((each) => text(each.key) === key);
    const frames = sample.locationId.flatMap((id) =>
      (locations.get(String(id))?.line ?? []).map((line) => {
        const { name } = functions.get(String(line.functionId)) ?? { name: 0 };
        return `${text(name)}:${Number(line.line) > 0 ? Number(line.line) : NO_LINE}`;
      }),
    );
    const [thread, id] = [text(label('thread')?.str ?? 0), String(label('thread_id')?.num ?? 0)];
    const key = [`[${thread} tid=${id}]`, ...frames.reverse()].join(';');
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(sample.value[value]));
  }
  return Array.from(sums, ([key, sum]) => `${key} ${sum}`).sort();
}

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

const simple = '../shared/data/other/speedscope-samples/pprof_simple.prof';
testUnless(missingFile(simple))('a profile that Go wrote', () => {
  const bytes = gunzipSync(readFileSync(simple));
  const time = readInput(bytes);
  expect(time.decoder.facts().units).toEqual({
    counted: { one: 'sample', many: 'samples', isSampled: true },
    value: { name: 'Cpu', unit: 'ns' },
  });
  for (const weight of ['count', 'value'] as const) {
    const found = foldedLines(stacksOf(time.profile), withLines, weight);
    expect(found).toEqual(otherReading(bytes, weight === 'count' ? 0 : 1));
  }
  const counts = readInput(bytes, { 'sample-type': 'samples' });
  expect(counts.aggregator.sampleCount).toBe(150);
});
