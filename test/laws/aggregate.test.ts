import { describe, expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { writeFlat } from '../../shared/export/flat.ts';
import { writeTree } from '../../shared/export/tree.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { checkProfile } from '../support/check-profile.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { KEEP_ALL } from '../../shared/engine/views/filter.ts';
import { type Bytes, frame, log, trace, traceStart } from '../support/log-bytes.ts';
import { leanOf, profileTables } from '../support/profile-tables.ts';
import { randomLog, randomPieces } from '../support/random-log.ts';
import { goldenLog, readLog } from '../support/read-log.ts';
import { leanTextOf, readModel } from '../support/reference-model.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('aggregate');

test('B27: 400 logs that nobody recorded read as the specification says', () => {
  for (let scenario = 0; scenario < 400; scenario++) {
    const random = randomFor(scenario);
    const bytes = randomLog(random, {
      traces: 1 + random.below(60),
      maxDepth: random.pick([3, 12, 200]),
      methods: random.pick([2, 12, 60]),
      holes: random.next() < 0.3,
    });
    const { profile, decoder } = readLog(bytes);
    const where = `SEED=${seed} scenario ${scenario}`;
    expect(decoder.damage, where).toBeUndefined();
    expect(decoder.bytes.accepted + decoder.bytes.skipped + decoder.bytes.pending, where).toBe(bytes.length);
    expect(leanOf(profile), where).toBe(leanTextOf(readModel(bytes)));
    expect(checkProfile(profile), where).toEqual([]);
  }
});

describe('B26: any chunking gives the same profile', () => {
  test('200 random logs in random pieces', () => {
    for (let scenario = 0; scenario < 200; scenario++) {
      const random = randomFor(1_000 + scenario);
      const bytes = randomLog(random, { traces: 1 + random.below(30), holes: true });
      expect(
        profileTables(inPieces(randomPieces(random, bytes))),
        `SEED=${seed} scenario ${scenario}`,
      ).toEqual(profileTables(readLog(bytes).profile));
    }
  });

  test('the beginning of a recorded log cut in two at every byte', () => {
    const whole = goldenLog('threads');
    const bytes = whole.subarray(0, testSize(2_000, 26_000));
    const { decoder, profile } = readLog(bytes);
    expect(kindsIn(decoder)).toEqual(kindsIn(readLog(whole).decoder));
    const expected = JSON.stringify(fingerprint(profile));
    const wrong: number[] = [];
    for (let cut = 1; cut < bytes.length; cut++) {
      const pieces = inPieces([bytes.subarray(0, cut), bytes.subarray(cut)]);
      if (JSON.stringify(fingerprint(pieces)) !== expected) wrong.push(cut);
    }
    expect(wrong).toEqual([]);
  });

  test.each(['threads', 'classchurn', 'server-small'])('%s in random pieces', (name) => {
    const bytes = goldenLog(name);
    const expected = profileTables(readLog(bytes).profile);
    // Pieces of a byte or two are for the small logs above.
    for (const [scenario, most] of [64, 977, 65_536, bytes.length].entries()) {
      const pieces = randomPieces(randomFor(scenario), bytes, most);
      expect(profileTables(inPieces(pieces)), `SEED=${seed}`).toEqual(expected);
    }
  });
});

test('live equals batch: pauses in between change nothing', () => {
  for (let scenario = 0; scenario < testSize(150, 3_000); scenario++) {
    const random = randomFor(2_000 + scenario);
    const bytes = randomLog(random, { traces: 1 + random.below(40) });
    const aggregator = new ProfileAggregator({ journal: random.next() < 0.5 });
    const decoder = new HonestLogDecoder(aggregator);
    for (const piece of randomPieces(random, bytes)) {
      decoder.append(piece);
      while (random.next() < 0.4) decoder.emitOpen(random.next() < 0.5);
    }
    decoder.emitOpen(true);
    const batch = readLog(bytes);
    const where = `SEED=${seed} scenario ${scenario}`;
    expect(leanOf(aggregator.profile), where).toBe(leanOf(batch.profile));
    expect(viewsOf(aggregator.profile), where).toEqual(viewsOf(batch.profile));
    expect(aggregator.sampleCount, where).toBe(batch.aggregator.sampleCount);
    expect(checkProfile(aggregator.profile), where).toEqual([]);
  }
});

test('a trace counts in a pause only when its stack is complete', () => {
  const whole = log(trace(1, 10, frame(7, 1, 2), frame(8, 3, 4)), trace(1, 11, frame(7, 1, 2)));
  const aggregator = new ProfileAggregator();
  const decoder = new HonestLogDecoder(aggregator);
  const counted: string[] = [];
  let before = 0;
  for (const end of [29, 29 + 17, 29 + 34, 29 + 34 + 28, 29 + 34 + 29, whole.length]) {
    decoder.append(whole.subarray(before, end));
    before = end;
    decoder.emitOpen(false);
    counted.push(`${end} bytes: ${aggregator.sampleCount}`);
  }
  expect(counted).toEqual([
    '29 bytes: 0',
    '46 bytes: 0',
    '63 bytes: 1',
    '91 bytes: 1',
    '92 bytes: 1',
    '109 bytes: 2',
  ]);
});

test('B15: a stack of 100 000 frames, and a caller with 5 000 callees', () => {
  const frames = (count: number, of: (at: number) => Bytes): Bytes[] =>
    Array.from({ length: count / 1_000 }, (_, block) =>
      log(...Array.from({ length: 1_000 }, (_, at) => of(block * 1_000 + at))),
    );
  const chain = frames(100_000, (at) => frame(at % 300, at % 7, at % 11));
  const fan = frames(5_000, (at) => trace(1, 20 + at, frame(at, 1, 1), frame(9, 9, 9)));
  const bytes = log(traceStart(100_000, 1, 10), ...chain, ...fan, ...fan);
  const { profile, aggregator } = readLog(bytes);
  expect(aggregator.deepestStack).toBe(100_000);
  expect(aggregator.sampleCount).toBe(10_001);
  expect(leanOf(profile)).toBe(leanTextOf(readModel(bytes)));
  expect(viewsOf(profile).tree.split('\n').length).toBe(100_000 + 5_000 + 1 + 1 + 1);
});

/** Which kinds of records were read. */
function kindsIn({ counts }: HonestLogDecoder): readonly string[] {
  return Object.entries(counts).flatMap(([kind, count]) => (Number(count) > 0 ? [kind] : []));
}

function inPieces(pieces: Iterable<Uint8Array>): LeanProfile {
  const aggregator = new ProfileAggregator();
  const decoder = new HonestLogDecoder(aggregator);
  for (const piece of pieces) decoder.append(piece);
  decoder.emitOpen(true);
  return aggregator.profile;
}

/** Cheap enough for 26 000 profiles. */
function fingerprint({ nodes, selfValues, frames, methods, threads }: LeanProfile): unknown {
  const hash = (column: ArrayLike<number>, length: number): number => {
    let value = length;
    for (let row = 0; row < length; row++) value = (Math.imul(value, 31) + column[row]) | 0;
    return value;
  };
  return [
    hash(nodes.parent, nodes.length),
    hash(nodes.frame, nodes.length),
    hash(selfValues.node, selfValues.length),
    hash(selfValues.count, selfValues.length),
    hash(selfValues.time.ns, selfValues.length),
    hash(frames.method, frames.length),
    hash(frames.line, frames.length),
    hash(frames.bci, frames.length),
    hash(methods.idLo, methods.length),
    methods.names.map((names) => (names === undefined ? '' : names.className + names.methodName)).join(),
    threads.name.join(),
  ];
}

function viewsOf(profile: LeanProfile): { readonly flat: string; readonly tree: string } {
  return {
    flat: collectText((sink) =>
      writeFlat({ profile, frames: 'line', recursion: 'once', filter: KEEP_ALL }, sink),
    ),
    tree: collectText((sink) =>
      writeTree({ profile, threads: 'name', frames: 'fqmn', filter: KEEP_ALL }, sink),
    ),
  };
}
