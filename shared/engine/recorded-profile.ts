import type { LeanProfile } from '../profile/lean-profile.ts';
import { extentOf, NODE_ROWS, type NodeIds, type ProfileExtent } from './trees/row-tree.ts';
import { ValuesSnapshot } from './values/values-snapshot.ts';

/** Call nodes from which trees are made, as of one state. */
export interface Structure {
  readonly profile: LeanProfile;
  readonly ids: NodeIds;
  /** The part of the profile that belongs to the state. */
  readonly extent: ProfileExtent;
}

/** A profile that was read, as of one state: until the next one its growth is not seen. */
export class RecordedProfile implements Structure {
  readonly profile: LeanProfile;
  readonly ids = NODE_ROWS;
  /** All self values of the state. */
  readonly values: ValuesSnapshot;
  extent: ProfileExtent = { frames: 0, nodes: 0, selfValues: 0 };
  /** Counts the states in which the profile may have grown. */
  revision = 0;
  /** Revision of the SampleTable when the state began. */
  #samples = 0;
  #hasGrown = true;

  constructor(profile: LeanProfile) {
    this.profile = profile;
    this.values = new ValuesSnapshot(profile.selfValues);
  }

  /** The profile may have gained something, which the next state shows. */
  grew(): void {
    this.#hasGrown = true;
  }

  /** Begins a state with all that the profile has now, if it has grown. */
  begin(): void {
    if (!this.#hasGrown) return;
    this.#hasGrown = false;
    this.extent = extentOf(this.profile);
    this.values.take();
    this.#samples = this.profile.samples?.revision ?? 0;
    this.revision++;
  }

  /** No samples were added since the state began. */
  get hasAllSamples(): boolean {
    return this.#samples === (this.profile.samples?.revision ?? 0);
  }
}
