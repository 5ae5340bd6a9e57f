import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { encodeDelta } from '../../../shared/delta/delta-codec.ts';
import { makeDelta } from '../../../shared/delta/make-delta.ts';
import { type DeltaCursor, NOTHING } from '../../../shared/delta/profile-delta.ts';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import { DELTA_PREFIX } from '../../../shared/protocol/transport.ts';
import { Driven, type EventOf, type Handled, LOG, scoped, wholeLog } from '../../support/driven-mirror.ts';

const listedBy = (by: string): Handled => ({
  type: 'pane',
  pane: 'operations',
  spec: { kind: 'operations', of: 'calls', by, units: SAMPLES_AND_TIME },
});

/** A log that tells of requests, and grows by one of each operation. */
class Requests {
  readonly #aggregator = new ProfileAggregator({ journal: true, samples: true });
  readonly #thread = this.#aggregator.thread(0, 1);
  #cursor: DeltaCursor = NOTHING;
  #at = 0;

  grow(...operations: readonly string[]): Handled {
    for (const [at, operation] of operations.entries()) {
      for (let each = 0; each <= at; each++) {
        this.#aggregator.takenAt(0n, this.#at + each);
        this.#aggregator.sample(this.#thread, Int32Array.of(0, at, 1, 0), 1, 10);
      }
      const attributes = ['customer', operation === 'search' ? 'gold' : 'other'];
      this.#aggregator.addContext(this.#thread, 0n, this.#at, this.#at + 10, operation, attributes);
      this.#at += 10;
    }
    const { profile, journal } = this.#aggregator;
    const source = { profile, journal: journal!, samples: profile.samples };
    const delta = makeDelta(source, 0, this.#cursor);
    this.#cursor = delta.to;
    return { type: 'delta', message: encodeDelta(delta, DELTA_PREFIX) };
  }
}

const rowsOf = ({ data }: EventOf<'operations'>): readonly string[] =>
  data.rows.map(({ name, count, samples }) => `${name} ${count} ${samples}`);

test('operations follow the growth of their log, by any attribute', () => {
  const requests = new Requests();
  const driven = new Driven(listedBy('operation'), scoped({}));
  driven.ask(requests.grow('search', 'checkout'));
  expect(rowsOf(driven.last('operations'))).toEqual(['checkout 1 2', 'search 1 1']);
  expect(driven.last('summary').summary.hasContexts).toBe(true);
  driven.ask(requests.grow('search', 'checkout', 'store'));
  expect(rowsOf(driven.last('operations'))).toEqual(['checkout 2 4', 'store 1 3', 'search 2 2']);
  driven.ask(listedBy('customer'));
  expect(rowsOf(driven.last('operations'))).toEqual(['other 3 7', 'gold 2 2']);
});

test('a scope of one operation keeps the others in the list, and one of another attribute does not', () => {
  const driven = new Driven(listedBy('operation'), scoped({}));
  driven.ask(new Requests().grow('search', 'checkout', 'store'));
  const all = rowsOf(driven.last('operations'));
  driven.ask(scoped({ contexts: { where: ['operation=checkout'], slower: 95 } }));
  expect(rowsOf(driven.last('operations'))).toEqual(all);
  expect(driven.last('summary').summary.outside.samples).toBe(4);
  driven.ask(scoped({ contexts: { where: ['operation=checkout', 'customer=gold'] } }));
  expect(rowsOf(driven.last('operations'))).toEqual(['search 1 1']);
});

test('a log without requests has no operations', () => {
  const driven = wholeLog(listedBy('operation'));
  expect(LOG.length).toBeGreaterThan(0);
  expect(driven.events.some(({ type }) => type === 'operations')).toBe(false);
  expect(driven.last('summary').summary.hasContexts).toBe(false);
});
