import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { otherReading, withLines } from '../../support/pprof-reading.ts';
import { foldedLines, stacksOf } from '../../support/profile-stacks.ts';
import { readInput } from '../../support/read-input.ts';
import { DATA } from './data.ts';

const SAMPLES = `${DATA}/other/speedscope-samples`;
const recording = (name: string): Uint8Array => gunzipSync(readFileSync(`${DATA}/other/strangers/${name}`));

test('flight recordings of GraalVM, Datadog and Cryostat', () => {
  const graal = readInput(readFileSync(`${SAMPLES}/java-flight-recorder_heavy.jfr`));
  expect(graal.decoder.damage).toBeUndefined();
  // 346 are what jfrview counts, too.
  expect(graal.aggregator.sampleCount).toBe(346 + 44);

  const datadog = readInput(recording('datadog-tck-test.jfr.gz'));
  expect(datadog.aggregator.sampleCount).toBe(14_202);
  const [type] = datadog.decoder.facts().choices;
  expect(type).toMatchObject({ id: 'sample-type' });
  const options = type.kind === 'one' ? type.options : [];
  expect(options.find(({ value }) => value === type.chosen)?.text).toBe('Method CPU Profiling Sample');
  expect(options.map(({ text }) => text)).toContain('Method Wall Profiling Sample');

  const cryostat = readInput(recording('cryostat-profiling_sample.jfr.gz'), { 'sample-type': 'alloc' });
  // 6 597 events, 15 of them without a stack trace.
  expect(cryostat.aggregator.sampleCount).toBe(6_582);
  expect(cryostat.decoder.facts().notes).toContain(
    '87 samples have a stack trace without frames: counted as <empty>.',
  );
});

test('a pprof profile that Go wrote, as pprof-format reads it', () => {
  const bytes = gunzipSync(readFileSync(`${SAMPLES}/pprof_simple.prof`));
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
