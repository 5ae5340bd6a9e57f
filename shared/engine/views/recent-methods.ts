import type { FlatProfile } from './flat-profile.ts';
import type { MethodIds } from './method-list.ts';
import type { RowId } from '../trees/row-tree.ts';
import type { KeyTable, RowKind } from '../trees/keys.ts';

/** The methods that grew most in the last half minute, by their own samples and by all; in no order. */
export interface RecentlyGrown {
  /** Length of the period, up to now; 0 before there is one. */
  readonly seconds: number;
  /** The samples of all methods in it. */
  readonly samples: number;
  readonly methods: readonly {
    readonly id: RowId;
    readonly label: string;
    readonly kind: RowKind;
    /** Samples of the period. */
    readonly self: number;
    readonly total: number;
  }[];
}

/** Methods that are sent: so many by their own growth, so many by their total. */
const MOST_METHODS = 20;

/** The growth of the methods of one log in the last 30 s, or since it is measured. */
export class RecentMethods {
  readonly #growth = new RecentGrowth();
  #keys: KeyTable | undefined;
  #madeFor = '';

  /** Takes the sums if they are due. `madeFor`: the scope of `flat`; growth in another one is not comparable. */
  measure(now: number, flat: FlatProfile, madeFor: string): boolean {
    if (this.#keys !== flat.keys || this.#madeFor !== madeFor) this.#growth.restart();
    this.#keys = flat.keys;
    this.#madeFor = madeFor;
    if (!this.#growth.isDue(now)) return false;
    this.#growth.take(now, flat.whole.samples, flat);
    return true;
  }

  forget(): void {
    this.#growth.restart();
    this.#keys = undefined;
  }

  /** Nothing will change until the sums do. */
  get isQuiet(): boolean {
    return !this.#growth.hasGrowth;
  }

  /** Samples per second of a method; undefined where nothing is measured. */
  ratesOf(keys: KeyTable, method: number): { readonly self: number; readonly total: number } | undefined {
    const { seconds } = this.#growth;
    if (keys !== this.#keys || seconds === 0) return undefined;
    const { self, total } = this.#growth.of(method);
    return { self: self / seconds, total: total / seconds };
  }

  /** The methods that grew most. */
  grown(ids: Pick<MethodIds, 'idOfFrame'>): RecentlyGrown {
    const { seconds, samples } = this.#growth;
    const keys = this.#keys;
    if (keys === undefined) return { seconds: 0, samples: 0, methods: [] };
    // The lines of a split method are keys, too.
    const all = this.#growth.grown().filter(({ method }) => keys.methodOf[method] === method);
    const most = (by: 'self' | 'total', other: 'self' | 'total'): readonly number[] =>
      all
        .toSorted((a, b) => b[by] - a[by] || b[other] - a[other] || a.method - b.method)
        .slice(0, MOST_METHODS)
        .filter((growth) => growth[by] > 0)
        .map(({ method }) => method);
    const sent = new Set([...most('self', 'total'), ...most('total', 'self')]);
    return {
      seconds,
      samples,
      methods: Array.from(sent, (method) => {
        const { self, total } = this.#growth.of(method);
        return {
          id: ids.idOfFrame(keys.firstFrame[method]),
          label: keys.labels[method],
          kind: keys.isError[method] ? 'error' : 'frame',
          self,
          total,
        };
      }),
    };
  }
}

/** Sums by method: rows of a flat profile, which only become more. */
interface SumsByMethod {
  readonly length: number;
  readonly selfCount: ArrayLike<number>;
  readonly totalCount: ArrayLike<number>;
}

/** Growth of some methods between two times. */
interface Step {
  /** When it begins, ms. */
  readonly from: number;
  readonly samples: number;
  readonly method: Int32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
}

/** The growth of a method in the period that `RecentGrowth` covers. */
interface Growth {
  readonly method: number;
  readonly self: number;
  readonly total: number;
}

/**
 * The growth of each method in the last `windowMs`: its sums now, less its sums at the beginning of the period. Sums are
 * taken every `stepMs` or later, and only the differences are kept, so that memory is that of the methods that grew, in
 * at most `windowMs / stepMs + 1` steps, and two copies of the sums.
 *
 *   step        0–1 s   1–2 s   2–3 s        in 3 s
 *   Shop.main   +2      +1                   3
 *   Shop.wait                   +4           4
 *
 * Times are milliseconds of any clock that does not go back. The covered period is longer than `windowMs` by up to one
 * step, and shorter while there is less to tell: growth is always that of `seconds`.
 */
export class RecentGrowth {
  readonly #windowMs: number;
  readonly #stepMs: number;
  #steps: Step[] = [];
  /** When the sums below were taken; undefined before the first ones. */
  #takenAt: number | undefined;
  #samples = 0;
  #self = new Float64Array(0);
  #total = new Float64Array(0);
  /** method -> growth in all steps. */
  #selfGrowth = new Float64Array(0);
  #totalGrowth = new Float64Array(0);
  #samplesGrowth = 0;

  constructor(windowMs = 30_000, stepMs = 1_000) {
    this.#windowMs = windowMs;
    this.#stepMs = stepMs;
  }

  /** Forgets everything: the next sums begin a period. */
  restart(): void {
    this.#steps = [];
    this.#takenAt = undefined;
    this.#selfGrowth = new Float64Array(0);
    this.#totalGrowth = new Float64Array(0);
    this.#samplesGrowth = 0;
  }

  /** Whether sums are to be taken now: a step has passed since the last ones. */
  isDue(now: number): boolean {
    return this.#takenAt === undefined || now - this.#takenAt >= this.#stepMs;
  }

  /** Takes the sums of this moment; `samples` are all of them. */
  take(now: number, samples: number, sums: SumsByMethod): void {
    if (this.#takenAt === undefined) this.#keep(now, samples, sums);
    else {
      this.#add(this.#takenAt, samples, sums);
      this.#keep(now, samples, sums);
      this.#forgetBefore(now - this.#windowMs);
    }
  }

  /** Length of the covered period up to the last sums, seconds; 0 before the second ones. */
  get seconds(): number {
    const first = this.#steps.at(0);
    return first === undefined || this.#takenAt === undefined ? 0 : (this.#takenAt - first.from) / 1000;
  }

  /** Samples of the covered period. */
  get samples(): number {
    return this.#samplesGrowth;
  }

  /** Some sums were taken, and some of their steps have growth. */
  get hasGrowth(): boolean {
    return this.#steps.some(({ method, samples }) => method.length > 0 || samples !== 0);
  }

  /** Growth of a method in the covered period. */
  of(method: number): Growth {
    return {
      method,
      self: this.#selfGrowth[method] ?? 0,
      total: this.#totalGrowth[method] ?? 0,
    };
  }

  /** Methods that grew, in no order: only methods of some step are looked at. */
  grown(): readonly Growth[] {
    const methods = new Set<number>();
    for (const { method } of this.#steps) for (const each of method) methods.add(each);
    return [...methods].map((method) => this.of(method)).filter(({ self, total }) => self > 0 || total > 0);
  }

  #add(from: number, samples: number, { length, selfCount, totalCount }: SumsByMethod): void {
    const changed: number[] = [];
    for (let method = 0; method < length; method++) {
      // A method that is new had nothing.
      const self = this.#self[method] ?? 0;
      if (totalCount[method] !== (this.#total[method] ?? 0) || selfCount[method] !== self)
        changed.push(method);
    }
    const step: Step = {
      from,
      samples: samples - this.#samples,
      method: Int32Array.from(changed),
      self: Float64Array.from(changed, (method) => selfCount[method] - (this.#self[method] ?? 0)),
      total: Float64Array.from(changed, (method) => totalCount[method] - (this.#total[method] ?? 0)),
    };
    this.#steps.push(step);
    if (length > this.#selfGrowth.length) {
      const [selfGrowth, totalGrowth] = [this.#selfGrowth, this.#totalGrowth];
      this.#selfGrowth = new Float64Array(length);
      this.#totalGrowth = new Float64Array(length);
      this.#selfGrowth.set(selfGrowth);
      this.#totalGrowth.set(totalGrowth);
    }
    this.#count(step, 1);
  }

  #keep(now: number, samples: number, { length, selfCount, totalCount }: SumsByMethod): void {
    this.#takenAt = now;
    this.#samples = samples;
    if (this.#self.length !== length) {
      this.#self = new Float64Array(length);
      this.#total = new Float64Array(length);
    }
    this.#self.set(subarray(selfCount, length));
    this.#total.set(subarray(totalCount, length));
  }

  /** Forgets the oldest steps, as long as the others begin early enough. */
  #forgetBefore(time: number): void {
    while (this.#steps.length > 1 && this.#steps[1].from <= time) {
      const step = this.#steps.shift();
      if (step !== undefined) this.#count(step, -1);
    }
  }

  #count({ samples, method, self, total }: Step, sign: 1 | -1): void {
    this.#samplesGrowth += sign * samples;
    for (let at = 0; at < method.length; at++) {
      this.#selfGrowth[method[at]] += sign * self[at];
      this.#totalGrowth[method[at]] += sign * total[at];
    }
  }
}

/** Columns may have capacity for more rows. */
function subarray(values: ArrayLike<number>, length: number): ArrayLike<number> {
  return values instanceof Float64Array ? values.subarray(0, length) : values;
}
