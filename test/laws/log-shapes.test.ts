import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { applyDelta } from '../../shared/delta/apply-delta.ts';
import { decodeDelta, encodeDelta } from '../../shared/delta/delta-codec.ts';
import { makeDelta } from '../../shared/delta/make-delta.ts';
import { NOTHING } from '../../shared/delta/profile-delta.ts';
import { writeLean } from '../../shared/export/lean.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { checkProfile } from '../support/check-profile.ts';
import { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { LogShapeName } from '../bench/row.ts';
import { logOf, writeLog } from '../support/log-writer/write-log.ts';
import { leanOf, profileTables } from '../support/profile-tables.ts';
import { randomPieces } from '../support/random-log.ts';
import { readLog, type ReadLog } from '../support/read-log.ts';
import { leanTextOf, readModel } from '../support/reference-model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('log shapes');

/** Small enough for a test, large enough for what the shape promises. */
const SIZES: Readonly<Record<LogShapeName, number>> = {
  real: 1,
  skewed: 4_000_000,
  hostile: 4_000_000,
  deep: 4_000_000,
  bottomless: 18_000_000,
  threads: 4_000_000,
  methods: 4_000_000,
};
const SHAPES = Object.keys(SIZES) as LogShapeName[];

/** What the shapes promise, said of a log that was read. */
const PROMISES: Readonly<Record<LogShapeName, (log: ReadLog) => void>> = {
  real: ({ profile }) => expect(profile.nodes.length).toBeGreaterThan(600_000),
  skewed: ({ profile, decoder, aggregator }) => {
    expect(profile.nodes.length).toBeLessThan(200_000);
    const depth = decoder.counts.frameRecords / (aggregator.sampleCount - errorsIn(decoder));
    expect(depth).toBeGreaterThan(40);
    expect(depth).toBeLessThan(60);
    expect(profile.threads.name.slice(0, profile.threads.length)).toContain('http-nio-8080-exec-1');
    expect(errorsIn(decoder) / aggregator.sampleCount).toBeCloseTo(0.02, 1);
  },
  // Only a frame or two below the roots are ever met again.
  hostile: ({ profile, decoder }) =>
    expect(profile.nodes.length / decoder.counts.frameRecords).toBeGreaterThan(0.95),
  deep: ({ decoder, aggregator }) => {
    expect(aggregator.deepestStack).toBe(1_500);
    expect(decoder.counts.frameRecords).toBe(1_500 * aggregator.sampleCount);
  },
  bottomless: ({ profile, aggregator }) => {
    expect(aggregator.deepestStack).toBe(1_000_000);
    expect(profile.nodes.length).toBeLessThan(1_200_000);
  },
  threads: ({ profile }) => {
    expect(profile.threads.length).toBe(10_000);
    expect(new Set(profile.threads.name.slice(0, 10_000)).size).toBe(10_000);
  },
  methods: ({ profile, decoder }) => {
    expect(decoder.counts.signedMethods).toBe(100_000);
    expect(new Set(profile.methods.names.map((names) => names && nameOf(names))).size).toBeGreaterThan(
      100_000,
    );
  },
};

describe.each(SHAPES)('%s', (shape) => {
  let bytes: Uint8Array;
  let log: ReadLog;
  beforeAll(() => {
    bytes = logOf(shape, SIZES[shape]);
    log = readLog(bytes);
  });

  test('decodes to its end, keeps every invariant and what it promises', () => {
    expect(log.decoder.damage).toBeUndefined();
    expect(log.decoder.bytes).toEqual({ accepted: bytes.length, skipped: 0, pending: 0 });
    expect(bytes.length).toBeGreaterThanOrEqual(SIZES[shape]);
    expect(sumOfSelves(log.profile)).toBe(log.decoder.counts.traceStarts);
    expect(checkProfile(log.profile)).toEqual([]);
    PROMISES[shape](log);
  });

  test('live equals batch, and a copy that is grown by deltas equals both', () => {
    const aggregator = new ProfileAggregator({ journal: true });
    const decoder = new HonestLogDecoder(aggregator);
    const copy = new LeanProfile();
    let cursor = NOTHING;
    const random = randomFor(SHAPES.indexOf(shape));
    for (const piece of randomPieces(random, bytes, Math.ceil(bytes.length / 10))) {
      decoder.append(piece);
      decoder.emitOpen(random.next() < 0.5);
      for (let complete = false; !complete;) {
        const delta = makeDelta({ profile: aggregator.profile, journal: aggregator.journal! }, 1, cursor);
        applyDelta(copy, decodeDelta(encodeDelta(delta, 0), 0));
        ({ to: cursor, complete } = delta);
      }
    }
    decoder.emitOpen(true);
    const last = makeDelta({ profile: aggregator.profile, journal: aggregator.journal! }, 1, cursor);
    expect(last.complete).toBe(true);
    applyDelta(copy, last);
    expect(leanHash(aggregator.profile), `SEED=${seed}`).toBe(leanHash(log.profile));
    // Millions of numbers: a matcher that looks for differences one by one takes minutes.
    const areEqual = isDeepStrictEqual(profileTables(copy), profileTables(aggregator.profile));
    expect(areEqual, `SEED=${seed}`).toBe(true);
  });
});

test.each(['skewed', 'hostile', 'deep', 'threads'] as const)(
  '%s reads as the specification says',
  (shape) => {
    const bytes = logOf(shape, 300_000, seed);
    expect(leanOf(readLog(bytes).profile), `SEED=${seed}`).toBe(leanTextOf(readModel(bytes)));
  },
);

test('a seed repeats a log, another one does not', () => {
  const [once, again, other] = [1, 1, 2].map((each) => logOf('skewed', 200_000, each));
  expect(Buffer.compare(once, again)).toBe(0);
  expect(Buffer.compare(once, other)).not.toBe(0);
});

test('four times the bytes are four times the nodes where every stack is new, and hardly more where few are', () => {
  const gain = (shape: LogShapeName, bytes: number): number => {
    const [less, more] = [bytes, 4 * bytes].map((size) => readLog(logOf(shape, size)).profile.nodes.length);
    return more / less;
  };
  expect(gain('hostile', 2_500_000)).toBeGreaterThan(3.9);
  expect(gain('skewed', 10_000_000)).toBeLessThan(2);
});

test('what is written to a file is what is made in memory', () => {
  const file = join(temporaryFolder(), 'log.hpl');
  writeLog(file, 'skewed', 6_000_000);
  expect(Buffer.compare(readFileSync(file), logOf('skewed', 6_000_000))).toBe(0);
});

function sumOfSelves({ selfValues }: LeanProfile): number {
  let sum = 0;
  for (let row = 0; row < selfValues.length; row++) sum += selfValues.count[row];
  return sum;
}

function errorsIn({ counts }: HonestLogDecoder): number {
  return [...counts.errorTraces.values()].reduce((sum, traces) => sum + traces, 0);
}

const nameOf = ({ className, methodName }: { className: string; methodName: string }): string =>
  `${className}.${methodName}`;

/** Of a text that may have 50 MB. */
function leanHash(profile: LeanProfile): string {
  const hash = createHash('sha256');
  writeLean({ profile }, (text) => void hash.update(text));
  return hash.digest('hex');
}
