import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { GrowingTree } from '../../shared/trees/growing-tree.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import type { ProfileExtent } from '../../shared/trees/row-tree.ts';
import { MarkedNodes } from '../../shared/values/marked-nodes.ts';

/** The stacks in which a method is looked for. */
export interface StacksOfKeys {
  readonly profile: LeanProfile;
  /** How much of the profile there is. */
  readonly extent: Pick<ProfileExtent, 'frames' | 'nodes'>;
  /** Of the profile's frames. */
  readonly keys: KeyTable;
  /** A tree of the profile with these keys, which has some ten times fewer rows than there are call nodes; if there is one. */
  readonly tree: GrowingTree | undefined;
}

/** Which call nodes have a selected method on their path. */
export class NodesOfKey {
  /** The method that was looked for last, and the rows of the tree, or the nodes, with it on their path. */
  #last:
    | {
        readonly keys: KeyTable;
        readonly key: number;
        readonly tree: GrowingTree | undefined;
        readonly numbering: number | undefined;
        readonly rows: MarkedNodes;
      }
    | undefined;

  /** Of these call nodes: -> 1 if this key is on the path; 0 for NONE. */
  of(key: number, stacks: StacksOfKeys, nodes: Int32Array): Uint8Array {
    const { tree } = stacks;
    const isMarked = this.#marked(key, stacks);
    const marks = new Uint8Array(nodes.length);
    let rows = nodes;
    if (tree !== undefined) {
      rows = new Int32Array(nodes.length);
      tree.rowsOfNodes(nodes, nodes.length, rows);
    }
    for (let at = 0; at < marks.length; at++) if (nodes[at] !== NONE) marks[at] = isMarked[rows[at]];
    return marks;
  }

  forget(): void {
    this.#last = undefined;
  }

  #marked(key: number, { profile, extent, keys, tree }: StacksOfKeys): Uint8Array {
    const last = this.#last;
    const numbering = tree?.numbering;
    // Of call nodes it is a byte each, of which a key that is held down would leave dozens to the garbage collector.
    const rows = last?.rows ?? new MarkedNodes();
    const isSame =
      last?.keys === keys && last.key === key && last.tree === tree && last.numbering === numbering;
    if (!isSame) {
      rows.restart();
      this.#last = { keys, key, tree, numbering, rows };
    }
    const { ofFrame, methodOf } = keys;
    // Of a split method all lines are meant.
    const isKey = (each: number): 0 | 1 => (each === key || methodOf[each] === key ? 1 : 0);
    if (tree === undefined) {
      const ofFrames = Uint8Array.from({ length: extent.frames }, (_, frame) => isKey(ofFrame[frame]));
      rows.update(profile.nodes, extent.nodes, ofFrames);
    } else {
      const ofKeys = Uint8Array.from({ length: keys.length }, (_, each) => isKey(each));
      rows.update({ parent: tree.parent, frame: tree.key }, tree.length, ofKeys);
    }
    return rows.isMarked;
  }
}
