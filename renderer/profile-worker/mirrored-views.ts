import { assert } from '../../shared/assert.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { CallTree, type TreeGrouping } from '../../shared/views/call-tree.ts';
import { FlatProfile } from '../../shared/views/flat-profile.ts';
import { FlameMeasures } from '../../shared/views/flame-measures.ts';
import type { FrameGrouping, Metric } from '../../shared/views/grouping.ts';
import type { KeyTable } from '../../shared/views/keys.ts';
import { NodeRuns } from '../../shared/views/node-runs.ts';

interface GroupedTree {
  state: number;
  readonly tree: CallTree;
  /** What it is made of, if not of the profile. */
  readonly finer: CallTree | undefined;
  renumbered: number;
}

/** Nodes that a tree takes in at once ahead of its update: some 25 ms, for which a request may wait. */
const TAKEN_AHEAD = 1 << 18;

/**
 * The views of one profile, each built when it is first asked for and brought up to date at most once per state of the
 * profile. Between two `advance` calls every view shows the same state, however much the profile grew meanwhile.
 */
export class MirroredViews {
  readonly profile: LeanProfile;
  /** Counts `advance` calls: a view is current when it was updated in this state. */
  #state = 0;
  #runs: NodeRuns;
  #runsState = -1;
  readonly #trees = new Map<string, GroupedTree>();
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

  /**
   * Does ahead what the next state will ask of the trees that there are, as far as nodes and frames before these go;
   * nothing of it shows before `advance`.
   */
  takeAhead({ nodes, frames }: { readonly nodes: number; readonly frames: number }): void {
    for (const { tree } of this.#trees.values()) tree.takeAhead(nodes, frames, TAKEN_AHEAD);
  }

  /** Runs of the profile's nodes, or of a tree's rows. */
  #runsOf(tree: CallTree | undefined): NodeRuns {
    if (this.#runs.tree !== tree) {
      this.#runs = new NodeRuns(this.profile, tree);
      this.#runsState = -1;
    }
    if (this.#runsState !== this.#state) this.#runs.update();
    this.#runsState = this.#state;
    return this.#runs;
  }

  /**
   * Whether a tree of all threads must wait for `advance`: the one that it is or could be made of was shown before the
   * profile grew, and its pane goes by the rows that it has. Made of the nodes instead it would cost ten times as much,
   * now and with all that comes.
   */
  isHeldBack({ threads, frames }: TreeGrouping): boolean {
    if (threads !== 'all') return false;
    const entry = this.#trees.get(nameOf({ threads, frames }));
    if (entry !== undefined) {
      return entry.finer !== undefined && entry.state !== this.#state && !this.#keepsUp(entry.finer);
    }
    return this.#finerTrees(frames).length > 0 && this.#treeOf(frames) === undefined;
  }

  /**
   * Not for one that is held back. `renumbered` grows whenever the tree's rows were numbered anew. A tree of all threads
   * is made of the rows of another where there is one.
   */
  tree(grouping: TreeGrouping): { readonly tree: CallTree; readonly renumbered: number } {
    const name = nameOf(grouping);
    let entry = this.#trees.get(name);
    assert(
      !this.isHeldBack(grouping),
      'a tree is asked for when what it is made of may have what the profile has',
    );
    if (entry === undefined) {
      const finer = grouping.threads === 'all' ? this.#treeOf(grouping.frames) : undefined;
      entry = { state: 0, tree: new CallTree(this.profile, grouping, finer), finer, renumbered: 0 };
      this.#trees.set(name, entry);
    }
    if (entry.state !== this.#state) {
      if (entry.finer !== undefined) this.tree(entry.finer.grouping);
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
      this.#flat.flat.update((whole) => this.#runsOf(whole ? this.#currentTree(frames) : undefined));
      this.#flat.state = this.#state;
    }
    return this.#flat.flat;
  }

  /** Keys of all frames that the profile has, of a view that is there already if one is. */
  keys(frames: FrameGrouping): KeyTable {
    return this.#currentTree(frames)?.keys ?? this.flat(frames).keys;
  }

  measures(tree: CallTree, metric: Metric): FlameMeasures {
    if (this.#measures?.tree !== tree || this.#measures.metric !== metric) {
      this.#measures = new FlameMeasures(tree, metric);
    }
    this.#measures.update();
    return this.#measures;
  }

  /**
   * Gives back the memory of trees in other groupings, which nobody looks at any more. One that a tree of all threads was
   * made of stays with it, unless it can be made of another that is looked at.
   */
  keepOnly(groupings: readonly TreeGrouping[]): void {
    const kept = new Set(groupings.map(nameOf));
    for (const [name, { finer }] of this.#trees) {
      if (finer === undefined || !kept.has(name) || kept.has(nameOf(finer.grouping))) continue;
      if (groupings.some(({ threads, frames }) => threads !== 'all' && frames === finer.grouping.frames))
        kept.delete(name);
      else kept.add(nameOf(finer.grouping));
    }
    for (const [name, { tree }] of this.#trees) {
      if (!kept.has(name)) this.#giveBack(name, tree);
    }
  }

  #giveBack(name: string, tree: CallTree): void {
    if (this.#measures?.tree === tree) this.#measures = undefined;
    this.#trees.delete(name);
    tree.release();
  }

  /** A tree that needs no update, whatever it makes of threads. */
  #currentTree(frames: FrameGrouping): CallTree | undefined {
    for (const { tree } of this.#trees.values())
      if (tree.grouping.frames === frames && tree.isCurrent) return tree;
    return undefined;
  }

  /** Trees that tell threads apart. */
  #finerTrees(frames: FrameGrouping): CallTree[] {
    return [...this.#trees.values()].flatMap(({ tree }) =>
      tree.grouping.threads !== 'all' && tree.grouping.frames === frames ? [tree] : [],
    );
  }

  /** One of them that can be had as the profile is. */
  #treeOf(frames: FrameGrouping): CallTree | undefined {
    return this.#finerTrees(frames).find((tree) => this.#keepsUp(tree));
  }

  /**
   * Whether a tree can have all that the profile has by now. Not one that was shown in this state before the profile
   * grew: its pane goes by the rows that it has.
   */
  #keepsUp(tree: CallTree): boolean {
    return tree.isCurrent || this.#trees.get(nameOf(tree.grouping))?.state !== this.#state;
  }
}

function nameOf({ threads, frames }: TreeGrouping): string {
  return `${threads} ${frames}`;
}
