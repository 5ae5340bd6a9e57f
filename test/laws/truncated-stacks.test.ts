import { expect, test, vi } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import { HonestLogDecoder } from '../../shared/formats/honest-log/decoder.ts';
import { checkProfile } from '../support/check-profile.ts';
import { log } from '../support/log-bytes.ts';
import { leanOf } from '../support/profile-tables.ts';
import { randomLog, randomPieces } from '../support/random-log.ts';
import { goldenLog } from '../support/read-log.ts';
import { leanTextOf, type Model, modelFrame, readModel } from '../support/reference-model.ts';
import { testSeed } from '../support/test-seed.ts';

const { seed, randomFor } = testSeed('truncated stacks');

const TRUNCATED = modelFrame(-(2n ** 33n), -100, -1);

/** What the log must be with stacks of `depth` frames grouped. */
function grouped(model: Model, depth: number): Model {
  const samples = model.samples.map((sample) =>
    sample.stack.length === depth ? { ...sample, stack: [TRUNCATED, ...sample.stack] } : sample,
  );
  return { ...model, samples };
}

test('stacks of the chosen depth are below (truncated), live and in batch, in any chunks', () => {
  let groupedSamples = 0;
  for (let scenario = 0; scenario < 300; scenario++) {
    const random = randomFor(scenario);
    const depth = 2 + random.below(8);
    const bytes = randomLog(random, { traces: 1 + random.below(60) });
    const aggregator = new ProfileAggregator({ journal: random.next() < 0.5 });
    const decoder = new HonestLogDecoder(aggregator, { cut: String(depth) });
    for (const piece of randomPieces(random, bytes)) {
      decoder.append(piece);
      while (random.next() < 0.4) decoder.emitOpen(random.next() < 0.5);
    }
    decoder.emitOpen(true);
    const where = `SEED=${seed} scenario ${scenario}`;
    const model = readModel(bytes);
    expect(leanOf(aggregator.profile), where).toBe(leanTextOf(grouped(model, depth)));
    expect(checkProfile(aggregator.profile), where).toEqual([]);
    groupedSamples += model.samples.filter(({ stack }) => stack.length === depth).length;
  }
  expect(groupedSamples).toBeGreaterThan(300);
});

test('stacks that the decoder knows from before are grouped like new ones, and found as often', () => {
  const recorded = goldenLog('deeprec');
  const bytes = log(recorded, recorded, recorded);
  const plain = readCounting(bytes, {});
  const found = readCounting(bytes, { cut: '128' });
  expect(found.lean).toBe(leanTextOf(grouped(readModel(bytes), 128)));
  expect(found.known).toBe(plain.known);
  expect(found.known).toBeGreaterThan(1_000);
});

/** `known`: samples whose stacks were found again instead of decoded. */
function readCounting(bytes: Uint8Array, chosen: Chosen): { readonly lean: string; readonly known: number } {
  const aggregator = new ProfileAggregator();
  const sampleAt = vi.spyOn(aggregator, 'sampleAt');
  const decoder = new HonestLogDecoder(aggregator, chosen);
  decoder.append(bytes);
  decoder.emitOpen(true);
  return { lean: leanOf(aggregator.profile), known: sampleAt.mock.calls.length };
}
