import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { applyDelta, deltaFits } from '../../shared/delta/apply-delta.ts';
import { decodeDelta, encodeDelta } from '../../shared/delta/delta-codec.ts';
import {
  canContinueFrom,
  hasChangesSince,
  type JournaledProfile,
  makeDelta,
} from '../../shared/delta/make-delta.ts';
import { type DeltaCursor, NOTHING, type ProfileDelta } from '../../shared/delta/profile-delta.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { checkProfile } from '../support/check-profile.ts';
import { SampleTable } from '../../shared/profile/sample-table.ts';
import { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { bciFrame, log, method, thread, trace } from '../support/log-bytes.ts';
import { leanOf, profileTables } from '../support/profile-tables.ts';
import { randomLog, randomPieces } from '../support/random-log.ts';
import { goldenLog } from '../support/read-log.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { addWeighedSamples } from '../support/weighed-samples.ts';

const { seed, randomFor } = testSeed('delta');

/** A profile that grows and can be copied. */
class GrowingLog {
  readonly aggregator = new ProfileAggregator({ journal: true, samples: true });
  readonly decoder = new HonestLogDecoder(this.aggregator);

  get source(): JournaledProfile {
    const { profile, journal } = this.aggregator;
    return { profile, journal: journal!, samples: profile.samples };
  }

  /** Contexts come in no order, with texts that are known or new. */
  addContext(random: SeededRandom): void {
    const from = random.below(1_000);
    const { aggregator } = this;
    const attributes = random.next() < 0.5 ? [] : ['traceId', `t${random.below(20)}`];
    const base = BigInt(random.below(3)) * 1_000_000_000n;
    const thread = aggregator.thread(0, random.below(5));
    aggregator.addContext(thread, base, from, from + random.below(100), random.pick(['a', 'b']), attributes);
  }

  append(bytes: Uint8Array): this {
    this.decoder.append(bytes);
    return this;
  }
}

/** A copy that is grown by deltas alone, each of which went through the codec. */
class Copy {
  profile = new LeanProfile(true, new SampleTable());
  cursor: DeltaCursor = NOTHING;
  snapshots = 0;

  take({ source }: GrowingLog, maxNewNodes?: number): ProfileDelta {
    if (!canContinueFrom(source, this.cursor)) this.startOver(this.snapshots % 2 === 0);
    const delta = throughCodec(makeDelta(source, 7, this.cursor, maxNewNodes));
    expect(deltaFits(delta, 7, this.cursor)).toBe(true);
    expect(new Set(delta.changed.row).size).toBe(delta.changed.row.length);
    applyDelta(this.profile, delta);
    this.cursor = delta.to;
    // A copy that has not got everything yet is shown all the same.
    expect(checkProfile(this.profile)).toEqual([]);
    return delta;
  }

  /** Everything is sent once more: to an empty copy, or to what is here. */
  startOver(isEmpty: boolean): void {
    if (isEmpty) this.profile = new LeanProfile(true, new SampleTable());
    this.cursor = NOTHING;
    this.snapshots++;
  }

  catchUp(log: GrowingLog, maxNewNodes?: number): void {
    while (!this.take(log, maxNewNodes).complete);
  }
}

function throughCodec(delta: ProfileDelta): ProfileDelta {
  const decoded = decodeDelta(encodeDelta(delta, 16), 16);
  expect(plain(decoded)).toEqual(plain(delta));
  return decoded;
}

/** Columns by their values, not by the memory that they are views of. */
function plain(delta: ProfileDelta): unknown {
  const values = (columns: Readonly<Record<string, ArrayLike<number>>>): unknown =>
    Object.entries(columns).map(([name, column]) => [name, Array.from(column)]);
  return {
    ...delta,
    threads: values(delta.threads),
    methods: values(delta.methods),
    frames: values(delta.frames),
    nodes: values(delta.nodes),
    reparented: values(delta.reparented),
    selfValues: values(delta.selfValues),
    changed: values(delta.changed),
    samples: delta.samples && {
      ...delta.samples,
      at: [...delta.samples.at],
      self: [...delta.samples.self],
      value: [...delta.samples.value],
      contexts:
        delta.samples.contexts &&
        (JSON.parse(
          JSON.stringify(delta.samples.contexts, (_, value: unknown) =>
            ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
          ),
        ) as unknown),
    },
  };
}

test('copies that come and go at their own pace all equal the profile, bit for bit', () => {
  for (let scenario = 0; scenario < testSize(40, 500); scenario++) {
    const random = randomFor(scenario);
    const bytes = randomLog(random, { traces: 5 + random.below(60), maxDepth: 30, holes: true });
    const growing = new GrowingLog();
    const copies = Array.from({ length: 3 }, () => new Copy());
    const limits = copies.map(() => random.pick([1, 2, 7, 50, undefined]));
    const where = `SEED=${seed} scenario ${scenario}`;
    for (const piece of randomPieces(random, bytes, Math.ceil(bytes.length / 12))) {
      growing.append(piece);
      if (random.next() < 0.3) growing.addContext(random);
      if (random.next() < 0.5) growing.decoder.emitOpen(random.next() < 0.5);
      const at = random.below(copies.length);
      if (random.next() < 0.1) copies[at].startOver(random.next() < 0.2);
      const chance = random.next();
      if (chance < 0.2) {
        copies[at].catchUp(growing, limits[at]);
        expect(profileTables(copies[at].profile), where).toEqual(profileTables(growing.aggregator.profile));
      } else if (chance < 0.5) {
        copies[at].take(growing, limits[at]);
      }
      if (random.next() < 0.05) {
        const { selfValues, methods, threads } = growing.source.journal;
        const needed = selfValues.revision - random.below(3);
        for (const journal of [selfValues, methods, threads]) journal.forgetBefore(needed);
      }
    }
    growing.decoder.emitOpen(true);
    for (const [at, copy] of copies.entries()) {
      copy.catchUp(growing, limits[at]);
      expect(profileTables(copy.profile), where).toEqual(profileTables(growing.aggregator.profile));
      expect(hasChangesSince(growing.source, copy.cursor), where).toBe(false);
    }
  }
});

test('a copy that is sent everything once more has the provisional sample as it is now', () => {
  const growing = new GrowingLog();
  const copy = new Copy();
  const frames = [98, 99].map((method) => bciFrame(method, 0));
  growing.append(log(trace(7, 1, frames[0]), trace(7, 2, ...frames)).subarray(0, -frames[1].length));
  growing.decoder.emitOpen(false);
  copy.catchUp(growing);
  const before = profileTables(copy.profile);
  growing.append(frames[1]);
  growing.decoder.emitOpen(false);
  copy.startOver(false);
  copy.catchUp(growing);
  expect(profileTables(growing.aggregator.profile)).not.toEqual(before);
  expect(profileTables(copy.profile)).toEqual(profileTables(growing.aggregator.profile));
});

test('counts beyond 2^32 and parts of samples reach a copy as they are', () => {
  for (let scenario = 0; scenario < testSize(50, 1_000); scenario++) {
    const random = randomFor(9_000 + scenario);
    const growing = new GrowingLog();
    const copy = new Copy();
    for (let step = 0; step < 6; step++) {
      addWeighedSamples(growing.aggregator, random, 1 + random.below(20));
      copy.catchUp(growing, random.pick([1, 7, undefined]));
      expect(profileTables(copy.profile), `SEED=${seed} scenario ${scenario}`).toEqual(
        profileTables(growing.aggregator.profile),
      );
    }
  }
});

test('a changed node costs 16 bytes, and 20 where a count needs more than four of them', () => {
  const cost = (counts: readonly number[]): number => {
    const growing = new GrowingLog();
    const random = randomFor(9_900);
    addWeighedSamples(growing.aggregator, random, 2_000, [1]);
    const copy = new Copy();
    copy.catchUp(growing);
    const { selfValues } = growing.aggregator.profile;
    for (let self = 0; self < selfValues.length; self++)
      growing.aggregator.samplesAt(selfValues.node[self], counts[self % counts.length], 1);
    const delta = makeDelta(growing.source, 7, copy.cursor);
    const nothing = makeDelta(growing.source, 7, delta.to);
    expect(delta.changed.row.length).toBe(selfValues.length);
    const bytes = encodeDelta(delta, 0).byteLength - encodeDelta(nothing, 0).byteLength;
    return Math.round((bytes / selfValues.length) * 10) / 10;
  };
  expect(cost([1, 1_000_000])).toBe(16);
  expect(cost([1, 2 ** 32])).toBe(20);
  expect(cost([1, 0.5])).toBe(20);
});

test('deltas of a recorded log, each of at most 500 new nodes', () => {
  const bytes = goldenLog('classchurn');
  const growing = new GrowingLog();
  const copy = new Copy();
  let deltas = 0;
  for (let at = 0; at < bytes.length; at += 200_000) {
    growing.append(bytes.subarray(at, at + 200_000)).decoder.emitOpen(false);
    for (let isComplete = false; !isComplete; deltas++) {
      const delta = copy.take(growing, 500);
      expect(delta.nodes.frame.length).toBeLessThanOrEqual(500);
      isComplete = delta.complete;
    }
  }
  growing.decoder.emitOpen(true);
  copy.catchUp(growing);
  expect(deltas).toBeGreaterThan(bytes.length / 200_000 + 2);
  expect(profileTables(copy.profile)).toEqual(profileTables(growing.aggregator.profile));
  expect(leanOf(copy.profile)).toBe(leanOf(growing.aggregator.profile));
});

test('two small deltas say what one large one says', () => {
  for (let scenario = 0; scenario < 50; scenario++) {
    const random = randomFor(5_000 + scenario);
    const growing = new GrowingLog().append(randomLog(random, { traces: 10 }));
    growing.decoder.emitOpen(true);
    const small = new Copy();
    const large = new Copy();
    small.take(growing);
    large.take(growing);
    for (let step = 0; step < 3; step++) {
      growing.append(randomLog(random, { traces: 5 })).decoder.emitOpen(true);
      small.take(growing);
    }
    large.take(growing);
    expect(profileTables(small.profile), `SEED=${seed} scenario ${scenario}`).toEqual(
      profileTables(large.profile),
    );
  }
});

test('a delta holds what is new, and not what there is', () => {
  const growing = new GrowingLog().append(goldenLog('hello'));
  growing.decoder.emitOpen(true);
  const copy = new Copy();
  copy.catchUp(growing);
  const known = copy.cursor;
  growing.append(trace(20458, 1e9, bciFrame(99, 0), bciFrame(98, 0))).decoder.emitOpen(true);
  const delta = copy.take(growing);
  expect(delta.nodes.frame.length).toBe(2);
  expect([...delta.selfValues.node]).toEqual([known.nodes + 1]);
  // The last trace of hello has its time now.
  expect(delta.changed.row.length).toBe(1);
  expect(delta.methodNames).toEqual([]);
});

test('a name that comes late reaches copies that have its method and its thread already', () => {
  const growing = new GrowingLog().append(trace(5, 1, bciFrame(99, 0)));
  growing.decoder.emitOpen(true);
  const copy = new Copy();
  copy.catchUp(growing);
  growing.append(log(method(99, 'Cart.java', 'Lshop/Cart;', 'total'), thread(5, 'main')));
  expect(hasChangesSince(growing.source, copy.cursor)).toBe(true);
  copy.catchUp(growing);
  expect(copy.profile.threads.name).toEqual(['main']);
  expect(copy.profile.methods.names.at(-1)).toEqual({
    file: 'Cart.java',
    className: 'shop.Cart',
    methodName: 'total',
  });
});

test('who is behind what is still kept cannot continue, however little it has', () => {
  const growing = new GrowingLog().append(thread(5, ''));
  const early = new Copy();
  // Threads and methods, no node yet.
  early.catchUp(growing);
  growing.append(log(thread(5, 'main'), trace(5, 1, bciFrame(99, 0)))).decoder.emitOpen(true);
  const late = new Copy();
  late.catchUp(growing);
  const { selfValues, methods, threads } = growing.source.journal;
  for (const journal of [selfValues, methods, threads]) journal.forgetBefore(late.cursor.revision);
  expect(canContinueFrom(growing.source, early.cursor)).toBe(false);
  expect(canContinueFrom(growing.source, late.cursor)).toBe(true);
  expect(canContinueFrom(growing.source, NOTHING)).toBe(true);
  early.catchUp(growing);
  expect(early.snapshots).toBe(1);
  expect(early.profile.threads.name).toEqual(['main']);
});

test('a delta that starts elsewhere does not fit', () => {
  const growing = new GrowingLog().append(trace(5, 1, bciFrame(99, 0)));
  growing.decoder.emitOpen(true);
  const copy = new Copy();
  copy.catchUp(growing);
  const first = copy.cursor;
  growing.append(trace(5, 2, bciFrame(98, 0))).decoder.emitOpen(true);
  const delta = makeDelta(growing.source, 7, first);
  expect(deltaFits(delta, 7, first)).toBe(true);
  expect(deltaFits(delta, 8, first)).toBe(false);
  expect(deltaFits(delta, 7, NOTHING)).toBe(false);
  for (const column of ['revision', 'threads', 'methods', 'frames', 'nodes', 'selfValues'] as const) {
    expect(deltaFits(delta, 7, { ...first, [column]: first[column] + 1 }), column).toBe(false);
  }
});
