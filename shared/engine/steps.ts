import type { ProfileExtent } from './trees/row-tree.ts';

/**
 * A derivation of the engine: a function of its inputs, whose result is kept.
 *
 *   tree(profile, grouping) ─┐
 *                            ├─▶ sums(tree, values) ─▶ rows
 *   values(profile, range) ──┘
 *
 * Inputs are results of other steps, other objects, which are told apart by identity, and plain data, which is told apart
 * by its JSON text.
 */
export interface Step<Inputs extends readonly unknown[], Result extends object> {
  readonly name: string;
  /**
   * The number of first inputs that belong to a result for good. A result that nobody uses may be brought to others in
   * place of the rest, so that a range that is dragged needs the memory of one. undefined: all inputs belong to it.
   */
  readonly place?: number;
  /** Makes a result. If the step grows, the result may still be empty. */
  make(inputs: Inputs, steps: Steps): Result;
  /** Brings a result to the present state of its inputs. False: it cannot, and must be made again, as where this is missing. */
  grow?(result: Result, inputs: Inputs, steps: Steps): unknown;
  /** Takes in a part of what the inputs have gained, ahead of the next state, without changing what is shown. */
  prefetch?(result: Result, upTo: ProfileExtent): void;
  /** Memory of a result, in bytes; small by default. */
  bytes?(result: Result): number;
  /** Frees the memory of a result at once. */
  release?(result: Result): void;
}

/** Memory of a result whose step does not count it, in bytes. */
const SMALL = 1 << 14;

type AnyStep = Step<never, object>;

interface Kept {
  readonly result: object;
  readonly inputs: readonly unknown[];
  readonly key: string;
  readonly place: string | undefined;
  /** Versions of the inputs that the result shows. */
  seen: readonly number[];
  /** Counts how often the result was made or has grown. */
  version: number;
  /** The last state in which it was used. */
  used: number;
}

/**
 * The results of all steps, under the identity of their inputs. A result is brought up to date at most once a state, and
 * only when it is asked for. What the present state and the one before it do not use is dropped, least recently used
 * first, while all results together take more than the budget.
 */
export class Steps {
  readonly #budget: number;
  readonly #kept = new Map<AnyStep, Map<string, Kept>>();
  /** Result -> where it is kept. */
  readonly #byResult = new WeakMap<object, Kept>();
  readonly #numbers = new WeakMap<object, number>();
  #lastNumber = 0;
  #state = 0;

  /** `budget`: bytes. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Begins a state. Inputs may have grown; what was asked for before must not be used any more. */
  begin(): void {
    this.#trim();
    this.#state++;
  }

  /** The result of a step for these inputs in the present state. */
  get<Inputs extends readonly unknown[], Result extends object>(
    step: Step<Inputs, Result>,
    ...inputs: Inputs
  ): Result {
    const results = this.#resultsOf(step);
    const key = this.#nameOf(inputs);
    const known = results.get(key) ?? this.#moved(step, results, key, inputs);
    if (known?.used === this.#state) return known.result as Result;
    const seen = inputs.map((input) => this.#versionOf(input));
    if (known !== undefined) {
      known.used = this.#state;
      if (known.seen.every((version, at) => version === seen[at])) return known.result as Result;
      if (step.grow !== undefined && step.grow(known.result as Result, inputs, this) !== false) {
        known.seen = seen;
        known.version++;
        return known.result as Result;
      }
      this.#drop(step as object as AnyStep, known);
    }
    const result = step.make(inputs, this);
    if (step.grow?.(result, inputs, this) === false)
      throw new Error(`what the step ${step.name} has just made is outdated`);
    const place = step.place === undefined ? undefined : this.#nameOf(inputs.slice(0, step.place));
    const kept: Kept = { result, inputs, key, place, seen, version: 1, used: this.#state };
    results.set(key, kept);
    this.#byResult.set(result, kept);
    return result;
  }

  /** The result of a step for these inputs if there is one, brought to the present state. */
  known<Inputs extends readonly unknown[], Result extends object>(
    step: Step<Inputs, Result>,
    ...inputs: Inputs
  ): Result | undefined {
    return this.#resultsOf(step).has(this.#nameOf(inputs)) ? this.get(step, ...inputs) : undefined;
  }

  /**
   * Does part of the next state's work on results that the present one uses and that have this object among their inputs.
   * Results of results are left out: `upTo` does not count their rows.
   */
  prefetch(input: object, upTo: ProfileExtent): void {
    for (const [step, results] of this.#kept)
      for (const { result, inputs, used } of results.values())
        if (used === this.#state && inputs.includes(input)) step.prefetch?.(result, upTo);
  }

  /** Drops all that was made from an object, which is not used any more. */
  forget(input: object): void {
    for (const [step, results] of this.#kept)
      for (const kept of [...results.values()]) if (kept.inputs.includes(input)) this.#drop(step, kept);
  }

  /** Drops the large results that were made from an object and that the present state has not used. */
  forgetUnused(input: object): void {
    for (const [step, results] of this.#kept)
      for (const kept of [...results.values()])
        if (kept.used !== this.#state && kept.inputs.includes(input) && bytesOf(step, kept) > SMALL)
          this.#drop(step, kept);
  }

  #resultsOf(step: object): Map<string, Kept> {
    const known = this.#kept.get(step as AnyStep);
    if (known !== undefined) return known;
    const results = new Map<string, Kept>();
    this.#kept.set(step as AnyStep, results);
    return results;
  }

  /** An unused result of the same place, from now on that of these inputs. */
  #moved<Inputs extends readonly unknown[], Result extends object>(
    step: Step<Inputs, Result>,
    results: Map<string, Kept>,
    key: string,
    inputs: Inputs,
  ): Kept | undefined {
    if (step.place === undefined) return undefined;
    const place = this.#nameOf(inputs.slice(0, step.place));
    let oldest: Kept | undefined;
    for (const kept of results.values()) {
      if (kept.place !== place || kept.used === this.#state) continue;
      if (oldest === undefined || kept.used < oldest.used) oldest = kept;
    }
    if (oldest === undefined) return undefined;
    results.delete(oldest.key);
    // No version is equal to it, so that the result grows.
    const seen = inputs.map(() => Number.NaN);
    const moved: Kept = { ...oldest, inputs, key, seen };
    results.set(key, moved);
    this.#byResult.set(moved.result, moved);
    return moved;
  }

  #trim(): void {
    const all = [...this.#kept].flatMap(([step, results]) =>
      Array.from(results.values(), (kept) => ({ step, kept, bytes: bytesOf(step, kept) })),
    );
    let bytes = all.reduce((sum, each) => sum + each.bytes, 0);
    if (bytes <= this.#budget) return;
    // Inputs are used whenever a result is, so that results go before their inputs.
    for (const { step, kept } of all.toSorted((a, b) => a.kept.used - b.kept.used)) {
      if (bytes <= this.#budget || kept.used === this.#state) return;
      bytes -= this.#drop(step, kept);
    }
  }

  /** Drops a result with all that was made from it. Returns the bytes that they took. */
  #drop(step: AnyStep, kept: Kept): number {
    const results = this.#resultsOf(step);
    if (results.get(kept.key) !== kept) return 0;
    results.delete(kept.key);
    this.#byResult.delete(kept.result);
    let bytes = bytesOf(step, kept);
    for (const [other, otherResults] of this.#kept)
      for (const each of [...otherResults.values()])
        if (each.inputs.includes(kept.result)) bytes += this.#drop(other, each);
    step.release?.(kept.result);
    return bytes;
  }

  /** A number that changes when an input grows; NaN, which equals nothing, for an object that does not tell. */
  #versionOf(input: unknown): number {
    if (typeof input !== 'object' || input === null) return 0;
    const kept = this.#byResult.get(input);
    if (kept !== undefined) return kept.version;
    if (isPlain(input)) return 0;
    return 'revision' in input && typeof input.revision === 'number' ? input.revision : Number.NaN;
  }

  #nameOf(inputs: readonly unknown[]): string {
    return inputs.map((input) => this.#nameOfOne(input)).join();
  }

  #nameOfOne(input: unknown): string {
    const isData =
      typeof input !== 'object' || input === null || (isPlain(input) && !this.#byResult.has(input));
    if (isData) return input === undefined ? '-' : JSON.stringify(input);
    let number = this.#numbers.get(input);
    if (number === undefined) this.#numbers.set(input, (number = ++this.#lastNumber));
    return `#${number}`;
  }
}

function bytesOf(step: AnyStep, { result }: Kept): number {
  return step.bytes?.(result) ?? SMALL;
}

function isPlain(input: object): boolean {
  return Array.isArray(input) || Object.getPrototypeOf(input) === Object.prototype;
}
