import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { otherReading, withLines } from '../../support/pprof-reading.ts';
import { foldedLines, methodText, stacksOf } from '../../support/profile-stacks.ts';
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
    '87 samples without a stack. They are counted as <empty>.',
  );
});

test('flight recordings of JDK 17 and 25, as `jfr view` counts them, and of async-profiler', () => {
  const later = (name: string): Uint8Array =>
    gunzipSync(readFileSync(`${DATA}/other/strangers-2/${name}.jfr.gz`));
  const native = (events: string): number =>
    readInput(later('native-samples'), { events }).aggregator.sampleCount;
  expect(['jdk.ExecutionSample', 'jdk.NativeMethodSample', 'all'].map(native)).toEqual([1, 73, 74]);

  const traced = foldedLines(stacksOf(readInput(later('jdk25-method-trace')).profile), ({ frames }) =>
    frames.map(methodText).join(';'),
  );
  expect(traced).toEqual(['M.main;M.timed 12', 'M.main;M.traced 12']);

  const lost = readInput(later('jdk25-cpu-time-lost')).decoder.facts();
  expect(lost.losses).toMatchObject([{ kind: 'uncounted', amount: '1 sample' }]);

  const wall = readInput(later('async-profiler-wall-20ms'));
  expect(wall.aggregator.sampleCount).toBe(434);
  expect(wall.decoder.facts().choices.find(({ id }) => id === 'period')).toMatchObject({ chosen: 20 });

  const cut = readInput(readFileSync(`${DATA}/other/strangers-2/cut.jfr`)).decoder;
  expect(cut.damage).toMatchObject({ what: 'chunk', byteOffset: 12_000 });
  expect(cut.damage?.expected).toMatch(/^18810 bytes/);
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
