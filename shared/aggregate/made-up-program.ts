import { ProfileAggregator } from './profile-aggregator.ts';
import { FRAME_CELLS } from './sample-sink.ts';

const THREADS = 40;
const METHODS = 1_200;

/**
 * Samples of a program that never was, the same each time: stacks of a few threads, each grown out of the thread's one
 * before. It has what a log has and a copy treats in ways of its own: methods and threads without a name, two threads
 * with one, frames without a line.
 */
export class MadeUpProgram {
  readonly aggregator = new ProfileAggregator({ journal: true });
  /** Of each thread, the methods of its latest stack, outermost first. */
  readonly #paths = Array.from({ length: THREADS }, () => [0]);
  readonly #stack: Int32Array;
  readonly #deepest: number;
  #chance = 1;

  /** `deepest`: frames that a stack may have. */
  constructor(deepest: number) {
    this.#deepest = deepest;
    this.#stack = new Int32Array(deepest * FRAME_CELLS);
    for (let method = 0; method < METHODS; method++) {
      const className = `com.example.part${method % 40}.Class${method % 150}`;
      const row = this.aggregator.method(0, method);
      if (method % 50 === 7) continue;
      this.aggregator.defineMethod(row, { file: 'Example.java', className, methodName: `method${method}` });
    }
    for (let thread = 0; thread < THREADS; thread++) {
      const row = this.aggregator.thread(0, thread);
      this.aggregator.openThread(row);
      if (thread > 0) this.aggregator.nameThread(row, `worker-${thread >> 1}`);
    }
  }

  sample(): void {
    const thread = this.#next(THREADS);
    const path = this.#paths[thread];
    path.length = 1 + this.#next(path.length);
    const depth = Math.min(this.#deepest, path.length + 1 + this.#next(this.#deepest >> 1));
    // Few callees for each method, so that stacks meet again.
    while (path.length < depth) path.push((path[path.length - 1] * 7 + this.#next(4) + thread) % METHODS);
    for (let at = 0; at < depth; at++) {
      const method = path[depth - 1 - at];
      const cell = at * FRAME_CELLS;
      this.#stack[cell + 1] = method;
      this.#stack[cell + 2] = method % 9 === 0 ? -1 : (method % 300) + this.#next(2);
      this.#stack[cell + 3] = method % 100;
    }
    this.aggregator.sample(thread, this.#stack, depth, 1_000_000);
  }

  /** From 0 to below `end`, by a linear congruence (Numerical Recipes). */
  #next(end: number): number {
    this.#chance = (Math.imul(this.#chance, 1_664_525) + 1_013_904_223) | 0;
    return (this.#chance >>> 8) % end;
  }
}
