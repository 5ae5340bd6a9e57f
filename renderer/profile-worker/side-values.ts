import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { isEmptyScope, type Scope, selectingOf } from '../../shared/scope/scope.ts';
import { ValuesInScope } from '../../shared/scope/values-in-scope.ts';
import type { FrameGrouping } from '../../shared/trees/grouping.ts';
import type { ProfileExtent } from '../../shared/trees/row-tree.ts';
import { NO_SAMPLES, type SampleSum, type SelfValues } from '../../shared/values/self-values.ts';
import { SelfThreads } from '../../shared/values/self-threads.ts';
import { ValuesWithoutErrors } from '../../shared/values/values-without-errors.ts';

/** What of the samples of a range counts. */
export interface SideScope {
  /** Its range is not looked at. */
  readonly scope: Scope;
  readonly frames: FrameGrouping;
  readonly hidesErrors: boolean;
  /** `isError` is needed though errors are not hidden. */
  readonly findsErrors: boolean;
}

/**
 * The values of one side of a comparison, or of the only one: those of a range without hidden errors, and of these what
 * is in a scope that changes no stack.
 */
export class SideValues {
  readonly #profile: LeanProfile;
  readonly #selfThreads: SelfThreads;
  #all: SelfValues;
  #withoutErrors: ValuesWithoutErrors | undefined;
  #hidesErrors = false;
  #selecting: { readonly madeFor: string; readonly inScope: ValuesInScope } | undefined;

  constructor(profile: LeanProfile, selfThreads = new SelfThreads(profile.nodes)) {
    this.#profile = profile;
    this.#selfThreads = selfThreads;
    this.#all = profile.selfValues;
  }

  /** `all`: the values of the range. */
  update(
    all: SelfValues,
    extent: ProfileExtent,
    { scope, frames, hidesErrors, findsErrors }: SideScope,
  ): void {
    this.#all = all;
    this.#hidesErrors = hidesErrors;
    if (hidesErrors || findsErrors) {
      this.#withoutErrors ??= new ValuesWithoutErrors(this.#profile, all);
      this.#withoutErrors.update(extent, all);
    } else this.#withoutErrors = undefined;
    if (isEmptyScope({ ...scope, range: undefined }) || selectingOf(scope) === undefined) this.#leave();
    else this.#select(extent, scope, frames);
  }

  /** Does part of the next update's work: takes in call nodes and frames before these. */
  prefetch(extent: ProfileExtent): void {
    this.#withoutErrors?.prefetch(extent);
  }

  /** What a scope that changes stacks is applied to. */
  get shown(): SelfValues {
    return this.#hidesErrors ? (this.#withoutErrors?.values ?? this.#all) : this.#all;
  }

  /** The values of the last update. */
  get values(): SelfValues {
    return this.#selecting?.inScope.values ?? this.shown;
  }

  /** Samples that are left out because of errors. */
  get hidden(): SampleSum {
    return this.#hidesErrors ? (this.#withoutErrors?.hidden ?? NO_SAMPLES) : NO_SAMPLES;
  }

  /** Samples that the scope leaves out, hidden ones not among them. */
  get outside(): SampleSum {
    return this.#selecting?.inScope.outside ?? NO_SAMPLES;
  }

  /**
   * What of the range is in scope, hidden errors included. `outsideOfStacks`: row of the values -> 1 where a scope that
   * changes stacks leaves it out; undefined: another scope. `threads`: undefined where they are not counted. O(rows).
   */
  counted(
    outsideOfStacks: Uint8Array | undefined,
    threads: SelfThreads | undefined,
  ): { readonly errors: number; readonly threadsInScope: number | undefined } {
    const { count, length } = this.#all;
    const isOutside = outsideOfStacks ?? this.isOutside;
    const { isError } = this;
    const threadOf = threads?.of(this.#all);
    if (isError === undefined && threadOf === undefined) return { errors: 0, threadsInScope: undefined };
    const isSeen = new Uint8Array(this.#profile.threads.length);
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
    return this.#selecting?.inScope.isOutside;
  }

  /** Likewise, whatever its thread. */
  get stacksOutside(): Uint8Array | undefined {
    return this.#selecting?.inScope.stacksOutside;
  }

  /** Row of the values -> 1 where its stack has an error; undefined: none has. */
  get isError(): Uint8Array | undefined {
    return this.#withoutErrors?.isError;
  }

  #leave(): void {
    this.#selecting?.inScope.release();
    this.#selecting = undefined;
  }

  #select(extent: ProfileExtent, scope: Scope, frames: FrameGrouping): void {
    const madeFor = JSON.stringify([frames, scope.transforms]);
    if (this.#selecting?.madeFor !== madeFor) {
      this.#leave();
      this.#selecting = {
        madeFor,
        inScope: new ValuesInScope(this.#profile, scope, frames, this.#selfThreads),
      };
    } else this.#selecting.inScope.selectThreads(scope.threads);
    this.#selecting.inScope.update(this.shown, extent);
  }
}
