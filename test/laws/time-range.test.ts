import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { exportTimeline } from '../../shared/export/timeline.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { EMPTY_SCOPE } from '../../shared/scope/scope.ts';
import { askedProfile } from '../support/asked-profile.ts';
import type { TimeBounds } from '../../shared/engine/values/time-range.ts';
import { ValuesInRange } from '../../shared/engine/values/values-in-range.ts';
import { leanOf } from '../support/profile-tables.ts';
import { randomLog, randomPieces } from '../support/random-log.ts';
import { readLog } from '../support/read-log.ts';
import { recordedLogs } from '../support/recorded-logs.ts';
import { leanTextOf, type Model, type ModelSample, readModel } from '../support/reference-model.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('time-range');
const LOGS = recordedLogs();

test('on 200 random logs a time range has the samples that a filter of the raw records has', () => {
  for (let scenario = 0; scenario < 200; scenario++) {
    const random = randomFor(scenario);
    const bytes = randomLog(random, { traces: 40, maxDepth: 12, methods: 6 });
    expectRanges(bytes, random, `SEED=${seed} scenario ${scenario}`);
  }
});

test.each(LOGS)('$name: time ranges have the samples that a filter of the raw records has', (recorded) => {
  const random = randomFor(1_000 + LOGS.indexOf(recorded));
  expectRanges(recorded.bytes(), random, `SEED=${seed} ${recorded.name}`);
});

test('the sample table of a log that grows equals the one of a log that is read at once', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(2_000 + scenario);
    const bytes = randomLog(random, { traces: 40, maxDepth: 12, holes: true });
    const aggregator = new ProfileAggregator({ samples: true });
    const decoder = new HonestLogDecoder(aggregator);
    for (const piece of randomPieces(random, bytes, Math.ceil(bytes.length / 9))) {
      decoder.append(piece);
      decoder.emitOpen(random.next() < 0.5);
      expectComplete(aggregator.profile, `SEED=${seed} scenario ${scenario}`);
    }
    decoder.emitOpen(true);
    expect(tableOf(aggregator.profile), `SEED=${seed} scenario ${scenario}`).toEqual(tableOf(read(bytes)));
  }
});

function expectRanges(bytes: Uint8Array, random: SeededRandom, where: string): void {
  const model = readModel(bytes);
  const profile = read(bytes);
  expectComplete(profile, where);
  const times = model.samples.flatMap(({ at }) => at ?? []).sort((a, b) => (a < b ? -1 : 1));
  for (let round = 0; round < 4 && times.length > 0; round++) {
    // Bounds that equal the time of a sample, and bounds next to one.
    const [from, to] = [random.pick(times), random.pick(times) + BigInt(random.below(3) - 1)];
    const bounds = { from: round === 0 ? undefined : from, to: round === 1 ? undefined : to };
    expectRange(profile, model, bounds, where);
  }
  const cut = times.length === 0 ? 0n : random.pick(times);
  expectUnion(profile, cut, where);
}

function expectRange(profile: LeanProfile, model: Model, bounds: TimeBounds, where: string): void {
  const { from, to } = bounds;
  const samples = model.samples.filter((sample) => isIn(sample, bounds));
  const there = `${where} from ${from} to ${to}`;
  const range = { kind: 'between', from: from?.toString(), to: to?.toString() } as const;
  const inScope = askedProfile(profile, { ...EMPTY_SCOPE, range }, 'fqmn');
  const threads = new Set(samples.map(({ thread }) => thread));
  expect(leanOf(inScope.profile), there).toBe(leanTextOf({ ...model, samples, threads }));
  expect(inScope.outside.samples, there).toBe(model.samples.length - samples.length);
  expect(timelineOf(profile, bounds, 7), there).toBe(timelineOfModel(model, bounds, 7));
}

/** Two ranges that touch have together what the whole has, row by row. */
function expectUnion(profile: LeanProfile, cut: bigint, where: string): void {
  const { samples, selfValues } = profile;
  const [before, after, whole] = [new ValuesInRange(), new ValuesInRange(), new ValuesInRange()];
  before.update(samples!, selfValues, { from: undefined, to: cut });
  after.update(samples!, selfValues, { from: cut, to: undefined });
  whole.update(samples!, selfValues, { from: undefined, to: undefined });
  const rowsThatDiffer = rowsOf(selfValues.length).filter(
    (row) =>
      before.count[row] + after.count[row] !== whole.count[row] ||
      before.time.exact(row) + after.time.exact(row) !== whole.time.exact(row),
  );
  expect(rowsThatDiffer, where).toEqual([]);
}

/** The rows of the table add up to the self values, but for samples without a time. */
function expectComplete({ samples, selfValues }: LeanProfile, where: string): void {
  const whole = new ValuesInRange();
  whole.update(samples!, selfValues, { from: undefined, to: undefined });
  const { count, time } = selfValues;
  const rowsThatDiffer = rowsOf(selfValues.length).filter(
    (row) =>
      whole.count[row] > count[row] ||
      (whole.count[row] === count[row] && whole.time.exact(row) !== time.exact(row)),
  );
  expect(rowsThatDiffer, where).toEqual([]);
  expect(
    whole.count.subarray(0, whole.length).reduce((sum, each) => sum + each, 0),
    where,
  ).toBe(samples!.length);
}

function rowsOf(length: number): number[] {
  return Array.from({ length }, (_, row) => row);
}

function read(bytes: Uint8Array): LeanProfile {
  return readLog(bytes, 1 << 20, { samples: true }).profile;
}

function isIn({ at }: ModelSample, { from, to }: TimeBounds): boolean {
  return at !== undefined && (from === undefined || at >= from) && (to === undefined || at < to);
}

/** One line a sample. Nodes have other numbers after a provisional sample, so stacks are written out. */
function tableOf({ samples, selfValues, nodes, frames, methods }: LeanProfile): readonly string[] {
  return Array.from({ length: samples!.length }, (_, row) => {
    const stack: string[] = [];
    let node = selfValues.node[samples!.self[row]];
    for (; !nodes.isRoot(node); node = nodes.parent[node]) {
      const frame = nodes.frame[node];
      const method = frames.method[frame];
      stack.push([methods.idHi[method], methods.idLo[method], frames.line[frame], frames.bci[frame]].join());
    }
    return `${samples!.timeOf(row)} ${~nodes.frame[node]} ${stack.join(';')} ${samples!.value.exact(row)}`;
  });
}

function timelineOf({ samples }: LeanProfile, bounds: TimeBounds, buckets: number): string {
  return collectText((sink) => exportTimeline(samples!, { bounds, buckets, isOutside: undefined }, sink));
}

/** Each sample is in the last part that begins at its time or before. */
function timelineOfModel({ samples }: Model, bounds: TimeBounds, buckets: number): string {
  const timed = samples.filter(({ at }) => at !== undefined);
  const times = timed.map(({ at }) => at!);
  const from = bounds.from ?? times.reduce((a, b) => (b < a ? b : a));
  const to = bounds.to ?? times.reduce((a, b) => (b > a ? b : a)) + 1n;
  const width = to > from ? to - from : 0n;
  const parts = Array.from({ length: buckets }, (_, part) => ({
    start: from + (width * BigInt(part)) / BigInt(buckets),
    count: 0,
    value: 0n,
  }));
  for (const { at, ns } of timed) {
    if (at! < from || at! >= to) continue;
    const part = parts.findLast(({ start }) => start <= at!)!;
    part.count++;
    part.value += ns;
  }
  return parts.map(({ start, count, value }) => `${start}\t${count}\t${value}\n`).join('');
}
