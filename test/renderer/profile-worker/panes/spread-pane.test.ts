import { expect, test } from 'vitest';
import type { SpreadSpec } from '../../../../renderer/profile-worker/pane-specs.ts';
import type { Scope } from '../../../../shared/scope/scope.ts';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import type { SpreadData } from '../../../../shared/answers/schemas.ts';
import { encodeDelta } from '../../../../shared/delta/delta-codec.ts';
import { makeDelta } from '../../../../shared/delta/make-delta.ts';
import { NOTHING } from '../../../../shared/delta/profile-delta.ts';
import { JFR } from '../../../../shared/formats/jfr/format.ts';
import { DELTA_PREFIX } from '../../../../shared/protocol/transport.ts';
import { decodeInto } from '../../../support/read-input.ts';
import { REQUESTS } from '../../../support/requests-recording.ts';
import { cliOutput } from '../../../support/run-cli.ts';
import {
  Driven,
  type EventOf,
  type Handled,
  scoped,
  select,
  wholeLog,
} from '../../../support/driven-mirror.ts';

const SPEC: SpreadSpec = {
  kind: 'spread',
  of: 'methods',
  parts: 'name',
  inOrder: false,
  by: 'self',
  method: undefined,
  isOfCall: false,
  isIndependent: true,
  isOfAll: false,
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
  expect(only({ threads: [name] }, { isOfAll: true })).toEqual(all);
  const times = only({}, { parts: 'time' });
  const { range } = times.parts[1];
  const scope = { range: range && ({ kind: 'between', ...range } as const) };
  expect(sum(only(scope, {}))).toBe(times.parts[1].samples);
  expect(only(scope, { parts: 'time', isOfAll: true })).toEqual(times);
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

function deltaOf({ profile, journal }: ProfileAggregator): Handled {
  const delta = makeDelta({ profile, journal: journal!, samples: profile.samples }, 0, NOTHING);
  return { type: 'delta', message: encodeDelta(delta, DELTA_PREFIX) };
}

function recordedRequests(): Driven {
  const aggregator = new ProfileAggregator({ journal: true, samples: true });
  decodeInto(aggregator, JFR, REQUESTS, {});
  const driven = new Driven(spread());
  driven.ask(deltaOf(aggregator));
  return driven;
}

test('parts by an attribute of requests have the rows that the command prints, also in a scope and by threads of an attribute', async () => {
  const file = 'test/golden/jfr/requests-jdk25.jfr.gz';
  const round = (share: number): number => Math.round(share * 1e6) / 1e6;
  const driven = recordedRequests();
  const scopes: readonly (readonly [Partial<Scope>, ...string[]])[] = [
    [{}],
    [{ contexts: { where: ['customer=gold'] } }, '--context', 'customer=gold'],
    [{ threads: ['/[13579]$/'] }, '--thread', '/[13579]$/'],
  ];
  for (const parts of ['context:operation', 'context:customer'] as const)
    for (const [scope, ...options] of scopes)
      for (const attribute of [undefined, 'customer', 'operation']) {
        driven.ask(
          { ...(scoped(scope) as Extract<Handled, { type: 'view' }>), attribute },
          spread({ parts }),
        );
        const { parts: shown, withSamples, methods } = driven.last('spread');
        const command = ['spread', file, '--threads', parts, '--limit', '100', '--json', ...options];
        const printed = JSON.parse(await cliOutput(...command)) as SpreadData;
        expect(withSamples.map((part) => [shown[part].name, shown[part].samples])).toEqual(
          printed.parts.map(({ name, samples }) => [name, samples]),
        );
        expect(printed.rows.length).toBeGreaterThan(0);
        expect(
          methods.map(({ label, median, shares, outliers }) => [
            label,
            round(median),
            shares.map(round),
            outliers.map(({ part }) => shown[part].name),
          ]),
        ).toEqual(
          printed.rows.map(({ key, median, shares, standOut }) => [
            key,
            median,
            shares,
            standOut.map(({ part }) => part),
          ]),
        );
      }
});

test('a scope of one value leaves the others in the list, among the requests of other conditions', () => {
  const driven = recordedRequests();
  driven.ask(spread({ parts: 'context:operation' }));
  const all = driven.last('spread');
  driven.ask(
    scoped({ contexts: { where: ['operation=checkout'] } }),
    spread({ parts: 'context:operation', isOfAll: true }),
  );
  expect(driven.last('spread')).toEqual(all);
  driven.ask(
    scoped({ contexts: { where: ['operation=checkout', 'customer=gold'] } }),
    spread({ parts: 'context:operation', isOfAll: true }),
  );
  const gold = driven.last('spread');
  driven.ask(scoped({ contexts: { where: ['customer=gold'] } }), spread({ parts: 'context:operation' }));
  expect(driven.last('spread')).toEqual(gold);
});

test('an attribute with a value for each request is said to have too many', () => {
  const aggregator = new ProfileAggregator({ journal: true, samples: true });
  const thread = aggregator.thread(0, 1);
  for (let request = 0; request < 1_001; request++) {
    aggregator.takenAt(0n, request * 10);
    aggregator.sample(thread, Int32Array.of(0, 1, 1, 0), 1, 10);
    aggregator.addContext(thread, 0n, request * 10, request * 10 + 5, 'search', ['trace', String(request)]);
  }
  const driven = new Driven(spread({ parts: 'context:trace' }), scoped({}));
  driven.ask(deltaOf(aggregator));
  const { problem, parts, methods } = driven.last('spread');
  expect(problem).toBe('the attribute has different values: 1,001, and at most 1,000 parts are counted');
  expect([parts, methods]).toEqual([[], []]);
  driven.ask(spread({ parts: 'context:operation' }));
  expect(driven.last('spread')).toMatchObject({ parts: [{ name: 'search', samples: 1_001 }] });
  expect(driven.last('spread').problem).toBeUndefined();
});
