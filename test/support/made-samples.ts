/** Samples whose answers are known by counting them, and the log that has them. */
import { type Bytes, frame, log, method, thread, trace } from './log-bytes.ts';
import { SeededRandom } from './seeded-random.ts';

export interface MadeFrame {
  readonly className: string;
  readonly name: string;
  readonly line: number;
}

export interface MadeSample {
  /** Seconds since the first one. */
  readonly at: number;
  readonly thread: string;
  /** Root first. */
  readonly frames: readonly MadeFrame[];
}

export const keyOf = ({ className, name }: MadeFrame): string => `${className}.${name}`;
export const has = ({ frames }: MadeSample, key: string): boolean =>
  frames.some((each) => keyOf(each) === key);
export const leafOf = ({ frames }: MadeSample): string => keyOf(frames[frames.length - 1]);

const f = (className: string, name: string, line: number): MadeFrame => ({ className, name, line });
const RUN = f('java.lang.Thread', 'run', 10);

/** Requests in a pool, with a burst of searches from 30 s to 35 s; `slow`: how often pricing is slow. */
export function madeSamples(seed: number, count: number, slow: number): readonly MadeSample[] {
  const random = new SeededRandom(seed);
  const samples: MadeSample[] = [];
  for (let number = 0; number < count; number++) {
    const isBurst = number > 0 && random.below(10) < 3;
    const at = number === 0 ? 0 : isBurst ? 30 + random.below(5000) / 1000 : random.below(60_000) / 1000;
    const serve = f('com.acme.Shop', 'serve', 20 + random.below(2));
    const price = f('com.acme.Cart', 'price', random.below(4) === 0 ? 41 : 42);
    const roll = random.below(100);
    const own = isBurst
      ? [serve, f('com.acme.Search', 'find', 7), f('java.util.TimSort', 'sort', 220)]
      : roll < slow
        ? [serve, price, f('com.acme.Tax', 'of', 5)]
        : roll < slow + 20
          ? [serve, price, f('java.util.regex.Pattern', 'compile', 1028)]
          : roll < slow + 30
            ? [serve, f('com.acme.Search', 'find', 8), f('com.acme.Search', 'find', 8)]
            : [serve, f('com.acme.Page', 'write', 3)];
    const worker = random.below(4);
    samples.push({ at, thread: worker === 3 ? 'batch' : `http-${worker + 1}`, frames: [RUN, ...own] });
  }
  return samples.toSorted((a, b) => a.at - b.at);
}

/** As an Honest Profiler log. */
export function madeLog(samples: readonly MadeSample[]): Bytes {
  const threads = [...new Set(samples.map((sample) => sample.thread))];
  const methods = [...new Set(samples.flatMap(({ frames }) => frames.map(keyOf)))];
  const parts: Bytes[] = threads.map((name, at) => thread(at + 1, name));
  const defined = new Set<string>();
  for (const { at, thread: name, frames } of samples) {
    const records = frames.toReversed().flatMap((each) => {
      const key = keyOf(each);
      const id = methods.indexOf(key) + 1;
      const known = defined.has(key);
      defined.add(key);
      const file = `${each.className.split('.').at(-1)}.java`;
      const signature = `L${each.className.replaceAll('.', '/')};`;
      return [frame(id, 1, each.line), ...(known ? [] : [method(id, file, signature, each.name)])];
    });
    parts.push(trace(threads.indexOf(name) + 1, 1_800_000_000 + at, ...records));
  }
  return log(...parts);
}
