import { bytes, i32, i64, log, str, zeros, type Bytes } from './log-bytes.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface RandomLogOptions {
  readonly traces: number;
  /** Longest stack; most are much shorter. */
  readonly maxDepth?: number;
  /** Distinct methods; with few, stacks share much. */
  readonly methods?: number;
  /** Zeros between records. */
  readonly holes?: boolean;
}

/** Ids that a number, a 32-bit half or a sign mistake would merge. */
const HOSTILE_IDS: readonly bigint[] = [
  0n,
  1n,
  -1n,
  -3n,
  2n ** 31n,
  2n ** 32n,
  -(2n ** 32n),
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 62n,
  2n ** 62n + 1n,
  2n ** 62n + 2n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  -(2n ** 63n) + 1n,
];

const HOSTILE_NAMES = [
  '',
  'main',
  '__proto__',
  'constructor',
  '<init>',
  'tab\tin it',
  'semi;colon',
  'line\nbreak',
  'schön',
  '日本',
  '\u{1f525}',
  '=1+1',
  'lambda$main$0',
  'lambda$main$12',
];

const CLASS_NAMES = [
  'Lshop/Cart;',
  'LMain;',
  '',
  'x',
  'LAGCT;',
  'Lshop/Cart$1;',
  'Lshop/Cart$$Lambda$7/0x00007f12;',
  'Lshop/Cart$$Lambda/0x00007f34;',
  'Ljdk/proxy2/$Proxy11;',
  'Ljdk/internal/reflect/GeneratedMethodAccessor3;',
  'Lshop/Cart$$EnhancerBySpringCGLIB$$1f2e;',
];

/**
 * A log that no agent writes but a reader must accept: hostile ids, clocks that jump, both kinds of trace starts mixed,
 * error codes nobody knows, stacks shorter and longer than announced, methods defined late, twice or never.
 */
export function randomLog(random: SeededRandom, options: RandomLogOptions): Bytes {
  const { traces, maxDepth = 12, methods = 12, holes = false } = options;
  const hasHostileIds = random.next() < 0.5;
  const idOf = (index: number): bigint =>
    hasHostileIds && index < HOSTILE_IDS.length ? HOSTILE_IDS[index] : 0x7f00_0000_0000n + BigInt(index) * 8n;
  const methodIds = Array.from({ length: methods }, (_, at) => idOf(at));
  const threadIds = Array.from({ length: 1 + random.below(6) }, (_, at) => idOf(at + 3));
  const clock = new RandomClock(random);
  const parts: Uint8Array[] = [];
  let previous: readonly Bytes[] = [];

  for (let trace = 0; trace < traces; trace++) {
    if (random.next() < 0.2) parts.push(threadRecord(random, threadIds));
    if (random.next() < 0.1) parts.push(methodRecord(random, random.pick(methodIds)));
    if (holes && random.next() < 0.1) parts.push(zeros(1 + random.below(random.next() < 0.1 ? 5_000 : 5)));
    const isError = random.next() < 0.15;
    const stack = isError ? [] : nextStack(random, previous, methodIds, maxDepth);
    if (!isError) previous = stack;
    // Sometimes the trace start announces a wrong number of frames. The frames that follow count.
    const announced = isError ? -random.below(13) : random.next() < 0.1 ? random.below(20) : stack.length;
    parts.push(
      clock.traceStart(isError && random.next() < 0.05 ? -(2 ** 31) : announced, random.pick(threadIds)),
    );
    for (const frame of stack) {
      parts.push(frame);
      if (random.next() < 0.1) parts.push(methodRecord(random, random.pick(methodIds)));
    }
  }
  return log(...parts);
}

/** Leaf first. Shares its root side with the stack before it, as real ones do. */
function nextStack(
  random: SeededRandom,
  previous: readonly Bytes[],
  methodIds: readonly bigint[],
  maxDepth: number,
): Bytes[] {
  const depth =
    random.next() < 0.05 ? 0 : 1 + random.below(random.next() < 0.1 ? maxDepth : Math.min(maxDepth, 8));
  const shared = random.next() < 0.7 ? Math.min(random.below(previous.length + 1), depth) : 0;
  const stack = Array.from({ length: depth - shared }, () => frameRecord(random, random.pick(methodIds)));
  return shared === 0 ? stack : stack.concat(previous.slice(previous.length - shared));
}

function frameRecord(random: SeededRandom, method: bigint): Bytes {
  const bci = random.pick([-3, -1, 0, 1, 7, 2 ** 31 - 1, -(2 ** 31)]);
  if (random.next() < 0.3) return log(bytes(2), i32(bci), i64(method));
  return log(bytes(21), i32(bci), i32(random.pick([-102, -101, -100, 0, 1, 2, 40_000])), i64(method));
}

function methodRecord(random: SeededRandom, id: bigint): Bytes {
  const name = str(random.pick(HOSTILE_NAMES));
  const className = str(random.pick(CLASS_NAMES));
  const file = str(random.pick(['', 'UnknownFile', 'Cart.java']));
  if (random.next() < 0.3) return log(bytes(3), i64(id), file, className, name);
  return log(bytes(31), i64(id), file, className, str(''), name, str('()V'), str(''));
}

function threadRecord(random: SeededRandom, threadIds: readonly bigint[]): Bytes {
  return log(bytes(4), i64(random.pick([...threadIds, 77n])), str(random.pick(HOSTILE_NAMES)));
}

/** Mostly forward, some steps back; in some logs with corrupt values or none at all. */
class RandomClock {
  readonly #random: SeededRandom;
  readonly #kind: 'sane' | 'mixed' | 'untimed' | 'corrupt';
  #ns = 1_600_000_000_000_000_000n;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#kind = random.pick(['sane', 'sane', 'mixed', 'untimed', 'corrupt']);
  }

  traceStart(numFrames: number, thread: bigint): Bytes {
    const random = this.#random;
    if (this.#kind === 'untimed' || (this.#kind === 'mixed' && random.next() < 0.2)) {
      return log(bytes(1), i32(numFrames), i64(thread));
    }
    this.#ns += BigInt(random.below(5_000_000) - 500_000);
    let seconds = this.#ns / 1_000_000_000n;
    let nanos = this.#ns % 1_000_000_000n;
    if (this.#kind === 'corrupt' && random.next() < 0.2) {
      seconds = random.pick([
        0n,
        -1n,
        -seconds,
        2n ** 63n - 1n,
        -(2n ** 63n),
        2n ** 32n,
        seconds + 1n,
        5_000_000n,
      ]);
    }
    if (this.#kind === 'corrupt' && random.next() < 0.2) {
      nanos = random.pick([
        -1n,
        1_000_000_000n,
        2n ** 31n,
        2n ** 32n,
        2n ** 63n - 1n,
        -(2n ** 63n),
        4n * 10n ** 18n,
      ]);
    }
    return log(bytes(11), i32(numFrames), i64(thread), i64(seconds), i64(nanos));
  }
}

/** `whole` in random pieces of at most `most` bytes, often tiny ones. */
export function* randomPieces(
  random: SeededRandom,
  whole: Uint8Array,
  most = random.pick([1, 3, 40, 1_000, whole.length + 1]),
): Generator<Uint8Array> {
  for (let at = 0; at < whole.length;) {
    const end = Math.min(at + 1 + random.below(most), whole.length);
    yield whole.slice(at, end);
    at = end;
  }
}
