import type { LeanProfile } from '../profile/lean-profile.ts';
import { threadKey } from '../engine/trees/keys.ts';
import type { SelfThreads } from '../engine/values/self-threads.ts';
import type { SelfValues } from '../engine/values/self-values.ts';
import { threadTest } from './thread-test.ts';

/** Leaves out the samples of threads that are not selected. */
export class ThreadFilter {
  readonly #profile: LeanProfile;
  readonly #selfThreads: SelfThreads;
  readonly #isSelected: (name: string) => boolean;

  /** `threads`: see `Scope.threads`. */
  constructor(profile: LeanProfile, selfThreads: SelfThreads, threads: readonly string[]) {
    this.#profile = profile;
    this.#selfThreads = selfThreads;
    this.#isSelected = threadTest(threads);
  }

  /** Row of the values -> 1 where its samples are left out. O(threads + rows): a thread may have another name now. */
  leftOut(values: SelfValues): Uint8Array<ArrayBuffer> {
    const unselected = Uint8Array.from({ length: this.#profile.threads.length }, (_, thread) =>
      this.#isSelected(threadKey(this.#profile, thread, 'name')) ? 0 : 1,
    );
    const threadOf = this.#selfThreads.of(values);
    const mask = new Uint8Array(values.length);
    for (let row = 0; row < mask.length; row++) mask[row] = unselected[threadOf[row]];
    return mask;
  }
}
