import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import type { ProfileExtent } from '../../shared/trees/row-tree.ts';
import { MarkedNodes } from '../../shared/values/marked-nodes.ts';

/** Which call nodes have a selected method on their path. */
export class NodesOfKey {
  /** The method that was looked for last, and the nodes with it on their path. */
  #last: { readonly keys: KeyTable; readonly key: number; readonly nodes: MarkedNodes } | undefined;

  /** Node of `profile`, of whose frames the keys are -> 1 if this key is on its path. Borrowed until the next call. */
  of(
    key: number,
    keys: KeyTable,
    profile: LeanProfile,
    { frames, nodes }: Pick<ProfileExtent, 'frames' | 'nodes'>,
  ): Uint8Array {
    if (this.#last?.keys !== keys || this.#last.key !== key) {
      // A byte for each node, of which a key that is held down would leave dozens to the garbage collector.
      const marked = this.#last?.nodes ?? new MarkedNodes();
      marked.restart();
      this.#last = { keys, key, nodes: marked };
    }
    const { ofFrame, methodOf } = keys;
    // Of a split method all lines are meant.
    const isOfKey = Uint8Array.from({ length: frames }, (_, frame) =>
      ofFrame[frame] === key || methodOf[ofFrame[frame]] === key ? 1 : 0,
    );
    this.#last.nodes.update(profile.nodes, nodes, isOfKey);
    return this.#last.nodes.isMarked;
  }

  forget(): void {
    this.#last = undefined;
  }
}
