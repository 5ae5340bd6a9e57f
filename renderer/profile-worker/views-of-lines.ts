import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { NodeSource } from '../../shared/scope/scope-source.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import { ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import type { FrameGrouping, FrameKeys } from '../../shared/trees/grouping.ts';
import { extentOf, type ProfileExtent } from '../../shared/trees/row-tree.ts';
import type { SelfValues } from '../../shared/values/self-values.ts';
import type { Narrowing } from './pane-messages.ts';
import { ProfileViews } from './profile-views.ts';

/**
 * The part of a profile that is in a scope that changes stacks, with the lines of its frames. It is made from all call
 * nodes, some ten times as many as the rows from which the other panes are made, so it exists only while lines are shown.
 */
export class ViewsOfLines {
  readonly #source: LeanProfile;
  readonly #frames: FrameGrouping;
  readonly #transforms: string;
  #threads: string;
  #scope: Scope;
  #scoped: ScopedProfile;
  #views: ProfileViews;
  #state = -1;

  constructor(source: LeanProfile, scope: Scope, frames: FrameGrouping) {
    this.#source = source;
    this.#frames = frames;
    this.#scope = scope;
    this.#transforms = JSON.stringify(scope.transforms);
    this.#threads = JSON.stringify(scope.threads);
    [this.#scoped, this.#views] = this.#made();
  }

  /** Whether it is of this scope, possibly with other threads. */
  isOf(scope: Scope, frames: FrameGrouping): boolean {
    const isSame = frames === this.#frames && JSON.stringify(scope.transforms) === this.#transforms;
    if (isSame && JSON.stringify(scope.threads) !== this.#threads) {
      this.#scope = scope;
      this.#threads = JSON.stringify(scope.threads);
      this.#scoped.selectThreads(scope.threads);
    }
    return isSame;
  }

  /** The views in a state, in which the source has these values up to `extent`. `narrowing` names a row of `keys`. */
  at(
    state: number,
    values: SelfValues,
    extent: ProfileExtent,
    narrowing: Narrowing | undefined,
    keys: FrameKeys,
  ): ProfileViews {
    if (state === this.#state) return this.#views;
    this.#state = state;
    if (this.#scoped.update(values, extent) === 'outdated') {
      this.release();
      [this.#scoped, this.#views] = this.#made();
      this.#scoped.update(values, extent);
    }
    const { profile } = this.#scoped;
    this.#views.advance(extentOf(profile), profile.selfValues);
    this.#views.keepOnly(narrowing === undefined ? [] : [{ threads: narrowing.threads, frames: keys }]);
    this.#views.narrow(narrowing, keys);
    return this.#views;
  }

  release(): void {
    this.#views.release();
    this.#scoped.release();
  }

  #made(): [ScopedProfile, ProfileViews] {
    const scoped = new ScopedProfile(new NodeSource(this.#source), this.#scope, this.#frames);
    const ids = { idOf: (node: number) => scoped.idOfNode(node), nodeOf: (id: number) => scoped.nodeOf(id) };
    return [scoped, new ProfileViews(scoped.profile, ids)];
  }
}
