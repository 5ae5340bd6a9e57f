import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { comparisonOf } from '../support/comparison-of.ts';
import type { Comparison } from '../../shared/engine/comparison/comparison.ts';
import { exportComparedFlat, exportComparedTree } from '../../shared/export/compare-text.ts';
import { collectText, type TextSink } from '../../shared/export/text-sink.ts';
import type { FrameGrouping, Recursion, ThreadGrouping } from '../../shared/engine/trees/grouping.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import type { Condition, Conditions, NumberComparison, QuantityName } from '../../shared/engine/views/row-conditions.ts';
import { profileFromText } from '../support/profile-from-text.ts';
import { goldenLog, goldenPath, readLog } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';
import {
  type Block,
  blockOf,
  COMPARED_LOGS,
  type ComparisonFilter,
  type ComparisonReference,
} from './hpl/reference.ts';

const recorded = JSON.parse(readFileSync('test/golden/hpl/comparisons.json', 'utf8')) as Record<
  string,
  ComparisonReference
>;

/** Filters by keys, which the command line has, too. */
const FILTERS = {
  hideErrors: ['--hide-errors'],
  'quick-java.util': ['--filter', 'java.util'],
} as const;
const BY_NAME = { threads: 'name', frames: 'fqmn' } as const;
/** Filters by numbers, which only the window has. */
const CONDITIONS: Readonly<Record<Exclude<ComparisonFilter, keyof typeof FILTERS>, Condition>> = {
  baseSelfGe1: { of: 'base.selfCount', comparison: '>=', value: 1 },
  selfDiffGt0: { of: 'difference.selfCount', comparison: '>', value: 0 },
  'totalTimePctDiffLt-1': { of: 'difference.totalTimeShare', comparison: '<', value: -1 },
};

describe.each(COMPARED_LOGS)('%s compared with %s equals the reference', (base, next) => {
  const { flat, tree, filters } = recorded[`${base}--${next}`];
  const comparedBy = async (...options: string[]): Promise<Block> => {
    const run = await runCli(['compare', goldenPath(base), goldenPath(next), '--fold', 'none', ...options]);
    expect([run.status, run.stderr]).toEqual([0, '']);
    return blockOf(run.stdout.split(/(?<=\n)/).filter((line) => line !== ''));
  };
  const FLAT = ['--format', 'flat', '--recursion', 'per-level'];

  test.each(Object.keys(flat) as FrameGrouping[])('flat %s', async (frames) => {
    expect(await comparedBy(...FLAT, '--frames', frames)).toEqual(flat[frames]);
  });

  test.each(Object.keys(tree) as `${ThreadGrouping}/${FrameGrouping}`[])('tree %s', async (name) => {
    const [threads, frames] = name.split('/');
    expect(await comparedBy('--format', 'tree', '--threads', threads, '--frames', frames)).toEqual(
      tree[name],
    );
  });

  test.each(Object.keys(FILTERS) as (keyof typeof FILTERS)[])('filter %s', async (name) => {
    expect(await comparedBy(...FLAT, ...FILTERS[name])).toEqual(filters[name].flat);
    expect(await comparedBy('--format', 'tree', ...FILTERS[name])).toEqual(filters[name].treeByName);
  });

  const comparison = comparisonOf(readLog(goldenLog(base)).profile, readLog(goldenLog(next)).profile, BY_NAME);
  test.each(Object.entries(CONDITIONS))('filter %s', (name, condition) => {
    const options = { filter: { ...KEEP_ALL, where: [[condition]] }, shareOf: undefined };
    const { flat: methods, treeByName } = filters[name as keyof typeof CONDITIONS];
    expect(blockWritten((sink) => exportComparedFlat(comparison.methods('per-level'), options, sink))).toEqual(
      methods,
    );
    expect(blockWritten((sink) => exportComparedTree(comparison.calls(), options, sink))).toEqual(treeByName);
  });
});

const BEFORE = profileFromText(`
  main       main       main       main
  Shop.main  Shop.main  Shop.main  Shop.main
  Cart.add   Cart.add   Cart.load  Map.get
`).profile;
const AFTER = profileFromText(`
  main       main       main       main       main
  Shop.main  Shop.main  Shop.main  Shop.main  Shop.main
  Cart.add   Fib.fib    Fib.fib    Cart.load  Map.put
             Fib.fib
`).profile;

function methodsWhere(comparison: Comparison, where: Conditions, recursion: Recursion = 'once'): string {
  const options = { filter: { ...KEEP_ALL, where }, shareOf: undefined };
  const text = collectText((sink) => exportComparedFlat(comparison.methods(recursion), options, sink));
  return text.replace(/\t.*\n/g, ' ').trim();
}

test('every side and difference of a comparison can be compared', () => {
  const comparison = comparisonOf(BEFORE, AFTER, BY_NAME);
  const methods = (of: QuantityName, sign: NumberComparison, value: number): string =>
    methodsWhere(comparison, [[{ of, comparison: sign, value }]]);
  // 4 samples and 5, of 1 ms each.
  for (const [part, share, one] of [
    ['selfCount', 'selfShare', 1],
    ['selfTime', 'selfTimeShare', 1e6],
    ['totalCount', 'totalShare', 1],
    ['totalTime', 'totalTimeShare', 1e6],
  ] as const) {
    const isSelf = part.startsWith('self');
    expect([part, methods(`base.${part}`, '=', one)]).toEqual([part, 'Cart.load Map.get']);
    expect([share, methods(`base.${share}`, '=', 25)]).toEqual([share, 'Cart.load Map.get']);
    expect([part, methods(`next.${part}`, '=', 2 * one)]).toEqual([part, 'Fib.fib']);
    expect([share, methods(`next.${share}`, '=', 40)]).toEqual([share, 'Fib.fib']);
    expect([part, methods(`difference.${part}`, '>', 0)]).toEqual([
      part,
      isSelf ? 'Fib.fib Map.put' : 'Fib.fib Map.put Shop.main',
    ]);
    expect([part, methods(`difference.${part}`, '=', -one)]).toEqual([part, 'Cart.add Map.get']);
    // 1 of 5 less 1 of 4.
    expect([share, methods(`difference.${share}`, '=', -5)]).toEqual([share, 'Cart.load']);
    expect([share, methods(`difference.${share}`, '<=', -5)]).toEqual([share, 'Cart.add Cart.load Map.get']);
  }
  // By a quantity of no side, a row passes if either side does.
  expect(methods('selfCount', '=', 2)).toBe('Cart.add Fib.fib');
  expect(methodsWhere(comparison, [[
    { of: 'selfCount', comparison: '=', value: 2 },
    { of: 'difference.selfCount', comparison: '>', value: 0 },
  ]])).toBe('Fib.fib');
});

test('differs from the reference: a recursive method counts once for a sample unless it is asked for', () => {
  const comparison = comparisonOf(BEFORE, AFTER, BY_NAME);
  const where: Conditions = [[{ of: 'next.totalCount', comparison: '>', value: 2 }]];
  expect(methodsWhere(comparison, where)).toBe('Shop.main');
  expect(methodsWhere(comparison, where, 'per-level')).toBe('Fib.fib Shop.main');
});

function blockWritten(write: (sink: TextSink) => void): Block {
  return blockOf(
    collectText(write)
      .split(/(?<=\n)/)
      .filter((line) => line !== ''),
  );
}
