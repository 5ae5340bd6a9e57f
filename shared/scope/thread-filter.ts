import { grown, nextCapacity, NONE } from '../profile/columns.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import { threadKey } from '../trees/keys.ts';
import type { ScopeNodes } from './stack-steps.ts';
import { threadTest } from './thread-test.ts';

/** Leaves out the samples of threads that are not selected, by the node at which they end. Grows with the nodes. */
export class ThreadFilter {
  /** Node -> 1 when samples that end there are left out. */
  leavesOut = new Uint8Array(0);

  readonly #profile: LeanProfile;
  readonly #isSelected: (name: string) => boolean;
  /** Thread -> 1 if it is not selected. */
  #unselected = new Uint8Array(0);
  #taken = 0;

  /** `threads`: see `Scope.threads`. */
  constructor(profile: LeanProfile, threads: readonly string[]) {
    this.#profile = profile;
    this.#isSelected = threadTest(threads);
  }

  /** Adds what is new in the nodes. A thread that has another name now is looked at again, with all nodes. */
  update({ length, parent, frame }: ScopeNodes): void {
    this.#testThreads();
    if (length > this.leavesOut.length) {
      this.leavesOut = grown(this.leavesOut, nextCapacity(this.leavesOut.length, length), this.#taken);
    }
    const { leavesOut } = this;
    const unselected = this.#unselected;
    for (let node = this.#taken; node < length; node++) {
      const up = parent[node];
      leavesOut[node] = up === NONE ? unselected[~frame[node]] : leavesOut[up];
    }
    this.#taken = length;
  }

  #testThreads(): void {
    const before = this.#unselected;
    this.#unselected = Uint8Array.from({ length: this.#profile.threads.length }, (_, thread) =>
      this.#isSelected(threadKey(this.#profile, thread, 'name')) ? 0 : 1,
    );
    if (before.some((known, thread) => known !== this.#unselected[thread])) this.#taken = 0;
  }
}
