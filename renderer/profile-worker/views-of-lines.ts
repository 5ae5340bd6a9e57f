import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { NodeSource } from '../../shared/scope/scope-source.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import { ScopedProfile } from '../../shared/scope/scoped-profile.ts';
import type { FrameGrouping } from '../../shared/trees/grouping.ts';
import { extentOf, type ProfileExtent } from '../../shared/trees/row-tree.ts';
import type { SelfValues } from '../../shared/values/self-values.ts';
import { ProfileViews } from './profile-views.ts';
import type { SharedView } from './shared-view.ts';

/**
 * The part of a profile that is in a scope that changes stacks, with the lines of its frames. It is made from all call
 * nodes, some ten times as many as the rows from which the other panes are made, so it exists only while lines are shown.
 */
export class ViewsOfLines {
  readonly #source: LeanProfile;
  readonly #frames: FrameGrouping;
  readonly #transforms: string;
  #scope: Scope;
  #scoped: ScopedProfile;
  #views: ProfileViews;
  #state = -1;

  constructor(source: LeanProfile, scope: Scope, frames: FrameGrouping) {
    this.#source = source;
    this.#frames = frames;
    this.#scope = scope;
    this.#transforms = JSON.stringify(scope.transforms);
    [this.#scoped, this.#views] = this.#made();
  }

  /** Whether it is of this scope, possibly with other threads. */
  isOf(scope: Scope, frames: FrameGrouping): boolean {
    return frames === this.#frames && JSON.stringify(scope.transforms) === this.#transforms;
  }

  /** The views in a state, in which the source has these values up to `extent`, and `isOf` is true for the scope. */
  at(state: number, look: SharedView, values: SelfValues, extent: ProfileExtent): ProfileViews {
    if (state === this.#state) return this.#views;
    this.#state = state;
    const { scope, narrowing, keys } = look;
    this.#scope = scope;
    this.#scoped.selectThreads(scope.threads);
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
