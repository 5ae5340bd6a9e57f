import { expect, test } from 'vitest';
import type { PaneId, Row } from '../../renderer/profile-worker/pane-messages.ts';
import type { MirrorOptions } from '../../renderer/profile-worker/mirror.ts';
import { SharedProfiles } from '../../renderer/profile-worker/shared-profiles.ts';
import { EMPTY_SCOPE, type TimeRange } from '../../shared/scope/scope.ts';
import { type FlameLayout, kindAt } from '../../shared/engine/views/flame-columns.ts';
import {
  Driven,
  FLAME,
  FLAT_SPEC,
  flame,
  type Handled,
  rowsOf,
  scoped,
  TREE_SPEC,
  view,
} from '../support/driven-mirror.ts';
import { FollowedLog } from '../support/followed-log.ts';
import { randomLog } from '../support/random-log.ts';
import { type ModelSample, readModel } from '../support/reference-model.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('ranges-of-views');
const BY_COUNT = { by: 'totalCount', descending: true } as const;
const TREES = ['tree', 'bottomUp', 'callers', 'callees'] as const;
const ROWS = ['flat', ...TREES] as const;
/** The graphs of a method are asked for with it. */
const GRAPHS = ['flame', 'bottomUpFlame', 'callersFlame', 'calleesFlame'] as const;
/** No frame is narrower than a pixel. */
const PIXELS = 100_000;
/** Of a sample: the sum of a log is a safe integer. */
const MOST_NS = 2n ** 45n;
const PANES: readonly Handled[] = [
  { type: 'pane', pane: 'tree', spec: TREE_SPEC },
  { type: 'pane', pane: 'flat', spec: FLAT_SPEC },
  {
    type: 'pane',
    pane: 'bottomUp',
    spec: { kind: 'rows', of: 'bottom-up', threads: 'name', sort: BY_COUNT },
  },
  ...ROWS.map((pane) => rowsOf(pane, 0, 10_000)),
  flame({ pixels: PIXELS, threads: 'name' }),
  {
    type: 'pane',
    pane: 'bottomUpFlame',
    spec: { ...FLAME, of: 'bottom-up', threads: 'name', pixels: PIXELS },
  },
];
const CHART: Handled = {
  type: 'pane',
  pane: 'chart',
  spec: {
    kind: 'chart',
    of: 'calls',
    threads: 'name',
    only: [],
    zoom: undefined,
    isEqual: true,
    pixels: PIXELS,
  },
};

/** Pane and path of a row -> its numbers. Rows without any are left out. */
type Numbers = Map<string, readonly number[]>;

function add(numbers: Numbers, path: string, values: readonly number[]): void {
  const before = numbers.get(path);
  numbers.set(path, before === undefined ? values : values.map((value, at) => value + before[at]));
}

function textOf(numbers: Numbers): readonly string[] {
  const found = [...numbers].filter(([, values]) => values.some((value) => value !== 0));
  return found.map(([path, values]) => `${path}: ${values.join(' ')}`).sort();
}

/** What all rows of all panes show. `of`: the numbers of a row. */
function rowNumbers(driven: Driven, method: Row, of: (row: Row) => readonly number[]): Numbers {
  const found = driven.shown('flat').rows.find(({ label }) => label === method.label);
  const ref = { of: 'methods', id: found?.id ?? -1, label: method.label } as const;
  for (const of of ['callers', 'callees'] as const) {
    const spec = { kind: 'rows', of, method: ref, threads: 'name', sort: BY_COUNT } as const;
    const graph = { ...FLAME, of, method: ref, threads: 'name', pixels: PIXELS } as const;
    driven.ask({ type: 'pane', pane: of, spec }, rowsOf(of, 0, 10_000));
    driven.ask({ type: 'pane', pane: `${of}Flame`, spec: graph });
  }
  driven.ask({ type: 'pane', pane: 'source', spec: { kind: 'lines', of: 'methods', method: ref } });
  for (const pane of ROWS) driven.ask(rowsOf(pane, 0, 10_000));
  for (const pane of TREES) openAll(driven, pane);
  const numbers: Numbers = new Map();
  for (const pane of ROWS) {
    const path: string[] = [pane];
    for (const row of driven.shown(pane).rows) {
      path.splice(row.depth + 1, Infinity, `${row.kind} ${row.label}`);
      add(numbers, path.join(' < '), of(row));
    }
  }
  return numbers;
}

/** Lines that only one of the two has. */
function differences(found: Numbers, expected: Numbers): readonly string[] {
  const [has, wants] = [textOf(found), textOf(expected)].map((lines) => new Set(lines));
  return [
    ...[...wants].filter((line) => !has.has(line)).map((line) => `- ${line}`),
    ...[...has].filter((line) => !wants.has(line)).map((line) => `+ ${line}`),
  ];
}

function openAll(driven: Driven, pane: PaneId): void {
  const roots = driven.shown(pane).rows.filter(({ depth }) => depth === 0);
  driven.ask(...roots.map(({ id }): Handled => ({ type: 'expand', pane, row: id, how: 'all', turn: 1 })));
  // Rows that open above the window move it.
  driven.ask(rowsOf(pane, 0, 10_000));
}

/** The frames of a layout by what is below them, without the root of several threads, which a single one does not have. */
function addFrames(
  numbers: Numbers,
  pane: string,
  layout: FlameLayout,
  of: (row: number) => readonly number[],
): void {
  const paths: string[] = [];
  for (let row = 0; row < layout.length; row++) {
    const up = layout.parent[row] < 0 ? pane : paths[layout.parent[row]];
    const kind = kindAt(layout, row);
    paths.push(kind === 'all' ? up : `${up} < ${kind} ${layout.labels[layout.label[row]]}`);
    if (kind !== 'all') add(numbers, paths[row], of(row));
  }
}

function flameOf(driven: Driven, pane: PaneId): FlameLayout {
  const found = driven.events.findLast((event) => event.type === 'flame' && event.pane === pane);
  if (found?.type !== 'flame') throw new Error(`no frames of ${pane} yet`);
  return found.layout;
}

/** Of the method: in each file all, frames without a line, and each line. */
function addLines(numbers: Numbers, driven: Driven): void {
  for (const { file, whole, withoutLine, lines } of driven.last('lines').lines?.files ?? [])
    for (const [name, { selfCount, totalCount, selfTime, totalTime }] of [
      ['all', whole] as const,
      ['no line', withoutLine] as const,
      ...lines.map((each) => [String(each.line), each] as const),
    ])
      add(numbers, `source < ${file} < ${name}`, [selfCount, totalCount, selfTime, totalTime]);
}

/** All that a log shows in a range: rows, frames, stacks over time, threads. */
function allNumbers(driven: Driven, method: Row, range: TimeRange): Numbers {
  driven.ask(scoped({ range }));
  const numbers = rowNumbers(driven, method, (row) => [
    row.selfCount,
    row.totalCount,
    row.selfTime,
    row.totalTime,
  ]);
  for (const pane of GRAPHS) {
    const layout = flameOf(driven, pane);
    const { selfCount, totalCount, totalTime } = layout;
    addFrames(numbers, pane, layout, (row) => [selfCount[row], totalCount[row], totalTime[row]]);
  }
  addLines(numbers, driven);
  const { layout, count } = driven.last('chart');
  addFrames(numbers, 'chart', layout, (row) => [layout.weight[row]]);
  numbers.set('chart', [count]);
  const { names, samples, time } = driven.last('threads').threads;
  for (const [thread, name] of names.entries())
    add(numbers, `threads < ${name}`, [samples[thread], time[thread]]);
  return numbers;
}

function read(bytes: Uint8Array, ...requests: readonly (Handled | MirrorOptions)[]): Driven {
  const log = new FollowedLog();
  log.append(bytes, true);
  const driven = new Driven(...requests);
  driven.ask({ type: 'delta', message: log.delta() });
  return driven;
}

function smallLog(random: SeededRandom): Uint8Array {
  return randomLog(random, {
    traces: 40,
    // With few stacks a sample beyond the end of a range is of a stack that is in it.
    maxDepth: random.pick([2, 8]),
    methods: random.pick([2, 5]),
  });
}

/** Sums of all times are exact as numbers. */
function hasExactSums(samples: readonly ModelSample[]): boolean {
  return samples.every(({ ns }) => ns <= MOST_NS && ns >= -MOST_NS);
}

test('two ranges that touch have together what the range of both has, in every view', () => {
  let compared = 0;
  for (let scenario = 0; scenario < 30; scenario++) {
    const random = randomFor(scenario);
    const bytes = smallLog(random);
    const { samples } = readModel(bytes);
    const times = samples.flatMap(({ at }) => at ?? []).sort((a, b) => (a < b ? -1 : 1));
    if (times.length < 2 || !hasExactSums(samples)) continue;
    const driven = read(bytes, ...PANES, CHART, { type: 'threads', shown: true });
    const method = random.pick(driven.shown('flat').rows);
    const between = (from: bigint, to: bigint): TimeRange => ({
      kind: 'between',
      from: `${from}`,
      to: `${to}`,
    });
    const [from, cut, to] = [times[0], random.pick(times), times[times.length - 1] + 1n];
    const [whole, ...parts] = [between(from, to), between(from, cut), between(cut, to)].map((range) =>
      allNumbers(driven, method, range),
    );
    const sums: Numbers = new Map();
    for (const part of parts) for (const [path, values] of part) add(sums, path, values);
    expect(differences(sums, whole), `SEED=${seed} scenario ${scenario}`).toEqual([]);
    if (parts.every((part) => textOf(part).length > 10)) compared++;
  }
  // Half of the thirty logs are; that none is happens once in a billion runs.
  expect(compared).toBeGreaterThan(0);
});

test('two joined logs show in every view what each of them shows alone', () => {
  for (let scenario = 0; scenario < 20; scenario++) {
    const random = randomFor(1_000 + scenario);
    const [base, next] = [smallLog(random), smallLog(random)];
    if (![base, next].every((bytes) => hasExactSums(readModel(bytes).samples))) continue;
    const profiles = new SharedProfiles();
    const lender = read(base, { log: 'base', profiles }, ...PANES);
    const joined = read(next, { log: 'next', profiles }, ...PANES, {
      ...(view('', 'fqmn', false, EMPTY_SCOPE) as Extract<Handled, { type: 'view' }>),
      comparison: { by: 'share', isSampled: true, baseline: { log: 'base' } },
    });
    const method = random.pick(joined.shown('flat').rows);
    const where = `SEED=${seed} scenario ${scenario} ${method.label}`;
    const own = (row: Row): readonly number[] => [row.selfCount, row.totalCount, row.selfTime, row.totalTime];
    const ofBase = (row: Row): readonly number[] => [
      row.baseSelfCount ?? 0,
      row.baseTotalCount ?? 0,
      row.baseSelfTime ?? 0,
      row.baseTotalTime ?? 0,
    ];
    const alone = read(next, ...PANES);
    for (const [side, numbers] of [
      [alone, own],
      [lender, ofBase],
    ] as const) {
      const together = rowNumbers(joined, method, numbers);
      const apart = rowNumbers(side, method, own);
      for (const pane of GRAPHS) {
        const layout = flameOf(joined, pane);
        const { difference } = layout;
        const ofJoined = (row: number): readonly number[] =>
          side === lender
            ? [
                difference!.baseSelfCount[row],
                difference!.baseTotalCount[row],
                difference!.baseTotalTime[row],
              ]
            : [layout.selfCount[row], layout.totalCount[row], layout.totalTime[row]];
        addFrames(together, pane, layout, ofJoined);
        together.set(`${pane} root`, ofJoined(0).slice(1));
        const single = flameOf(side, pane);
        addFrames(apart, pane, single, (row) => [
          single.selfCount[row],
          single.totalCount[row],
          single.totalTime[row],
        ]);
        // A log may lack the method of a graph.
        const isEmpty = single.length === 0;
        apart.set(`${pane} root`, isEmpty ? [0, 0] : [single.totalCount[0], single.totalTime[0]]);
      }
      expect(differences(together, apart), `${where} ${side === lender ? 'base' : 'new'}`).toEqual([]);
    }
  }
});
