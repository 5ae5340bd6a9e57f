import { expect, test } from 'vitest';
import { joined } from '../../shared/bytes/joined.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/formats/choice.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import { checkProfile } from '../../shared/profile/check-profile.ts';
import { leanOf } from './profile-tables.ts';
import { decodeInput, type ReadInput } from './read-input.ts';
import type { SeededRandom } from './seeded-random.ts';
import { testSeed } from './test-seed.ts';

export interface LawfulInputs {
  readonly format: ProfileFormat;
  /**
   * Small inputs, 200 to 2 000 bytes each, that between them use everything the format knows: prefixes and mutants are
   * made of them, 100 000 in a few seconds.
   */
  readonly small: readonly Uint8Array[];
  /** Any size, for the chunking law; `small` besides. */
  readonly large?: readonly Uint8Array[];
  /** Settings under which the laws are tested, too. */
  readonly chosen?: readonly Chosen[];
}

const MUTANTS = 100_000;
/** A decoder that needs longer for so few bytes hangs, or nearly so. */
const MOST_MS = 1_000;

/**
 * The laws of every decoder, as tests: any chunking gives the same profile; every prefix and 100 000 mutants are read
 * without an uncaught error, without hanging, with whole tables and every byte accounted for.
 */
export function testFormatLaws({ format, chosen = [NOTHING_CHOSEN], ...inputs }: LawfulInputs): void {
  // Of a Buffer, `slice` would be a window into it.
  const small = inputs.small.map((input) => new Uint8Array(input));
  const large = (inputs.large ?? []).map((input) => new Uint8Array(input));
  const { randomFor } = testSeed(`${format.id} laws`);
  const createDecoder: ProfileFormat['createDecoder'] = (sink, given) => format.createDecoder(sink, given);

  test(`${format.id}: the seeds are recognised and hold samples`, () => {
    let samples = 0;
    for (const input of small) {
      expect(format.recognise(input.subarray(0, 4096)).verdict).toBe('is');
      samples += readAnything({ createDecoder }, input, chosen[0], 'seed').aggregator.sampleCount;
    }
    expect(samples).toBeGreaterThan(0);
  });

  test(`${format.id}: any chunking gives the same profile`, () => {
    for (const [at, input] of [...small, ...large].entries()) {
      for (const choice of chosen) {
        const whole = described(readAnything({ createDecoder }, input, choice, `input ${at}`));
        const chunkSizes = input.length < 5_000 ? [1, 2, 7, 64] : [977, 65_536];
        for (const size of chunkSizes)
          expect(described(decodeInput({ createDecoder }, input, choice, size))).toEqual(whole);
        const random = randomFor(at);
        for (let turn = 0; turn < 10; turn++)
          expect(described(inRandomPieces({ createDecoder }, input, choice, random))).toEqual(whole);
      }
    }
  });

  test(`${format.id}: every prefix`, () => {
    for (const input of small)
      for (let length = 0; length <= input.length; length++)
        readAnything({ createDecoder }, input.subarray(0, length), chosen[0], `first ${length} bytes`);
  });

  test(`${format.id}: ${MUTANTS} mutants`, { timeout: 300_000 }, () => {
    let different = 0;
    const originals = small.map((input) => described(decodeInput({ createDecoder }, input, chosen[0])));
    for (let mutant = 0; mutant < MUTANTS; mutant++) {
      const random = randomFor(1000 + mutant);
      const seed = random.below(small.length);
      const input = mutated(small[seed], random);
      const choice = chosen[mutant % chosen.length];
      const read = readAnything({ createDecoder }, input, choice, `mutant ${mutant}`);
      if (mutant % 100 === 0) {
        const problems = checkProfile(read.profile);
        if (problems.length > 0) throw new Error(`mutant ${mutant}: ${problems.join('; ')}`);
        if (choice === chosen[0] && JSON.stringify(described(read)) !== JSON.stringify(originals[seed]))
          different++;
      }
    }
    // Mutants that all read like their original would prove nothing.
    expect(different).toBeGreaterThan(50);
  });
}

/** What must hold whatever the bytes say. */
function readAnything(
  format: Pick<ProfileFormat, 'createDecoder'>,
  input: Uint8Array,
  chosen: Chosen,
  where: string,
): ReadInput {
  const startedAt = performance.now();
  const read = decodeInput(format, input, chosen);
  const { accepted, skipped, pending } = read.decoder.bytes;
  if (accepted + skipped + pending !== input.length || Math.min(accepted, skipped, pending) < 0)
    throw new Error(`${where}: ${accepted} + ${skipped} + ${pending} is not ${input.length}`);
  read.decoder.facts();
  const ms = performance.now() - startedAt;
  if (ms > MOST_MS) throw new Error(`${where}: took ${ms} ms`);
  return read;
}

function inRandomPieces(
  { createDecoder }: Pick<ProfileFormat, 'createDecoder'>,
  input: Uint8Array,
  chosen: Chosen,
  random: SeededRandom,
): ReadInput {
  const aggregator = new ProfileAggregator();
  const decoder = createDecoder(aggregator, chosen);
  for (let at = 0; at < input.length;) {
    const end = Math.min(input.length, at + 1 + random.below(1 + (input.length >> 2)));
    // A copy that is overwritten afterwards: a decoder that keeps what it was lent is found out.
    const piece = input.slice(at, end);
    decoder.append(piece);
    piece.fill(0xee);
    if (random.below(4) === 0) decoder.settle(false);
    at = end;
  }
  decoder.settle(true);
  return { profile: aggregator.profile, aggregator, decoder };
}

function described({ profile, decoder }: ReadInput): unknown {
  const { bytes, damage, records } = decoder;
  return { lean: leanOf(profile), bytes, damage, records };
}

function mutated(original: Uint8Array, random: SeededRandom): Uint8Array {
  let input = original.slice();
  for (let changes = 1 + random.below(4); changes > 0 && input.length > 0; changes--) {
    const at = random.below(input.length);
    const length = 1 + random.below(Math.min(40, input.length - at));
    switch (random.below(7)) {
      case 0:
        input[at] ^= 1 << random.below(8);
        break;
      case 1:
        input[at] = random.below(256);
        break;
      case 2:
        // A hostile number where four bytes were something else.
        new DataView(input.buffer).setInt32(
          Math.min(at, Math.max(0, input.length - 4)),
          random.pick([0x7fffffff, -0x80000000, -1, 0, 0x40000000]),
        );
        break;
      case 3:
        input.fill(random.pick([0, 0xff, 0x30, 0x20]), at, at + length);
        break;
      case 4:
        input = joined(input.subarray(0, at), input.subarray(at + length));
        break;
      case 5:
        input = joined(input.subarray(0, at + length), input.subarray(at));
        break;
      default: {
        const from = random.below(original.length);
        input.set(
          original.subarray(from, from + Math.min(length, original.length - from, input.length - at)),
          at,
        );
      }
    }
    if (input.length < 4) return original.slice(0, input.length);
  }
  return input;
}
