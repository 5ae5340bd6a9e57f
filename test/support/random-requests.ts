import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { keysMeant, parseCondition } from '../../shared/scope/context-condition.ts';
import type { ContextScope, NsSpan } from '../../shared/scope/scope.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface Sample {
  readonly thread: number;
  readonly at: number;
  readonly method: number;
}

export interface Context {
  readonly thread: number;
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export const THREADS = 4;
const LENGTH = 200;
export const BASE = 1_700_000_000_000_000_000n;

/** Samples and contexts, which are nested, overlap, are empty, or are of threads without samples. */
export class Requests {
  readonly samples: Sample[] = [];
  readonly contexts: Context[] = [];
  readonly aggregator = new ProfileAggregator({ samples: true });
  readonly #random: SeededRandom;
  readonly #unit: number;
  readonly #base: bigint;

  /** `unit`: times and durations are multiples of it, ns. `base`: the origin of times. */
  constructor(random: SeededRandom, unit = 1, base = BASE) {
    this.#random = random;
    this.#unit = unit;
    this.#base = base;
    // Contexts have an origin of their own, which may be later than that of samples.
    if (random.next() < 0.5) this.addSample();
    this.addContext();
    this.addSample();
  }

  addSample(): void {
    const random = this.#random;
    const sample = {
      thread: random.below(THREADS),
      at: this.#unit * random.below(LENGTH),
      method: random.below(3),
    };
    this.samples.push(sample);
    this.aggregator.takenAt(this.#base, sample.at);
    const stack = Int32Array.of(0, sample.method, 1, 0);
    this.aggregator.sample(this.aggregator.thread(0, sample.thread), stack, 1, 10);
  }

  addContext(): void {
    const random = this.#random;
    const from = this.#unit * random.below(LENGTH);
    const attributes: Record<string, string> = {};
    if (random.next() < 0.4) attributes.traceId = `t${random.below(4)}`;
    if (random.next() < 0.4) attributes.customer = random.pick(['gold', 'other']);
    const context: Context = {
      thread: random.below(THREADS + 1),
      from,
      to: from + this.#unit * random.below(60),
      attributes,
      name: random.pick(['checkout', 'search', 'store']),
    };
    this.contexts.push(context);
    const { thread, to, name } = context;
    const later = this.#base + 77n;
    this.aggregator.addContext(
      this.aggregator.thread(0, thread),
      later,
      from - 77,
      to - 77,
      name,
      Object.entries(attributes).flat(),
    );
  }

  /** The context that each is inside, by comparing all with all. */
  parents(): readonly (Context | undefined)[] {
    const { contexts } = this;
    const isBefore = (a: number, b: number): boolean => {
      const [one, other] = [contexts[a], contexts[b]];
      return one.from !== other.from
        ? one.from < other.from
        : one.to !== other.to
          ? one.to > other.to
          : a < b;
    };
    return contexts.map((inner, at) => {
      let found = -1;
      for (const [outside, outer] of contexts.entries()) {
        if (outside === at || outer.thread !== inner.thread || outer.to < inner.to || !isBefore(outside, at))
          continue;
        if (found < 0 || isBefore(found, outside)) found = outside;
      }
      return found < 0 ? undefined : contexts[found];
    });
  }

  /** The value of an attribute, its own or that of a context around it. */
  valueOf(
    context: Context | undefined,
    key: string,
    parents: readonly (Context | undefined)[] = this.parents(),
  ): string | undefined {
    if (context === undefined || key === 'operation') return context?.name;
    const own = keysMeant(Object.keys(context.attributes), key).at(0);
    return own === undefined
      ? this.valueOf(parents[this.contexts.indexOf(context)], key, parents)
      : context.attributes[own];
  }

  /** The samples of a scope, one by one. */
  inScope({ except, ...scope }: ContextScope): ReadonlySet<Sample> {
    const slow = this.meant(scope);
    const left = except === undefined ? new Set<Sample>() : this.inScope(except);
    return new Set(
      this.samples.filter(
        (sample) =>
          !left.has(sample) &&
          slow.some(
            ({ thread, from, to }) => thread === sample.thread && sample.at >= from && sample.at < to,
          ),
      ),
    );
  }

  /** The contexts of a scope, one by one. */
  meant({ where, took, began, slower }: ContextScope): readonly Context[] {
    const parents = this.parents();
    const first = Math.min(...this.samples.map(({ at }) => at));
    const durationOf = ({ from, to }: Context): number => to - from;
    const isIn = (value: number, { from = -Infinity, to = Infinity }: NsSpan = {}): boolean =>
      value >= from && value < to;
    const matching = this.contexts.filter(
      (context) =>
        isIn(durationOf(context), took) &&
        isIn(context.from - first, began) &&
        where.every((text) => {
          const { key, value } = parseCondition(text)!;
          const found = this.valueOf(context, key, parents);
          return value.startsWith('/') ? new RegExp(value.slice(1, -1)).test(found ?? '#') : found === value;
        }),
    );
    return matching.filter((context) => {
      if (slower === undefined) return true;
      const others = matching.filter(({ name }) => name === context.name);
      const isLonger = others.filter((other) => durationOf(other) > durationOf(context)).length;
      return isLonger < Math.max(1, Math.round((others.length * (100 - slower)) / 100));
    });
  }
}

/** Requests with sixty samples, and with 25 contexts after them. */
export function someRequests(random: SeededRandom, unit?: number, base?: bigint): Requests {
  const requests = new Requests(random, unit, base);
  for (let each = 0; each < 60; each++) requests.addSample();
  for (let each = 0; each < 25; each++) requests.addContext();
  return requests;
}

/** Often without a start or an end. */
function randomSpan(random: SeededRandom, length: number, unit: number): NsSpan | undefined {
  if (random.next() < 0.6) return undefined;
  const from = unit * random.below(length);
  const to = from + unit * (1 + random.below(length));
  return random.pick([{ from }, { to }, { from, to }, {}]);
}

export function randomScope(random: SeededRandom, unit = 1): ContextScope {
  const where = [
    'operation=checkout',
    'operation=/^s/',
    'trace=t1',
    'customer=gold',
    'traceId=/[23]/',
  ].filter(() => random.next() < 0.3);
  const slower = random.pick([undefined, 50, 90, 99.9]);
  const except = random.next() < 0.2 ? { where: ['customer=other'] } : undefined;
  const [took, began] = [randomSpan(random, 50, unit), randomSpan(random, LENGTH, unit)];
  return { where, took, began, slower, except };
}
