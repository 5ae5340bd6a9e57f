import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { commonKeys } from '../../shared/scope/common-keys.ts';
import { selectingOf } from '../../shared/scope/scope.ts';
import { NodeSource, TreeSource } from '../../shared/scope/scope-source.ts';
import { ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import { CallTree } from '../../shared/trees/call-tree.ts';
import type { TreeGrouping } from '../../shared/trees/grouping.ts';
import type { ProfileExtent } from '../../shared/trees/row-tree.ts';
import type { SelfValues } from '../../shared/values/self-values.ts';
import { type SideScope, SideValues } from './side-values.ts';

/**
 * Which samples of a log are outside the scope while it is joined with another one: the scope of the panes is then of the
 * nodes of both, and samples over time are those of this log.
 */
export class OutsideOfLog {
  readonly #source: LeanProfile;
  readonly #own: SideValues;
  #scoped:
    | { readonly madeFor: string; readonly tree: CallTree | undefined; readonly profile: ScopedProfile }
    | undefined;

  constructor(source: LeanProfile) {
    this.#source = source;
    this.#own = new SideValues(source);
  }

  /** `all`: the values of the range. */
  update(all: SelfValues, extent: ProfileExtent, side: SideScope, grouping: TreeGrouping): void {
    this.#own.update(all, extent, side);
    const { scope } = side;
    if (selectingOf(scope) !== undefined) return this.release();
    const madeFor = JSON.stringify([grouping, scope.transforms]);
    if (this.#scoped?.madeFor !== madeFor) this.#make(madeFor, side, grouping);
    this.#scoped?.profile.selectThreads(scope.threads);
    if (this.#scoped?.profile.update(this.shown, extent) !== 'outdated') return;
    this.#make(madeFor, side, grouping);
    this.#scoped.profile.update(this.shown, extent);
  }

  /** The values of the range without hidden errors. */
  get shown(): SelfValues {
    return this.#own.shown;
  }

  /** Row of the values -> 1 where the scope leaves it out; undefined: it leaves none out. */
  get isOutside(): Uint8Array | undefined {
    return this.#scoped?.profile.isOutside ?? this.#own.isOutside;
  }

  /** Likewise, whatever its thread. */
  get stacksOutside(): Uint8Array | undefined {
    return this.#scoped?.profile.stacksOutside(this.shown) ?? this.#own.stacksOutside;
  }

  get isError(): Uint8Array | undefined {
    return this.#own.isError;
  }

  release(): void {
    this.#scoped?.profile.release();
    this.#scoped?.tree?.release();
    this.#scoped = undefined;
  }

  #make(madeFor: string, { scope, frames }: SideScope, grouping: TreeGrouping): void {
    this.release();
    const keys = commonKeys(grouping.frames, scope.transforms, frames);
    const tree = keys && new CallTree(this.#source, { ...grouping, frames: keys });
    const source = tree === undefined ? new NodeSource(this.#source) : new TreeSource(this.#source, tree);
    const profile = new ScopedProfile(source, scope, frames);
    this.#scoped = { madeFor, tree, profile };
  }
}
