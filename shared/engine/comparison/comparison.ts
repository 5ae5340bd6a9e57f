import type { LeanProfile } from '../../profile/lean-profile.ts';
import type { Recursion } from '../trees/grouping.ts';
import type { RowTree } from '../trees/row-tree.ts';
import type { RowValues } from '../values/row-sums.ts';
import type { SampleSum } from '../values/self-values.ts';
import type { FlatProfile } from '../views/flat-profile.ts';
import type { Pair } from '../values/row-change.ts';

/** Something of the base, and of what is compared with it. */
export interface Compared<Values> {
  readonly base: Values;
  readonly next: Values;
}

/** Rows of one tree with the values of both sides. */
export interface ComparedTree extends Compared<RowValues> {
  readonly tree: RowTree;
}

/** Both sides of a comparison over one structure. */
export interface Comparison {
  readonly profile: LeanProfile;
  /** Sums of the samples in scope, of which shares are. */
  readonly whole: Compared<SampleSum>;
  readonly outside: Compared<SampleSum>;
  /** The time that each side covers, seconds; undefined where the times of samples are not known. */
  readonly seconds: Pair | undefined;
  /** The call trees, which have the same rows. */
  calls(): ComparedTree;
  /** The flat profiles, which have the same keys. */
  methods(recursion: Recursion): Compared<FlatProfile>;
}
