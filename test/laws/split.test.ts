import { expect, test } from 'vitest';
import { ShownProfile } from '../support/shown-profile.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { Scope, Transform } from '../../shared/scope/scope.ts';
import type { FrameKeys, SplitMethod } from '../../shared/engine/trees/grouping.ts';
import type { RowValues } from '../../shared/engine/values/row-sums.ts';
import { randomLog } from '../support/random-log.ts';
import { keysOf, randomTransform } from '../support/random-scope.ts';
import { type Model, type ModelFrame, modelKey, readModel } from '../support/reference-model.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('split');
const KEPT = ['keep', 'drop', 'focus', 'merge', 'only'] as const;

/** A frame of a sample: its method, and the row that it belongs to. */
interface Cell {
  readonly method: string;
  readonly row: string;
}

interface ModelStack {
  readonly cells: readonly Cell[];
  readonly ns: bigint;
}

function cellOf(model: Model, frame: ModelFrame, split: readonly SplitMethod[]): Cell {
  const method = modelKey(model, frame, 'fqmn');
  const by = split.find(({ key }) => key === method)?.by;
  if (by === undefined) return { method, row: method };
  if (by === 'line' && frame.line > 0) return { method, row: `${method}:${frame.line}` };
  return { method, row: frame.bci >= 0 ? `${method}:bci ${frame.bci}` : `${method}:?` };
}

/** What a scope leaves of one stack; undefined where the sample is outside. */
function scoped(cells: readonly Cell[], transform: Transform): readonly Cell[] | undefined {
  switch (transform.kind) {
    case 'keep':
      return cells.some(({ method }) => method === transform.key) ? cells : undefined;
    case 'drop':
      return cells.some(({ method }) => method === transform.key) ? undefined : cells;
    case 'focus': {
      const at = cells.findIndex(({ method }) => method === transform.key);
      return at < 0 ? undefined : cells.slice(at);
    }
    case 'merge':
      return cells.filter(({ method }) => method !== transform.key);
    case 'only':
      return cells.filter(({ method }) => transform.prefixes.some((prefix) => method.startsWith(prefix)));
    default:
      throw new Error(`no model of ${transform.kind}`);
  }
}

/** The stacks that are shown, one sample after the other. */
function modelStacks(
  model: Model,
  { transforms }: Scope,
  hidesErrors: boolean,
  split: readonly SplitMethod[],
): ModelStack[] {
  return model.samples.flatMap(({ stack, ns }) => {
    let cells: readonly Cell[] | undefined = stack.map((frame) => cellOf(model, frame, split));
    if (hidesErrors && cells.some(({ method }) => method.startsWith('AGCT.'))) return [];
    for (const transform of transforms) cells = cells && scoped(cells, transform);
    return cells === undefined ? [] : [{ cells, ns }];
  });
}

type Sums = [selfCount: number, totalCount: number, selfTime: bigint, totalTime: bigint];

/** Sums of rows by name; rows without samples are left out. */
class RowMap {
  readonly #rows = new Map<string, Sums>();

  add(name: readonly string[], isSelf: boolean, ns: bigint): void {
    const sums = this.#rows.get(JSON.stringify(name)) ?? [0, 0, 0n, 0n];
    if (isSelf) sums[0]++;
    sums[1]++;
    if (isSelf) sums[2] += ns;
    sums[3] += ns;
    this.#rows.set(JSON.stringify(name), sums);
  }

  get lines(): string[] {
    return Array.from(this.#rows, ([name, sums]) => `${name} ${sums.join(' ')}`).sort();
  }
}

/** Every path from `from` on; the last cell has the sample itself where `endsHere`. */
function addPaths(rows: RowMap, path: readonly string[], ns: bigint, selfAt: number): void {
  path.forEach((_, at) => rows.add(path.slice(0, at + 1), at === selfAt, ns));
}

function linesOf({ tree, selfCount, totalCount, selfTime, totalTime }: RowValues): string[] {
  const paths: string[][] = [];
  const lines: string[] = [];
  for (let row = 0; row < tree.length; row++) {
    const up = tree.parent[row];
    paths.push([...(up === NONE ? [] : paths[up]), tree.label(row)]);
    if (totalCount[row] === 0) continue;
    const sums = [selfCount[row], totalCount[row], selfTime.exact(row), totalTime.exact(row)];
    lines.push(`${JSON.stringify(paths[row])} ${sums.join(' ')}`);
  }
  return lines.sort();
}

function randomSplit(random: SeededRandom, methods: readonly string[]): SplitMethod[] {
  return methods
    .filter(() => random.below(2) === 0)
    .map((key) => ({ key, by: random.pick(['line', 'bci']) }));
}

test('all trees and the methods equal a count sample by sample, live, in a scope, split and joined again', () => {
  let splitRows = 0;
  for (let scenario = 0; scenario < 120; scenario++) {
    const random = randomFor(scenario);
    const bytes = randomLog(random, { traces: 40, maxDepth: 20, methods: random.pick([3, 6]) });
    const model = readModel(bytes);
    const methods = keysOf(model, 'fqmn');
    if (methods.length === 0) continue;
    const transforms = Array.from({ length: random.below(3) }, () =>
      randomTransform(random.pick(KEPT), random, methods),
    );
    const scope: Scope = { threads: [], transforms };
    const hidesErrors = random.below(2) === 0;
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    const shown = new ShownProfile(aggregator.profile);
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + 1 + random.below(bytes.length / 3));
      decoder.append(bytes.subarray(at, end));
      decoder.emitOpen(end === bytes.length);
      at = end;
      const split = at === bytes.length || random.below(2) === 0 ? randomSplit(random, methods) : [];
      const keys: FrameKeys = split.length === 0 ? 'fqmn' : { rest: 'fqmn', split };
      const view = shown.at({ keys, scope, hidesErrors });
      const grouping = { threads: 'all', frames: keys } as const;
      view.sums(grouping);
      view.flat(keys);
      if (at < bytes.length) continue;

      const where = `SEED=${seed} scenario ${scenario} ${JSON.stringify({ split, scope, hidesErrors })}`;
      const stacks = modelStacks(model, scope, hidesErrors, split);
      const calls = new RowMap();
      const bottomUp = new RowMap();
      const flat = new RowMap();
      for (const { cells, ns } of stacks) {
        const rows = cells.map(({ row }) => row);
        addPaths(calls, ['All Threads', ...rows], ns, rows.length);
        addPaths(bottomUp, rows.toReversed(), ns, 0);
        const leaf = cells.at(-1);
        for (const name of new Set(cells.flatMap(({ method, row }) => [method, row])))
          flat.add([name], name === leaf?.method || name === leaf?.row, ns);
        splitRows += new Set(rows.filter((row, each) => row !== cells[each].method)).size;
      }
      expect(linesOf(view.rows('calls', grouping, undefined)), where).toEqual(calls.lines);
      const ends = view.rows('bottom-up', grouping, undefined);
      // A sample without frames ended in no method: its thread is the root.
      expect(
        linesOf(ends).filter((line) => !line.startsWith('["All Threads"]')),
        where,
      ).toEqual(bottomUp.lines);
      const { labels, length, selfCount, totalCount, selfTime, totalTime } = Object.assign(view.flat(keys), {
        labels: view.flat(keys).keys.labels,
      });
      const flatLines = Array.from({ length }, (_, key) => key)
        .filter((key) => totalCount[key] > 0)
        .map(
          (key) =>
            `${JSON.stringify([labels[key]])} ${[selfCount[key], totalCount[key], selfTime.exact(key), totalTime.exact(key)].join(' ')}`,
        );
      expect(flatLines.sort(), where).toEqual(flat.lines);

      const cells = stacks.flatMap((stack) => stack.cells);
      if (cells.length === 0) continue;
      const { method, row } = random.pick(cells);
      for (const label of [method, row]) {
        const isIt = (cell: Cell): boolean => (label === method ? cell.method : cell.row) === label;
        const callers = new RowMap();
        const callees = new RowMap();
        for (const { cells: stack, ns } of stacks) {
          const first = stack.findIndex(isIt);
          if (first < 0) continue;
          const above = stack
            .slice(0, first)
            .map((cell) => cell.row)
            .reverse();
          addPaths(callers, [label, ...above], ns, first === stack.length - 1 ? 0 : NONE);
          const below = stack.slice(first + 1).map((cell) => cell.row);
          addPaths(callees, [label, ...below], ns, below.length);
        }
        const ref = { of: 'callers', id: 0, label } as const;
        expect(linesOf(view.rows('callers', grouping, ref)), `${where} ${label}`).toEqual(callers.lines);
        expect(linesOf(view.rows('callees', grouping, ref)), `${where} ${label}`).toEqual(callees.lines);
      }
    }
  }
  expect(splitRows).toBeGreaterThan(1_000);
});
