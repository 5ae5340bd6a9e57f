import { profileInScope } from '../../support/profile-in-scope.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { unpackProfile } from '../../../renderer/profile-worker/shared-profiles.ts';
import { EMPTY_SCOPE, type Scope } from '../../../shared/scope/scope.ts';
import type { TimeRange } from '../../../shared/scope/scope.ts';
import {
  Driven,
  FLAT,
  flame,
  LOG,
  rowsOf,
  scoped,
  select,
  tree,
  view,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';
import { leanOf } from '../../support/profile-tables.ts';
import { readModel } from '../../support/reference-model.ts';

const SAMPLES = readModel(LOG).samples;
const TIMES = SAMPLES.map(({ at }) => at!).toSorted((a, b) => (a < b ? -1 : 1));
/** From a sample, which is in it, to another one, which is not. */
const [FROM, TO] = [TIMES[300], TIMES[900]];
const RANGE: TimeRange = { kind: 'between', from: String(FROM), to: String(TO) };
const ALL_SHOWN = [FLAT, tree({ threads: 'all' }), rowsOf('flat', 0, 5_000), rowsOf('tree', 0, 5_000)];
const TIMELINE = { type: 'timeline', view: { zoom: undefined, buckets: 10 } } as const;

/** Self counts of the methods, by a count over raw samples. */
function ended(isIn: (at: bigint) => boolean): Map<string, number> {
  const model = readModel(LOG);
  const counts = new Map<string, number>();
  for (const { at, stack } of model.samples) {
    if (!isIn(at!)) continue;
    const { className, methodName } = model.methods.get(stack.at(-1)!.method)!;
    const key = `${className}.${methodName}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function selfCounts(driven: Driven): Map<string, number> {
  driven.ask(...ALL_SHOWN);
  return new Map(
    driven.shown('flat').rows.flatMap(({ label, selfCount }) => (selfCount > 0 ? [[label, selfCount]] : [])),
  );
}

const sum = (column: Float64Array): number => column.reduce((all, count) => all + count, 0);

const sorted = (counts: ReadonlyMap<string, number>): readonly string[] =>
  Array.from(counts, ([key, count]) => `${key} ${count}`).sort();

test('all panes show the samples of the range; a change of it builds nothing, and clearing shows all', () => {
  const driven = wholeLog(...ALL_SHOWN);
  driven.ask(scoped({ range: RANGE }));
  const inRange = ended((at) => at >= FROM && at < TO);
  expect(sorted(selfCounts(driven))).toEqual(sorted(inRange));
  const total = [...inRange.values()].reduce((sum, count) => sum + count, 0);
  expect(driven.rows()[0].totalCount).toBe(total);
  expect(driven.last('summary').summary.outside.samples).toBe(SAMPLES.length - total);
  driven.ask(scoped({ range: { kind: 'between', from: String(TO), to: undefined } }));
  expect(sorted(selfCounts(driven))).toEqual(sorted(ended((at) => at >= TO)));
  driven.ask(scoped({}));
  expect(sorted(selfCounts(driven))).toEqual(sorted(ended(() => true)));
  expect(driven.last('summary').summary.outside.samples).toBe(0);
});

test.each<Partial<Scope>>([
  { threads: ['/./'] },
  { transforms: [{ kind: 'collapse', prefix: 'java.' }] },
  { transforms: [{ kind: 'drop', key: 'java.lang.Thread.run' }] },
])('a range with %j, errors hidden or not, is what the command line makes of it', (rest) => {
  for (const hideErrors of [false, true]) {
    const driven = wholeLog(...ALL_SHOWN);
    driven.ask(scoped({ ...rest, range: RANGE }, 'fqmn', hideErrors));
    const { hidden, outside, samples } = driven.last('summary').summary;
    const log = new FollowedLog();
    log.append(LOG, true);
    const inScope = profileInScope(log.aggregator.profile, { ...EMPTY_SCOPE, ...rest, range: RANGE }, 'fqmn');
    if (!hideErrors) expect(outside.samples).toBe(inScope.outside.samples);
    driven.ask(rowsOf('tree', 0, 1));
    expect(driven.rows()[0].totalCount).toBe(samples - hidden.samples - outside.samples);
  }
});

test('the latest samples of a log that grows move on, and a range that stands still stays', () => {
  const log = new FollowedLog();
  const driven = new Driven(...ALL_SHOWN, scoped({ range: { kind: 'latest', ns: 1e9 } }));
  const fixed = new Driven(...ALL_SHOWN, scoped({ range: RANGE }));
  for (let at = 0; at < LOG.length; at += 150_000) {
    log.append(LOG.subarray(at, at + 150_000), at + 150_000 >= LOG.length);
    const { samples } = log.aggregator.profile;
    const times = Array.from({ length: samples!.length }, (_, row) => samples!.timeOf(row));
    const newest = times.reduce((a, b) => (a > b ? a : b));
    const message = log.delta();
    driven.ask({ type: 'delta', message: message.slice(0) });
    fixed.ask({ type: 'delta', message });
    const latest = times.filter((time) => time >= newest - 1_000_000_000n).length;
    driven.ask(rowsOf('tree', 0, 1));
    expect(driven.rows()[0]?.totalCount).toBe(latest);
  }
  expect(sorted(selfCounts(fixed))).toEqual(sorted(ended((at) => at >= FROM && at < TO)));
});

test('the timeline counts all samples but those that threads and transforms leave out, and marks what is searched', () => {
  const driven = wholeLog(...ALL_SHOWN, TIMELINE);
  const columns = driven.last('timeline').columns!;
  expect([sum(columns.samples), columns.first]).toEqual([SAMPLES.length, String(TIMES[0])]);
  const isError = ({ stack }: (typeof SAMPLES)[number]): boolean => stack.some(({ method }) => method < 0n);
  expect(sum(columns.errors)).toBe(SAMPLES.filter(isError).length);
  expect(sum(columns.errors)).toBeGreaterThan(0);
  // A range changes what the panes show, and nothing here.
  const events = driven.events.length;
  driven.ask(scoped({ range: RANGE }));
  expect(driven.events.slice(events).filter(({ type }) => type === 'timeline')).toEqual([]);
  driven.ask(view('regex'));
  expect(sum(driven.last('timeline').columns!.matches)).toBe(driven.last('search').samples);
  driven.ask(scoped({ transforms: [{ kind: 'drop', key: 'java.lang.Thread.run' }] }));
  const { samples, outside } = driven.last('summary').summary;
  expect(sum(driven.last('timeline').columns!.samples)).toBe(samples - outside.samples);
  driven.ask(scoped({}), FLAT, rowsOf('flat', 0, 5_000));
  const row = driven.shown('flat').rows.find(({ totalCount, kind }) => totalCount > 20 && kind === 'frame')!;
  const { id, label, kind } = row;
  driven.ask({ type: 'select', selection: { of: 'methods', id, label, kind }, turn: 1 });
  expect(sum(driven.last('timeline').columns!.selected)).toBe(row.totalCount);
});

describe('while time stands still', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const timelines = ({ events }: Driven): number => events.filter(({ type }) => type === 'timeline').length;

  test('a timeline that is asked for between growth and its state is counted again in that state', () => {
    const log = new FollowedLog();
    const driven = new Driven(FLAT, TIMELINE);
    log.append(LOG.subarray(0, 300_000));
    driven.ask({ type: 'delta', message: log.delta() });
    log.append(LOG.subarray(300_000), true);
    driven.mirror.handle({ type: 'delta', message: log.delta() });
    const before = timelines(driven);
    driven.mirror.handle({ type: 'timeline', view: { zoom: undefined, buckets: 5 } });
    vi.advanceTimersByTime(1);
    expect(timelines(driven)).toBe(before + 1);
    driven.ask();
    expect(timelines(driven)).toBe(before + 2);
    driven.ask(TIMELINE);
    expect(driven.last('timeline').columns).toEqual(wholeLog(FLAT, TIMELINE).last('timeline').columns);
  });

  test('selections are marked in the timeline when no further one comes, and a graph waits for no timeline', () => {
    const driven = wholeLog(...ALL_SHOWN, TIMELINE, flame());
    const methods = driven.shown('flat').rows.slice(0, 5);
    driven.events.length = 0;
    for (const method of methods) {
      driven.mirror.handle(select('methods', method));
      vi.advanceTimersByTime(30);
    }
    driven.mirror.handle(flame({ pixels: 600 }));
    // The call tree opens to what is selected.
    const others = driven.events.filter(({ type }) => type !== 'selected' && type !== 'rows');
    expect(others.map(({ type }) => type)).toEqual(['flame']);
    vi.advanceTimersByTime(100);
    expect(timelines(driven)).toBe(1);
    expect(sum(driven.last('timeline').columns!.selected)).toBe(methods.at(-1)!.totalCount);

    driven.mirror.handle({ type: 'timeline', view: { zoom: undefined, buckets: 20 } });
    driven.mirror.handle(flame({ pixels: 900 }));
    vi.advanceTimersByTime(0);
    expect(driven.events.slice(-2).map(({ type }) => type)).toEqual(['flame', 'timeline']);
  });
});

test('an export carries the range', () => {
  const driven = wholeLog(...ALL_SHOWN);
  driven.ask(scoped({ range: RANGE }));
  driven.ask({ type: 'export', job: { id: 1, format: 'flat' } as never });
  const { source } = driven.last('exportSource');
  const profile = unpackProfile([...source.profile]);
  const log = new FollowedLog();
  log.append(LOG, true);
  const lean = (of: typeof profile): string => leanOf(profileInScope(of, source.query.scope, 'fqmn').profile);
  expect(source.query.scope.range).toEqual(RANGE);
  expect(lean(profile)).toBe(lean(log.aggregator.profile));
});
