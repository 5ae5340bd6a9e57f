import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InputWatch, watchInputs } from './fuzz-watch.mjs';

/** Where inputs that broke a law are kept, a folder per format; the tests read all of them. */
export const CASES = 'test/cases';

const LONGEST_SECONDS = 60;

export interface Fuzzing extends InputWatch {
  /** Mutants to be read. */
  readonly count: number;
  /** Keeps an input that broke a law, under this name. */
  readonly keep: (input: Uint8Array, name: string) => void;
}

/** What `npm run fuzz` asks for; undefined in `npm test`. */
export function fuzzing(format: string, count = process.env.FUZZ_COUNT, cases = CASES): Fuzzing | undefined {
  if (count === undefined) return undefined;
  const folder = join(cases, format);
  return {
    ...watchInputs(folder, LONGEST_SECONDS),
    count: Number(count),
    keep: (input, name) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), input);
    },
  };
}
