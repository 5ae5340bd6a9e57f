import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { callTreeOf } from '../../shared/export/tree.ts';
import { flatProfileOf } from '../../shared/export/flat.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { TimeColumn } from '../../shared/profile/time-column.ts';
import { CallTree } from '../../shared/engine/trees/call-tree.ts';
import { FRAME_GROUPINGS, THREAD_GROUPINGS } from '../../shared/engine/trees/grouping.ts';
import { extentOf, type RowTree } from '../../shared/engine/trees/row-tree.ts';
import { MaskedValues, ValuesWithoutErrors } from '../../shared/engine/values/masked-values.ts';
import { RowSums } from '../../shared/engine/values/row-sums.ts';
import { type SelfValues, sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { ValuesSnapshot } from '../../shared/engine/recorded-profile.ts';
import { formatFlat, formatTree } from '../support/format-tree.ts';
import { randomLog } from '../support/random-log.ts';
import { readLog } from '../support/read-log.ts';
import { modelKey, readModel } from '../support/reference-model.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('values');

test('sums over some values plus sums over the others equal sums over all, bit for bit, over the same rows', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const { profile } = readLog(randomLog(random, { traces: 60, maxDepth: 20, methods: 6 }));
    const { selfValues } = profile;
    const mask = Uint8Array.from({ length: selfValues.length }, () => random.below(2));
    const [some, others] = [
      masked(selfValues, mask),
      masked(
        selfValues,
        mask.map((each) => 1 - each),
      ),
    ];
    expect(sumSelfValues(others).samples, where).toBe(some.leftOut.samples);

    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: random.pick(FRAME_GROUPINGS) };
    const sums = callTreeOf(profile, grouping);
    const all = columnsOf(sums, sums.tree.length);
    const rows = rowsOf(sums.tree);
    const parts = [some, others].map((values) => {
      sums.values = values;
      sums.update();
      return columnsOf(sums, sums.tree.length);
    });
    expect(added(parts), where).toEqual(all);
    expect(rowsOf(sums.tree), where).toEqual(rows);
    sums.values = selfValues;
    sums.update();
    expect(columnsOf(sums, sums.tree.length), where).toEqual(all);

    const options = { frames: grouping.frames, recursion: 'once' } as const;
    const flats = [some, others, selfValues].map((values) => flatProfileOf(profile, { ...options, values }));
    const flatColumns = flats.map((flat) => columnsOf(flat, flat.length));
    expect(added(flatColumns.slice(0, 2)), where).toEqual(flatColumns[2]);
  }
});

test('without errors: what is left is the samples that have none on their stack', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(1_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const bytes = randomLog(random, { traces: 60, maxDepth: 12, methods: 6 });
    const { profile } = readLog(bytes);
    const model = readModel(bytes);
    const walked = model.samples.filter(
      ({ stack }) => !stack.some((frame) => modelKey(model, frame, 'fqmn').startsWith('AGCT.')),
    );
    const without = withoutErrors(profile);
    const left = sumSelfValues(without.values);
    expect([left.samples, left.samples + without.hidden.samples], where).toEqual([
      walked.length,
      model.samples.length,
    ]);
    const sums = callTreeOf(profile, { threads: 'id', frames: 'fqmn' }, without.values);
    const roots = sums.tree.roots().filter((row) => sums.isShown(row));
    const rootTime = roots.reduce((sum, row) => sum + sums.totalTime.exact(row), 0n);
    expect(rootTime, where).toBe(walked.reduce((sum, { ns }) => sum + ns, 0n));
    expect(
      formatTree(sums).filter((line) => line.includes('AGCT.')),
      where,
    ).toEqual([]);
    if (walked.length === model.samples.length) expect(without.values, where).toBe(profile.selfValues);
  }
});

test('sums without errors that grew equal sums that were made at the end', () => {
  for (let scenario = 0; scenario < 60; scenario++) {
    const random = randomFor(2_000 + scenario);
    const where = `SEED=${seed} scenario ${scenario}`;
    const log = randomLog(random, { traces: 80, maxDepth: 12, methods: 6 });
    const aggregator = new ProfileAggregator();
    const decoder = new HonestLogDecoder(aggregator);
    const { profile } = aggregator;
    const grouping = { threads: random.pick(THREAD_GROUPINGS), frames: random.pick(FRAME_GROUPINGS) };
    const snapshot = new ValuesSnapshot(profile.selfValues);
    const without = new ValuesWithoutErrors(profile, snapshot);
    const tree = new CallTree(profile, grouping);
    const sums = new RowSums(tree, snapshot);
    let shown: string[] = [];
    for (const piece of pieces(log, random)) {
      decoder.append(piece);
      decoder.emitOpen(false);
      // Until the next snapshot nothing changes, whatever the profile gains.
      sums.update();
      expect(formatTree(sums), where).toEqual(shown);
      const extent = extentOf(profile);
      snapshot.take();
      without.update(extent);
      tree.update(extent);
      // Errors are shown again now and then.
      sums.values = random.below(3) === 0 ? snapshot : without.values;
      sums.update();
      const values = sums.values === snapshot ? profile.selfValues : withoutErrors(profile).values;
      const anew = callTreeOf(profile, grouping, values);
      shown = formatTree(sums);
      expect(shown, where).toEqual(formatTree(anew));
      expect(columnsOf(sums, tree.length), where).toEqual(columnsOf(anew, anew.tree.length));
    }
  }
});

test('an error that gets its name late is left out from then on', () => {
  const aggregator = new ProfileAggregator();
  const { profile } = aggregator;
  const thread = aggregator.thread(0, 1);
  aggregator.openThread(thread);
  for (const method of [7, 8]) aggregator.samples(thread, Int32Array.of(0, method, 0, 0), 1, 1, 5);
  const without = new ValuesWithoutErrors(profile, profile.selfValues);
  without.update(extentOf(profile));
  expect(without.values).toBe(profile.selfValues);
  aggregator.defineMethod(aggregator.method(0, 8), { file: '', className: 'AGCT', methodName: 'DeoptErr9' });
  without.update(extentOf(profile));
  expect(sumSelfValues(without.values)).toEqual({ samples: 1, time: 5 });
  expect(without.hidden).toEqual({ samples: 1, time: 5 });
  const flat = flatProfileOf(profile, { frames: 'fqmn', recursion: 'once', values: without.values });
  expect(formatFlat(flat)).toContain('AGCT.DeoptErr9 0 (self 0)');
});

function masked(source: SelfValues, mask: Uint8Array): MaskedValues {
  const values = new MaskedValues(source);
  values.update(mask);
  return values;
}

function withoutErrors(profile: LeanProfile): ValuesWithoutErrors {
  const without = new ValuesWithoutErrors(profile, profile.selfValues);
  without.update(extentOf(profile));
  return without;
}

interface Columns {
  readonly selfCount: Float64Array;
  readonly totalCount: Float64Array;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
}

/** Row by row: self and total counts, exact self and total times. */
function columnsOf({ selfCount, totalCount, selfTime, totalTime }: Columns, length: number): bigint[][] {
  return Array.from({ length }, (_, row) => [
    BigInt(selfCount[row]),
    BigInt(totalCount[row]),
    selfTime.exact(row),
    totalTime.exact(row),
  ]);
}

function added([first, second]: readonly bigint[][][]): bigint[][] {
  return first.map((cells, row) => cells.map((cell, column) => cell + second[row][column]));
}

/** Structure: row by row its parent, key and id. */
function rowsOf(tree: RowTree): number[][] {
  return Array.from({ length: tree.length }, (_, row) => [tree.parent[row], tree.key[row], tree.idOf(row)]);
}

function pieces(log: Uint8Array, random: SeededRandom): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let at = 0; at < log.length;) {
    const end = Math.min(log.length, at + 1 + random.below(log.length));
    cut.push(log.subarray(at, end));
    at = end;
  }
  return cut;
}
