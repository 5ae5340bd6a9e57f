import { expect, test } from 'vitest';
import {
  type DurationColumns,
  leastOfRow,
  rowOfDuration,
} from '../../shared/engine/views/duration-columns.ts';
import { Engine } from '../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import { viewDurations, viewOperations } from '../../shared/engine/view-operations.ts';
import type { ContextScope } from '../../shared/scope/scope.ts';
import { type Context, randomScope, type Requests, someRequests } from '../support/random-requests.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('durations');

const tookTime = ({ from, to }: Context): boolean => to > from;

function viewOf(requests: Requests, contexts: ContextScope | undefined) {
  const engine = new Engine();
  engine.add('log', requests.aggregator.profile);
  return engine.view('log', { ...INITIAL_QUERY, scope: { contexts, threads: [], transforms: [] } });
}

/** Cell -> contexts in it, found by comparing each with each cell. */
function inCell(
  { columnNs, rows, lowest, from }: DurationColumns,
  contexts: readonly Context[],
  first: number,
): (at: number) => readonly Context[] {
  return (at) => {
    const begin = first + Math.floor((from + at) / rows) * columnNs;
    const row = lowest + ((from + at) % rows);
    return contexts.filter(
      (each) =>
        each.from >= begin &&
        each.from < begin + columnNs &&
        each.to - each.from >= leastOfRow(row) &&
        each.to - each.from < leastOfRow(row + 1),
    );
  };
}

test('each request is in the cell of its begin and its duration, with the operations there, one by one', () => {
  for (let scenario = 0; scenario < testSize(80, 2_000); scenario++) {
    const random = randomFor(scenario);
    const unit = random.pick([1, 37, 1_234_567, 50_000_000, 9_876_543_210]);
    const requests = someRequests(random, unit);
    const contexts = random.next() < 0.2 ? undefined : randomScope(random, unit);
    const told = `SEED=${seed} scenario ${scenario}: ${JSON.stringify(contexts)}`;
    const zoomed = unit * random.below(200);
    const zoom =
      random.next() < 0.5 ? undefined : { from: zoomed, to: zoomed + unit * (1 + random.below(50)) };
    const found = viewDurations(viewOf(requests, contexts), { zoom, fit: 1 + random.below(60) })!;
    const first = Math.min(...requests.samples.map(({ at }) => at));
    const meant = requests.meant({ where: contexts?.where ?? [] });
    const isPart = [contexts?.took, contexts?.began, contexts?.slower].some((each) => each !== undefined);
    const inScope = new Set(contexts && requests.meant(contexts));
    const cellOf = inCell(found, meant, first);
    const cells = Array.from(found.counts, (_, at) => cellOf(at));
    expect([...found.counts], told).toEqual(cells.map(({ length }) => length));
    expect([...found.operations], told).toEqual(
      cells.map((own) => new Set(own.map(({ name }) => name)).size),
    );
    for (const [at, own] of cells.entries())
      if (own.length > 0)
        expect(
          own.map(({ name }) => name),
          told,
        ).toContain(found.names[found.name[at]]);
    expect(found.marked && [...found.marked], told).toEqual(
      isPart ? cells.map((own) => own.filter((each) => inScope.has(each)).length) : undefined,
    );
    expect(found.most, told).toBe(Math.max(0, ...cells.map(({ length }) => length)));
    const columnOf = (time: number): number => Math.floor((time - first) / found.columnNs);
    const isOnAxis = ({ from }: Context): boolean =>
      from >= first && columnOf(from) <= columnOf(first + found.last);
    expect([found.all, found.without, found.beyond], told).toEqual([
      meant.length,
      meant.filter((each) => !tookTime(each)).length,
      meant.filter((each) => tookTime(each) && !isOnAxis(each)).length,
    ]);
  }
});

test('its columns are the parts of the time of `operations --every`, where these count from the earliest sample', () => {
  for (let scenario = 0; scenario < testSize(60, 1_000); scenario++) {
    const random = randomFor(10_000 + scenario);
    const unit = random.pick([1_234_567, 50_000_000, 9_876_543_210]);
    const requests = someRequests(random, unit, 1_000_000n);
    const { where } = randomScope(random, unit);
    const fit = 1 + random.below(60);
    const picture = viewDurations(viewOf(requests, { where }), { zoom: undefined, fit })!;
    const { columnNs, rows, counts } = picture;
    const isDrawn = { where, took: { from: 1 }, began: { from: 0 } };
    const parts = viewOperations(viewOf(requests, isDrawn), BigInt(columnNs))!.rows;
    const columns = new Map<number, number>();
    for (const [at, count] of counts.entries()) {
      const column = Math.floor(at / rows);
      if (count > 0) columns.set(column, (columns.get(column) ?? 0) + count);
    }
    const listed = parts.map(({ began, count }) => [(began!.from ?? 0) / columnNs, count] as const);
    expect([...columns], `SEED=${seed} scenario ${scenario}`).toEqual(
      listed.filter(([column]) => column * rows < counts.length),
    );
  }
});

test('a picture that grows is the one that is made at once, and its rows only become more', () => {
  for (let scenario = 0; scenario < testSize(30, 500); scenario++) {
    const random = randomFor(20_000 + scenario);
    const unit = random.pick([1, 50_000_000]);
    const requests = someRequests(random, unit);
    const contexts = random.next() < 0.3 ? undefined : randomScope(random, unit);
    const scope = { contexts, threads: [], transforms: [] };
    const engine = new Engine();
    engine.add('log', requests.aggregator.profile);
    let before: readonly number[] | undefined;
    for (let state = 0; state < 4; state++) {
      engine.grew('log');
      engine.begin();
      const grown = viewDurations(engine.view('log', { ...INITIAL_QUERY, scope }), {
        zoom: undefined,
        fit: 30,
      })!;
      const told = `SEED=${seed} scenario ${scenario} state ${state}`;
      expect(grown, told).toEqual(viewDurations(viewOf(requests, contexts), { zoom: undefined, fit: 30 }));
      const { lowest, rows } = grown;
      const [least, end] = before ?? [lowest, lowest + rows];
      expect([lowest <= least, lowest + rows >= end], told).toEqual([true, true]);
      before = [lowest, lowest + rows];
      for (let each = 0; each < 10; each++) requests.addSample();
      for (let each = 0; each < 5; each++) requests.addContext();
    }
  }
});

test('rows are six a decade, and a duration is in one of them', () => {
  const bounds = Array.from({ length: 14 }, (_, at) => leastOfRow(48 + at));
  expect(bounds.slice(0, 7)).toEqual([1e8, 1.5e8, 2e8, 3e8, 5e8, 7e8, 1e9]);
  for (let row = 0; row < 90; row++) {
    const [least, end] = [leastOfRow(row), leastOfRow(row + 1)];
    if (least === end) continue;
    expect([rowOfDuration(least), rowOfDuration(end - 1), rowOfDuration(end) > row]).toEqual([
      row,
      row,
      true,
    ]);
  }
});
