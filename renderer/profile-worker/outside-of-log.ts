import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { selectingOf } from '../../shared/scope/scope.ts';
import type { TreeGrouping } from '../../shared/trees/grouping.ts';
import type { ProfileExtent } from '../../shared/trees/row-tree.ts';
import type { SelfValues } from '../../shared/values/self-values.ts';
import { ChangedStacks } from './changed-stacks.ts';
import { type SideScope, SideValues } from './side-values.ts';

/**
 * Which samples of a log are outside the scope while it is joined with another one: the scope of the panes is then of the
 * nodes of both, and samples over time are those of this log.
 */
export class OutsideOfLog {
  readonly #source: LeanProfile;
  readonly #own: SideValues;
  /** For a scope that changes stacks. */
  readonly #changed = new ChangedStacks();

  constructor(source: LeanProfile) {
    this.#source = source;
    this.#own = new SideValues(source);
  }

  /** `all`: the values of the range. */
  update(all: SelfValues, extent: ProfileExtent, side: SideScope, grouping: TreeGrouping): void {
    this.#own.update(all, extent, side);
    const { scope, frames } = side;
    if (selectingOf(scope) !== undefined) return this.release();
    const source = { structure: this.#source, ids: undefined, scope, frames, grouping };
    this.#changed.update(source, this.shown, extent);
  }

  /** The values of the range without hidden errors. */
  get shown(): SelfValues {
    return this.#own.shown;
  }

  /** Row of the values -> 1 where the scope leaves it out; undefined: it leaves none out. */
  get isOutside(): Uint8Array | undefined {
    return this.#changed.inScope?.scoped.isOutside ?? this.#own.isOutside;
  }

  /** Likewise, whatever its thread. */
  get stacksOutside(): Uint8Array | undefined {
    return this.#changed.inScope?.scoped.stacksOutside(this.shown) ?? this.#own.stacksOutside;
  }

  get isError(): Uint8Array | undefined {
    return this.#own.isError;
  }

  release(): void {
    this.#changed.leave();
  }
}
