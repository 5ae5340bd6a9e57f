import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { NONE } from '../../../shared/profile/columns.ts';
import { collectBytes } from '../../../shared/export/export-input.ts';
import { exportOtlp } from '../../../shared/export/otlp.ts';
import { UNBOUNDED } from '../../../shared/engine/values/time-range.ts';
import { NO_LINE } from '../../../shared/profile/frame-table.ts';
import { sampleSpan } from '../../../shared/profile/sample-table.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import {
  type ProfileUnits,
  SAMPLES,
  SAMPLES_AND_TIME,
  SAMPLES_ONLY,
} from '../../../shared/profile/profile-units.ts';
import { decodeOtlp } from '../../support/otlp-proto.ts';
import { withLines } from '../../support/pprof-reading.ts';
import { differingLines, foldedLines, stacksOf } from '../../support/profile-stacks.ts';
import { HOSTILE_NAMES } from '../../support/hostile-names.ts';
import { hostileProfile } from '../../support/hostile-profile.ts';
import { readInput } from '../../support/read-input.ts';
import { cliOutput } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const golden = (name: string): Buffer => gunzipSync(readFileSync(`test/golden/jfr/${name}.gz`));
const written = (profile: LeanProfile, units: ProfileUnits, service?: string): Uint8Array =>
  collectBytes(
    (sink) => void exportOtlp(profile, { units, span: { from: 5_000n, to: 9_000n }, service }, sink),
  );
/** With the times of the samples. */
const stamped = (profile: LeanProfile, units: ProfileUnits): Uint8Array => {
  const { samples, selfValues } = profile;
  const timed = samples && {
    samples,
    bounds: UNBOUNDED,
    leaves: selfValues.node.slice(0, selfValues.length),
  };
  return collectBytes((sink) => void exportOtlp(profile, { units, span: undefined, timed }, sink));
};

interface Message {
  resourceProfiles: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] } | null;
    scopeProfiles: { scope: { name: string }; profiles: OtherProfile[] }[];
  }[];
  dictionary: {
    stringTable: string[];
    stackTable: { locationIndices: number[] }[];
    locationTable: { lines: { functionIndex: number; line: string }[] }[];
    functionTable: { nameStrindex: number }[];
    linkTable: unknown[];
    mappingTable: unknown[];
    attributeTable: { keyStrindex: number; value: { stringValue: string; intValue: string } | null }[];
  };
}
interface OtherProfile {
  sampleType: { typeStrindex: number; unitStrindex: number };
  samples: {
    stackIndex: number;
    values: string[];
    attributeIndices: number[];
    timestampsUnixNano: string[];
  }[];
  timeUnixNano: string;
  durationNano: string;
  period: string;
  profileId: string;
}

const decoded = (bytes: Uint8Array): Message => decodeOtlp('ProfilesData', bytes) as Message;

/** `[thread tid=1];root:1;leaf:2 value`, a line for each stack, as protobufjs reads a message by the published form. */
function otherReading(message: Message, profile: number): string[] {
  const { dictionary } = message;
  const sums = new Map<string, bigint>();
  for (const { stackIndex, values, attributeIndices } of message.resourceProfiles[0].scopeProfiles[0]
    .profiles[profile].samples) {
    const frames = dictionary.stackTable[stackIndex].locationIndices.map((location) => {
      const [{ functionIndex, line }] = dictionary.locationTable[location].lines;
      const name = dictionary.stringTable[dictionary.functionTable[functionIndex].nameStrindex];
      return `${name}:${Number(line) > 0 ? line : NO_LINE}`;
    });
    const attributes = attributeIndices.map((at) => dictionary.attributeTable[at]);
    const attribute = (key: string) =>
      attributes.find(({ keyStrindex }) => dictionary.stringTable[keyStrindex] === key)?.value;
    const thread = `[${attribute('thread.name')?.stringValue ?? ''} tid=${attribute('thread.id')?.intValue}]`;
    const key = [thread, ...frames.reverse()].join(';');
    sums.set(key, (sums.get(key) ?? 0n) + values.reduce((sum, value) => sum + BigInt(value), 0n));
  }
  return Array.from(sums, ([key, sum]) => `${key} ${sum}`).sort();
}

test.each([
  ['execution samples', {}],
  ['execution samples with a period', { period: '20' }],
  ['allocations', { 'sample-type': 'alloc', classes: 'on' }],
])('%s of a recording are read the same here, and by protobufjs with the published fields', (_, chosen) => {
  const read = readInput(golden('shop-jdk17.jfr'), chosen);
  const { units } = read.decoder.facts();
  const bytes = written(read.profile, units);
  const message = decoded(bytes);
  const types = readInput(bytes).decoder.facts().choices[0];
  const ids = types.kind === 'one' ? types.options.map(({ value }) => value) : [];
  expect(ids.length).toBe(units.value === undefined ? 1 : 2);
  for (const [at, id] of ids.entries()) {
    const weight = at === 0 ? 'count' : 'value';
    const expected = foldedLines(stacksOf(read.profile), withLines, weight).filter(
      (line) => !line.endsWith(' 0'),
    );
    expect(expected.length).toBeGreaterThan(20);
    const again = readInput(bytes, { 'sample-type': id });
    expect([again.format, again.decoder.damage]).toEqual(['otlp', undefined]);
    expect(differingLines(foldedLines(stacksOf(again.profile), withLines, weight), expected)).toEqual([]);
    expect(differingLines(otherReading(message, at), expected)).toEqual([]);
  }
});

test('tables begin with an entry for nothing; times, period, service and an id that does not change are there', () => {
  const { profile } = readInput(Buffer.from('[main tid=3];a;b 7\n[main tid=3];a 2\n'));
  const units: ProfileUnits = { counted: SAMPLES, value: undefined };
  const bytes = written(profile, units, 'shop');
  const { resourceProfiles, dictionary } = decoded(bytes);
  expect(resourceProfiles[0].resource?.attributes).toMatchObject([
    { key: 'service.name', value: { stringValue: 'shop' } },
  ]);
  expect(resourceProfiles[0].scopeProfiles[0].scope.name).toBe('leanscope');
  const [first, ...others] = resourceProfiles[0].scopeProfiles[0].profiles;
  expect(others).toEqual([]);
  expect(first).toMatchObject({ timeUnixNano: '5000', durationNano: '4000' });
  expect(first.profileId).not.toBe('');
  expect(written(profile, units, 'shop')).toEqual(bytes);
  expect(written(readInput(Buffer.from('a;b 1\n')).profile, units)).not.toEqual(bytes);
  const { stringTable, stackTable, attributeTable, linkTable, mappingTable } = dictionary;
  expect([stringTable[0], stackTable[0].locationIndices, linkTable.length, mappingTable.length]).toEqual([
    '',
    [],
    1,
    1,
  ]);
  expect(attributeTable[0].keyStrindex).toBe(0);
  expect(decoded(written(profile, SAMPLES_ONLY)).resourceProfiles[0].resource).toBeNull();
});

test('a profile of hostile names and numbers is written and read without a loss', () => {
  const { profile } = hostileProfile(HOSTILE_NAMES);
  const bytes = written(profile, SAMPLES_AND_TIME);
  expect(decoded(bytes).resourceProfiles.length).toBe(1);
  const sum = (of: LeanProfile): number => of.selfValues.count.reduce((total, count) => total + count, 0);
  expect(sum(readInput(bytes).profile)).toBe(sum(profile));
});

/** `time;thread;method;method value`, a line for each sample: of counts 1. */
function samplesOf(
  { threads, nodes, frames, methods, selfValues, samples }: LeanProfile,
  isOfValues: boolean,
): string[] {
  const { self, valueSelf = self, value, length } = samples!;
  return Array.from({ length }, (_, row) => {
    const path: string[] = [];
    let node = selfValues.node[(isOfValues ? valueSelf : self)[row]];
    for (; nodes.parent[node] !== NONE; node = nodes.parent[node]) {
      const { className, methodName } = methods.namesOf(frames.method[nodes.frame[node]]);
      path.push(`${className === '' ? '' : `${className}.`}${methodName}:${frames.line[nodes.frame[node]]}`);
    }
    const thread = threads.name[~nodes.frame[node]] ?? '';
    return `${samples!.timeOf(row)};${thread};${path.join(';')} ${isOfValues ? value.exact(row) : 1}`;
  }).sort();
}

test.each([
  ['execution samples with a period', { period: '20' }],
  ['allocations', { 'sample-type': 'alloc', classes: 'on' }],
])('%s keep their times, read here and by protobufjs; written again they are the same', (_, chosen) => {
  const read = readInput(golden('shop-jdk17.jfr'), chosen, true);
  const { units } = read.decoder.facts();
  const bytes = stamped(read.profile, units);
  const message = decoded(bytes);
  const types = readInput(bytes).decoder.facts().choices[0];
  const ids = types.kind === 'one' ? types.options.map(({ value }) => value) : [];
  for (const [at, id] of ids.entries()) {
    const again = readInput(bytes, { 'sample-type': id }, true);
    const isOfValues = at === 1;
    expect(samplesOf(again.profile, isOfValues)).toEqual(samplesOf(read.profile, isOfValues));
    const facts = again.decoder.facts();
    const span = sampleSpan(read.profile.samples!);
    expect([facts.hasSampleTimes, facts.firstTime, facts.lastTime]).toEqual([true, span?.first, span?.last]);
    const { samples } = message.resourceProfiles[0].scopeProfiles[0].profiles[at];
    const { samples: table } = read.profile;
    expect(samples.flatMap(({ timestampsUnixNano }) => timestampsUnixNano.map(BigInt)).sort()).toEqual(
      Array.from({ length: table!.length }, (__, row) => table!.timeOf(row)).sort(),
    );
    // The published form wants as many values as times, or none.
    expect(
      samples.every(
        ({ values, timestampsUnixNano: { length } }) => values.length === (isOfValues ? length : 0),
      ),
    ).toBe(true);
    if (at > 0) continue;
    const twice = readInput(stamped(again.profile, again.decoder.facts().units), {}, true);
    expect(samplesOf(twice.profile, false)).toEqual(samplesOf(read.profile, false));
  }
  // Eight bytes a sample, and eight and the value for those of the values.
  const count = read.profile.samples!.length;
  const added = (bytes.length - written(read.profile, units).length) / count;
  expect(added).toBeLessThan(ids.length === 1 ? 9 : 24);
});

test('samples without a time, and times that are none of a clock, are counted without one', () => {
  const { profile } = readInput(Buffer.from('[main tid=3];a;b 7\n'), {}, true);
  expect(stamped(profile, SAMPLES_ONLY)).toEqual(
    collectBytes((sink) => void exportOtlp(profile, { units: SAMPLES_ONLY, span: undefined }, sink)),
  );
  const read = readInput(golden('shop-jdk17.jfr'), {}, true);
  const { samples, selfValues } = read.profile;
  const leaves = selfValues.node.slice(0, selfValues.length);
  const middle = samples!.timeOf(samples!.length >> 1);
  const half = collectBytes(
    (sink) =>
      void exportOtlp(
        read.profile,
        {
          units: SAMPLES_ONLY,
          span: undefined,
          timed: { samples: samples!, bounds: { from: middle, to: undefined }, leaves },
        },
        sink,
      ),
  );
  const again = readInput(half, {}, true);
  const sum = (of: LeanProfile): number => of.selfValues.count.reduce((total, each) => total + each, 0);
  expect(sum(again.profile)).toBe(sum(read.profile));
  const times = Array.from({ length: samples!.length }, (_, row) => samples!.timeOf(row));
  expect(again.profile.samples!.length).toBe(times.filter((time) => time >= middle).length);
});

test('the timeline of a part of a recording is that of its file for OpenTelemetry', async () => {
  const folder = temporaryFolder();
  const jfr = join(folder, 'shop.jfr');
  writeFileSync(jfr, golden('shop-jdk17.jfr'));
  const parts = async (...command: readonly string[]): Promise<unknown> => {
    const { parts: all } = JSON.parse(await cliOutput('timeline', ...command, '--json')) as {
      parts: unknown;
    };
    return all;
  };
  for (const [at, scope] of [
    [],
    ['--thread', '/http/'],
    ['--from', '2', '--to', '20'],
    ['--drop', 'java.lang.Object.wait'],
    ['--collapse', 'java.util.'],
  ].entries()) {
    const path = join(folder, `${at}.otlp`);
    await cliOutput('export', jfr, '-o', path, ...scope);
    const expected = await cliOutput('top', jfr, '--json', '--limit', '1000', ...scope);
    const found = await cliOutput('top', path, '--json', '--limit', '1000');
    const rowsOf = (text: string): unknown => (JSON.parse(text) as { rows: unknown }).rows;
    expect(rowsOf(found), scope.join(' ')).toEqual(rowsOf(expected));
    if (scope[0] !== '--from') expect(await parts(path), scope.join(' ')).toEqual(await parts(jfr, ...scope));
  }
});
