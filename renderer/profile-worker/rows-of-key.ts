import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import type { ProfileExtent } from '../../shared/trees/row-tree.ts';
import { MarkedNodes, markedRows } from '../../shared/values/marked-nodes.ts';
import type { SelfValues } from '../../shared/values/self-values.ts';

/** Which self values have a selected method on their stack. */
export class RowsOfKey {
  readonly #source: LeanProfile;
  /** The method that was looked for last, and the nodes with it on their path. */
  #last: { readonly keys: KeyTable; readonly key: number; readonly nodes: MarkedNodes } | undefined;

  constructor(source: LeanProfile) {
    this.#source = source;
  }

  /** Row of `values` -> 1 where this key is on the stack. */
  of(key: number, keys: KeyTable, values: SelfValues, { frames, nodes }: ProfileExtent): Uint8Array {
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
    this.#last.nodes.update(this.#source.nodes, nodes, isOfKey);
    return markedRows(values, this.#last.nodes.isMarked);
  }

  forget(): void {
    this.#last = undefined;
  }
}
