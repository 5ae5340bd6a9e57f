import { expect, test, vi } from 'vitest';
import type { ExportJob, MirrorEvent } from '../../../../renderer/profile-worker/mirror-messages.ts';
import type { Scope } from '../../../../shared/scope/scope.ts';
import { ProfileAggregator } from '../../../../shared/aggregate/profile-aggregator.ts';
import { encodeDelta } from '../../../../shared/delta/delta-codec.ts';
import { makeDelta } from '../../../../shared/delta/make-delta.ts';
import { type DeltaCursor, NOTHING } from '../../../../shared/delta/profile-delta.ts';
import { SAMPLES_AND_TIME } from '../../../../shared/profile/profile-units.ts';
import { DELTA_PREFIX } from '../../../../shared/protocol/transport.ts';
import { runExport } from '../../../../renderer/profile-worker/window-export.ts';
import {
  Driven,
  type EventOf,
  expand,
  FLAT,
  type Handled,
  LOG,
  scoped,
  tree,
  wholeLog,
} from '../../../support/driven-mirror.ts';

const listedBy = (by: string): Handled => ({
  type: 'pane',
  pane: 'operations',
  spec: { kind: 'operations', of: 'calls', by, units: SAMPLES_AND_TIME, computing: 'all' },
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

test('the picture of durations follows the growth of its log, and marks what is asked for', () => {
  const requests = new Requests();
  const timeline = (marks?: string): Handled => ({
    type: 'timeline',
    view: { zoom: undefined, buckets: 10 },
    durations: { fit: 10, marks },
  });
  const driven = new Driven(timeline(), scoped({}));
  const counted = (): readonly (number | undefined)[] => {
    const { all, most, mostMarked } = driven.last('timeline').durations!;
    return [all, most, mostMarked];
  };
  driven.ask(requests.grow('search', 'checkout'));
  expect(counted()).toEqual([2, 2, 0]);
  driven.ask(requests.grow('search'));
  expect(counted()).toEqual([3, 3, 0]);
  driven.ask(timeline('operation=search'));
  expect(counted()).toEqual([3, 3, 2]);
  // In scope alone, none stands out.
  driven.ask(scoped({ contexts: { where: ['operation=search'] } }));
  expect(counted()).toEqual([2, 2, 0]);
  driven.ask(scoped({ contexts: { where: [], began: { from: 10 } } }), timeline());
  expect(counted()).toEqual([3, 3, 2]);
});

test('operations follow the growth of their log, by any attribute', () => {
  const requests = new Requests();
  const driven = new Driven(listedBy('operation'), scoped({}));
  driven.ask(requests.grow('search', 'checkout'));
  expect(rowsOf(driven.last('operations'))).toEqual(['checkout 1 2', 'search 1 1']);
  expect(driven.last('summary').summary.contextKeys).toEqual(['operation', 'customer']);
  driven.ask(requests.grow('search', 'checkout', 'store'));
  expect(rowsOf(driven.last('operations'))).toEqual(['checkout 2 4', 'store 1 3', 'search 2 2']);
  driven.ask(listedBy('customer'));
  expect(rowsOf(driven.last('operations'))).toEqual(['other 3 7', 'gold 2 2']);
});

test('operations are listed with each flush of a recording, as its samples are', () => {
  vi.useFakeTimers();
  try {
    const requests = new Requests();
    const driven = new Driven(listedBy('operation'), scoped({}), FLAT);
    const shown = (type: 'operations' | 'rows'): number =>
      driven.events.filter((event) => event.type === type).length;
    driven.mirror.handle(requests.grow('search'));
    vi.advanceTimersByTime(1_000);
    const before = [shown('operations'), shown('rows')];
    for (let flush = 1; flush <= 10; flush++) {
      driven.mirror.handle(requests.grow('search'));
      vi.advanceTimersByTime(1_000);
      expect([shown('operations'), shown('rows')]).toEqual(before.map((each) => each + flush));
      expect(rowsOf(driven.last('operations'))).toEqual([`search ${flush + 1} ${flush + 1}`]);
    }
  } finally {
    vi.useRealTimers();
  }
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
  expect(driven.last('summary').summary.contextKeys).toEqual([]);
});

/** The view of panes that group threads by an attribute. */
const grouped = (attribute: string, scope: Partial<Scope> = {}): Handled => ({
  ...(scoped(scope) as Extract<Handled, { type: 'view' }>),
  attribute,
});

const rootsOf = (driven: Driven): readonly string[] =>
  driven
    .shown('tree')
    .rows.flatMap(({ label, depth, totalCount }) => (depth === 0 ? [`${label} ${totalCount}`] : []));

test('calls of a trace are listed by method, and are no property by which threads are grouped', () => {
  const aggregator = new ProfileAggregator({ journal: true, samples: true });
  aggregator.samplesAreCalls();
  const thread = aggregator.thread(0, 1);
  for (const [method, methodName] of ['main', 'parse'].entries())
    aggregator.defineMethod(aggregator.method(0, method), { file: '', className: 'Shop', methodName });
  for (const [at, stack] of [[1, 0], [1, 0], [0]].entries()) {
    aggregator.takenAt(0n, 10 * at);
    aggregator.sample(
      thread,
      Int32Array.from(stack.flatMap((method) => [0, method, -1, -1])),
      stack.length,
      10,
    );
  }
  const { profile, journal } = aggregator;
  const delta = makeDelta({ profile, journal: journal!, samples: profile.samples }, 0, NOTHING);
  const driven = new Driven(listedBy('operation'), scoped({}));
  driven.ask({ type: 'delta', message: encodeDelta(delta, DELTA_PREFIX) });
  expect(rowsOf(driven.last('operations'))).toEqual(['Shop.main 1 3', 'Shop.parse 2 2']);
  expect(driven.last('summary').summary).toMatchObject({ areCalls: true, contextKeys: [] });
  driven.ask(scoped({ contexts: { where: ['operation=Shop.parse'] } }));
  expect(driven.last('summary').summary.outside.samples).toBe(1);
  // A grouping that was chosen for another log is none here.
  const roots = new Driven(grouped('operation'), tree({ threads: 'context:operation' }));
  roots.ask({ type: 'delta', message: encodeDelta(delta, DELTA_PREFIX) });
  expect(rootsOf(roots)).toHaveLength(1);
});

test('a tree by an attribute follows its log, and what is open stays open', () => {
  const requests = new Requests();
  const byOperation = tree({ threads: 'context:operation' });
  const driven = new Driven(grouped('operation'), byOperation);
  driven.ask(requests.grow('search', 'checkout'));
  expect(rootsOf(driven)).toEqual(['checkout 2', 'search 1']);
  const [checkout, search] = driven.shown('tree').rows.filter(({ depth }) => depth === 0);
  driven.ask(expand(search.id, 'expand'), expand(checkout.id, 'collapse'));
  driven.ask(requests.grow('search', 'checkout', 'store'));
  expect(rootsOf(driven)).toEqual(['checkout 4', 'store 3', 'search 2']);
  const isOpen = (id: number) => driven.shown('tree').rows.find((row) => row.id === id)?.expanded;
  expect([isOpen(checkout.id), isOpen(search.id)]).toEqual([false, true]);
  expect(driven.last('summary').summary.threads).toBe(1);
  driven.ask(grouped('customer'), tree({ threads: 'context:customer' }));
  expect(rootsOf(driven)).toEqual(['other 7', 'gold 2']);
  driven.ask(grouped('operation', { contexts: { where: ['customer=gold'] } }), byOperation);
  expect(rootsOf(driven)).toEqual(['search 2']);
});

test('a file has the requests in scope, and the groups of the panes', async () => {
  const driven = new Driven(grouped('operation'), tree({ threads: 'context:operation' }));
  driven.ask(new Requests().grow('search', 'checkout', 'store'));
  const job: ExportJob = {
    id: 1,
    format: 'tree',
    compared: undefined,
    names: { base: '', next: '' },
    fileName: 'requests.tree',
    threads: 'context:operation',
    zoom: undefined,
    isBottomUp: false,
    pixels: 1200,
    theme: 'dark',
    colourBy: 'package',
    orientation: 'icicle',
    order: { by: 'selfCount', descending: true },
    title: '',
    units: SAMPLES_AND_TIME,
    facts: undefined,
  };
  const rootsIn = async (): Promise<readonly string[]> => {
    driven.ask({ type: 'export', job });
    const events: MirrorEvent[] = [];
    await runExport(driven.last('exportSource').source, (event) => events.push(event));
    const last = events.at(-1)!;
    const text = last.type === 'exported' ? await last.content.text() : '';
    return text.split('\n').flatMap((line) => (line.startsWith('0\t') ? [line.split('\t')[1]] : []));
  };
  expect(await rootsIn()).toEqual(['checkout', 'search', 'store']);
  driven.ask(scoped({ contexts: { where: ['operation=store'] } }), tree({ threads: 'all' }));
  driven.ask({ type: 'export', job: { ...job, format: 'flat' } });
  const events: MirrorEvent[] = [];
  await runExport(driven.last('exportSource').source, (event) => events.push(event));
  const last = events.at(-1)!;
  // One method of the three.
  expect(last.type === 'exported' && (await last.content.text()).trim().split('\n')).toHaveLength(1);
});
