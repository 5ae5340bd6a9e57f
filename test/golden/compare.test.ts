import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ThreadGrouping, FrameGrouping } from '../../shared/trees/grouping.ts';
import { goldenPath } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';
import { type Block, blockOf, COMPARED_LOGS, type ComparisonReference } from './hpl/reference.ts';

const recorded = JSON.parse(readFileSync('test/golden/hpl/comparisons.json', 'utf8')) as Record<
  string,
  ComparisonReference
>;

const FILTERS = {
  hideErrors: ['--hide-errors'],
  'quick-java.util': ['--filter', 'java.util'],
} as const;

describe.each(COMPARED_LOGS)('%s compared with %s equals the reference', (base, next) => {
  const { flat, tree, filters } = recorded[`${base}--${next}`];
  const comparedBy = async (...options: string[]): Promise<Block> => {
    const run = await runCli(['compare', goldenPath(base), goldenPath(next), ...options]);
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
});
