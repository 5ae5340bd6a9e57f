import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import { sumSelfValues } from '../../../shared/engine/values/self-values.ts';
import { addedUp, collapsedOf, dottedFrame } from '../../support/collapsed-text.ts';
import { flamePage } from '../../support/flame-page.ts';
import { readInput } from '../../support/read-input.ts';
import { type V8Profile, v8Stacks } from '../../support/v8-stacks.ts';
import { DATA } from './data.ts';

const OTHER = `${DATA}/other`;
const SAMPLES = `${OTHER}/speedscope-samples`;

test('collapsed stacks that tools wrote, stack by stack', () => {
  const files = [
    ...readdirSync(`${OTHER}/async-profiler`).map((name) => `async-profiler/${name}`),
    ...readdirSync(SAMPLES).map((name) => `speedscope-samples/${name}`),
  ].filter((name) => /\.collapsed$|stackcollapse/.test(name));
  expect(files.length).toBe(12);
  for (const name of files) {
    const input = readFileSync(`${OTHER}/${name}`);
    const { profile, decoder, format } = readInput(input);
    expect(format, name).toBe('collapsed');
    expect(collapsedOf(profile), name).toBe(addedUp(textOf(input), dottedFrame));
    expect(decoder.facts().skips, name).toEqual(
      name.includes('invalids')
        ? ['1 line skipped: not a stack followed by a number. The first is line 8.']
        : [],
    );
  }
});

function textOf(input: Buffer): string {
  if (input[0] === 0xff && input[1] === 0xfe) return input.subarray(2).toString('utf16le');
  if (input[0] === 0xfe && input[1] === 0xff) return Buffer.from(input.subarray(2)).swap16().toString('utf16le');
  return input.toString();
}

test("async-profiler's pages: one drawn from its reference stacks gives them back, and one of version 4.3", () => {
  const stacks = readFileSync(`${OTHER}/async-profiler/flamegraph.reference.collapsed`, 'utf8');
  const drawn = readInput(Buffer.from(flamePage(stacks)));
  expect(drawn.format).toBe('async-profiler-html');
  expect(collapsedOf(drawn.profile)).toBe(addedUp(stacks, dottedFrame));
  expect(sumSelfValues(drawn.profile.selfValues).samples).toBe(583);

  const page = readInput(readFileSync(`${OTHER}/strangers/async-profiler-4.3-flamegraph.html`));
  expect(page.format).toBe('async-profiler-html');
  expect(page.decoder.damage).toBe(undefined);
  expect(page.aggregator.sampleCount).toBeGreaterThan(0);
});

test('files of three ages of speedscope', () => {
  const simple = addedUp('a;b;c 5000000000\na;b;d 4000000000\na;b 5000000000\n');
  for (const name of ['0.0.1_simple', '0.1.2_simple-sampled', '0.6.0_two-sampled']) {
    const input = readFileSync(`${SAMPLES}/speedscope_${name}.speedscope.json`);
    const read = readInput(input, { profile: '1' });
    expect(read.format).toBe('speedscope');
    // The oldest has no unit: its weights are counts.
    if (name.startsWith('0.0.1')) expect(collapsedOf(read.profile)).toBe('a;b 5\na;b;c 5\na;b;d 4\n');
    else expect(collapsedOf(read.profile, 'all', 'fqmn', 'time'), name).toBe(simple);
    expect(read.decoder.bytes.accepted).toBe(input.length);
  }
  const two = readFileSync(`${SAMPLES}/speedscope_0.6.0_two-sampled.speedscope.json`);
  const { profile, decoder } = readInput(two);
  expect(profile.threads.name).toEqual(['one', 'two']);
  expect(decoder.facts().choices).toMatchObject([
    { id: 'profile', options: [{ value: 'all' }, { text: 'one' }, { text: 'two' }], chosen: 'all' },
  ]);
});

test('V8 profiles of Chrome and of Node.js', () => {
  for (const name of ['Chrome_65_simple', 'node_10.11.0_example']) {
    const input = readFileSync(`${SAMPLES}/${name}.cpuprofile`);
    const file = JSON.parse(input.toString()) as V8Profile;
    const stacks = v8Stacks(file);
    const found = file.samples.map((id) => stacks.get(id)?.stack ?? '').filter((stack) => stack !== '');
    const read = readInput(input);
    expect(read.format).toBe('cpuprofile');
    expect(collapsedOf(read.profile), name).toBe(addedUp(found.map((stack) => `${stack} 1\n`).join('')));
    expect(read.decoder.records).toBe(found.length);
    expect(read.decoder.facts().units).toEqual(SAMPLES_AND_TIME);
    expect(sumSelfValues(read.profile.selfValues).time).toBeGreaterThan(0);
  }
});
