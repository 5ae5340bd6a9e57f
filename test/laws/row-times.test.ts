import { expect, test } from 'vitest';
import { isLineId } from '../../shared/engine/views/method-list.ts';
import type { PaneId, Row, RowId } from '../../renderer/profile-worker/pane-messages.ts';
import { EMPTY_SCOPE } from '../../shared/scope/scope.ts';
import type { ThreadGrouping } from '../../shared/engine/trees/grouping.ts';
import { TIME_PARTS } from '../../shared/engine/views/time-pattern.ts';
import {
  Driven,
  FLAT_SPEC,
  type Handled,
  scoped,
  splitInto,
  TREE_SPEC,
  wholeLog,
} from '../support/driven-mirror.ts';
import { FollowedLog } from '../support/followed-log.ts';
import { randomLog, randomPieces } from '../support/random-log.ts';
import { randomScope } from '../support/random-scope.ts';
import { type Model, readModel } from '../support/reference-model.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('row-times');
const DAY = 86_400_000_000_000n;
const PANES = ['tree', 'flat', 'bottomUp', 'callers', 'callees'] as const;
const HALVES = ['callers', 'callees'] as const;
const BY_COUNT = { by: 'totalCount', descending: true } as const;
const SPECS: readonly Handled[] = [
  { type: 'pane', pane: 'tree', spec: { ...TREE_SPEC, withTimes: true } },
  { type: 'pane', pane: 'flat', spec: { ...FLAT_SPEC, withTimes: true } },
  {
    type: 'pane',
    pane: 'bottomUp',
    spec: { kind: 'rows', of: 'bottom-up', threads: 'name', sort: BY_COUNT, withTimes: true },
  },
  ...PANES.map((pane): Handled => ({ type: 'rows', pane, from: 0, count: 1000, turn: 1 })),
];

/** Row -> its samples in each part of the time. */
function timesOf(driven: Driven, pane: PaneId): ReadonlyMap<RowId, readonly number[]> {
  const event = driven.events.findLast((each) => each.type === 'times' && each.pane === pane);
  if (event?.type !== 'times') throw new Error(`no times of ${pane}`);
  return new Map(
    event.ids.map((id, at) => [id, [...event.counts.subarray(at * TIME_PARTS, (at + 1) * TIME_PARTS)]]),
  );
}

/**
 * The rows of a pane by what is on their path, kinds and labels: under another range a row may have another number, and a
 * thread may have the name of a method.
 */
function pathsOf(driven: Driven, pane: PaneId): ReadonlyMap<RowId, string> {
  const path: string[] = [];
  return new Map(
    driven.shown(pane).rows.map(({ id, depth, kind, label }) => {
      path.splice(depth, Infinity, `${kind} ${label}`);
      return [id, path.join(' < ')];
    }),
  );
}

function totalsOf(driven: Driven, pane: PaneId): ReadonlyMap<string, number> {
  const paths = pathsOf(driven, pane);
  return new Map(driven.shown(pane).rows.map(({ id, totalCount }) => [paths.get(id)!, totalCount]));
}

/** Opens all rows of the trees. */
function openAll(driven: Driven): void {
  for (const pane of PANES) {
    if (pane === 'flat') continue;
    const roots = driven.shown(pane).rows.filter(({ depth }) => depth === 0);
    driven.ask(...roots.map(({ id }): Handled => ({ type: 'expand', pane, row: id, how: 'all', turn: 1 })));
  }
}

interface Grown {
  readonly driven: Driven;
  readonly model: Model;
}

/** Read in pieces, with a refresh after each; then all rows are opened. */
function grownMirror(random: SeededRandom): Grown {
  const log = new FollowedLog();
  const driven = new Driven(...SPECS);
  const bytes = randomLog(random, { traces: 60, maxDepth: 8, methods: 6 });
  for (const piece of randomPieces(random, bytes, Math.ceil(bytes.length / 3))) {
    log.append(piece);
    driven.ask({ type: 'delta', message: log.delta() });
  }
  log.append(new Uint8Array(0), true);
  driven.ask({ type: 'delta', message: log.delta() });
  const methods = driven.shown('flat').rows;
  openMethod(driven, methods[random.below(methods.length)], 'name');
  return { driven, model: readModel(bytes) };
}

/** A range of TIME_PARTS parts of whole ns; undefined for samples without such times. */
function randomRange(
  { samples }: Model,
  random: SeededRandom,
): { readonly from: bigint; readonly width: bigint } | undefined {
  const times = samples.flatMap(({ at }) => at ?? []).sort((a, b) => (a < b ? -1 : 1));
  const length = times.length === 0 ? 0n : times[times.length - 1] - times[0];
  // More than a day is a broken clock, in whose parts nearly nothing is.
  const width = (length * BigInt(1 + random.below(10))) / (10n * BigInt(TIME_PARTS));
  if (width === 0n || length > DAY) return undefined;
  const rest = length - width * BigInt(TIME_PARTS);
  return { from: times[0] + (rest * BigInt(random.below(10))) / 10n, width };
}

test('each part of the time has the samples that a range of that time has, and all parts together those of the whole', () => {
  let compared = 0;
  // Some have next to nothing to compare: of few random scenarios all may be such.
  for (let scenario = 0; scenario < 12 || (compared <= 50 && scenario < 100); scenario++) {
    const random = randomFor(scenario);
    const { driven, model } = grownMirror(random);
    const range = randomRange(model, random);
    if (range === undefined) continue;
    const scope = scenario % 3 === 0 ? EMPTY_SCOPE : randomScope(random, model, 'fqmn');
    const hideErrors = random.below(2) === 0;
    const look = (from: bigint, to: bigint): void => {
      driven.ask(
        scoped(
          { ...scope, range: { kind: 'between', from: String(from), to: String(to) } },
          'fqmn',
          hideErrors,
        ),
      );
      openAll(driven);
    };
    const { from, width } = range;
    look(from, from + width * BigInt(TIME_PARTS));
    const times = PANES.map((pane) => {
      const paths = pathsOf(driven, pane);
      // A method that is not in scope has no callers, and no times.
      if (paths.size === 0) return [];
      return Array.from(timesOf(driven, pane), ([id, counts]) => ({ path: paths.get(id)!, counts }));
    });
    // Ranges that touch have together what the whole has.
    for (const [at, pane] of PANES.entries()) {
      const whole = totalsOf(driven, pane);
      for (const { path, counts } of times[at]) {
        const sum = counts.reduce((all, count) => all + count, 0);
        expect(sum, `SEED=${seed} scenario ${scenario} ${pane} ${path}`).toBe(whole.get(path));
      }
    }
    for (let part = 0; part < TIME_PARTS; part++) {
      const start = from + width * BigInt(part);
      look(start, start + width);
      for (const [at, pane] of PANES.entries()) {
        const totals = totalsOf(driven, pane);
        for (const { path, counts } of times[at]) {
          const where = `SEED=${seed} scenario ${scenario} ${pane} ${path} part ${part}`;
          expect(counts[part], where).toBe(totals.get(path) ?? 0);
          if (counts[part] > 0) compared++;
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(50);
});

test('a split method counts a sample once, and so does each of its lines', () => {
  const driven = wholeLog(...SPECS);
  const heaviest = driven
    .shown('flat')
    .rows.toSorted((a, b) => b.totalCount - a.totalCount)
    .slice(0, 5);
  driven.ask(splitInto(heaviest.map(({ label }) => ({ key: label, by: 'line' as const }))));
  for (const row of driven.shown('flat').rows) {
    const counts = timesOf(driven, 'flat').get(row.id)!;
    expect([row.label, counts.reduce((sum, count) => sum + count, 0)]).toEqual([row.label, row.totalCount]);
  }
  expect(driven.shown('flat').rows.some(({ id }) => isLineId(id))).toBe(true);
});

/** Shows the callers and callees of a method, in the state of the profile that is there. */
function openMethod(driven: Driven, { id, label }: Pick<Row, 'id' | 'label'>, threads: ThreadGrouping): void {
  for (const pane of HALVES) {
    const method = { of: 'methods', id, label } as const;
    const spec = { kind: 'rows', of: pane, method, threads, sort: BY_COUNT, withTimes: true } as const;
    driven.mirror.handle({ type: 'pane', pane, spec });
  }
}

/** The rows of a pane: [label, samples], and the same with the sum of the samples in all parts of the time. */
function countedTwice(driven: Driven, pane: PaneId): readonly (readonly (readonly [string, number])[])[] {
  const { rows } = driven.shown(pane);
  const counts = timesOf(driven, pane);
  return [
    rows.map(({ label, totalCount }) => [label, totalCount]),
    rows.map(({ label, id }) => [label, (counts.get(id) ?? []).reduce((sum, count) => sum + count, 0)]),
  ];
}

test('below a zoom that narrows the call tree, all parts of the time have together what a row has', () => {
  const driven = wholeLog(...SPECS);
  const [thread] = driven.shown('tree').rows;
  // Of several threads.
  const method = driven.shown('flat').rows.find(({ totalCount }) => totalCount > thread.totalCount)!;
  openMethod(driven, method, 'name');
  const [[[, whole]]] = countedTwice(driven, 'callers');
  const look = scoped({}) as Extract<Handled, { type: 'view' }>;
  driven.ask({ ...look, narrowing: { threads: 'name', zoom: { row: thread.id, run: undefined } } });
  for (const pane of PANES) {
    const [totals, sums] = countedTwice(driven, pane);
    expect(sums, pane).toEqual(totals);
  }
  const [[[, narrow]]] = countedTwice(driven, 'callers');
  expect(narrow).toBeGreaterThan(0);
  expect(narrow).toBeLessThan(whole);
});

test('of a method alone: as its row has them, again when it changes, nothing of one that is not in scope', () => {
  const driven = wholeLog(...SPECS);
  const row = driven.shown('flat').rows[3];
  const method = { of: 'methods', id: row.id, label: row.label } as const;
  driven.ask({ type: 'about', of: 'method', method });
  const { about } = driven.last('about');
  expect([...about!.when!.counts]).toEqual(timesOf(driven, 'flat').get(row.id));
  expect(about!.pools.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  driven.ask(scoped({ range: { kind: 'between', from: undefined, to: '1' } }));
  expect(driven.last('about').about?.when?.counts.some((count) => count > 0)).toBe(false);
  const reports = driven.events.filter(({ type }) => type === 'about').length;
  driven.ask({ type: 'about', of: 'method', method: undefined }, scoped({}));
  expect(driven.events.filter(({ type }) => type === 'about').length).toBe(reports);
});

/** Memory that is freed is gone, as in a window: not every Node can do that. */
function withFreedMemory(run: () => void): void {
  const known = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'transfer');
  const value = function (this: ArrayBuffer): ArrayBuffer {
    return structuredClone(this, { transfer: [this] });
  };
  Object.defineProperty(ArrayBuffer.prototype, 'transfer', { value, configurable: true, writable: true });
  try {
    run();
  } finally {
    if (known === undefined) Reflect.deleteProperty(ArrayBuffer.prototype, 'transfer');
    else Object.defineProperty(ArrayBuffer.prototype, 'transfer', known);
  }
}

test.each([
  ['all', 'name'],
  ['name', 'id'],
] as const)('callers and callees by %s have the same times after those by %s', (first, second) => {
  // No other pane keeps the tree of a grouping; the log has been read, so that no state begins in between.
  const driven = wholeLog({ type: 'pane', pane: 'flat', spec: { ...FLAT_SPEC, withTimes: true } });
  const { rows } = driven.shown('flat');
  const method = rows.find(({ totalCount, selfCount }) => totalCount > 2 * selfCount)!;
  openMethod(driven, method, first);
  const before = HALVES.map((pane) => countedTwice(driven, pane));
  for (const [totals, sums] of before) expect(sums).toEqual(totals);
  withFreedMemory(() => {
    openMethod(driven, method, second);
    openMethod(driven, method, first);
  });
  expect(HALVES.map((pane) => countedTwice(driven, pane))).toEqual(before);
});
