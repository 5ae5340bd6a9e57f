import { profileInScope } from '../../../support/profile-in-scope.ts';
import { expect, test } from 'vitest';
import type { LeanProfile } from '../../../../shared/profile/lean-profile.ts';
import { callTreeOf } from '../../../../shared/export/tree.ts';
import { hidingFrames } from '../../../../shared/engine/views/hiding-frames.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

type Stack = readonly [frames: readonly string[], count: number];

function profileOf(...stacks: readonly Stack[]): LeanProfile {
  const columns = stacks.flatMap(([frames, count]) =>
    Array.from({ length: count }, () => ['main', ...frames]),
  );
  const depth = Math.max(...columns.map(({ length }) => length));
  const rows = Array.from({ length: depth }, (_, row) =>
    columns.map((column) => (column[row] ?? '').padEnd(48)).join(''),
  );
  return profileFromText(rows.join('\n')).profile;
}

const REGEX = Array.from({ length: 12 }, (_, at) => `java.util.regex.Pattern$N${at}.match`);
const SHOP = Array.from({ length: 6 }, (_, at) => `com.acme.Shop.m${at}`);

test('the package of methods that are told apart by their ids has no id in it', () => {
  const profile = profileOf([[...SHOP, ...REGEX], 10]);
  const hiding = hidingFrames(callTreeOf(profile, { threads: 'all', frames: 'method-id' }));
  expect(hiding?.name).toBe('java.util.regex.');
});

function crowdOf(...stacks: readonly Stack[]): string | undefined {
  const hiding = hidingFrames(callTreeOf(profileOf(...stacks), { threads: 'all', frames: 'fqmn' }));
  return hiding && `${hiding.name} ${hiding.share.toFixed(2)}`;
}

test('the package of most frames, by samples; none where stacks are short, or of nothing else, or mixed', () => {
  expect(crowdOf([[...SHOP, ...REGEX], 10])).toBe('java.util.regex. 0.67');
  expect(crowdOf([[...SHOP, ...REGEX], 10], [[...SHOP, 'com.acme.Shop.last'], 90])).toBeUndefined();
  // A library is not what the profile is about.
  const library = SHOP.map((key) => key.replace('com.acme', 'org.lib.json'));
  expect(crowdOf([['com.acme.Shop.m', ...library, ...library.map((key) => `${key}2`)], 10])).toBe(
    'org.lib.json. 0.92',
  );
  expect(crowdOf([['com.acme.Shop.m', ...REGEX.slice(0, 3)], 10])).toBeUndefined();
  expect(crowdOf([REGEX, 10])).toBeUndefined();
  expect(crowdOf([[...SHOP, ...REGEX.map((key, at) => key.replace('regex', `p${at}`))], 10])).toBeUndefined();
});

test('what is collapsed does not count', () => {
  const profile = profileOf([[...SHOP, ...REGEX], 10]);
  const scope = { threads: [], transforms: [{ kind: 'collapse', prefix: 'java.util.regex.' }] } as const;
  const { profile: inScope } = profileInScope(profile, scope, 'fqmn');
  expect(hidingFrames(callTreeOf(inScope, { threads: 'all', frames: 'fqmn' }))?.name).not.toBe(
    'java.util.regex.',
  );
});

test('methods that call themselves, directly or by another one, where no package hides the rest', () => {
  const fib = Array.from({ length: 11 }, () => 'com.acme.Fib.fib');
  const pingPong = Array.from({ length: 12 }, (_, at) =>
    at % 2 === 0 ? 'com.acme.A.ping' : 'com.acme.B.pong',
  );
  expect([crowdOf([['com.acme.Shop.main', ...fib], 10]), crowdOf([pingPong, 10])]).toEqual([
    ' 0.83',
    ' 0.83',
  ]);
  expect(
    crowdOf([['com.acme.Shop.main', ...fib], 10], [[...SHOP, ...SHOP.map((key) => `${key}2`)], 10]),
  ).toBe(undefined);
});

test('the start of the recording, whichever grouping names its frames, until it has few of the samples', () => {
  const start = [
    'jdk.jfr.internal.dcmd.AbstractDCmd.execute',
    'jdk.jfr.internal.dcmd.DCmdStart.execute',
    'a.B.c',
  ];
  const young: readonly Stack[] = [
    [start, 5],
    [SHOP, 95],
  ];
  for (const frames of ['fqmn', 'line', 'method-id'] as const)
    expect(hidingFrames(callTreeOf(profileOf(...young), { threads: 'name', frames }))).toEqual({
      kind: 'recording',
      name: 'jdk.jfr.internal.dcmd.AbstractDCmd.execute',
      share: 0.05,
    });
  expect(crowdOf([start, 1], [SHOP, 99])).toBeUndefined();
  // A program that calls such a method itself has not started its recording from outside.
  expect(crowdOf([['com.acme.Shop.m', ...start], 5], [SHOP, 95])).toBeUndefined();
});
