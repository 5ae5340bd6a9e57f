import type { LogShapeName } from '../../bench/row.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { RecordOutput } from './record-output.ts';
import { defineMethod, StackPool, writeFrame, zipf } from './stack-pool.ts';

/** Writes at least `bytes` bytes, and whatever else the shape requires. */
type Shape = (output: RecordOutput, bytes: number, random: SeededRandom) => void;

export const SHAPES: Readonly<Record<Exclude<LogShapeName, 'real'>, Shape>> = {
  skewed,
  hostile,
  deep,
  bottomless,
  threads,
  methods,
};

const DEEP = 1_500;
const BOTTOM = 1_000_000;
const MANY_THREADS = 10_000;
const MANY_METHODS = 100_000;

/** A pool of similar threads that run the same program. */
interface ThreadGroup {
  readonly name: string;
  readonly threads: number;
  /** Share of all traces, to the others' shares. */
  readonly weight: number;
  readonly pool: StackPool;
}

/** A server: request threads, a few for its database and its timers. Ends at some 150 000 nodes. */
function skewed(output: RecordOutput, bytes: number, random: SeededRandom): void {
  const traces = server(random);
  const clock = new Clock(random);
  while (output.size < bytes) traces(output, clock);
}

/** No stack ever repeats, and every thread's root has thousands of callees. */
function hostile(output: RecordOutput, bytes: number, random: SeededRandom): void {
  const clock = new Clock(random);
  const methods = 2_000;
  const isDefined = new Uint8Array(methods);
  const threads = new ThreadIds(8, 'hostile');
  while (output.size < bytes) {
    const depth = 35 + random.below(12);
    threads.traceStart(output, random.below(8), depth, clock);
    for (let at = 0; at < depth; at++) {
      const method = random.below(methods);
      const site = random.below(4);
      writeFrame(output, method, 1 + site * 9, 30 + site * 2);
      if (isDefined[method] === 0) {
        isDefined[method] = 1;
        defineMethod(output, method);
      }
    }
  }
}

/** A recursive descent: every stack has 1 500 frames and shares most of them with the stack before it. */
function deep(output: RecordOutput, bytes: number, random: SeededRandom): void {
  const clock = new Clock(random);
  const methods = 60;
  const isDefined = new Uint8Array(methods);
  const threads = new ThreadIds(4, 'descent');
  // Root first; frame = method * 4 + site.
  const stacks = Array.from({ length: 4 }, () => new Uint8Array(DEEP));
  const kept = new Int32Array(4);
  while (output.size < bytes) {
    const thread = random.below(4);
    const stack = stacks[thread];
    for (let at = kept[thread]; at < DEEP; at++) stack[at] = random.below(methods * 4);
    kept[thread] = DEEP - 1 - Math.floor(DEEP * random.next() ** 6);
    threads.traceStart(output, thread, DEEP, clock);
    for (let at = DEEP - 1; at >= 0; at--) {
      const method = stack[at] >> 2;
      const site = stack[at] & 3;
      writeFrame(output, method, 1 + site * 9, 30 + site * 2);
      if (isDefined[method] === 0) {
        isDefined[method] = 1;
        defineMethod(output, method);
      }
    }
  }
}

/** The skewed log, with one stack of a million frames in the middle of it. */
function bottomless(output: RecordOutput, bytes: number, random: SeededRandom): void {
  const traces = server(random);
  const clock = new Clock(random);
  const around = Math.max(0, bytes - BOTTOM * 17) / 2;
  while (output.size < around) traces(output, clock);
  new ThreadIds(1, 'bottomless').traceStart(output, 0, BOTTOM, clock);
  for (let at = 0; at < BOTTOM; at++) {
    const method = at % 7;
    writeFrame(output, method, 5 + (at % 3), 40);
  }
  while (output.size < bytes) traces(output, clock);
}

/** Short tasks, each in a thread of its own, and a few that live long. */
function threads(output: RecordOutput, bytes: number, random: SeededRandom): void {
  const clock = new Clock(random);
  const ids = new ThreadIds(MANY_THREADS, 'task');
  const pool = new StackPool(random, {
    stacks: 300,
    methods: 1_000,
    minDepth: 12,
    maxDepth: 30,
    methodsAre: 'popular',
  });
  const popular = zipf(random, pool.length, 1);
  const longLived = zipf(random, MANY_THREADS, 1);
  for (let trace = 0; trace < MANY_THREADS || output.size < bytes; trace++) {
    const thread = trace < MANY_THREADS ? trace : longLived();
    const stack = popular();
    ids.traceStart(output, thread, pool.depth(stack), clock);
    pool.write(output, stack);
  }
}

/** Generated code: a hundred thousand methods, each called from one place. */
function methods(output: RecordOutput, bytes: number, random: SeededRandom): void {
  const clock = new Clock(random);
  const ids = new ThreadIds(8, 'generated');
  const pool = new StackPool(random, {
    stacks: 9_000,
    methods: MANY_METHODS,
    minDepth: 40,
    maxDepth: 60,
    methodsAre: 'each once',
  });
  const popular = zipf(random, pool.length, 0.8);
  for (let trace = 0; trace < pool.length || output.size < bytes; trace++) {
    const stack = trace < pool.length ? trace : popular();
    ids.traceStart(output, random.below(8), pool.depth(stack), clock);
    pool.write(output, stack);
  }
}

/** Writes one trace at each call. */
function server(random: SeededRandom): (output: RecordOutput, clock: Clock) => void {
  const pool = (stacks: number): StackPool =>
    new StackPool(random, { stacks, methods: 3_000, minDepth: 40, maxDepth: 60, methodsAre: 'popular' });
  const requests = pool(450);
  const groups: readonly ThreadGroup[] = [
    { name: 'http-nio-8080-exec', threads: 16, weight: 80, pool: requests },
    { name: 'pool-db', threads: 4, weight: 14, pool: pool(200) },
    { name: 'scheduler', threads: 2, weight: 4, pool: pool(60) },
    { name: 'main', threads: 1, weight: 1, pool: pool(20) },
  ];
  const ids = groups.map(({ name, threads: count }, at) => new ThreadIds(count, name, 100 * at));
  const stackOf = groups.map((group) => zipf(random, group.pool.length, 1));
  const threadOf = groups.map((group) => zipf(random, group.threads, 0.5));
  const weights = groups.reduce((sum, { weight }) => sum + weight, 0);
  return (output, clock) => {
    let at = 0;
    for (let left = random.next() * weights - groups[0].weight; left >= 0; left -= groups[at].weight) at++;
    const thread = threadOf[at]();
    // Sometimes the agent cannot walk a stack: it writes an error code instead.
    if (random.next() < 0.02) {
      ids[at].traceStart(output, thread, random.pick([-2, -3, -6]), clock);
      return;
    }
    const stack = stackOf[at]();
    ids[at].traceStart(output, thread, groups[at].pool.depth(stack), clock);
    groups[at].pool.write(output, stack);
  };
}

/** Threads that get their names at their first trace. */
class ThreadIds {
  readonly #name: string;
  readonly #first: number;
  readonly #isNamed: Uint8Array;

  constructor(count: number, name: string, first = 50_000) {
    this.#name = name;
    this.#first = 20_000 + first;
    this.#isNamed = new Uint8Array(count);
  }

  traceStart(output: RecordOutput, thread: number, numFrames: number, clock: Clock): void {
    const id = this.#first + thread;
    if (this.#isNamed[thread] === 0) {
      this.#isNamed[thread] = 1;
      output.thread(0, id, `${this.#name}-${thread + 1}`);
    }
    clock.tick();
    output.traceStart(numFrames, 0, id, clock.seconds, clock.nanos);
  }
}

/** A trace about every 7 ms of one core, several cores; the queue's order is not the clock's. */
class Clock {
  readonly #random: SeededRandom;
  seconds = 1_600_000_000;
  nanos = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  tick(): void {
    this.nanos += Math.floor(this.#random.next() * 2_000_000) - 20_000;
    if (this.nanos >= 1e9) {
      this.nanos -= 1e9;
      this.seconds++;
    } else if (this.nanos < 0) {
      this.nanos += 1e9;
      this.seconds--;
    }
  }
}
