import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import {
  type Callees,
  calleesOf,
  type Callers,
  callersOf,
  type MethodTreeOptions,
} from '../../shared/trees/callers.ts';
import { frameKeysName, type TreeGrouping } from '../../shared/trees/grouping.ts';
import type { GrowingTree } from '../../shared/trees/growing-tree.ts';
import { endsOfCallees, endsOfCallers, type MethodEnds } from '../../shared/trees/method-ends.ts';
import type { ChainSums } from '../../shared/values/chain-sums.ts';
import { type MethodSums, sumCallees, sumCallers } from '../../shared/values/method-sums.ts';

/** Whose callers or callees, and made of what. */
export interface MethodPaths {
  readonly direction: 'callers' | 'callees';
  /** Of the method, in the keys of the grouping. */
  readonly key: number;
  readonly grouping: TreeGrouping;
}

/** The call tree that callers and callees are found in. */
export interface CallsOfState {
  tree(grouping: TreeGrouping): GrowingTree;
  chainSums(tree: GrowingTree): ChainSums;
}

/** The rows of callers or callees of one method, without values. */
type MethodRows =
  | { readonly direction: 'callers'; readonly rows: Callers }
  | { readonly direction: 'callees'; readonly rows: Callees };

/** The callers and callees of methods, in one state of the views of a profile. */
export class MethodViews {
  readonly #profile: LeanProfile;
  readonly #calls: CallsOfState;
  /** Of the views that have the same rows with other values. */
  readonly #structure: MethodViews | undefined;
  readonly #sums = new Map<string, MethodSums>();
  readonly #rows = new Map<string, MethodRows>();

  constructor(profile: LeanProfile, calls: CallsOfState, structure: MethodViews | undefined) {
    this.#profile = profile;
    this.#calls = calls;
    this.#structure = structure;
  }

  clear(): void {
    this.#sums.clear();
    this.#rows.clear();
  }

  /** Where samples are counted among them. */
  ends(of: MethodPaths): MethodEnds {
    const made = this.#rowsOf(of);
    return made.direction === 'callers' ? endsOfCallers(made.rows) : endsOfCallees(made.rows);
  }

  sums(of: MethodPaths): MethodSums {
    const name = nameOf(of);
    let made = this.#sums.get(name);
    if (made === undefined) {
      const sums = this.#calls.chainSums(this.#calls.tree(of.grouping));
      const rows = (this.#structure ?? this).#rowsOf(of);
      made = rows.direction === 'callers' ? sumCallers(rows.rows, sums) : sumCallees(rows.rows, sums);
      this.#sums.set(name, made);
    }
    return made;
  }

  #rowsOf(of: MethodPaths): MethodRows {
    const { direction, key, grouping } = of;
    const name = nameOf(of);
    let made = this.#rows.get(name);
    if (made === undefined) {
      const tree = this.#calls.tree(grouping);
      const { chains } = this.#calls.chainSums(tree);
      const threads = grouping.threads === 'all' ? undefined : grouping.threads;
      const options: MethodTreeOptions = { chains, keys: tree.keys, key, recursion: 'once', threads };
      made =
        direction === 'callers'
          ? { direction, rows: callersOf(this.#profile, options) }
          : { direction, rows: calleesOf(options) };
      this.#rows.set(name, made);
    }
    return made;
  }
}

function nameOf({ direction, key, grouping: { threads, frames } }: MethodPaths): string {
  return `${direction} ${key} ${threads} ${frameKeysName(frames)}`;
}
