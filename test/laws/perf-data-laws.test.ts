import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPerfData } from '../../electron/jvm/perf-data.ts';
import { fuzzing } from '../support/fuzzing.ts';
import { mutantOf } from '../support/mutant.ts';
import { perfDataOf } from '../support/perf-data-writer.ts';
import { testSeed } from '../support/test-seed.ts';

/** In `npm test`, with other mutants each time; `npm run fuzz` tries any number. */
const MUTANTS = 20_000;
/** One mutant in this many is that of a whole file, which takes long to read, and one is also read without a choice. */
const SHARE = 50;
const BEGIN_BYTES = 2_048;
/** Of an entry without a name and a value. */
const ENTRY_BYTES = 20;
const WANTED: ReadonlySet<string> = new Set(['sun.rt.javaCommand', 'java.rt.vmArgs', 'a.text']);

const whole = ['jdk17', 'jdk25'].map(
  (jdk) => new Uint8Array(gunzipSync(readFileSync(`test/golden/jvm/${jdk}.hsperfdata.gz`))),
);
const small = [true, false].map((isLittle) =>
  perfDataOf({ 'a.text': 'h\u00e9y', 'a.number': -7, 'sun.rt.javaCommand': 'Main' }, isLittle),
);
const begun = [...whole.map((file) => file.subarray(0, BEGIN_BYTES)), ...small];

const originals = new Map([...whole, ...begun].map((file) => [file, resultOf(readPerfData(file, WANTED))]));

const { seed, randomFor } = testSeed('perf data laws');
const fuzz = fuzzing('perf-data');
const count = fuzz?.count ?? MUTANTS;

test(`perf-data: ${count} mutants`, { timeout: 0 }, () => {
  const broken: string[] = [];
  let different = 0;
  for (let mutant = 0; mutant < count && broken.length < 10; mutant++) {
    const random = randomFor(mutant);
    const original = random.pick(mutant % SHARE === 0 ? whole : begun);
    const input = mutantOf(original, random);
    fuzz?.begin(input);
    try {
      const isOriginal = resultOf(readPerfData(input, WANTED)) === originals.get(original);
      if (!isOriginal) different++;
      if (mutant % SHARE <= 1) expectLawful(input);
    } catch (error) {
      fuzz?.keep(input, `${seed}-${mutant}`);
      broken.push(`mutant ${mutant} of SEED=${seed}: ${(error as Error).stack}`);
    }
  }
  fuzz?.end();
  expect(broken).toEqual([]);
  expect(different).toBeGreaterThanOrEqual(Math.floor(count / 500));
});

function resultOf(data: ReturnType<typeof readPerfData>): string {
  return JSON.stringify(data instanceof Map ? [...data] : (data ?? null));
}

/** There are no more entries than bytes allow, and what is wanted is what is read without a choice. */
function expectLawful(input: Uint8Array): void {
  const all = readPerfData(input);
  const wanted = readPerfData(input, WANTED);
  if (!(all instanceof Map)) return expect(wanted).toEqual(all);
  expect(all.size).toBeLessThan(input.length / ENTRY_BYTES);
  const entries: readonly (readonly [string, unknown])[] = [...all];
  expect(wanted).toEqual(new Map(entries.filter(([name]) => WANTED.has(name))));
}
