import { grown, nextCapacity, NONE, release } from '../profile/columns.ts';
import type { KeyTable } from '../engine/trees/keys.ts';
import type { Selecting } from './scope.ts';
import { type KeyTest, type ScopeNodes, testOfKey } from './stack-steps.ts';

/** Keeps or drops the samples with a key on their stack, by the node at which they end. Grows with the nodes. */
export class KeyFilter {
  /** Node -> 1 when samples that end there are left out. */
  leavesOut = new Uint8Array(0);

  readonly #isKey: KeyTest;
  /** What `leavesOut` has for a node with the key on its path. */
  readonly #withKey: number;
  #taken = 0;

  constructor(transform: Selecting, keys: KeyTable) {
    this.#isKey = testOfKey(keys, transform.key);
    this.#withKey = transform.kind === 'drop' ? 1 : 0;
  }

  /** Adds what is new in the nodes. */
  update({ length, parent, frame }: ScopeNodes): void {
    if (length > this.leavesOut.length) {
      this.leavesOut = grown(this.leavesOut, nextCapacity(this.leavesOut.length, length), this.#taken);
    }
    const { leavesOut } = this;
    const withKey = this.#withKey;
    for (let node = this.#taken; node < length; node++) {
      const up = parent[node];
      const hasKey = up !== NONE && (leavesOut[up] === withKey || this.#isKey.of(frame[node]));
      leavesOut[node] = hasKey ? withKey : 1 - withKey;
    }
    this.#taken = length;
  }

  /** Frees the memory at once. */
  release(): void {
    release(this.leavesOut);
  }
}
