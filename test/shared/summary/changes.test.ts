import { expect, test } from 'vitest';
import { methodChanges } from '../../../shared/engine/comparison/method-changes.ts';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../../shared/engine/query.ts';
import { COLLAPSED } from '../../../shared/formats/collapsed/format.ts';
import type { CompareBy } from '../../../shared/engine/values/row-change.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { type ChangedMethod, changesOf } from '../../../shared/summary/changes.ts';
import { comparisonOf } from '../../support/comparison-of.ts';
import { decodeInput } from '../../support/read-input.ts';
import { goldenLog, readLog } from '../../support/read-log.ts';

const UNITS = { counted: { one: 'sample', many: 'samples', isSampled: true }, value: undefined } as const;

const profileOf = (stacks: string): LeanProfile => decodeInput(COLLAPSED, Buffer.from(`${stacks}\n`)).profile;

function changes(base: LeanProfile, next: LeanProfile, by: CompareBy = 'share') {
  const engine = new Engine();
  engine.add('base', base);
  engine.add('next', next);
  const query: ProfileQuery = {
    ...INITIAL_QUERY,
    comparison: { baseline: { log: 'base' }, by, isSampled: true },
  };
  return changesOf(engine.view('next', query), { own: [], units: UNITS });
}

const told = ({ ref, change, base, next }: ChangedMethod): string =>
  `${change} ${ref.label}: ${base} → ${next}`;

const BEFORE = profileOf(
  `
com.acme.Main.main;com.acme.Shop.serve;java.util.HashMap.get 500
com.acme.Main.main;com.acme.Shop.serve;com.acme.Cart.add 400
com.acme.Main.main;com.acme.Old.poll 100
`.trim(),
);
const AFTER = profileOf(
  `
com.acme.Main.main;com.acme.Shop.serve;java.util.HashMap.get 300
com.acme.Main.main;com.acme.Shop.serve;com.acme.Cart.add 405
com.acme.Main.main;com.acme.Shop.serve;com.acme.Rank.top;java.util.TimSort.sort 295
`.trim(),
);

test('what changed: the deepest own method with almost the largest change, what grew, what shrank', () => {
  const found = changes(BEFORE, AFTER)!;
  expect(found.answer?.method.ref.label).toBe('com.acme.Rank.top');
  expect(found.answer?.text).toBe('is new, with 29.5 %');
  expect(found.grew.map(told)).toEqual(['+29.50 java.util.TimSort.sort:  → 29.5 %']);
  expect(found.shrank.map(told)).toEqual([
    '\u221220.00 java.util.HashMap.get: 50.0 % → 30.0 %',
    '\u221210.00 com.acme.Old.poll: 10.0 % → ',
  ]);
  expect(found.sides).toEqual({ next: '1,000 samples', base: '1,000' });
  expect(found.certainty).toBe('3 methods changed by more than chance explains');
});

test('a method that now calls what others called is told, and in itself none has changed', () => {
  const below = (callers: string) =>
    profileOf(
      Array.from({ length: 60 }, (_, at) => `com.acme.Main.main;${callers}lib.L${at}.l 1`).join('\n'),
    );
  const found = changes(below(''), below('com.acme.Rank.top;'))!;
  expect(found.answer?.method.ref.label).toBe('com.acme.Rank.top');
  expect([found.grew, found.shrank]).toEqual([[], []]);
  expect(found.certainty).toBe('no method changed in itself by more than chance explains');
});

test('amounts are told as amounts', () => {
  const found = changes(BEFORE, AFTER, 'amount')!;
  expect(found.shrank.map(told)).toEqual([
    '\u2212200 java.util.HashMap.get: 500 → 300',
    '\u2212100 com.acme.Old.poll: 100 → ',
  ]);
});

test('where chance explains all there is no answer; without a comparison, or a side, there is nothing', () => {
  expect(changes(BEFORE, BEFORE)).toMatchObject({
    answer: undefined,
    grew: [],
    shrank: [],
    certainty: 'chance explains all',
  });
  expect(changes(BEFORE, profileOf('a.A.a 0'))).toBeUndefined();
  const engine = new Engine();
  engine.add('next', AFTER);
  expect(changesOf(engine.view('next', INITIAL_QUERY), { own: [], units: UNITS })).toBeUndefined();
});

test('on recorded logs they are the changes of the report', () => {
  const [base, next] = ['control-a', 'server-small'].map((name) => readLog(goldenLog(name)).profile);
  const found = changes(base, next)!;
  const comparison = comparisonOf(base, next, { threads: 'all', frames: 'fqmn' });
  const report = methodChanges(comparison.methods('once'), comparison.whole, {
    metric: 'samples',
    ...UNITS.counted,
  }).filter(({ of, certainty, difference }) => of === 'self' && certainty !== 'chance' && difference !== 0);
  const labels = (direction: number): readonly string[] =>
    report
      .filter(({ difference, label }) => Math.sign(difference) === direction && !label.startsWith('AGCT.'))
      .map(({ label }) => label);
  expect(found.grew.map(({ ref }) => ref.label)).toEqual(labels(1).slice(0, 5));
  expect(found.shrank.map(({ ref }) => ref.label)).toEqual(labels(-1).slice(0, 5));
  expect(found.grew.length).toBeGreaterThan(0);
});
