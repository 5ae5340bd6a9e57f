/** Sums by method: rows of a flat profile, which only become more. */
export interface SumsByMethod {
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

/** What a method gained in the period that `RecentGrowth` covers. */
export interface Growth {
  readonly method: number;
  readonly self: number;
  readonly total: number;
}

/**
 * How much each method grew in the last `windowMs`: its sums now, less its sums at the beginning of the period. Sums are
 * taken every `stepMs` or later, and only the differences are kept, so that memory is that of the methods that grew, in at
 * most `windowMs / stepMs + 1` steps, and two copies of the sums.
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
