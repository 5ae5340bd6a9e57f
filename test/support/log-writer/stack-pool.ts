/**
 * A program as a sampling profiler sees it: methods, and stacks that occur repeatedly. Every stack shares its root side
 * with an earlier one. Its encoding is kept and written again; only its first occurrence also defines its new methods,
 * after their frames, as the agent does.
 */
import type { SeededRandom } from '../seeded-random.ts';
import { RecordOutput } from './record-output.ts';

const METHOD_HI = 0x7f3a;
const METHOD_LO = 0x10_0000;
/** Distance of jmethodIDs. */
const METHOD_STEP = 8;
const LAYERS = ['web', 'shop', 'cart', 'orders', 'pricing', 'stock', 'store', 'sql', 'json', 'cache', 'util'];
const KINDS = ['Handler', 'Service', 'Filter', 'Reader', 'Writer', 'Table', 'Codec', 'Pool', 'Query'];
const VERBS = ['handle', 'apply', 'read', 'write', 'find', 'resolve', 'next', 'encode', 'run', 'visit'];

export interface PoolOptions {
  readonly stacks: number;
  readonly methods: number;
  readonly minDepth: number;
  readonly maxDepth: number;
  /** 'popular': a few methods are everywhere, as in real programs. 'each once': every method occurs in one place. */
  readonly methodsAre: 'popular' | 'each once';
}

/** Columns of one stack, leaf first. */
interface Stack {
  readonly method: Int32Array;
  readonly bci: Int32Array;
  readonly line: Int32Array;
}

export class StackPool {
  readonly #stacks: readonly Stack[];
  /** Undefined until the stack was written once. */
  readonly #encoded: (Uint8Array | undefined)[];
  readonly #isDefined: Uint8Array;
  readonly #encoder = new RecordOutput((bytes) => (this.#lastEncoded = bytes.slice()));
  #lastEncoded = new Uint8Array(0);

  constructor(random: SeededRandom, options: PoolOptions) {
    this.#stacks = stacksOf(random, options);
    this.#encoded = Array.from(this.#stacks, () => undefined);
    this.#isDefined = new Uint8Array(options.methods);
  }

  get length(): number {
    return this.#stacks.length;
  }

  depth(stack: number): number {
    return this.#stacks[stack].method.length;
  }

  /** The frames of a stack, with the definitions that are due. */
  write(output: RecordOutput, stack: number): void {
    const encoded = this.#encoded[stack];
    if (encoded !== undefined) return output.records(encoded);
    const { method, bci, line } = this.#stacks[stack];
    for (let at = 0; at < method.length; at++) {
      writeFrame(output, method[at], bci[at], line[at]);
      writeFrame(this.#encoder, method[at], bci[at], line[at]);
      if (this.#isDefined[method[at]] === 1) continue;
      this.#isDefined[method[at]] = 1;
      defineMethod(output, method[at]);
    }
    this.#encoder.flush();
    this.#encoded[stack] = this.#lastEncoded;
  }
}

export function writeFrame(output: RecordOutput, method: number, bci: number, line: number): void {
  output.frame(METHOD_HI, METHOD_LO + method * METHOD_STEP, bci, line);
}

export function defineMethod(output: RecordOutput, method: number): void {
  const layer = LAYERS[method % LAYERS.length];
  const kind = KINDS[Math.floor(method / 7) % KINDS.length];
  const type = `${kind}${Math.floor(method / 40)}`;
  output.method(
    METHOD_HI,
    METHOD_LO + method * METHOD_STEP,
    `${type}.java`,
    `Lcom/acme/${layer}/${type};`,
    `${VERBS[method % VERBS.length]}${method % 40}`,
  );
}

/** Picks 0 … items-1, the first most often: the n-th 1/n^exponent as often as the first. */
export function zipf(random: SeededRandom, items: number, exponent: number): () => number {
  const upTo = new Float64Array(items);
  let sum = 0;
  for (let item = 0; item < items; item++) upTo[item] = sum += (item + 1) ** -exponent;
  return () => {
    const wanted = random.next() * sum;
    let low = 0;
    let high = items - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle] > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

function stacksOf(random: SeededRandom, options: PoolOptions): Stack[] {
  const { methods, minDepth, maxDepth } = options;
  const popular = zipf(random, methods, 0.9);
  let unused = 0;
  const nextMethod = (): number =>
    options.methodsAre === 'each once' && unused < methods ? unused++ : popular();
  const stacks: Stack[] = [];
  for (let index = 0; index < options.stacks; index++) {
    const depth = minDepth + random.below(maxDepth - minDepth + 1);
    const method = new Int32Array(depth);
    const bci = new Int32Array(depth);
    const line = new Int32Array(depth);
    let kept = 0;
    if (index > 0) {
      const before = stacks[random.below(index)];
      // At least the thread's own start; mostly the larger part.
      kept = Math.min(depth, before.method.length) - 1;
      kept = Math.max(1, kept - Math.floor(kept * random.next() ** 2));
      method.set(before.method.subarray(before.method.length - kept), depth - kept);
      bci.set(before.bci.subarray(before.bci.length - kept), depth - kept);
      line.set(before.line.subarray(before.line.length - kept), depth - kept);
    }
    for (let at = depth - kept - 1; at >= 0; at--) {
      method[at] = nextMethod();
      // A method calls from a few places, always the same ones; leaves are native now and then.
      const site = random.below(4);
      bci[at] = at === 0 && method[at] % 5 === 0 ? -3 : 5 + site * 11 + (method[at] % 9);
      line[at] = 20 + (method[at] % 40) * 12 + site * 2;
    }
    stacks.push({ method, bci, line });
  }
  return stacks;
}
