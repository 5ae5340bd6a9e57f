import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { CallTree, type TreeGrouping } from '../../shared/views/call-tree.ts';
import { FlatProfile } from '../../shared/views/flat-profile.ts';
import { FlameMeasures } from '../../shared/views/flame-measures.ts';
import type { FrameGrouping, Metric } from '../../shared/views/grouping.ts';
import { NodeRuns } from '../../shared/views/node-runs.ts';

/**
 * The views of one profile, each built when it is first asked for and brought up to date at most once per state of the
 * profile. Between two `advance` calls every view shows the same state, however much the profile grew meanwhile.
 */
export class MirroredViews {
  readonly profile: LeanProfile;
  /** Counts `advance` calls: a view is current when it was updated in this state. */
  #state = 0;
  readonly #runs: NodeRuns;
  #runsState = -1;
  readonly #trees = new Map<string, { state: number; readonly tree: CallTree; renumbered: number }>();
  #flat: { state: number; readonly flat: FlatProfile } | undefined;
  #measures: FlameMeasures | undefined;

  constructor(profile: LeanProfile) {
    this.profile = profile;
    this.#runs = new NodeRuns(profile);
  }

  /** Lets the views take in what the profile has gained. */
  advance(): void {
    this.#state++;
  }

  runs(): NodeRuns {
    if (this.#runsState !== this.#state) this.#runs.update();
    this.#runsState = this.#state;
    return this.#runs;
  }

  /** `renumbered` grows whenever the tree's rows were numbered anew. */
  tree(grouping: TreeGrouping): { readonly tree: CallTree; readonly renumbered: number } {
    const name = `${grouping.threads} ${grouping.frames}`;
    let entry = this.#trees.get(name);
    if (entry === undefined) {
      entry = { state: 0, tree: new CallTree(this.profile, grouping), renumbered: 0 };
      this.#trees.set(name, entry);
    }
    if (entry.state !== this.#state) {
      if (entry.tree.update()) entry.renumbered++;
      entry.state = this.#state;
    }
    return entry;
  }

  flat(frames: FrameGrouping): FlatProfile {
    if (this.#flat?.flat.keys.grouping !== frames) {
      this.#flat = { state: 0, flat: new FlatProfile(this.profile, frames, 'once') };
    }
    if (this.#flat.state !== this.#state) {
      this.#flat.flat.update(() => this.runs());
      this.#flat.state = this.#state;
    }
    return this.#flat.flat;
  }

  measures(tree: CallTree, metric: Metric): FlameMeasures {
    if (this.#measures?.tree !== tree || this.#measures.metric !== metric) {
      this.#measures = new FlameMeasures(tree, metric);
    }
    this.#measures.update();
    return this.#measures;
  }

  /** Gives back the memory of trees in other groupings, which nobody looks at any more. */
  keepOnly(groupings: readonly TreeGrouping[]): void {
    const names = new Set(groupings.map((grouping) => `${grouping.threads} ${grouping.frames}`));
    for (const [name, { tree }] of this.#trees) {
      if (names.has(name)) continue;
      if (this.#measures?.tree === tree) this.#measures = undefined;
      this.#trees.delete(name);
      tree.release();
    }
  }
}
