import { type Scope, selectingOf } from '../scope/scope.ts';
import type { ValuesInScope } from '../scope/values-in-scope.ts';
import type { FrameGrouping } from './trees/grouping.ts';
import { NO_SAMPLES, type SampleSum, type SelfValues } from './values/self-values.ts';
import type { SelfThreads } from './values/self-threads.ts';
import type { ValuesWithoutErrors } from './values/values-without-errors.ts';
import { SELECTED, WITHOUT_ERRORS } from './profile-steps.ts';
import type { Structure } from './recorded-profile.ts';
import type { Steps } from './steps.ts';

/** Which samples of a range count. The range itself is not looked at. */
export interface CountedSamples {
  readonly scope: Scope;
  readonly frames: FrameGrouping;
  readonly hidesErrors: boolean;
}

/** How many samples in scope have an error on their stack, and in how many threads they were taken. */
export interface CountedInScope {
  readonly errors: number;
  readonly threadsInScope: number | undefined;
}

/** The values of a range without hidden errors, and of these what is in a scope that changes no stack. */
export class ScopedValues {
  /** Values without hidden errors: what a scope that changes stacks is applied to. */
  readonly shown: SelfValues;
  /** Values that the scope leaves of them. */
  readonly values: SelfValues;

  readonly #steps: Steps;
  readonly #structure: Structure;
  readonly #all: SelfValues;
  readonly #hidesErrors: boolean;
  readonly #selected: ValuesInScope | undefined;

  /** `all`: the values of the range, over the call nodes of `structure`. */
  constructor(
    steps: Steps,
    structure: Structure,
    all: SelfValues,
    { scope, frames, hidesErrors }: CountedSamples,
  ) {
    this.#steps = steps;
    this.#structure = structure;
    this.#all = all;
    this.#hidesErrors = hidesErrors;
    this.shown = hidesErrors ? this.#withoutErrors.values : all;
    const { threads, transforms } = scope;
    const isWhole = threads.length === 0 && transforms.length === 0;
    this.#selected =
      isWhole || selectingOf(scope) === undefined
        ? undefined
        : steps.get(SELECTED, structure, transforms, frames, this.shown, threads);
    this.values = this.#selected?.values ?? this.shown;
  }

  /** Samples that are left out because of errors. */
  get hidden(): SampleSum {
    return this.#hidesErrors ? this.#withoutErrors.hidden : NO_SAMPLES;
  }

  /** Samples that the scope leaves out, hidden ones not among them. */
  get outside(): SampleSum {
    return this.#selected?.outside ?? NO_SAMPLES;
  }

  /**
   * What of the range is in scope, hidden errors included. `outsideOfStacks`: row of the values -> 1 where a scope that
   * changes stacks leaves it out; undefined: another scope. `threads`: undefined where they are not counted. O(rows).
   */
  counted(outsideOfStacks: Uint8Array | undefined, threads: SelfThreads | undefined): CountedInScope {
    const { count, length } = this.#all;
    const isOutside = outsideOfStacks ?? this.isOutside;
    const { isError } = this;
    const threadOf = threads?.of(this.#all);
    if (isError === undefined && threadOf === undefined) return { errors: 0, threadsInScope: undefined };
    const isSeen = new Uint8Array(this.#structure.profile.threads.length);
    let errors = 0;
    let threadsInScope = 0;
    for (let row = 0; row < length; row++) {
      if (count[row] === 0 || isOutside?.[row] === 1) continue;
      if (isError?.[row] === 1) errors += count[row];
      if (threadOf === undefined || isSeen[threadOf[row]] === 1) continue;
      isSeen[threadOf[row]] = 1;
      threadsInScope++;
    }
    return { errors, threadsInScope: threadOf === undefined ? undefined : threadsInScope };
  }

  /** Row of the values -> 1 where the scope leaves it out; undefined: it leaves none out. */
  get isOutside(): Uint8Array | undefined {
    return this.#selected?.isOutside;
  }

  /** Row of the values -> 1 where the scope leaves its stack out, whatever its thread; undefined: it leaves none out. */
  get stacksOutside(): Uint8Array | undefined {
    return this.#selected?.stacksOutside;
  }

  /** Row of the values -> 1 where its stack has an error; undefined: none has. */
  get isError(): Uint8Array | undefined {
    return this.#withoutErrors.isError;
  }

  get #withoutErrors(): ValuesWithoutErrors {
    return this.#steps.get(WITHOUT_ERRORS, this.#structure, this.#all);
  }
}
