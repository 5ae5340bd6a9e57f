import { closeSync, openSync, writeSync } from 'node:fs';
import { SeededRandom } from './seeded-random.ts';

const SEED = 20_260_101;
const METHODS = 4_000;
const BLOCK = 1 << 20;

/** A program whose methods call few others each: names of usual length, kinds of frames, stacks of 12 to 60 frames. */
class CallGraph {
  readonly #random: SeededRandom;
  readonly #names: readonly string[];

  constructor(random: SeededRandom) {
    this.#random = random;
    const packages = [
      'java/util/concurrent',
      'com/example/shop/checkout',
      'org/springframework/web',
      'io/netty/channel',
    ];
    const verbs = ['handle', 'invoke', 'run', 'process', 'lambda$new$3', 'readObject', 'compareTo', 'get'];
    this.#names = Array.from({ length: METHODS }, (_, at) => {
      const kind = random.pick(['_[j]', '_[j]', '_[i]', '_[0]', '_[1]', '']);
      return `${random.pick(packages)}/Type${at >> 3}.${random.pick(verbs)}${at & 7}${kind}`;
    });
  }

  /** The next stack of a walk in order: it keeps some of the callers of the one before. */
  next(stack: string[]): void {
    const random = this.#random;
    stack.length = Math.max(1, Math.floor(stack.length * (1 - random.next() ** 2)));
    let method = random.below(METHODS);
    for (let left = 12 + random.below(48) - stack.length; left > 0; left--) {
      method = (method * 31 + random.below(3)) % METHODS;
      stack.push(this.#names[method]);
    }
  }
}

/** Writes about `bytes` bytes of collapsed stacks as async-profiler does, with threads; the same every time. */
export function writeCollapsed(path: string, bytes: number): void {
  const file = openSync(path, 'w');
  try {
    streamCollapsed(bytes, (block) => {
      const encoded = Buffer.from(block);
      for (let written = 0; written < encoded.length;) written += writeSync(file, encoded, written);
    });
  } finally {
    closeSync(file);
  }
}

function streamCollapsed(bytes: number, sink: (block: string) => void): void {
  const random = new SeededRandom(SEED);
  const graph = new CallGraph(random);
  const stack: string[] = [];
  let block = '';
  for (let written = 0; written < bytes;) {
    if (random.below(500) === 0) stack.length = 0;
    if (stack.length === 0) stack.push(`[http-worker-${random.below(40)} tid=${1000 + random.below(40)}]`);
    graph.next(stack);
    block += `${stack.join(';')} ${1 + random.below(1000)}\n`;
    if (block.length < BLOCK) continue;
    sink(block);
    written += block.length;
    block = '';
  }
}
