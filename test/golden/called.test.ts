import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { flatProfileOf } from '../../shared/export/flat.ts';
import { methodTreeOf, writeCallees, writeCallers, callTreeOf } from '../../shared/export/tree.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { NONE } from '../../shared/profile/columns.ts';
import { type LeanProfile, sumTotals } from '../../shared/profile/lean-profile.ts';
import type { FrameGrouping } from '../../shared/engine/trees/grouping.ts';
import { compareKeys, frameKey } from '../../shared/engine/trees/keys.ts';
import type { RowSums } from '../../shared/engine/values/row-sums.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import { formatTree } from '../support/format-tree.ts';
import { profileFromText } from '../support/profile-from-text.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import { asReferenceText } from '../support/reference-text.ts';
import { testSize } from '../support/test-size.ts';
import { blockOf, CALLED_LOGS, type CalledReference } from './hpl/reference.ts';

const recorded = JSON.parse(readFileSync('test/golden/hpl/called.json', 'utf8')) as Record<
  string,
  CalledReference
>;

/** Lines of the largest tree that is compared in `npm test`: the 17 larger ones of one log take half a minute. */
const MOST_LINES = testSize(10_000, Infinity);

describe.each(CALLED_LOGS)('%s', { timeout: 600_000 }, (name) => {
  const { profile } = readLog(goldenLog(name));
  const { methods, below } = recorded[name];

  test('callees per level equal the reference', () => {
    for (const { frames, method, callees } of methods) {
      if (callees.lines > MOST_LINES) continue;
      const ours = blockOf(methodLines(profile, 'callees', frames, method));
      expect(ours, `${frames} ${method}`).toEqual(callees);
    }
  });

  test('callers are those of the reference, which gives each caller all of its samples', () => {
    const totals = sumTotals(profile);
    for (const { frames, method, callers } of methods) {
      if (callers.lines > MOST_LINES) continue;
      const where = `${frames} ${method}`;
      const whole = callersWithAllTheirSamples(profile, totals, frames, method);
      expect(blockOf(whole), where).toEqual(callers);
      const ours = methodLines(profile, 'callers', frames, method);
      expect(ours.map(placeOf), where).toEqual(whole.map(placeOf));
      // Here a caller has what reached the method through it.
      const isMore = ours.filter((line, at) => totalOf(line) > totalOf(whole[at]));
      expect(isMore, where).toEqual([]);
    }
  });

  test('methods below a row of the tree, per level, equal the reference', () => {
    for (const { threads, path, flat } of below) {
      const sums = callTreeOf(profile, { threads, frames: 'fqmn' });
      expect(blockOf(flatBelow(sums, rowAt(sums, path))), `${threads} ${path.join(' > ')}`).toEqual(flat);
    }
  });
});

test('differs from the reference: callers have only what reached the method through them', () => {
  const { profile } = profileFromText(`
    main       main       main       main
    Shop.main  Shop.main  Shop.main  Shop.main
    Cart.add   Cart.add   Cart.load  Cart.load
    Map.get               Map.get    Map.put
  `);
  expect(callersWithAllTheirSamples(profile, sumTotals(profile), 'fqmn', 'Map.get').map(placeAndTotal)).toEqual([
    '0 Map.get 2',
    '1 Cart.add 2',
    '2 Shop.main 4',
    '3 All Threads 4',
    '1 Cart.load 2',
    '2 Shop.main 4',
    '3 All Threads 4',
  ]);
  expect(methodLines(profile, 'callers', 'fqmn', 'Map.get').map(placeAndTotal)).toEqual([
    '0 Map.get 2',
    '1 Cart.add 1',
    '2 Shop.main 1',
    '3 All Threads 1',
    '1 Cart.load 1',
    '2 Shop.main 1',
    '3 All Threads 1',
  ]);
});

test('differs from the reference: a recursive method counts once for a sample unless it is asked for', () => {
  const { profile } = profileFromText(`
    main      main
    Fib.main  Fib.main
    Fib.fib   Fib.fib
    Fib.fib
    Fib.fib
  `);
  const callees = (recursion: 'once' | 'per-level'): string[] => {
    const grouping = { threads: 'all', frames: 'fqmn' } as const;
    return formatTree(
      methodTreeOf(profile, { direction: 'callees', method: 'Fib.fib', ...grouping, recursion })!,
    );
  };
  expect(callees('per-level')).toEqual([
    '- Fib.fib 4 (self 2)',
    '  - Fib.fib 2 (self 1)',
    '    - Fib.fib 1 (self 1)',
  ]);
  expect(callees('once')).toEqual([
    '- Fib.fib 2 (self 1)',
    '  - Fib.fib 1 (self 0)',
    '    - Fib.fib 1 (self 1)',
  ]);
  const sums = callTreeOf(profile, { threads: 'all', frames: 'fqmn' });
  const below = flatBelow(sums, rowAt(sums, ['All Threads', 'Fib.main']));
  expect(below.map((line) => line.split('\t', 3).join(' '))).toEqual(['Fib.fib 2 4']);
  const { selfCount, totalCount, keys } = flatProfileOf(profile, { frames: 'fqmn', recursion: 'once' });
  const fib = keys.find('Fib.fib');
  expect([selfCount[fib], totalCount[fib]]).toEqual([2, 2]);
});

/** Each occurrence of the method counts, as in the reference. */
function methodLines(
  profile: LeanProfile,
  direction: 'callers' | 'callees',
  frames: FrameGrouping,
  method: string,
): readonly string[] {
  const grouping = { threads: 'all', frames } as const;
  const write = direction === 'callers' ? writeCallers : writeCallees;
  const input = { profile, method, ...grouping, recursion: 'per-level', filter: KEEP_ALL } as const;
  return linesOf(collectText((sink) => write(input, sink)));
}

/**
 * The reference's "Ancestors": below the method are the distinct call nodes that called it, by key, with all samples
 * of these nodes. A second implementation, from the specification: the recorded hashes say that it is right.
 */
function callersWithAllTheirSamples(
  profile: LeanProfile,
  totals: ReturnType<typeof sumTotals>,
  frames: FrameGrouping,
  method: string,
): readonly string[] {
  const { nodes, selfValues } = profile;
  const keyOfFrame = Array.from({ length: profile.frames.length }, (_, each) =>
    frameKey(profile, each, frames),
  );
  const keyOf = (node: number): string =>
    nodes.isRoot(node) ? 'All Threads' : keyOfFrame[nodes.frame[node]];
  const selfRow = new Map(Array.from({ length: selfValues.length }, (_, row) => [selfValues.node[row], row]));
  const lines: string[] = [];
  const all = Array.from({ length: nodes.length }, (_, node) => node);
  const pending = [{ depth: 0, key: method, of: all.filter((node) => keyOf(node) === method) }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { depth, key, of } = next;
    let [selfCount, totalCount, selfTime, totalTime] = [0, 0, 0n, 0n];
    for (const node of of) {
      const row = selfRow.get(node);
      if (row !== undefined && !nodes.isRoot(node)) {
        selfCount += selfValues.count[row];
        selfTime += selfValues.time.exact(row);
      }
      totalCount += totals.count[node];
      totalTime += totals.time.exact(node);
    }
    lines.push(`${[depth, key, selfCount, totalCount, selfTime, totalTime].join('\t')}\n`);
    const callers = new Map<string, Set<number>>();
    for (const node of of) {
      const caller = nodes.parent[node];
      if (caller === NONE) continue;
      const known = callers.get(keyOf(caller));
      if (known === undefined) callers.set(keyOf(caller), new Set([caller]));
      else known.add(caller);
    }
    // The last is taken first.
    for (const [caller, its] of [...callers].sort(([a], [b]) => compareKeys(b, a)))
      pending.push({ depth: depth + 1, key: caller, of: [...its] });
  }
  return lines;
}

/** The row that this path of keys leads to. */
function rowAt({ tree }: RowSums, path: readonly string[]): number {
  let row: number | undefined;
  let among = tree.roots();
  for (const key of path) {
    row = among.find((each) => asReferenceText(tree.label(each)) === key);
    expect(row, key).toBeDefined();
    among = Array.from({ length: tree.length }, (_, each) => each).filter((each) => tree.parent[each] === row);
  }
  return row!;
}

/** The rows below one of a tree, added up by their keys, as lines of `flat`. */
function flatBelow({ tree, selfCount, totalCount, selfTime, totalTime }: RowSums, top: number): string[] {
  const isBelow = new Set<number>();
  const sums = new Map<string, [bigint, bigint, bigint, bigint]>();
  for (let row = 0; row < tree.length; row++) {
    const up = tree.parent[row];
    if (up !== top && !isBelow.has(up)) continue;
    isBelow.add(row);
    const sum = sums.get(tree.label(row)) ?? [0n, 0n, 0n, 0n];
    sums.set(tree.label(row), [
      sum[0] + BigInt(selfCount[row]),
      sum[1] + BigInt(totalCount[row]),
      sum[2] + selfTime.exact(row),
      sum[3] + totalTime.exact(row),
    ]);
  }
  return [...sums]
    .sort(([a], [b]) => compareKeys(a, b))
    .map(([key, values]) => `${[key, ...values].join('\t')}\n`);
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}

/** `1 Cart.add`. */
function placeOf(line: string): string {
  return line.split('\t', 2).join(' ');
}

function totalOf(line: string): number {
  return Number(line.split('\t')[3]);
}

function placeAndTotal(line: string): string {
  return `${placeOf(line)} ${totalOf(line)}`;
}
