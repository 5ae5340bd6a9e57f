import { assert } from '../assert.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { FrameGrouping } from '../engine/trees/grouping.ts';
import { KeyTables } from '../engine/trees/keys.ts';
import type { ProfileExtent } from '../engine/trees/row-tree.ts';
import { MaskedValues } from '../engine/values/masked-values.ts';
import { SelfThreads } from '../engine/values/self-threads.ts';
import type { SampleSum, SelfValues } from '../engine/values/self-values.ts';
import { filterOf, type SampleFilter } from './key-filter.ts';
import { type Scope, type Selecting, selectingOf } from './scope.ts';
import { rowsLeftOut } from './filters.ts';

/**
 * Self values without those that are outside a scope, where the scope changes no stack: threads, keep, drop and leave out. The
 * trees of the profile are used as they are and only summed again. A byte for each node and transform.
 *
 *   drop b   node        main  a  b  c (below b)  d
 *            leavesOut   0     0  1  1            0
 */
export class ValuesInScope {
  readonly #profile: LeanProfile;
  readonly #grouping: FrameGrouping;
  readonly #transforms: readonly Selecting[];
  readonly #selfThreads: SelfThreads;
  #threads: readonly string[];
  /** In the groupings in which the transforms name frames. */
  #keys: KeyTables;
  #keyFilters: readonly SampleFilter[];
  #source: SelfValues;
  /** Row -> 1 where its stack is outside, whatever its thread. */
  #stacksOutside = new Uint8Array(0);
  /** Row of the values -> 1 where it is outside the scope; as of the last update. */
  isOutside = new Uint8Array(0);
  #masked: MaskedValues;

  /** `grouping`: what keys of transforms are made of that do not say it. */
  constructor(
    profile: LeanProfile,
    scope: Scope,
    grouping: FrameGrouping,
    selfThreads = new SelfThreads(profile.nodes),
  ) {
    const transforms = selectingOf(scope);
    assert(transforms !== undefined, 'a scope that changes stacks needs a ScopedProfile');
    this.#profile = profile;
    this.#keys = new KeyTables(profile);
    this.#selfThreads = selfThreads;
    this.#grouping = grouping;
    this.#transforms = transforms;
    this.#threads = scope.threads;
    this.#keyFilters = this.#newKeyFilters();
    this.#source = profile.selfValues;
    this.#masked = new MaskedValues(this.#source);
  }

  /** The values as of the last update. */
  get values(): SelfValues {
    return this.#masked;
  }

  /** Samples outside the scope. */
  get outside(): SampleSum {
    return this.#masked.leftOut;
  }

  /** Row of the values -> 1 where its stack is outside the scope, whatever its thread; as of the last update. */
  get stacksOutside(): Uint8Array {
    return this.#stacksOutside;
  }

  /** Selects other threads, from the next update on: see `Scope.threads`. */
  selectThreads(threads: readonly string[]): void {
    this.#threads = threads;
  }

  /** Updates to the present values of `source`, whose nodes must be within `extent`. O(new nodes + rows). */
  update(source: SelfValues, { frames, nodes }: ProfileExtent): void {
    // A method that had no name has one now.
    if (!this.#keys.update(frames)) {
      this.release();
      this.#keys = new KeyTables(this.#profile);
      this.#keyFilters = this.#newKeyFilters();
    }
    const { parent, frame } = this.#profile.nodes;
    this.#stacksOutside = new Uint8Array(source.length);
    for (const filter of this.#keyFilters) {
      filter.update({ length: nodes, parent, frame });
      addTo(this.#stacksOutside, filter.leavesOut, source.node);
    }
    const mask =
      this.#threads.length === 0
        ? this.#stacksOutside
        : // A thread may have another name now.
          rowsLeftOut(this.#profile, this.#selfThreads, this.#threads, source);
    if (mask !== this.#stacksOutside && this.#keyFilters.length > 0) {
      const outside = this.#stacksOutside;
      for (let row = 0; row < mask.length; row++) mask[row] |= outside[row];
    }
    if (source !== this.#source) {
      this.#source = source;
      this.#masked = new MaskedValues(source);
    }
    this.isOutside = mask;
    this.#masked.update(mask);
  }

  /** Frees what is kept of the nodes at once. */
  release(): void {
    for (const filter of this.#keyFilters) filter.release();
  }

  #newKeyFilters(): readonly SampleFilter[] {
    return this.#transforms.map((transform) =>
      filterOf(transform, (grouping) => this.#keys.of(grouping), this.#grouping),
    );
  }
}

function addTo(mask: Uint8Array, leavesOut: Uint8Array, node: Int32Array): void {
  for (let row = 0; row < mask.length; row++) mask[row] |= leavesOut[node[row]];
}
