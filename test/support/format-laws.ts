import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Chosen, NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import type { ProfileFormat } from '../../shared/formats/profile-format.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { checkProfile } from './check-profile.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { printable } from '../../shared/text/printable.ts';
import { collapsedOf } from './collapsed-text.ts';
import { CountingSink } from './counting-sink.ts';
import { CASES, fuzzing } from './fuzzing.ts';
import { mutantOf } from './mutant.ts';
import { leanOf } from './profile-tables.ts';
import { decodeInput, decodeInto, readInput, type ReadInput } from './read-input.ts';
import { sampleLines } from './sample-lines.ts';
import { SeededRandom } from './seeded-random.ts';
import { testSeed } from './test-seed.ts';

export interface LawfulInputs {
  readonly format: ProfileFormat;
  /**
   * Small inputs, 200 to 2 000 bytes each, that between them use everything the format knows: prefixes and mutants are
   * made of them.
   */
  readonly small: readonly Uint8Array[];
  /** Any size, for the chunking law; `small` besides. */
  readonly large?: readonly Uint8Array[];
  /** The decoder goes on as if nothing had happened when more bytes follow the end of the input. */
  readonly resumes?: boolean;
  /** Settings under which the laws are tested, too. */
  readonly chosen?: readonly Chosen[];
  /** Kinds of input of one format, each with its laws, that share its mutants. */
  readonly kinds?: number;
}

type Format = Pick<ProfileFormat, 'createDecoder'>;

/** Of a format in `npm test`, with other mutants each time; `npm run fuzz` tries any number. */
const MUTANTS = 20_000;
/** One mutant in this many is also read into a profile, at once and in pieces. */
const SHARE = 50;
/**
 * Most units of work (see CountingSink) for an input of this many bytes. Mutants have needed 0.3 units per byte; a
 * decoder that trusts a hostile count needs millions.
 */
const mostWork = (bytes: number): number => 1_000 + 10 * bytes;

/**
 * The laws of every decoder, as tests. Any chunking gives the same profile. Every prefix and mutant, and every input
 * that has broken a law before, is read without an error, with bounded work, valid tables and every byte accounted for.
 */
export function testFormatLaws({
  format,
  chosen = [NOTHING_CHOSEN],
  resumes = false,
  kinds = 1,
  ...inputs
}: LawfulInputs): void {
  // Not Buffers, because a Buffer's `slice` is a view and not a copy.
  const small = inputs.small.map((input) => new Uint8Array(input));
  const large = (inputs.large ?? []).map((input) => new Uint8Array(input));
  const { randomFor, seed } = testSeed(`${format.id} laws`);
  const fuzz = fuzzing(format.id);
  const count = fuzz?.count ?? Math.ceil(MUTANTS / kinds);

  test(`${format.id}: ${count} mutants`, { timeout: 0 }, () => {
    const originals = small.map((input) => described(decodeInput(format, input, chosen[0])));
    let different = 0;
    const broken: string[] = [];
    for (let mutant = 0; mutant < count && broken.length < 10; mutant++) {
      const random = randomFor(1000 + mutant);
      const original = random.below(small.length);
      const input = mutantOf(small[original], random);
      const choice = chosen[mutant % chosen.length];
      const name = `${seed}-${mutant}`;
      const read = (): void => {
        expectLawful(format, input, choice);
        if (mutant % SHARE !== 0) return;
        const whole = expectSameProfile(format, input, choice, piecesOf(name));
        if (choice === chosen[0] && JSON.stringify(whole) !== JSON.stringify(originals[original]))
          different++;
      };
      fuzz?.begin(input);
      try {
        withoutStackTraces(read);
      } catch (error) {
        fuzz?.keep(input, name);
        broken.push(`mutant ${mutant} of SEED=${seed}: ${stackOf(read) ?? String(error)}`);
      }
    }
    fuzz?.end();
    expect(broken).toEqual([]);
    // Mutants that all read like their original would prove nothing.
    expect(different).toBeGreaterThanOrEqual(Math.floor(count / 500));
  });
  if (fuzz !== undefined) return;

  test(`${format.id}: the seeds are recognised and hold samples`, () => {
    let samples = 0;
    for (const input of small) {
      expect(format.recognise(input.subarray(0, 4096)).verdict).toBe('is');
      samples += decodeInput(format, input, chosen[0]).aggregator.sampleCount;
    }
    expect(samples).toBeGreaterThan(0);
  });

  test(`${format.id}: collapsed stacks keep the threads`, () => {
    for (const input of small) {
      for (const choice of chosen) {
        const { profile } = decodeInput(format, input, choice);
        const written = collapsedOf(profile, 'name');
        if (written === '') continue;
        const names = samplesOfNames(profile);
        const read = samplesOfNames(readInput(Buffer.from(written)).profile);
        // Stacks of threads without a name.
        if (!names.has('all threads')) read.delete('all threads');
        expect(read).toEqual(names);
      }
    }
  });

  test(`${format.id}: any chunking gives the same profile`, () => {
    for (const [at, input] of [...small, ...large].entries()) {
      for (const choice of chosen) {
        const whole = described(decodeInput(format, input, choice));
        const timed = decodeInput(format, input, choice, undefined, true);
        const [withTimes, withoutTimes] = [describedWithTimes(timed), described(timed)];
        const chunkSizes = input.length < 5_000 ? [1, 2, 7, 64] : [977, 65_536];
        for (const size of chunkSizes)
          expect(described(decodeInput(format, input, choice, size))).toEqual(whole);
        const random = randomFor(at);
        for (let turn = 0; turn < 10; turn++) {
          const read = inRandomPieces(format, input, choice, random, resumes);
          if (turn < turnsWithTimes(input)) expect(describedWithTimes(read)).toEqual(withTimes);
          else expect(described(read)).toEqual(withoutTimes);
        }
      }
    }
  });

  test(`${format.id}: every prefix`, () => {
    for (const input of small) {
      for (let length = 0; length <= input.length; length++) {
        const prefix = input.subarray(0, length);
        expectLawful(format, prefix, chosen[0]);
        if (length % 10 === 0) expectSameProfile(format, prefix, chosen[0], randomFor(length));
      }
    }
  });

  test(`${format.id}: inputs that broke a law before`, () => {
    expectKeptLawful(format, `${CASES}/${format.id}`, chosen);
  });
}

/** Libraries make an error for each mistake in a mutant. Its stack trace would take as long as reading a hundred bytes. */
function withoutStackTraces(read: () => void): void {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    read();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** The stack trace of the error of `read`; undefined if there is none. */
function stackOf(read: () => void): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as Error).stack;
  }
}

/** Bytes of the chunks in which a kept input is read. */
const KEPT_CHUNKS = [1, 7, 64, 977];

/**
 * Reads each input of a folder in the pieces in which it broke a law, and in chunks of fixed sizes. Every call reads them in
 * the same way.
 */
export function expectKeptLawful(format: Format, folder: string, chosen: readonly Chosen[]): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const input = new Uint8Array(readFileSync(`${folder}/${name}`));
    for (const choice of chosen) {
      expectLawful(format, input, choice);
      const whole = expectSameProfile(format, input, choice, piecesOf(name));
      for (const size of KEPT_CHUNKS)
        expect(described(decodeInput(format, input, choice, size))).toEqual(whole);
    }
  }
}

/** The pieces in which an input is read follow from its name, so that a kept input is read in the same ones again. */
function piecesOf(name: string): SeededRandom {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  return new SeededRandom(hash);
}

/** Reads the input without storing samples: no error, bounded work, every byte accounted for. */
function expectLawful({ createDecoder }: Format, input: Uint8Array, chosen: Chosen): void {
  const sink = new CountingSink(mostWork(input.length));
  const decoder = createDecoder(sink, chosen);
  decoder.append(input);
  decoder.emitOpen(true);
  const { accepted, skipped, pending } = decoder.bytes;
  if (accepted + skipped + pending !== input.length || Math.min(accepted, skipped, pending) < 0)
    throw new Error(`${accepted} + ${skipped} + ${pending} is not ${input.length}`);
  if (decoder.records > input.length) throw new Error(`${decoder.records} records in ${input.length} bytes`);
  decoder.facts();
}

/**
 * Reads the input into a profile, at once and in pieces: valid tables, and both the same. Returns a description of it.
 */
function expectSameProfile(format: Format, input: Uint8Array, chosen: Chosen, random: SeededRandom): unknown {
  const read = decodeInput(format, input, chosen);
  const problems = checkProfile(read.profile);
  if (problems.length > 0) throw new Error(problems.join('; '));
  const whole = described(read);
  const timed = expectSameWithTimes(format, input, chosen, leanOf(read.profile));
  expect(describedWithTimes(inRandomPieces(format, input, chosen, random))).toEqual(timed);
  return whole;
}

/**
 * The table of samples changes nothing else, and has each sample once if the format says that it knows their times.
 * Returns its description.
 */
function expectSameWithTimes(format: Format, input: Uint8Array, chosen: Chosen, lean: string): unknown {
  const aggregator = new TimedAggregator();
  const read = decodeInto(aggregator, format, input, chosen);
  const { profile, decoder } = read;
  const described = describedWithTimes(read);
  expect(leanOf(profile)).toBe(lean);
  const { samples, selfValues } = profile;
  if (samples === undefined || !decoder.facts().hasSampleTimes) return described;
  const [count, value] = [new Map<number, number>(), new Map<number, bigint>()];
  for (let row = 0; row < samples.length; row++) {
    const { self, valueSelf = self } = samples;
    count.set(self[row], (count.get(self[row]) ?? 0) + 1);
    value.set(valueSelf[row], (value.get(valueSelf[row]) ?? 0n) + samples.value.exact(row));
  }
  // Compared first: an expectation for each row takes longer than reading the mutant.
  for (const [self, counted] of count)
    if (!(counted <= selfValues.count[self])) expect(counted).toBeLessThanOrEqual(selfValues.count[self]);
  // Samples before the first valid time are not in the table, and neither are values without a sample.
  const isComplete =
    !aggregator.hasOtherValues && samples.length === selfValues.count.reduce((sum, each) => sum + each, 0);
  for (const [self, sum] of value)
    if (isComplete && sum !== selfValues.time.exact(self)) expect(sum).toBe(selfValues.time.exact(self));
  return described;
}

class TimedAggregator extends ProfileAggregator {
  /** Values were added without a sample. */
  hasOtherValues = false;

  constructor() {
    super({ samples: true });
  }

  override samplesAt(node: number, count: number, value: number | bigint): void {
    this.hasOtherValues ||= count === 0 && BigInt(value) !== 0n;
    super.samplesAt(node, count, value);
  }
}

/** Name of a thread, as collapsed stacks can hold it -> its samples. */
function samplesOfNames({ threads, nodes, selfValues }: LeanProfile): Map<string, number> {
  const samples = new Map<string, number>();
  for (let self = 0; self < selfValues.length; self++) {
    let node = selfValues.node[self];
    while (!nodes.isRoot(node)) node = nodes.parent[node];
    const name = printable(threads.name[~nodes.frame[node]] ?? '').replaceAll(';', ':');
    const count = selfValues.count[self];
    if (name !== '' && count > 0) samples.set(name, (samples.get(name) ?? 0) + count);
  }
  return samples;
}

/** With the time of each sample. `resumes`: see LawfulInputs. */
function inRandomPieces(
  { createDecoder }: Format,
  input: Uint8Array,
  chosen: Chosen,
  random: SeededRandom,
  resumes = false,
): ReadInput {
  const aggregator = new ProfileAggregator({ samples: true });
  const decoder = createDecoder(aggregator, chosen);
  for (let at = 0; at < input.length;) {
    const end = Math.min(input.length, at + 1 + random.below(1 + (input.length >> 2)));
    // A copy that is overwritten afterwards, to detect a decoder that keeps borrowed bytes.
    const piece = input.slice(at, end);
    decoder.append(piece);
    piece.fill(0xee);
    if (random.below(4) === 0) decoder.emitOpen(resumes);
    at = end;
  }
  decoder.emitOpen(true);
  return { profile: aggregator.profile, aggregator, decoder };
}

/** Random readings of an input of which the times are compared: all of a small one. */
const turnsWithTimes = ({ length }: Uint8Array): number => (length < 5_000 ? 10 : 1);

function describedWithTimes(read: ReadInput): unknown {
  const isKnown = read.decoder.facts().hasSampleTimes;
  return { ...described(read), isKnown, samples: sampleLines(read.profile) };
}

function described({ profile, decoder }: ReadInput): object {
  const { bytes, damage, records } = decoder;
  const { choices, skips, notes } = decoder.facts();
  return { lean: leanOf(profile), bytes, damage, records, choices, skips, notes };
}
