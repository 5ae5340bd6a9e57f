import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Row } from '../../../renderer/profile-worker/pane-messages.ts';
import type { ChartSpec } from '../../../renderer/profile-worker/pane-specs.ts';
import { runExport } from '../../../renderer/profile-worker/window-export.ts';
import type { Scope, Transform } from '../../../shared/scope/scope.ts';
import { CallTree } from '../../../shared/engine/trees/call-tree.ts';
import { rowKeys, type SplitMethod } from '../../../shared/engine/trees/grouping.ts';
import { compareKeys } from '../../../shared/engine/trees/keys.ts';
import { TIME_PARTS } from '../../../shared/engine/views/time-pattern.ts';
import {
  Driven,
  type EventOf,
  FLAT,
  FLAT_SPEC,
  flame,
  type Handled,
  LOG,
  rowsOf,
  scoped,
  tree,
  TREE,
  view,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { compared, ComparedLogs, wholeLogs } from '../../support/compared-mirrors.ts';
import { FollowedLog } from '../../support/followed-log.ts';
import { goldenLog } from '../../support/read-log.ts';

const PANES = [FLAT, tree({ threads: 'all' }), flame()];
const recorded = JSON.parse(readFileSync('test/golden/hpl/comparisons.json', 'utf8')) as Record<
  string,
  { readonly tree: Record<string, { readonly lines: number; readonly sha256: string }> }
>;

function splitOf({ label }: Row): readonly SplitMethod[] {
  return [{ key: label, by: 'line' }];
}

function textOf(row: Row): string {
  const base = [row.baseSelfCount, row.baseTotalCount, row.baseSelfTime, row.baseTotalTime];
  const next = [row.selfCount, row.totalCount, row.selfTime, row.totalTime];
  return `${row.label}\t${[...base, ...next].join('\t')}`;
}

/** All rows of the tree as canonical text: siblings in the order of their keys. */
function canonicalTree(driven: Driven): string {
  driven.ask(tree({ threads: 'all', sort: { by: 'label', descending: false } }), rowsOf('tree', 0, 100_000));
  driven.ask({ type: 'expand', pane: 'tree', row: driven.rows()[0].id, how: 'all', turn: 1 });
  driven.ask(rowsOf('tree', 0, 100_000));
  const lines = driven.rows().map((row) => `${row.depth}\t${textOf(row)}`);
  return `${lines.join('\n').replace(/^0\tAll threads/i, '0\tAll Threads')}\n`;
}

function texts(driven: Driven, pane: string): readonly string[] {
  driven.ask(rowsOf(pane, 0, 10_000));
  return driven.shown(pane).rows.map(textOf).sort(compareKeys);
}

test.each(['control-a--control-b', 'hello--deeprec'])(
  'the call tree of %s in the window is the difference that the reference program computed',
  (pair) => {
    const [base, next] = pair.split('--').map((name) => goldenLog(name));
    const logs = wholeLogs(base, next, ...PANES, compared());
    const text = canonicalTree(logs.next);
    const { lines, sha256 } = recorded[pair].tree['all/fqmn'];
    expect(text.split('\n').length - 1).toBe(lines);
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  },
);

test('two logs that grow by turns are compared as two that are read at once, under a scope, too', () => {
  const other = goldenLog('control-a');
  for (const scope of [{}, { transforms: [{ kind: 'collapse', prefix: 'java.' } as const] }]) {
    const growing = new ComparedLogs(...PANES, compared(scope));
    const files = {
      base: { log: new FollowedLog(), bytes: other },
      next: { log: new FollowedLog(), bytes: LOG },
    };
    for (let part = 0; part < 4; part++) {
      for (const of of ['base', 'next'] as const) {
        const { log, bytes } = files[of];
        const [from, to] = [part, part + 1].map((at) => Math.floor((bytes.length * at) / 4));
        log.append(bytes.subarray(from, to), part === 3);
        growing.ask(of, { type: 'delta', message: log.delta() });
      }
    }
    const whole = wholeLogs(other, LOG, ...PANES, compared(scope));
    for (const pane of ['flat', 'tree'])
      expect(texts(growing.next, pane), pane).toEqual(texts(whole.next, pane));
    const { base, next } = whole.next.last('summary').summary.compared!;
    expect(next.samples).toBe(1553);
    expect(base.samples).toBe(whole.base.last('summary').summary.samples);
  }
});

test('rows keep their ids while a comparison comes and goes, and a closed baseline leaves what was read', () => {
  const before = wholeLog(...PANES);
  const ids = (driven: Driven): ReadonlyMap<string, number> => {
    driven.ask(rowsOf('flat', 0, 10_000));
    return new Map(driven.shown('flat').rows.map(({ label, id }) => [label, id]));
  };
  const own = ids(before);
  const logs = wholeLogs(goldenLog('hello'), LOG, ...PANES, compared());
  const both = ids(logs.next);
  expect([...own].filter(([label, id]) => both.get(label) !== id)).toEqual([]);
  expect(both.size).toBeGreaterThan(own.size);
  expect(new Set(both.values()).size).toBe(both.size);
  const gone = logs.next.shown('flat').rows.find(({ totalCount }) => totalCount === 0)!;
  logs.ask('next', { type: 'select', selection: { of: 'methods', ...gone }, turn: 3 });
  expect(logs.next.last('selected').rows.flat).toBe(gone.id);
  logs.ask('next', view());
  expect(ids(logs.next)).toEqual(own);
  logs.ask('next', compared());
  expect(ids(logs.next)).toEqual(both);
});

test('an export of a comparison has both logs', () => {
  const logs = wholeLogs(goldenLog('hello'), LOG, ...PANES, compared());
  logs.ask('next', { type: 'export', job: { id: 1, format: 'csv', compared: 'csv' } as never });
  const { source } = logs.next.last('exportSource');
  expect(source.base!.length).toBeGreaterThan(0);
  logs.ask('next', { type: 'export', job: { id: 2, format: 'csv', compared: undefined } as never });
  expect(logs.next.last('exportSource').source.base).toBeUndefined();
});

test('what only the baseline has keeps its ids in another grouping', () => {
  const logs = wholeLogs(goldenLog('hello'), LOG, ...PANES, compared());
  logs.ask('next', rowsOf('flat', 0, 10_000));
  const { rows } = logs.next.shown('flat');
  const only = rows.filter(({ totalCount }) => totalCount === 0);
  expect(only.length).toBeGreaterThan(1);
  const last = only.at(-1)!;
  logs.ask('next', { type: 'select', selection: { of: 'methods', ...last }, turn: 3 });
  const [heaviest] = rows.toSorted((a, b) => b.totalCount - a.totalCount);
  const split = {
    ...(compared() as Extract<Handled, { type: 'view' }>),
    keys: rowKeys('fqmn', splitOf(heaviest)),
  };
  logs.ask('next', split, rowsOf('flat', 0, 10_000));
  expect(logs.next.shown('flat').rows.length).toBeGreaterThan(rows.length);
  const known = new Map(logs.next.shown('flat').rows.map(({ label, id }) => [label, id]));
  expect(only.filter(({ label, id }) => known.get(label) !== id)).toEqual([]);
  expect(logs.next.last('selected').selection?.label).toBe(last.label);
});

test('a log that is compared with another one than before is never compared with the former', () => {
  const logs = wholeLogs(goldenLog('hello'), LOG, ...PANES, compared());
  const baseSamples = (): number | undefined => logs.next.last('summary').summary.compared?.base.samples;
  const former = baseSamples();
  logs.next.ask({
    ...(compared() as Extract<Handled, { type: 'view' }>),
    comparison: { by: 'share', isSampled: true, baseline: { log: 'other' } },
  });
  expect(baseSamples()).toBeUndefined();
  const other = wholeLog({ log: 'other', profiles: logs.profiles }, TREE);
  const { samples } = other.last('summary').summary;
  expect(former).not.toBe(samples);
  logs.next.ask();
  expect(baseSamples()).toBe(samples);
  logs.base.mirror.close();
  logs.next.ask(scoped({}), {
    ...(compared() as Extract<Handled, { type: 'view' }>),
    comparison: { by: 'share', isSampled: true, baseline: { log: 'other' } },
  });
  expect(baseSamples()).toBe(samples);
});

test.each<[string, Partial<Scope>, boolean]>([
  ['all', {}, false],
  ['threads', { threads: ['main'] }, false],
  ['samples', { transforms: [{ kind: 'drop', key: 'java.lang.Thread.run' }] }, true],
  ['stacks', { transforms: [{ kind: 'focus', key: 'java.lang.Thread.run' }], threads: ['/./'] }, false],
])(
  'timeline and threads of a log follow the scope while it is compared with another one: %s',
  (_, scope, hideErrors) => {
    const timeline = { type: 'timeline', view: { zoom: undefined, buckets: 10 } } as const;
    const threads: Handled = { type: 'threads', shown: true };
    const alone = wholeLog(FLAT, timeline, threads, scoped(scope, 'fqmn', hideErrors));
    const comparison = { ...compared(scope), hidesErrors: hideErrors } as Handled;
    const logs = wholeLogs(goldenLog('hello'), LOG, FLAT, timeline, threads, comparison);
    const shown = (driven: Driven): unknown => [
      driven.last('timeline').columns?.samples,
      driven.last('timeline').columns?.errors,
      driven.last('threads').threads,
    ];
    expect(shown(logs.next)).toEqual(shown(alone));
    const whole = wholeLog(FLAT, timeline, threads);
    if (Object.keys(scope).length > 0) expect(shown(logs.next)).not.toEqual(shown(whole));
    // And when the other one is no longer compared with.
    logs.ask('next', scoped(scope, 'fqmn', hideErrors));
    expect(shown(logs.next)).toEqual(shown(alone));
  },
);

test.each<Transform>([
  { kind: 'drop', key: 'java.lang.Thread.run', keys: 'fqmn' },
  { kind: 'focus', key: 'java.lang.Thread.run', keys: 'fqmn' },
])('a step of a method leaves the same samples of two logs when frames are grouped by line: %j', (step) => {
  const scope = { transforms: [step] };
  const logs = wholeLogs(goldenLog('hello'), LOG, FLAT, compared(scope));
  const sides = (): unknown => logs.next.last('summary').summary.compared;
  const byMethod = sides();
  logs.ask('next', compared(scope, 'line'));
  expect(sides()).toEqual(byMethod);
  // The other way round: a line, while frames are grouped by method.
  logs.ask('next', compared({}, 'line'));
  const { label } = logs.next.shown('flat').rows.find((row) => /:\d+$/.test(row.label))!;
  const ofLine: Partial<Scope> = { transforms: [{ kind: 'keep', key: label, keys: 'line' }] };
  logs.ask('next', compared(ofLine, 'line'));
  const byLine = sides();
  logs.ask('next', compared(ofLine));
  expect(sides()).toEqual(byLine);
});

test.each<[string, Handled]>([
  ['two logs', compared()],
  ['a scope', scoped({ transforms: [{ kind: 'collapse', prefix: 'java.' }] })],
])('threads are told apart by their ids as soon as a pane asks for it: %s', (_, shown) => {
  const byId = tree({ threads: 'id' });
  const atOnce = wholeLogs(goldenLog('hello'), LOG, byId, shown);
  const later = wholeLogs(goldenLog('hello'), LOG, tree({ threads: 'name' }), shown);
  later.ask('next', byId);
  expect(texts(later.next, 'tree')).toEqual(texts(atOnce.next, 'tree'));
  expect(texts(later.next, 'tree').length).toBeGreaterThan(1);
});

test('a comparison is not written without the log that is compared with', async () => {
  const driven = wholeLog(FLAT, compared());
  driven.ask({ type: 'export', job: { id: 1, format: 'csv', compared: 'csv' } as never });
  await expect(runExport(driven.last('exportSource').source, () => undefined)).rejects.toThrow(/is not open/);
});

test('while a log is frozen, the one that it is compared with does not grow either', () => {
  const logs = new ComparedLogs(...PANES, compared());
  const base = new FollowedLog();
  const next = new FollowedLog();
  next.append(LOG, true);
  logs.ask('next', { type: 'delta', message: next.delta() });
  const growth = (frozen: boolean): Handled => ({ type: 'growth', measured: true, frozen, shown: false });
  const grow = (from: number, to: number): void => {
    base.append(LOG.subarray(from, to));
    logs.ask('base', { type: 'delta', message: base.delta() });
  };
  const baseSamples = (): number | undefined => {
    logs.ask('next', { type: 'barrier', id: 1, flush: true });
    return logs.next.last('summary').summary.compared?.base.samples;
  };
  grow(0, 20_000);
  const before = baseSamples();
  logs.ask('next', growth(true));
  grow(20_000, 40_000);
  grow(40_000, 60_000);
  logs.ask('next', { type: 'sort', pane: 'flat' });
  expect(baseSamples()).toBe(before);
  logs.ask('next', growth(false));
  const all = logs.base.last('summary').summary.samples;
  expect(all).toBeGreaterThan(before!);
  expect(baseSamples()).toBe(all);
});

/** Pane -> path of a row -> its samples in each part of the time. */
function timesIn(driven: Driven): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, readonly number[]>();
  driven.ask(rowsOf('flat', 0, 100_000));
  const method = driven.shown('flat').rows.find(({ label }) => label === METHOD)!;
  for (const of of ['callers', 'callees'] as const)
    driven.ask({
      type: 'pane',
      pane: of,
      spec: {
        kind: 'rows',
        of,
        threads: 'name',
        sort: BY_COUNT,
        withTimes: true,
        method: { ...method, of: 'methods' },
      },
    });
  for (const pane of TIMED_PANES) {
    driven.ask(rowsOf(pane, 0, 100_000));
    const roots = pane === 'flat' ? [] : driven.shown(pane).rows;
    const how = pane === 'tree' ? 'hot' : 'expand';
    driven.ask(
      rowsOf(pane, 0, 1),
      ...roots.map(({ id }): Handled => ({ type: 'expand', pane, row: id, how, turn: 1 })),
    );
    driven.ask(rowsOf(pane, 0, 100_000, 2));
    const { rows } = driven.shown(pane);
    const event = driven.events.findLast((each) => each.type === 'times' && each.pane === pane);
    if (event?.type !== 'times') throw new Error(`no times of ${pane}`);
    const path: string[] = [pane];
    const placeOf = new Map(event.ids.map((each, at) => [each, at]));
    for (const { id, depth, label } of rows) {
      path.splice(depth + 1, Infinity, label);
      const at = placeOf.get(id)!;
      times.set(path.join(';'), [...event.counts.subarray(at * TIME_PARTS, (at + 1) * TIME_PARTS)]);
    }
    driven.ask(rowsOf(pane, 0, 1));
  }
  return times;
}

const TIMED_PANES = ['tree', 'flat', 'bottomUp', 'callers', 'callees'] as const;
const BY_COUNT = { by: 'totalCount', descending: true } as const;
const METHOD = 'java.lang.Thread.run';
const CHART: ChartSpec = {
  kind: 'chart',
  of: 'calls',
  threads: 'all',
  only: undefined,
  zoom: undefined,
  isEqual: true,
  pixels: 5_000,
};
const TIMED: readonly Handled[] = [
  tree({ withTimes: true }),
  { type: 'pane', pane: 'flat', spec: { ...FLAT_SPEC, withTimes: true } },
  {
    type: 'pane',
    pane: 'bottomUp',
    spec: { kind: 'rows', of: 'bottom-up', threads: 'name', sort: BY_COUNT, withTimes: true },
  },
];

test.each<[string, Partial<Scope>]>([
  ['everything', {}],
  ['a collapsed package', { transforms: [{ kind: 'collapse', prefix: 'java.util.' }] }],
  ['what a method has', { transforms: [{ kind: 'keep', key: METHOD }] }],
  ['some threads', { threads: ['/[0-9]/'] }],
  ['the end', { range: { kind: 'latest', ns: 10e9 } }],
])('rows of two logs have the times of the new one, and the chart its stacks: %s', (_, scope) => {
  const of = (requests: readonly Handled[]): { readonly alone: Driven; readonly next: Driven } => {
    const { next } = wholeLogs(goldenLog('control-a'), LOG, ...requests, compared(scope));
    return { alone: wholeLog(...requests, scoped(scope)), next };
  };
  const rows = of(TIMED);
  const [alone, joined] = [timesIn(rows.alone), timesIn(rows.next)];
  const text = (times: ReadonlyMap<string, readonly number[]>): readonly string[] =>
    Array.from(times, ([path, counts]) => `${path} ${counts.join(' ')}`)
      .filter((line) => / [1-9]/.test(line))
      .sort(compareKeys);
  expect(text(joined)).toEqual(text(alone));
  const chart = of([{ type: 'pane', pane: 'chart', spec: CHART }]);
  const drawn = ({ layout, count, times }: EventOf<'chart'>): unknown => ({
    count,
    times,
    starts: layout.start,
    weights: layout.weight,
    labels: Array.from(layout.label, (label) => layout.labels[label]),
  });
  expect(chart.next.last('chart').count).toBeGreaterThan(0);
  expect(drawn(chart.next.last('chart'))).toEqual(drawn(chart.alone.last('chart')));
});

test('the names of threads that only one of two logs has, in scope, are told', () => {
  const { next } = wholeLogs(goldenLog('threads'), LOG, compared(), FLAT);
  const { threads } = next.last('summary').summary.compared ?? {};
  const names = (of: Driven): Set<string> => {
    of.ask({ type: 'threads', shown: true });
    return new Set(of.last('threads').threads.names);
  };
  const [base, now] = [names(wholeThreads()), names(wholeLog())];
  const only = (one: Set<string>, other: Set<string>): readonly string[] =>
    [...one].filter((name) => !other.has(name)).sort();
  expect(threads?.base.toSorted()).toEqual(only(base, now));
  expect(threads?.next.toSorted()).toEqual(only(now, base));
  expect(threads?.base.length).toBeGreaterThan(0);
  next.ask(compared({ threads: ['main'] }));
  expect(next.last('summary').summary.compared?.threads).toEqual({ base: [], next: [] });
});

/** A mirror of the log of a program with threads. */
function wholeThreads(): Driven {
  const driven = new Driven();
  const log = new FollowedLog();
  log.append(goldenLog('threads'), true);
  driven.ask({ type: 'delta', message: log.delta() });
  return driven;
}

test('once two logs are compared, the tree of the log alone that was on screen is freed, and comes back with it', () => {
  const released = vi.spyOn(CallTree.prototype, 'release');
  onTestFinished(() => released.mockRestore());
  const logs = wholeLogs(goldenLog('control-a'), goldenLog('server-small'), ...PANES);
  const before = texts(logs.next, 'tree');
  logs.ask('next', scoped({ transforms: [] }));
  expect(released).not.toHaveBeenCalled();
  logs.ask('next', compared());
  expect(released.mock.contexts.map((tree) => (tree as CallTree).grouping.threads)).toEqual(['all']);
  logs.ask('next', scoped({}));
  expect(texts(logs.next, 'tree')).toEqual(before);
});
