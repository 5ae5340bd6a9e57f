import { rowKeys } from '../../../../shared/engine/trees/grouping.ts';
import { certaintyOf, shareChange } from '../../../../shared/engine/values/share-change.ts';
import { profileInScope } from '../../../support/profile-in-scope.ts';
import type { ComparisonView } from '../../../../shared/engine/query.ts';
import { expect, test } from 'vitest';
import { pixelLayout } from '../../../../shared/draw/pixel-layout.ts';
import { pixelStyle, RowStyles } from '../../../../shared/draw/row-styles.ts';
import { runExport } from '../../../../renderer/profile-worker/window-export.ts';
import type { Row } from '../../../../renderer/profile-worker/pane-messages.ts';
import { Chains } from '../../../../shared/engine/trees/chains.ts';
import { ChainSums } from '../../../../shared/engine/values/value-columns.ts';
import { FlatProfile } from '../../../../shared/engine/views/flat-profile.ts';
import type { CompareFormatId } from '../../../../shared/export/compare-list.ts';
import type { ExportFormatId } from '../../../../shared/export/export-formats.ts';
import type { LeanProfile } from '../../../../shared/profile/lean-profile.ts';
import { SAMPLES_AND_TIME } from '../../../../shared/profile/profile-units.ts';
import { EMPTY_SCOPE, type Scope, type TimeRange } from '../../../../shared/scope/scope.ts';
import { differenceStyle } from '../../../../shared/text/difference-colour.ts';
import type { Condition } from '../../../../shared/engine/views/row-conditions.ts';
import { extentOf } from '../../../../shared/engine/trees/row-tree.ts';
import { COMPARE_BY, type CompareBy } from '../../../../shared/engine/values/row-change.ts';
import { ValuesWithoutErrors } from '../../../../shared/engine/values/masked-values.ts';
import {
  Driven,
  type EventOf,
  FLAT,
  FLAT_SPEC,
  flame,
  type Handled,
  LOG,
  rowsOf,
  tree,
  view,
  wholeLog,
} from '../../../support/driven-mirror.ts';
import { FollowedLog } from '../../../support/followed-log.ts';
import { readModel } from '../../../support/reference-model.ts';

const TIMES = readModel(LOG)
  .samples.map(({ at }) => at!)
  .toSorted((a, b) => (a < b ? -1 : 1));
const MARK = String(TIMES[700]);
const BEFORE: TimeRange = { kind: 'between', from: undefined, to: MARK };
const SINCE: TimeRange = { kind: 'between', from: MARK, to: undefined };
const ALL_SHOWN = [FLAT, tree({ threads: 'all' }), rowsOf('flat', 0, 5_000), rowsOf('tree', 0, 5_000)];
const BY_SHARE = { by: 'share', isSampled: true } as const;

/** The window after a mark. */
function marked(
  rest: Partial<Scope> = {},
  comparison: Partial<ComparisonView> = {},
  hideErrors = false,
): Handled {
  const scope = { ...EMPTY_SCOPE, ...rest, range: SINCE };
  return {
    ...(view('', 'fqmn', hideErrors, scope) as Extract<Handled, { type: 'view' }>),
    comparison: { ...BY_SHARE, baseline: { range: BEFORE }, ...comparison },
  };
}

function profileOfLog(): LeanProfile {
  const log = new FollowedLog();
  log.append(LOG, true);
  return log.aggregator.profile;
}

/** Self and total samples of each method before and since the mark, as the command line compares two files cut there. */
function comparedMethods(rest: Partial<Scope>, hideErrors: boolean): readonly string[] {
  const [base, next] = [BEFORE, SINCE].map((range) => {
    const source = profileOfLog();
    return profileInScope(source, { ...EMPTY_SCOPE, ...rest, range }, 'fqmn', (values) => {
      if (!hideErrors) return values;
      const without = new ValuesWithoutErrors(source, values);
      without.update(extentOf(source));
      return without.values;
    });
  });
  const sides = [base, next].map(({ profile, values }) => {
    const chains = new Chains(profile);
    chains.update();
    const sums = new ChainSums(chains);
    sums.update(values);
    const flat = new FlatProfile(profile, 'fqmn', 'once');
    flat.update(values, () => sums);
    return flat;
  });
  return [...new Set(sides.flatMap(({ keys }) => keys.labels))]
    .map((label) => {
      const numbers = sides.flatMap((side) => {
        const key = side.keys.labels.indexOf(label);
        if (key < 0) return [0, 0, 0, 0];
        const { selfCount, totalCount, selfTime, totalTime } = side;
        return [selfCount[key], totalCount[key], selfTime.ns[key], totalTime.ns[key]];
      });
      return `${label} ${numbers.join(' ')}`;
    })
    .filter((line) => !/( 0){8}$/.test(line))
    .sort();
}

function textOf(row: Row): string {
  const base = [row.baseSelfCount, row.baseTotalCount, row.baseSelfTime, row.baseTotalTime];
  const next = [row.selfCount, row.totalCount, row.selfTime, row.totalTime];
  return `${row.label} ${[...base, ...next].join(' ')}`;
}

/** All rows of a pane, in no order. */
function textsOf(driven: Driven, pane: string): readonly string[] {
  driven.ask(rowsOf(pane, 0, 5_000));
  return driven.shown(pane).rows.map(textOf).sort();
}

test.each<[Partial<Scope>, boolean]>([
  [{}, false],
  [{}, true],
  [{ threads: ['/./'], transforms: [{ kind: 'drop', key: 'java.lang.Thread.run' }] }, true],
  [{ transforms: [{ kind: 'collapse', prefix: 'java.' }] }, true],
])('what is shown after a mark with %j is the comparison of two profiles cut there', (rest, hideErrors) => {
  const driven = wholeLog(...ALL_SHOWN, marked(rest, {}, hideErrors));
  expect(textsOf(driven, 'flat')).toEqual(comparedMethods(rest, hideErrors));
  const { base, next } = driven.last('summary').summary.compared!;
  const [all] = driven.rows();
  expect([all.baseTotalCount, all.totalCount]).toEqual([base.samples, next.samples]);
});

test('rows are filtered by the numbers of each side and by differences, in panes and in what is exported', async () => {
  const driven = wholeLog(...ALL_SHOWN, marked());
  const { base, next } = driven.last('summary').summary.compared!;
  const share = (row: Row): number => row.totalCount / next.samples - row.baseTotalCount! / base.samples;
  const cases: readonly [Condition, (row: Row) => boolean][] = [
    [{ of: 'base.selfCount', comparison: '>=', value: 2 }, (row) => row.baseSelfCount! >= 2],
    [{ of: 'difference.totalShare', comparison: '<', value: -0.5 }, (row) => share(row) < -0.005],
    // Either side.
    [{ of: 'selfCount', comparison: '=', value: 3 }, (row) => row.selfCount === 3 || row.baseSelfCount === 3],
  ];
  const all = textsOf(driven, 'flat');
  const rowsByText = new Map(driven.shown('flat').rows.map((row) => [textOf(row), row]));
  const key = 'ServerSim.deepHash';
  for (const [condition, passes] of cases) {
    const look = { ...(marked() as Extract<Handled, { type: 'view' }>), where: [[condition]] };
    driven.ask(look);
    const shown = textsOf(driven, 'flat');
    expect(shown, condition.of).toEqual(all.filter((text) => passes(rowsByText.get(text)!)));
    expect(shown.length).toBeGreaterThan(2);
    // Of a tree, those that pass and what leads to them.
    driven.ask(
      { type: 'expand', pane: 'tree', row: driven.rows()[0].id, how: 'all', turn: 1 },
      rowsOf('tree', 0, 5_000),
    );
    const { rows } = driven.shown('tree');
    const leaves = rows.filter(({ expandable }) => !expandable);
    expect(leaves.length).toBeGreaterThan(2);
    expect(leaves.filter((row) => !passes(row)).map(textOf)).toEqual([]);
    // The methods of the pane are those of the file, with the lines of split ones.
    driven.ask({ ...look, keys: rowKeys('fqmn', [{ key, by: 'line' }]) }, rowsOf('flat', 0, 5_000));
    const labels = driven.shown('flat').rows.map(({ label }) => label);
    driven.ask({
      type: 'export',
      job: { id: 1, format: 'flat', compared: 'flat', threads: 'all', names: {} } as never,
    });
    const keys = (await exportedText(driven)).split('\n').map((line) => line.split('\t')[0]);
    expect(keys.filter((line) => line !== '').sort()).toEqual(labels.toSorted());
  }
});

async function exportedText(driven: Driven): Promise<string> {
  const texts: Promise<string>[] = [];
  await runExport(driven.last('exportSource').source, (event) => {
    if (event.type === 'exported') texts.push(event.content.text());
  });
  return texts[0];
}

test('a comparison of a log that grows is that of the whole log, in all trees', () => {
  const label = 'ServerSim$Chain.next';
  const detail = (of: 'callers' | 'callees'): Handled => ({
    type: 'pane',
    pane: of,
    spec: {
      kind: 'rows',
      of,
      threads: 'all',
      method: { of: 'bottom-up', id: 0, label },
      sort: { by: 'totalCount', descending: true },
    },
  });
  const panes: readonly Handled[] = [
    ...ALL_SHOWN,
    detail('callers'),
    detail('callees'),
    {
      type: 'pane',
      pane: 'bottomUp',
      spec: { kind: 'rows', of: 'bottom-up', threads: 'all', sort: { by: 'totalChange', descending: true } },
    },
  ];
  for (const rest of [{}, { transforms: [{ kind: 'merge', key: 'java.lang.Thread.run' } as const] }]) {
    const log = new FollowedLog();
    const growing = new Driven(...panes, marked(rest));
    for (let at = 0; at < LOG.length; at += 120_000) {
      log.append(LOG.subarray(at, at + 120_000), at + 120_000 >= LOG.length);
      growing.ask({ type: 'delta', message: log.delta() });
    }
    growing.ask();
    const whole = wholeLog(...panes, marked(rest));
    for (const pane of ['flat', 'tree', 'callers', 'callees', 'bottomUp'])
      expect(textsOf(growing, pane), pane).toEqual(textsOf(whole, pane));
    expect(whole.shown('bottomUp').total).toBeGreaterThan(20);
  }
});

test('a mark builds no rows: what was open and selected stays, and removing it shows the same as before', () => {
  const driven = wholeLog(...ALL_SHOWN);
  driven.ask({ type: 'expand', pane: 'tree', row: undefined, how: 'hot', turn: 1 });
  const ids = (): readonly number[] => driven.rows().map(({ id }) => id);
  const [before, rows] = [ids().toSorted(), JSON.stringify(driven.rows())];
  driven.ask(marked());
  expect(ids().filter((row) => !before.includes(row))).toEqual([]);
  driven.ask(view());
  expect(JSON.stringify(driven.rows())).toBe(rows);
});

test('rows are sorted by the size of a real change, in whichever direction; what chance explains is last', () => {
  const sort = { by: 'selfChange', descending: true } as const;
  const driven = wholeLog(...ALL_SHOWN, marked());
  driven.ask({ type: 'pane', pane: 'flat', spec: { ...FLAT_SPEC, sort } }, rowsOf('flat', 0, 5_000));
  const { base, next } = driven.last('summary').summary.compared!;
  const { rows } = driven.shown('flat');
  const changes = rows.map(({ selfCount, baseSelfCount = 0 }) => {
    const parts = [
      { part: baseSelfCount, whole: base.samples },
      { part: selfCount, whole: next.samples },
    ] as const;
    const isChance = certaintyOf(shareChange(...parts), { isSampled: true }) === 'chance';
    return { size: selfCount / next.samples - baseSelfCount / base.samples, isChance };
  });
  const sizes = (isChance: boolean): number[] =>
    changes.filter((change) => change.isChance === isChance).map(({ size }) => size);
  const ordered = [false, true].flatMap((isChance) =>
    sizes(isChance).toSorted((a, b) => Math.abs(b) - Math.abs(a)),
  );
  expect(changes.map(({ size }) => Math.abs(size))).toEqual(ordered.map(Math.abs));
  expect(changes.map(({ isChance }) => isChance)).toEqual(changes.map((_, at) => at >= sizes(false).length));
  for (const sign of [1, -1]) expect(sizes(false).map(Math.sign)).toContain(sign);
  expect(rows.filter(({ totalCount }) => totalCount === 0).length).toBeGreaterThan(0);
  driven.ask(marked({}, { by: 'amount' }));
  const amounts = driven.shown('flat').rows.map((row) => row.selfCount - row.baseSelfCount!);
  expect(Math.abs(amounts[0])).toBe(Math.max(...amounts.map(Math.abs)));
});

test('a flame graph is as wide as both sides together, and says how its frames differ', () => {
  const driven = wholeLog(flame({ pixels: 4_000 }), marked());
  const { layout } = driven.last('flame');
  const { base, next } = driven.last('summary').summary.compared!;
  const { weight, totalCount, difference, parent, length, kind } = layout;
  const { baseTotalCount, level } = difference!;
  for (let row = 0; row < length; row++) {
    if (kind[row] === 4) continue;
    expect(weight[row]).toBe(baseTotalCount[row] * next.samples + totalCount[row] * base.samples);
    const change = totalCount[row] / next.samples - baseTotalCount[row] / base.samples;
    if (level[row] !== 0) expect(Math.sign(level[row])).toBe(Math.sign(change));
  }
  expect([parent[0], level[0]]).toEqual([-1, 0]);
  const isVanished = (row: number): boolean => totalCount[row] === 0 && baseTotalCount[row] > 0;
  expect(Array.from(weight.keys()).filter(isVanished).length).toBeGreaterThan(0);
});

test('while one side has no samples, nothing is called different', () => {
  const none: TimeRange = { kind: 'between', from: String(TIMES.at(-1)! + 1n), to: undefined };
  const driven = wholeLog(flame(), ...ALL_SHOWN);
  const comparison = { ...BY_SHARE, baseline: { range: BEFORE } };
  driven.ask({
    ...(view('', 'fqmn', false, { ...EMPTY_SCOPE, range: none }) as object),
    comparison,
  } as Handled);
  expect(driven.last('summary').summary.compared!.next.samples).toBe(0);
  expect(driven.shown('flat').rows.length).toBeGreaterThan(20);
  const { layout } = driven.last('flame');
  expect([new Set(layout.difference!.level), layout.difference!.hasBoth]).toEqual([new Set([0]), false]);
  // No frame is drawn as one that vanished.
  const styles = new RowStyles(pixelLayout(layout, { width: 400, pixelRatio: 1 }, 'icicle'), {
    theme: 'light',
    colourBy: 'package',
    searching: false,
    selected: undefined,
  });
  const same = pixelStyle(differenceStyle('light', 0, undefined));
  expect(styles.at(1)).toBe(same);
  // The largest rows of the baseline are first, as they were before, whatever is compared.
  driven.ask({
    type: 'pane',
    pane: 'flat',
    spec: { ...FLAT_SPEC, sort: { by: 'selfChange', descending: true } },
  });
  for (const by of COMPARE_BY) {
    driven.ask({
      ...(view('', 'fqmn', false, { ...EMPTY_SCOPE, range: none }) as object),
      comparison: { ...comparison, by },
    } as Handled);
    const selfs = driven.shown('flat').rows.map(({ baseSelfCount }) => baseSelfCount!);
    expect(selfs, by).toEqual(selfs.toSorted((a, b) => b - a));
    expect(selfs[0], by).toBeGreaterThan(0);
  }
  driven.ask(marked());
  expect(driven.last('flame').layout.difference!.hasBoth).toBe(true);
});

test('threads are compared with other threads', () => {
  const threads = wholeLog(tree({ threads: 'name' }))
    .rows()
    .filter(({ kind, totalCount }) => kind === 'thread' && totalCount > 0);
  const [one, other] = threads.map(({ label }) => label);
  const driven = wholeLog(...ALL_SHOWN, {
    ...(view('', 'fqmn', false, { ...EMPTY_SCOPE, threads: [one] }) as Extract<Handled, { type: 'view' }>),
    comparison: { ...BY_SHARE, baseline: { threads: [other] } },
  });
  const totalOf = (thread: string): number => {
    const only = wholeLog(...ALL_SHOWN, view('', 'fqmn', false, { ...EMPTY_SCOPE, threads: [thread] }));
    return only.rows()[0].totalCount;
  };
  const [all] = driven.rows();
  expect([all.totalCount, all.baseTotalCount]).toEqual([totalOf(one), totalOf(other)]);
});

test('a range that is a part of the log is compared with the rest of the log, in the panes and in an export', async () => {
  const baseline = { range: { kind: 'between', from: String(TIMES[300]), to: MARK } } as const;
  const driven = wholeLog(...ALL_SHOWN, {
    ...(view() as Extract<Handled, { type: 'view' }>),
    comparison: { by: 'amount', isSampled: true, baseline },
  });
  const { compared, samples, outside } = driven.last('summary').summary;
  const inBase = TIMES.filter((at) => at >= TIMES[300] && at < TIMES[700]).length;
  expect([compared!.base.samples, compared!.next.samples]).toEqual([inBase, samples - inBase]);
  expect([driven.rows()[0].baseTotalCount, driven.rows()[0].totalCount]).toEqual([inBase, samples - inBase]);
  expect(outside.samples).toBe(inBase);
  const seconds = Number(TIMES.at(-1)! - TIMES[0] + 1n) / 1e9;
  expect(compared!.seconds!.base + compared!.seconds!.next).toBeCloseTo(seconds, 9);
  driven.ask({
    type: 'export',
    job: { id: 1, format: 'flat', compared: 'flat', threads: 'all', names: {} } as never,
  });
  const lines = (await exportedText(driven)).split('\n').map((line) => line.split('\t'));
  // Self samples of both sides.
  expect([1, 5].map((at) => lines.reduce((sum, row) => sum + Number(row[at] ?? 0), 0))).toEqual([
    inBase,
    samples - inBase,
  ]);
});

/** What `writeProfile` needs of a job. */
const JOB = {
  id: 1,
  threads: 'all',
  isBottomUp: false,
  title: 'log',
  units: SAMPLES_AND_TIME,
  order: { by: 'selfCount', descending: true },
};
const PART = { kind: 'between', from: String(TIMES[300]), to: MARK } as const;
const isInPart = (at: bigint): boolean => at >= TIMES[300] && at < TIMES[700];

test('a comparison is exported by what the panes compare; what a file cannot have is said', async () => {
  const driven = wholeLog(view());
  const exported = async (by: CompareBy, compared: CompareFormatId): Promise<readonly string[]> => {
    driven.ask({
      ...(view() as Extract<Handled, { type: 'view' }>),
      // Without a range, times are sent for the rates alone.
      comparison: { by, isSampled: true, baseline: by === 'rate' ? { threads: [] } : { range: PART } },
    });
    driven.ask({
      type: 'export',
      job: { ...JOB, format: 'flat', compared, theme: 'light', names: { base: 'a', next: 'b' } } as never,
    });
    const files: EventOf<'exported'>[] = [];
    await runExport(driven.last('exportSource').source, (event) => {
      if (event.type === 'exported') files.push(event);
    });
    const text = await files[0].content.text();
    const legend = /a larger ([a-z ]+) than in the base\./.exec(text)?.[1] ?? '';
    const graph = /The flame graph compares [^<]*\./.exec(text)?.[0] ?? '';
    return [legend, graph, ...files[0].notes];
  };
  expect(await exported('amount', 'svg')).toEqual(['amount', '']);
  expect(await exported('rate', 'report-html')).toEqual([
    'amount per second',
    'The flame graph compares amounts per second, the tables shares.',
  ]);
  expect(await exported('amount', 'report')).toEqual(['', '', 'it compares shares, not amounts']);
  expect(await exported('rate', 'csv')).toEqual(['', '', 'it has no amounts per second']);
});

function sumOfLines(text: string, count: RegExp): number {
  return text.split('\n').reduce((sum, line) => sum + Number(count.exec(line)?.[1] ?? 0), 0);
}

test.each<[ExportFormatId, RegExp]>([
  ['collapsed', / (\d+)$/],
  // With the range, and what it is without.
  ['csv', new RegExp(`^"[^"]*",(\\d+),.*,,,${TIMES[300]},${TIMES[700]}\\r$`)],
  ['flat', /\t(\d+)\t/],
  // bucketStartNs TAB samples TAB value
  ['timeline', /^\d+\t(\d+)\t/],
])(
  'a part of the log that is compared with the rest is in no file of one profile, which says so: %s',
  async (format, count) => {
    const driven = wholeLog(...ALL_SHOWN, {
      ...(view() as Extract<Handled, { type: 'view' }>),
      comparison: { by: 'amount', isSampled: true, baseline: { range: PART } },
    });
    driven.ask({ type: 'export', job: { ...JOB, format } as never });
    const files: EventOf<'exported'>[] = [];
    await runExport(driven.last('exportSource').source, (event) => {
      if (event.type === 'exported') files.push(event);
    });
    const [{ content, notes }] = files;
    expect(notes).toContain('the samples of the baseline are not in it');
    const rest = TIMES.filter((at) => !isInPart(at));
    expect(driven.last('summary').summary.compared!.next.samples).toBe(rest.length);
    expect(sumOfLines(await content.text(), count)).toBe(rest.length);
  },
);

/** Samples of the log that are not in PART, by 24 equal parts of the time without it: a count over raw samples. */
function partsOfRest(): readonly number[] {
  const gap = TIMES[700] - TIMES[300];
  const rest = TIMES.filter((at) => !isInPart(at)).map((at) => at - TIMES[0] - (at < TIMES[300] ? 0n : gap));
  const counts = Array.from({ length: 24 }, () => 0);
  for (const at of rest) counts[Number((at * 24n) / (TIMES.at(-1)! + 1n - TIMES[0] - gap))]++;
  return counts;
}

test('times of rows and of the method, and the chart, are of the samples that rows count: without those of the baseline', () => {
  const driven = wholeLog(
    tree({ threads: 'all', withTimes: true }),
    { type: 'pane', pane: 'flat', spec: { ...FLAT_SPEC, withTimes: true } },
    {
      type: 'pane',
      pane: 'chart',
      spec: {
        kind: 'chart',
        of: 'calls',
        threads: 'all',
        only: [],
        zoom: undefined,
        isEqual: true,
        pixels: 5_000,
      },
    },
    {
      ...(view() as Extract<Handled, { type: 'view' }>),
      comparison: { by: 'amount', isSampled: true, baseline: { range: PART } },
    },
  );
  for (const pane of ['tree', 'flat'] as const) {
    driven.ask(rowsOf(pane, 0, 5_000));
    const { rows } = driven.shown(pane);
    const event = driven.events.findLast((each) => each.type === 'times' && each.pane === pane);
    if (event?.type !== 'times') throw new Error(`no times of ${pane}`);
    const sums = event.ids.map((id, at) => {
      const counts = event.counts.subarray(at * 24, (at + 1) * 24);
      return [id, counts.reduce((sum, count) => sum + count, 0)];
    });
    expect(sums).toEqual(rows.map(({ id, totalCount }) => [id, totalCount]));
    if (pane === 'tree') expect([...event.counts.subarray(0, 24)]).toEqual(partsOfRest());
  }
  const [{ id, label, totalCount }] = driven.shown('flat').rows;
  driven.ask({ type: 'about', of: 'method', method: { of: 'methods', id, label } });
  const { counts } = driven.last('about').about!.when!;
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(totalCount);
  expect(driven.last('chart').count).toBe(TIMES.filter((at) => !isInPart(at)).length);
});
