import { grown, nextCapacity, NONE, release } from '../profile/columns.ts';
import type { KeyTable } from '../engine/trees/keys.ts';
import type { Selecting } from './scope.ts';
import { AWAITING_METHODS, isOneOf, LOCKING_METHODS, WAITING_METHODS } from '../text/waiting-methods.ts';
import type { FrameGrouping } from '../engine/trees/grouping.ts';
import { KeyTest, type ScopeNodes, testOfKey } from './stack-steps.ts';

/** The filter that selects samples by the node at which they end. */
export type SampleFilter = KeyFilter | IdleFilter;

/** The filter of a transform. `inUse`: what keys are made of that do not say it. */
export function filterOf(
  transform: Selecting,
  keysOf: (grouping: FrameGrouping) => KeyTable,
  inUse: FrameGrouping,
): SampleFilter {
  return transform.kind === 'leave-out'
    ? new IdleFilter(keysOf('fqmn'))
    : new KeyFilter(transform, keysOf(transform.keys ?? inUse));
}

/**
 * Leaves out the samples of idle threads: those that wait, but not for a lock. Grows with the nodes.
 *
 *   Pool.take   LinkedBlockingQueue.take   ConditionObject.await          Unsafe.park     left out
 *   Cart.add    ReentrantLock.lock         AbstractQueued….acquire        Unsafe.park     stays
 */
export class IdleFilter {
  leavesOut = new Uint8Array(0);
  /** Node -> 1 below a method that acquires a lock, and 2 below one that awaits something. */
  #state = new Uint8Array(0);
  readonly #tests: readonly KeyTest[];
  #taken = 0;

  constructor(keys: KeyTable) {
    this.#tests = [WAITING_METHODS, LOCKING_METHODS, AWAITING_METHODS].map((texts) => {
      const isOne = isOneOf(texts);
      return new KeyTest(keys, (label) => isOne(label));
    });
  }

  /** Adds what is new in the nodes. */
  update({ length, parent, frame }: ScopeNodes): void {
    if (length > this.leavesOut.length) {
      const capacity = nextCapacity(this.leavesOut.length, length);
      this.leavesOut = grown(this.leavesOut, capacity, this.#taken);
      this.#state = grown(this.#state, capacity, this.#taken);
    }
    const [waits, locks, awaits] = this.#tests;
    for (let node = this.#taken; node < length; node++) {
      const up = parent[node];
      if (up === NONE) continue;
      const state =
        this.#state[up] | (locks.of(frame[node]) ? LOCKING : 0) | (awaits.of(frame[node]) ? AWAITING : 0);
      this.#state[node] = state;
      const isWaiting = this.leavesOut[up] === 1 || waits.of(frame[node]);
      this.leavesOut[node] = isWaiting && (state & (LOCKING | AWAITING)) !== LOCKING ? 1 : 0;
    }
    this.#taken = length;
  }

  /** Frees the memory at once. */
  release(): void {
    release(this.leavesOut);
    release(this.#state);
  }
}

const LOCKING = 1;
const AWAITING = 2;

/** Keeps or drops the samples with a key on their stack, by the node at which they end. Grows with the nodes. */
class KeyFilter {
  /** Node -> 1 when samples that end there are left out. */
  leavesOut = new Uint8Array(0);

  readonly #isKey: KeyTest;
  /** The value of `leavesOut` for a node with the key on its path. */
  readonly #withKey: number;
  #taken = 0;

  constructor(transform: Extract<Selecting, { key: string }>, keys: KeyTable) {
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
