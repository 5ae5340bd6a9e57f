import { closeSync, openSync, writeSync } from 'node:fs';
import { SeededRandom } from '../seeded-random.ts';
import { JfrChunk, type WrittenFrame } from './jfr-chunk.ts';

/** As large as a JVM lets a chunk become. */
const CHUNK_BYTES = 12e6;
const THREADS = 64;
const METHODS = 3_000;
/** Threads of one group have similar names and run the same stacks. */
const GROUPS = 8;
const STACKS = 500;
const BRANCHES = 40;
const TICKS_PER_SAMPLE = 300_000;

/**
 * A recording of at least `bytes` bytes: a server with a few thousand recurring stacks, as JDK Flight Recorder writes
 * it. Of ten events seven are execution samples, one is an allocation, and two have types that Leanscope ignores;
 * constants are a sixth of the file. Ends below 400 000 call nodes at any size.
 */
export function writeRecording(path: string, bytes: number, seed = 1): void {
  const random = new SeededRandom(seed);
  const groups = Array.from({ length: GROUPS }, () => randomStacks(random));
  const file = openSync(path, 'w');
  try {
    for (let written = 0; written < bytes;) {
      const chunk = randomChunk(random, groups, Math.min(CHUNK_BYTES, bytes - written));
      writeSync(file, chunk);
      written += chunk.length;
    }
  } finally {
    closeSync(file);
  }
}

/** Methods of a stack, innermost first. */
type Stack = readonly number[];

/** Stacks of a few outer parts each, which differ in their inner frames. */
function randomStacks(random: SeededRandom): Stack[] {
  const frames = (count: number): number[] => Array.from({ length: count }, () => random.below(METHODS));
  const branches = Array.from({ length: BRANCHES }, () => frames(15 + random.below(50)));
  return Array.from({ length: STACKS }, () => [...frames(1 + random.below(12)), ...random.pick(branches)]);
}

function randomChunk(random: SeededRandom, groups: readonly Stack[][], bytes: number): Uint8Array {
  const chunk = new JfrChunk([
    'jdk.ExecutionSample',
    'jdk.ObjectAllocationSample',
    'jdk.ThreadAllocationStatistics',
  ]);
  const threads = Array.from({ length: THREADS }, (_, at) => chunk.thread(`http-${at}`, 20 + at));
  const methods = Array.from({ length: METHODS }, (_, at) =>
    chunk.method(`com/example/shop/part${at % 50}/Service${at % 400}`, `method${at}`),
  );
  const runnable = chunk.state('STATE_RUNNABLE');
  const string = chunk.class('java/lang/String');
  const keys = groups.map((stacks) =>
    stacks.map((stack) => chunk.stack(stack.map((method) => frameOf(methods[method], method)))),
  );
  let ticks = 1_000;
  while (chunk.length < bytes * (5 / 6)) {
    ticks += TICKS_PER_SAMPLE;
    const thread = random.below(THREADS);
    // A few stacks are most samples.
    const stack = keys[thread % GROUPS][Math.floor(random.next() ** 3 * STACKS)];
    const kind = random.below(10);
    if (kind < 7) chunk.event('jdk.ExecutionSample', ticks, threads[thread], stack, runnable);
    else if (kind === 7)
      chunk.event('jdk.ObjectAllocationSample', ticks, threads[thread], stack, string, random.below(1 << 20));
    else chunk.event('jdk.ThreadAllocationStatistics', ticks, random.below(1 << 30));
  }
  return chunk.finish();
}

function frameOf(method: number, number: number): WrittenFrame {
  return { method, line: 10 + ((number * 7) % 900), bci: number % 300, type: 'JIT compiled' };
}
