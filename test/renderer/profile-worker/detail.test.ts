import type { MethodRef } from '../../../shared/engine/query.ts';
import { describe, expect, test } from 'vitest';
import type { RowsSpec } from '../../../renderer/profile-worker/pane-specs.ts';
import {
  Driven,
  FLAT,
  flame,
  type Handled,
  LOG,
  rowTexts,
  scoped,
  select,
  TREE,
  view,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';

const sort = { by: 'totalCount', descending: true } as const;
const CONTAINS: MethodRef = { of: 'bottom-up', id: 0, label: 'java.util.regex.IntHashSet.contains' };

function detail(of: 'callers' | 'callees', method: MethodRef, threads: 'all' | 'name' = 'all'): Handled {
  return { type: 'pane', pane: of, spec: { kind: 'rows', of, method, threads, sort } };
}

const BOTTOM_UP: Handled = {
  type: 'pane',
  pane: 'bottomUp',
  spec: { kind: 'rows', of: 'bottom-up', threads: 'all', sort } satisfies RowsSpec,
};

function expandIn(pane: string, row: number, how: 'toggle' | 'hot' = 'toggle'): Handled {
  return { type: 'expand', pane, row, how, turn: 1 };
}

describe('callers and callees', () => {
  test('of a method, named by a row of any pane', () => {
    const driven = wholeLog(FLAT, TREE);
    const ofMethods = driven.shown('flat').rows.find(({ label }) => label === CONTAINS.label)!;
    driven.ask({ type: 'expand', pane: 'tree', row: undefined, how: 'hot', turn: 1 });
    const ofCalls = driven.rows().find(({ kind, label }) => kind === 'frame' && label.includes('.'))!;
    const texts = (method: MethodRef): string[] => {
      driven.ask(detail('callers', method), detail('callees', method));
      const label = method.label;
      expect(driven.shown('callers').rows[0].label).toBe(label);
      expect(driven.shown('callees').rows[0].label).toBe(label);
      return rowTexts(driven.shown('callers').rows, 2);
    };
    const expected = [
      '- java.util.regex.IntHashSet.contains 334',
      '  + java.util.regex.Pattern$Loop.match 334',
    ];
    expect(texts({ ...ofMethods, of: 'methods' })).toEqual(expected);
    expect(texts(CONTAINS)).toEqual(expected);
    expect(texts({ ...ofCalls, of: 'calls' })[0]).toContain(ofCalls.label);
  });

  test('what is open stays open while the log grows, and closes for another method', () => {
    const log = new FollowedLog();
    const driven = new Driven(detail('callers', CONTAINS));
    const grow = (from: number, to: number): void => {
      log.append(LOG.subarray(from, to), to === LOG.length);
      driven.ask({ type: 'delta', message: log.delta() });
    };
    grow(0, LOG.length >> 1);
    driven.ask(expandIn('callers', driven.shown('callers').rows[1].id));
    const before = driven.shown('callers');
    grow(LOG.length >> 1, LOG.length);
    const after = driven.shown('callers');
    expect(after.total).toBeGreaterThanOrEqual(before.total);
    expect(after.rows[1]).toMatchObject({ id: before.rows[1].id, expanded: true });
    expect(after.rows[0].totalCount).toBe(334);
    const at = wholeLog(detail('callers', CONTAINS));
    at.ask(expandIn('callers', at.shown('callers').rows[1].id));
    expect(rowTexts(after.rows, 9)).toEqual(rowTexts(at.shown('callers').rows, 9));
    const other = { ...CONTAINS, label: 'java.util.regex.Pattern$Loop.match' };
    driven.ask(detail('callers', other));
    expect(driven.shown('callers').rows.filter(({ expanded }) => expanded)).toHaveLength(1);
  });

  test('are of the same method after a change of the grouping, and of no method that the scope leaves out', () => {
    const driven = wholeLog(detail('callers', CONTAINS));
    driven.ask(view('', 'line'));
    expect(driven.shown('callers').rows[0].label).toMatch(/IntHashSet\.contains:\d+$/);
    driven.ask(scoped({ transforms: [{ kind: 'merge', key: CONTAINS.label }] }));
    expect(driven.shown('callers').total).toBe(0);
    driven.ask(view());
    expect(driven.shown('callers').rows[0].totalCount).toBe(334);
  });

  test('end with threads where these are told apart', () => {
    const driven = wholeLog(detail('callers', CONTAINS, 'name'));
    driven.ask(expandIn('callers', 0, 'hot'), {
      type: 'move',
      pane: 'callers',
      to: 'last',
      page: 9,
      turn: 1,
    });
    driven.ask({ type: 'expand', pane: 'callers', row: 0, how: 'all', turn: 1 });
    driven.ask({ type: 'rows', pane: 'callers', from: 0, count: 10_000, turn: 2 });
    expect(driven.shown('callers').rows.some(({ kind }) => kind === 'thread')).toBe(true);
  });

  test('a row that is selected there does not move to the row of another method with its number', () => {
    const driven = wholeLog(detail('callers', CONTAINS));
    driven.ask(select('callers', driven.shown('callers').rows[1]));
    expect(driven.last('selected').rows.callers).toBe(1);
    driven.ask(detail('callers', { ...CONTAINS, label: 'java.util.regex.Pattern$Slice.match' }));
    expect(driven.last('selected').rows.callers).toBeUndefined();
  });
});

describe('the bottom-up tree', () => {
  test('begins with the methods in which samples ended, closed, and grows as one that is made at the end', () => {
    const log = new FollowedLog();
    const driven = new Driven(BOTTOM_UP);
    for (let from = 0; from < LOG.length; from += 40_000) {
      log.append(LOG.subarray(from, from + 40_000), from + 40_000 >= LOG.length);
      driven.ask({ type: 'delta', message: log.delta() });
    }
    const whole = wholeLog(BOTTOM_UP);
    const rows = driven.shown('bottomUp').rows;
    expect(rowTexts(rows, 3)).toEqual([
      '  AGCT.UnknownJavaErr5 421',
      '+ java.util.regex.IntHashSet.contains 334',
      '  AGCT.UnknownNotJava3 131',
    ]);
    expect(rowTexts(rows, 60)).toEqual(rowTexts(whole.shown('bottomUp').rows, 60));
  });

  test('marks the row of a method that is selected elsewhere, and the other way round', () => {
    const driven = wholeLog(FLAT, BOTTOM_UP);
    const flat = driven.shown('flat').rows[1];
    driven.ask(select('methods', flat));
    const { bottomUp } = driven.last('selected').rows;
    const marked = driven.shown('bottomUp').rows.find(({ id }) => id === bottomUp)!;
    expect(marked.label).toBe(flat.label);
    driven.ask(select('bottom-up', marked));
    expect(driven.last('selected').rows).toMatchObject({ flat: flat.id, bottomUp });
  });

  test('as a flame graph: every level sums to at most the level below, all samples are at the root', () => {
    for (const metric of ['samples', 'time'] as const) {
      const driven = wholeLog({ ...(view() as Extract<Handled, { type: 'view' }>), metric });
      driven.ask(flame({ of: 'bottom-up' }));
      const { layout } = driven.last('flame');
      const whole = driven.last('summary').summary;
      if (metric === 'samples') expect(layout.weight[0]).toBe(whole.samples);
      const below = new Float64Array(layout.length);
      for (let row = 1; row < layout.length; row++) below[layout.parent[row]] += layout.weight[row];
      for (let row = 0; row < layout.length; row++)
        expect(below[row]).toBeLessThanOrEqual(layout.weight[row]);
      expect(below[0]).toBe(layout.weight[0]);
    }
  });
});

test('the flame graphs of a method: callers and callees have its weight at their root', () => {
  for (const of of ['callers', 'callees'] as const) {
    for (const threads of ['all', 'name'] as const) {
      const driven = wholeLog();
      driven.ask(
        flame({ of, threads, method: { ...CONTAINS, label: 'java.util.regex.Pattern$Loop.match' } }),
      );
      const { layout } = driven.last('flame');
      expect(layout.labels[layout.label[0]]).toBe('java.util.regex.Pattern$Loop.match');
      expect(layout.weight[0]).toBe(864);
      expect(layout.levels).toBeGreaterThan(20);
    }
  }
});
