import { expect, test } from 'vitest';
import type { MirrorEvent } from '../../../renderer/profile-worker/mirror-messages.ts';
import { Mirror } from '../../../renderer/profile-worker/mirror.ts';
import {
  Driven,
  FLAT,
  FLAT_SPEC,
  type Handled,
  LOG,
  rowsOf,
  scoped,
  splitInto,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';
import type { TimeRange } from '../../../shared/scope/scope.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const growth = (change: Partial<Extract<Handled, { type: 'growth' }>> = {}): Handled => ({
  type: 'growth',
  measured: true,
  frozen: false,
  shown: true,
  ...change,
});

/** A mirror with a clock, the log that it shows, and what it says of growth. */
class Watched {
  readonly clock = new ManualClock();
  readonly log = new FollowedLog();
  readonly events: MirrorEvent[] = [];
  readonly mirror = new Mirror((event) => this.events.push(event), { now: () => this.clock.now() });
  /** Bytes of the log so far. */
  read = 0;

  ask(...requests: readonly Handled[]): void {
    for (const request of requests) this.mirror.handle(request);
    this.mirror.handle({ type: 'barrier', id: 1, flush: true });
  }

  grow(to: number): void {
    this.log.append(LOG.subarray(this.read, to), to === LOG.length);
    this.read = to;
    this.ask({ type: 'delta', message: this.log.delta() });
  }

  wait(ms: number): void {
    this.clock.advance(ms);
    this.ask();
  }

  /** `12 in 30 s` */
  get said(): string {
    const event = this.events.findLast(({ type }) => type === 'recent');
    if (event?.type !== 'recent') return 'nothing';
    return `${event.recent.samples} in ${event.recent.seconds} s`;
  }

  get samples(): number {
    const event = this.events.findLast(({ type }) => type === 'summary');
    return event?.type === 'summary' ? event.summary.samples : 0;
  }

  end(): void {
    this.ask(growth({ measured: false, shown: false }));
  }
}

test('what was there before is no growth, and what comes later is, for half a minute', () => {
  const watched = new Watched();
  watched.ask(FLAT);
  watched.grow(300_000);
  watched.ask(growth());
  const before = watched.samples;
  watched.wait(1_000);
  expect(watched.said).toBe('0 in 1 s');
  watched.grow(600_000);
  watched.wait(1_000);
  const gained = watched.samples - before;
  expect(gained).toBeGreaterThan(100);
  expect(watched.said).toBe(`${gained} in 2 s`);
  for (let second = 3; second <= 33; second++) watched.wait(1_000);
  expect(watched.said).toBe('0 in 30 s');
  watched.end();
});

test('sums per method are those of the flat profile, after less before', () => {
  const watched = new Watched();
  const flat = (): Map<string, { self: number; total: number }> => {
    const shown = new Driven(FLAT);
    const copy = new FollowedLog();
    copy.append(LOG.subarray(0, watched.read));
    shown.ask({ type: 'delta', message: copy.delta() }, rowsOf('flat', 0, 10_000));
    return new Map(
      shown.shown('flat').rows.map((row) => [row.label, { self: row.selfCount, total: row.totalCount }]),
    );
  };
  watched.ask(FLAT);
  watched.grow(300_000);
  watched.ask(growth());
  const before = flat();
  watched.grow(700_000);
  watched.wait(1_000);
  const after = flat();
  const event = watched.events.findLast(({ type }) => type === 'recent');
  if (event?.type !== 'recent') throw new Error('growth is said');
  expect(event.recent.methods.length).toBeGreaterThan(20);
  for (const { label, self, total } of event.recent.methods) {
    const was = before.get(label) ?? { self: 0, total: 0 };
    const is = after.get(label) ?? { self: 0, total: 0 };
    expect({ label, self, total }).toEqual({ label, self: is.self - was.self, total: is.total - was.total });
  }
  // The methods with the most self samples are among them.
  const gain = [...after].map(([label, { self }]) => [label, self - (before.get(label)?.self ?? 0)] as const);
  const [hottest] = gain.toSorted(([, a], [, b]) => b - a)[0];
  expect(event.recent.methods.map(({ label }) => label)).toContain(hottest);
  watched.end();
});

test('what waited while the view was frozen, or is read from a backlog, is not of the last seconds', () => {
  const watched = new Watched();
  watched.ask(FLAT);
  watched.grow(200_000);
  watched.ask(growth(), growth({ frozen: true }));
  watched.wait(60_000);
  watched.ask(growth());
  watched.grow(400_000);
  watched.wait(1_000);
  expect(watched.said).toBe('0 in 1 s');
  watched.ask({ type: 'reading', reading: true });
  watched.grow(600_000);
  watched.ask({ type: 'reading', reading: false });
  watched.wait(1_000);
  expect(watched.said).toBe('0 in 1 s');
  watched.end();
});

test('another scope begins a period of its own', () => {
  const watched = new Watched();
  watched.ask(FLAT);
  watched.grow(200_000);
  watched.ask(growth());
  watched.grow(400_000);
  watched.wait(1_000);
  expect(watched.said).not.toMatch(/^0 in/);
  watched.ask({
    type: 'view',
    frames: 'fqmn',
    keys: 'fqmn',
    siblings: 'name',
    metric: 'samples',
    search: '',
    hidesErrors: true,
    scope: { threads: [], transforms: [] },
    where: [],
  });
  watched.wait(1_000);
  expect(watched.said).toBe('0 in 1 s');
  watched.end();
});

test('rows of methods have rates where they are asked for, and are sorted by them', () => {
  const watched = new Watched();
  const rows = { ...FLAT_SPEC, withRates: true, sort: { by: 'selfRate', descending: true } } as const;
  watched.ask({ type: 'pane', pane: 'flat', spec: rows });
  watched.grow(300_000);
  watched.ask(rowsOf('flat', 0, 10_000));
  watched.ask(growth({ shown: false }));
  watched.grow(600_000);
  watched.clock.advance(2_000);
  watched.grow(700_000);
  const event = watched.events.findLast(({ type }) => type === 'rows');
  if (event?.type !== 'rows') throw new Error('rows are shown');
  const rates = event.rows.map(({ selfRate }) => selfRate ?? -1);
  expect(Math.max(...rates)).toBeGreaterThan(1);
  expect(Math.min(...rates)).toBe(0);
  expect(rates).toEqual(rates.toSorted((a, b) => b - a));
  watched.end();
});

test('a method that is split and selected beside the timeline does not end the measurement', () => {
  const watched = new Watched();
  watched.ask(
    FLAT,
    splitInto([{ key: 'ServerSim$Chain.next', by: 'line' }]),
    { type: 'timeline', view: { zoom: undefined, buckets: 10 } },
    growth(),
  );
  watched.grow(300_000);
  watched.ask(rowsOf('flat', 0, 100));
  const event = watched.events.findLast(({ type }) => type === 'rows');
  if (event?.type !== 'rows') throw new Error('rows are shown');
  const { id, label, kind, totalCount } = event.rows.find(
    (row) => row.label.startsWith('ServerSim$Chain.next') && row.depth === 0,
  )!;
  watched.ask({ type: 'select', selection: { of: 'methods', id, label, kind }, turn: 1 });
  const columns = watched.events.findLast(({ type }) => type === 'timeline');
  const marked = columns?.type === 'timeline' ? columns.columns?.selected : undefined;
  expect(marked?.reduce((sum, count) => sum + count, 0)).toBe(totalCount);
  watched.wait(1_000);
  watched.grow(400_000);
  watched.wait(1_000);
  expect(watched.said).toMatch(/^[1-9]\d* in 2 s$/);
  watched.end();
});

test('while only the latest samples are looked at nothing is measured: some leave as others come', () => {
  const watched = new Watched();
  watched.ask(FLAT, scoped({ range: { kind: 'latest', ns: 1e8 } }));
  watched.grow(300_000);
  watched.ask(growth());
  watched.wait(1_000);
  watched.grow(600_000);
  expect(watched.said).toBe('0 in 0 s');
  watched.ask(scoped({}));
  watched.wait(1_000);
  expect(watched.said).toBe('0 in 1 s');
  watched.end();
});

/** The panes while they compare with another range of the log. */
function comparedWith(range: TimeRange): Handled {
  return {
    ...(scoped({}) as Extract<Handled, { type: 'view' }>),
    comparison: { by: 'share', isSampled: true, baseline: { range } },
  };
}

test('samples that come to be shown, or no longer are, as a baseline is chosen or removed, are no growth', () => {
  const watched = new Watched();
  watched.ask(FLAT, scoped({}));
  watched.grow(300_000);
  const { profile } = watched.log.aggregator;
  const times = Array.from({ length: profile.samples!.length }, (_, row) => profile.samples!.timeOf(row));
  const middle = times.toSorted((a, b) => (a < b ? -1 : 1))[times.length >> 1];
  const part: TimeRange = { kind: 'between', from: undefined, to: String(middle) };
  watched.ask(comparedWith(part), growth());
  watched.wait(1_000);
  expect(watched.said).toBe('0 in 1 s');
  watched.ask(scoped({}));
  watched.wait(1_000);
  expect(watched.said).toMatch(/^0 in /);
  watched.ask(comparedWith(part));
  watched.wait(1_000);
  expect(watched.said).toMatch(/^0 in /);
  watched.end();
});

test('while the latest samples are the baseline nothing is measured: they are shown when they are no longer the latest', () => {
  const watched = new Watched();
  watched.ask(FLAT, comparedWith({ kind: 'latest', ns: 1e8 }));
  watched.grow(300_000);
  watched.ask(growth());
  watched.wait(1_000);
  watched.grow(600_000);
  watched.wait(1_000);
  expect(watched.said).toBe('0 in 0 s');
  watched.end();
});
