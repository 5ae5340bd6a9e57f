import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { Chains } from '../../shared/engine/trees/chains.ts';
import type { FrameGrouping } from '../../shared/engine/trees/grouping.ts';
import type { GrowingTree } from '../../shared/engine/trees/growing-tree.ts';
import { ChainSums } from '../../shared/engine/values/value-columns.ts';
import { FlatProfile } from '../../shared/engine/views/flat-profile.ts';

/** A flat profile with what it is made of: chains of the profile, or of the rows of a tree. */
export class GrowingFlat {
  readonly chains: Chains;
  readonly sums: ChainSums;
  readonly flat: FlatProfile;
  readonly #profile: LeanProfile;

  constructor(profile: LeanProfile, frames: FrameGrouping, tree?: GrowingTree) {
    this.#profile = profile;
    this.chains = new Chains(profile, tree);
    this.sums = new ChainSums(this.chains);
    this.flat = new FlatProfile(profile, frames, 'once');
  }

  /** The tree, if there is one, is updated first. */
  update(): void {
    this.chains.update();
    this.sums.update(this.#profile.selfValues);
    this.flat.update(this.#profile.selfValues, () => this.sums);
  }
}
