import type { LeanProfile } from '../profile/lean-profile.ts';
import { extentOf, NODE_ROWS, type NodeIds, type ProfileExtent } from './trees/row-tree.ts';
import { OwnValues, type SampleSum, type SelfValues, sumSelfValues } from './values/self-values.ts';

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
  /** The profile as it was read, whose threads contexts name. */
  readonly read: LeanProfile;
  readonly ids: NodeIds = NODE_ROWS;
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
    this.read = profile;
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

  /** Threads of the profile -> threads as they were read. */
  threadsRead(threads: Int32Array): Int32Array {
    return threads;
  }

  /** No samples were added since the state began. */
  get hasAllSamples(): boolean {
    return this.#samples === (this.profile.samples?.revision ?? 0);
  }
}

/**
 * A copy of self values, whose source may change afterwards. Views that are updated from it one after the other show the
 * same state.
 */
export class ValuesSnapshot extends OwnValues {
  override revision = -1;

  readonly #source: SelfValues;
  #sum: SampleSum | undefined;

  constructor(source: SelfValues) {
    super();
    this.#source = source;
    this.isComplete = source.isComplete;
  }

  /** The sum of all rows. O(rows), once per state. */
  get sum(): SampleSum {
    return (this.#sum ??= sumSelfValues(this));
  }

  /** Copies the present values of the source. O(rows): less than a millisecond for 200 000 rows. */
  take(): void {
    const { revision, length, count, time } = this.#source;
    if (revision === this.revision) return;
    this.#sum = undefined;
    this.takeRows(this.#source);
    this.count.set(count.subarray(0, length));
    this.time.ns.set(time.ns.subarray(0, length));
    this.time.bigints = time.bigints && new Map(time.bigints);
    this.revision = revision;
  }
}
