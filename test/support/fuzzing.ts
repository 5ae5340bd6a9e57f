import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Where inputs that broke a law are kept, a folder per format; the tests read all of them. */
export const CASES = 'test/cases';

const LONGEST_INPUT = 1 << 16;
const LONGEST_SECONDS = 60;

/**
 * A watchdog thread: saves the input and ends the process when reading the input does not end. A separate thread,
 * because the reader blocks the main one.
 */
const WATCH = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  const { workerData: { state, input, folder } } = require('node:worker_threads');
  let last = 0;
  let seconds = 0;
  setInterval(() => {
    seconds = state[0] === last ? seconds + 1 : 0;
    last = state[0];
    if (last === 0 || seconds < ${LONGEST_SECONDS}) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(folder + '/hangs-' + Date.now(), input.slice(0, state[1]));
    process.kill(process.pid, 'SIGKILL');
  }, 1000);
`;

export interface Fuzzing {
  /** Mutants to be read. */
  readonly count: number;
  /** Tells the watching thread which input is read next. */
  begin(input: Uint8Array): void;
  /** Ends the watch. */
  end(): void;
  /** Keeps an input that broke a law. */
  keep(input: Uint8Array, mutant: number): void;
}

/** What `npm run fuzz` asks for; undefined in `npm test`. */
export function fuzzing(format: string, seed: number): Fuzzing | undefined {
  const count = process.env.FUZZ_COUNT;
  if (count === undefined) return undefined;
  const folder = join(CASES, format);
  /** How many inputs have been begun, and the length of the latest. */
  const state = new Int32Array(new SharedArrayBuffer(8));
  const current = new Uint8Array(new SharedArrayBuffer(LONGEST_INPUT));
  let watch: Worker | undefined;
  return {
    count: Number(count),
    begin: (input) => {
      watch ??= new Worker(WATCH, { eval: true, workerData: { state, input: current, folder } });
      current.set(input);
      state[1] = input.length;
      Atomics.add(state, 0, 1);
    },
    end: () => void watch?.terminate(),
    keep: (input, mutant) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${seed}-${mutant}`), input);
    },
  };
}
