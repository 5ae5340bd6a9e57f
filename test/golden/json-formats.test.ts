import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { exportSpeedscope } from '../../shared/export/speedscope.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import { CPUPROFILE } from '../../shared/formats/cpuprofile.ts';
import { SPEEDSCOPE } from '../../shared/formats/speedscope.ts';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../shared/profile/profile-units.ts';
import { addedUp, collapsedOf } from '../support/collapsed-text.ts';
import { decodeInput, readInput, type ReadInput } from '../support/read-input.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import { type V8Profile, v8Stacks } from '../support/v8-stacks.ts';

const collapsedTime = ({ profile }: ReadInput): string => collapsedOf(profile, 'all', 'fqmn', 'time');
const ofSpeedscope = (value: unknown, chosen?: Chosen): ReadInput =>
  decodeInput(SPEEDSCOPE, Buffer.from(JSON.stringify(value)), chosen);
const ofCpuProfile = (value: unknown): ReadInput => decodeInput(CPUPROFILE, Buffer.from(JSON.stringify(value)));

test("py-spy's own two exports of threads that wait have the same stacks: speedscope, and collapsed stacks with lines", () => {
  const { profile, decoder, format } = readInput(
    gunzipSync(readFileSync('test/golden/speedscope/waiting.speedscope.json.gz')),
  );
  expect(format).toBe('speedscope');
  expect(decoder.damage).toBeUndefined();
  // Collapsed, a thread is `thread (7): name`; in speedscope it is the profile `Thread 7 "name"`, and a frame.
  const text = readFileSync('test/golden/speedscope/waiting.collapsed', 'utf8');
  const expected = addedUp(text, (frame) => frame.replace(/ \([\w.]+:(\d+)\)$/, ':$1'));
  expect(collapsedOf(profile, 'all', 'line')).toBe(expected);
  expect(profile.threads.name).toEqual(
    Array.from(text.matchAll(/^thread \((\d+)\): ([^;]+)/gm), ([, id, name]) => `Thread ${id} "${name}"`).sort(),
  );
  // Each of them was sampled 99 times, every 20 ms.
  expect(collapsedOf(profile, 'all', 'line', 'time')).toBe(expected.replaceAll(/ 99$/gm, ` ${99 * 20_000_000}`));
});

test('a profile that Node.js recorded: every call node has the samples that V8 counted', () => {
  const input = readFileSync('test/golden/cpuprofile/report.cpuprofile');
  const file = JSON.parse(input.toString()) as V8Profile;
  const stacks = v8Stacks(file);
  const read = readInput(input);
  expect(read.format).toBe('cpuprofile');
  // V8 does not count the sample that it takes when it starts.
  const first = `${stacks.get(file.samples[0])?.stack} 1\n`;
  const counted = Array.from(stacks.values()).flatMap(({ stack, hits }) => (hits > 0 ? [`${stack} ${hits}\n`] : []));
  expect(counted.length).toBeGreaterThan(8);
  expect(collapsedOf(read.profile)).toBe(addedUp(first + counted.join('')));
  expect(read.decoder.records).toBe(file.samples.length);
  expect(read.decoder.facts().units).toEqual(SAMPLES_AND_TIME);
});

test('a sample of a V8 profile lasts until the next one', () => {
  const frame = (functionName: string, lineNumber: number): unknown => ({ functionName, url: 'shop.js', lineNumber });
  const read = ofCpuProfile({
    nodes: [
      { id: 1, callFrame: frame('(root)', -1), children: [2, 4] },
      { id: 2, callFrame: frame('main', 0), children: [3] },
      { id: 3, callFrame: frame('parse', 11), hitCount: 2 },
      { id: 4, callFrame: frame('(idle)', -1) },
    ],
    startTime: 1000,
    endTime: 1150,
    samples: [2, 3, 3, 4, 1],
    timeDeltas: [90, 10, 20, 15, 5],
  });
  expect(collapsedTime(read)).toBe('(idle) 5000\nmain 10000\nmain;parse 35000\n');
  expect(collapsedOf(read.profile, 'all', 'line')).toBe('(idle) 1\nmain:1 1\nmain:1;parse:12 2\n');
  expect(read.decoder.facts().notes).toEqual([
    'A sample lasts until the next one, the last sample until the end. The 90.0 µs before the first sample are not counted.',
  ]);
});

test('times of a V8 profile since 1970 keep their fractions, and long ones are exact', () => {
  const nodes = [{ id: 1, callFrame: { functionName: '(root)' }, children: [2] }, { id: 2, callFrame: { functionName: 'main' } }];
  const startTime = 1_700_000_000_000_000;
  const timed = (timeDeltas: readonly number[], endTime: number) =>
    ofCpuProfile({ nodes, startTime, endTime, samples: timeDeltas.map(() => 2), timeDeltas });
  expect(collapsedTime(timed([0, 0.1, 0.1, 0.1], startTime))).toBe('main 300\n');
  const { profile } = timed([0, 9_007_199_254_740_991], startTime);
  expect(profile.selfValues.time.exact(0)).toBe(9_007_199_254_740_991_000n);
});

test('a V8 profile without samples, of nodes that name their parents', () => {
  const read = ofCpuProfile({
    nodes: [
      { id: 3, parent: 2, callFrame: { functionName: 'parse' }, hitCount: 7 },
      { id: 2, callFrame: { functionName: '' }, hitCount: 1 },
      { id: 9, parent: 9, callFrame: { functionName: 'its own caller' }, hitCount: 1 },
    ],
  });
  expect(collapsedOf(read.profile)).toBe('(anonymous) 1\n(anonymous);parse 7\n');
  expect(read.decoder.facts().units).toEqual(SAMPLES_ONLY);
});

const shared = { frames: [{ name: 'java/lang/Thread.run', line: 7 }, { name: 'parse', file: 'a.c' }] };

test('units, weights and threads of speedscope', () => {
  const profile = { type: 'sampled', unit: 'microseconds', samples: [[0, 1], [0]], weights: [1.5, 3] };
  const timed = ofSpeedscope({ shared, profiles: [profile] });
  expect(collapsedTime(timed)).toBe('java.lang.Thread.run 3000\njava.lang.Thread.run;parse 1500\n');
  expect(collapsedOf(timed.profile, 'all', 'line')).toMatch(/^java.lang.Thread.run:7 1\n/);
  const counted = ofSpeedscope({ shared, profiles: [{ ...profile, unit: 'none' }] });
  expect(collapsedOf(counted.profile)).toBe('java.lang.Thread.run 3\njava.lang.Thread.run;parse 1.5\n');
  const bytes = ofSpeedscope({ shared, profiles: [{ ...profile, unit: 'bytes', weights: [2 ** 33, 1] }] });
  expect(bytes.decoder.facts().units.value).toEqual({ name: 'Bytes', unit: 'bytes' });
  const mixed = { shared, activeProfileIndex: 1, profiles: [profile, { ...profile, name: 'two', unit: 'none' }] };
  expect(ofSpeedscope(mixed).profile.threads.name).toEqual(['two']);
  expect(ofSpeedscope(mixed, { profile: '1' }).profile.threads.name).toEqual(['profile 1']);
});

test('of profiles with different units, the first that has samples is shown', () => {
  const sampled = { type: 'sampled', weights: [1, 2] };
  const profiles = [
    { ...sampled, name: 'CPU', unit: 'milliseconds', samples: [] },
    { ...sampled, name: 'idle', unit: 'none', samples: [[], []] },
    { ...sampled, name: 'heap', unit: 'bytes', samples: [[0], [1]] },
  ];
  const read = (more: object, chosen = {}): readonly unknown[] => {
    const { profile, decoder } = ofSpeedscope({ shared, profiles, ...more }, chosen);
    const { choices, notes } = decoder.facts();
    return [profile.threads.name.join(), choices.map(({ chosen }) => chosen).join(), ...notes];
  };
  expect(read({})).toEqual(['heap', '3', 'CPU has no samples: heap is shown.']);
  expect(read({ activeProfileIndex: 1 })).toEqual(['heap', '3', 'idle has no samples: heap is shown.']);
  expect(read({ activeProfileIndex: 2 })).toEqual(['heap', '3']);
  expect(read({}, { profile: '1' })).toEqual(['CPU', '1']);
  expect(read({ profiles: profiles.slice(0, 1).concat({ ...sampled, name: 'none', unit: 'none', samples: [] }) })).toEqual(['CPU', '1']);
});

test('invalid parts of a speedscope file are skipped and counted', () => {
  const samples = [[0], [99], ['x'], [1]];
  const read = ofSpeedscope({ shared, profiles: [{ type: 'sampled', unit: 'none', samples, weights: [1, 1, 1, -5] }] });
  expect(collapsedOf(read.profile)).toBe('java.lang.Thread.run 1\n');
  expect(read.decoder.facts().skips).toEqual(['3 invalid samples or events skipped.']);
  expect(ofSpeedscope({ profiles: 5 }).decoder.damage).toMatchObject({ what: 'profiles', found: 'a number' });
  const cut = decodeInput(SPEEDSCOPE, Buffer.from('{"profiles": [1, 2'));
  expect(cut.decoder.damage).toMatchObject({ what: 'JSON', found: 'the end of the file', byteOffset: 18 });
});

test('samples of speedscope with an empty stack are idle time', () => {
  const read = ofSpeedscope({ shared, profiles: [{ type: 'sampled', unit: 'none', samples: [[0], [], []], weights: [1, 1, 1] }] });
  expect(collapsedOf(read.profile)).toBe('java.lang.Thread.run 1\n');
  expect(read.decoder.facts().notes).toEqual(['2 samples with an empty stack, when nothing ran: not counted.']);
});

test('what speedscope is given reads back: counts, or times, by thread', () => {
  const { profile } = readLog(goldenLog('server-small'));
  const write = (units: typeof SAMPLES_ONLY): Uint8Array =>
    Buffer.from(collectText((sink) => exportSpeedscope(profile, { units, name: 'a "log"' }, sink)));
  const counted = readInput(write(SAMPLES_ONLY));
  expect(counted.format).toBe('speedscope');
  expect(threadsByName(collapsedOf(counted.profile, 'name'))).toBe(threadsByName(collapsedOf(profile, 'name')));
  const timed = readInput(write(SAMPLES_AND_TIME));
  expect(threadsByName(collapsedOf(timed.profile, 'name', 'fqmn', 'time'))).toBe(threadsByName(collapsedOf(profile, 'name', 'fqmn', 'time')));
  // Stacks with time have the samples that they had, not one each.
  const { selfValues } = profile;
  let samples = 0;
  for (let self = 0; self < selfValues.length; self++)
    if (/^[1-9]/.test(selfValues.time.text(self))) samples += selfValues.count[self];
  expect(timed.aggregator.sampleCount).toBe(samples);
  expect(samples).toBeGreaterThan(timed.profile.selfValues.length);
  const { profiles } = JSON.parse(Buffer.from(write(SAMPLES_AND_TIME)).toString()) as {
    readonly profiles: readonly { readonly endValue: number; readonly weights: readonly number[] }[];
  };
  for (const { endValue, weights } of profiles)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(endValue);
});

/** Without the ids of threads, which a format may lack. */
function threadsByName(text: string): string {
  const lines = text.replace(/^\[(.*?) tid=\d+\];/gm, '$1;').trimEnd().split('\n');
  return lines.sort().join('\n');
}
