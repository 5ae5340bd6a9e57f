import { assert } from '../../assert.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { TreeSource } from '../../scope/scope-source.ts';
import { CallTree } from '../trees/call-tree.ts';
import { Chains } from '../trees/chains.ts';
import type { FrameKeys, Recursion, ThreadGrouping } from '../trees/grouping.ts';
import { ProfileUnion } from './profile-union.ts';
import type { RowTree } from '../trees/row-tree.ts';
import { ChainSums } from '../values/chain-sums.ts';
import { RowSums, type RowValues } from '../values/row-sums.ts';
import { type SampleSum, type SelfValues, sumSelfValues } from '../values/self-values.ts';
import { FlatProfile } from '../views/flat-profile.ts';

/** How the rows of both are grouped. */
export interface JoinGrouping {
  readonly threads: ThreadGrouping;
  readonly frames: FrameKeys;
}

/** A profile, and what of it is to be summed. */
export interface ComparedProfile {
  readonly profile: LeanProfile;
  readonly values: SelfValues;
}

/** Something of the base, of the new profile, and of both together. */
export interface Compared<Values> {
  readonly base: Values;
  readonly next: Values;
  readonly both: Values;
}

/** Rows of one tree with the values of two profiles. */
export interface ComparedTree extends Compared<RowValues> {
  readonly tree: RowTree;
}

/** Two profiles that are read whole, joined by the keys of a grouping. */
export class Comparison {
  readonly grouping: JoinGrouping;
  readonly profile: LeanProfile;
  readonly values: Compared<SelfValues>;
  /** What shares refer to. */
  readonly whole: Compared<SampleSum>;

  constructor(base: ComparedProfile, next: ComparedProfile, grouping: JoinGrouping) {
    this.grouping = grouping;
    const isComplete = base.profile.selfValues.isComplete && next.profile.selfValues.isComplete;
    const union = new ProfileUnion({ threads: 'together', isComplete });
    union.add('next', rowsOf(next, grouping));
    union.add('base', rowsOf(base, grouping));
    assert(
      union.update([{ values: next.values }, { values: base.values }]) === 'grown',
      'a profile that is read whole gets no more names',
    );
    this.profile = union.profile;
    this.values = { base: union.valuesOf(1), next: union.valuesOf(0), both: union.profile.selfValues };
    this.whole = compared(this.values, sumSelfValues);
  }

  /** The call trees, which have the same rows. */
  calls(): ComparedTree {
    const tree = new CallTree(this.profile, this.grouping);
    tree.update();
    const sums = compared(this.values, (values) => {
      const rows = new RowSums(tree, values);
      rows.update();
      return rows;
    });
    return { ...sums, tree };
  }

  /** The flat profiles, which have the same keys. */
  methods(recursion: Recursion): Compared<FlatProfile> {
    const chains = new Chains(this.profile);
    chains.update();
    return compared(this.values, (values) => {
      const sums = new ChainSums(chains);
      sums.update(values);
      const flat = new FlatProfile(this.profile, this.grouping.frames, recursion);
      flat.update(values, () => sums);
      return flat;
    });
  }
}

/** The rows of a call tree are far fewer than its nodes. */
function rowsOf({ profile }: ComparedProfile, { threads, frames }: JoinGrouping): TreeSource {
  return new TreeSource(
    profile,
    new CallTree(profile, { threads: threads === 'id' ? 'id' : 'name', frames }),
  );
}

function compared<From, To>(from: Compared<From>, of: (each: From) => To): Compared<To> {
  return { base: of(from.base), next: of(from.next), both: of(from.both) };
}
