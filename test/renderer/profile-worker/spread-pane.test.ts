import { expect, test } from 'vitest';
import type { SpreadSpec } from '../../../renderer/profile-worker/pane-specs.ts';
import type { Scope } from '../../../shared/scope/scope.ts';
import { Driven, type EventOf, type Handled, scoped, select, wholeLog } from '../../support/driven-mirror.ts';

const SPEC: SpreadSpec = {
  kind: 'spread',
  of: 'methods',
  parts: 'name',
  inOrder: false,
  by: 'self',
  method: undefined,
  isOfCall: false,
  isIndependent: true,
  without: undefined,
};

const spread = (change: Partial<SpreadSpec> = {}): Handled => ({
  type: 'pane',
  pane: 'spread',
  spec: { ...SPEC, ...change },
});

const sum = ({ parts }: Pick<EventOf<'spread'>, 'parts'>): number =>
  parts.reduce((all, { samples }) => all + samples, 0);

test('parts have all samples, by threads, pools and time, and a method has a share in each of them', () => {
  const driven = wholeLog(spread());
  const { samples } = driven.last('summary').summary;
  expect(sum(driven.last('spread'))).toBe(samples);
  const [{ method }] = driven.last('spread').methods;
  for (const parts of ['name', 'pool', 'time'] as const) {
    driven.ask(spread({ parts, method }));
    const shown = driven.last('spread');
    expect(shown.of).toBe(parts);
    expect(sum(shown)).toBe(samples);
    expect(shown.method?.label).toBe(method.label);
    expect(shown.method?.shares).toHaveLength(shown.withSamples.length);
    expect(shown.parts.every(({ range }) => (range === undefined) === (parts !== 'time'))).toBe(true);
  }
});

test('a scope of one part leaves the others in the list, where the window says so', () => {
  const driven = wholeLog(spread());
  const all = driven.last('spread');
  const [{ name }] = all.parts;
  const only = (scope: Partial<Scope>, change: Partial<SpreadSpec>): EventOf<'spread'> => {
    driven.ask(scoped(scope), spread(change));
    return driven.last('spread');
  };
  const one = only({ threads: [name] }, {});
  expect(one.withSamples).toHaveLength(1);
  expect(only({ threads: [name] }, { without: 'threads' })).toEqual(all);
  const times = only({}, { parts: 'time' });
  const { range } = times.parts[1];
  const scope = { range: range && ({ kind: 'between', ...range } as const) };
  expect(sum(only(scope, {}))).toBe(times.parts[1].samples);
  expect(only(scope, { parts: 'time', without: 'range' })).toEqual(times);
});

test('another selected method and another search make no sums again', () => {
  const driven = wholeLog(spread());
  const [first, second] = driven.last('spread').methods;
  const before = driven.events.length;
  driven.mirror.handle(spread({ method: second.method }));
  // Answered at once.
  expect(driven.events[before]).toMatchObject({ type: 'spread', method: { label: second.label } });
  driven.mirror.handle(select('methods', { ...first.method, kind: 'frame' }));
  expect(new Driven(spread()).events).toEqual([]);
});
