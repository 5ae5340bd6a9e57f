import type { TreeGrouping } from '../../shared/trees/grouping.ts';
import type { MethodEnds } from '../../shared/trees/method-ends.ts';
import { BottomUpSums } from '../../shared/values/bottom-up-sums.ts';
import type { RowSums } from '../../shared/values/row-sums.ts';

/** The call trees of one state, by grouping. */
export interface SumsOfState {
  /** Of everything. */
  sums(grouping: TreeGrouping): RowSums;
  /** The same rows with what is below a zoom; the same sums where there is none. */
  narrowSums(grouping: TreeGrouping): RowSums;
  /** What `sums` are compared with; undefined: nothing. */
  baseSums(grouping: TreeGrouping): RowSums | undefined;
}

/** Sums, and the state that they are of. */
interface Summed {
  readonly sums: BottomUpSums;
  readonly state: number;
}

/** The bottom-up trees of the views of a profile. A zoom changes their values, never their rows. */
export class BottomUpViews {
  readonly #calls: SumsOfState;
  /** Of the views that have the same rows with other values. */
  readonly #structure: BottomUpViews | undefined;
  /** A call tree of everything -> its bottom-up tree. */
  readonly #whole = new WeakMap<RowSums, Summed>();
  #narrow: Summed | undefined;
  /** Counts states. */
  #state = 0;

  constructor(calls: SumsOfState, structure: BottomUpViews | undefined) {
    this.#calls = calls;
    this.#structure = structure;
  }

  /** Begins a state. */
  advance(): void {
    this.#state++;
  }

  /** Of everything; a row of a thread is at the end where threads are told apart. */
  whole(grouping: TreeGrouping): BottomUpSums {
    const calls = this.#calls.sums(grouping);
    const summed = this.#structure
      ? this.#summedAgain(this.#whole.get(calls), this.#structure.whole(grouping), calls)
      : this.#updated(this.#whole.get(calls), calls, grouping);
    this.#whole.set(calls, summed);
    return summed.sums;
  }

  /** Of what is below the zoom; the whole where there is none. */
  narrow(grouping: TreeGrouping): BottomUpSums {
    const calls = this.#calls.narrowSums(grouping);
    const whole = this.whole(grouping);
    if (calls === whole.calls) return whole;
    this.#narrow = this.#summedAgain(this.#narrow, whole, calls);
    return this.#narrow.sums;
  }

  /** Where the rows count samples. */
  ends(grouping: TreeGrouping): MethodEnds {
    return this.whole(grouping).ends(this.#calls.sums(grouping).tree);
  }

  /** Frees the sums of a zoom. */
  dropNarrow(): void {
    this.#narrow = undefined;
  }

  #updated(before: Summed | undefined, calls: RowSums, grouping: TreeGrouping): Summed {
    if (before?.state === this.#state) return before;
    // Rows that were renumbered have another table of keys.
    const isSame = before?.sums.tree.keys === calls.tree.keys;
    const sums = isSame ? before.sums : new BottomUpSums(calls, grouping.threads !== 'all');
    sums.update(this.#calls.baseSums(grouping));
    return { sums, state: this.#state };
  }

  /** Other values over the rows of a tree; sums of an earlier state where they are of the same. */
  #summedAgain(before: Summed | undefined, rows: BottomUpSums, calls: RowSums): Summed {
    if (before?.sums.calls !== calls || before.sums.tree !== rows.tree)
      return { sums: rows.sumsOf(calls), state: this.#state };
    if (before.state === this.#state) return before;
    before.sums.sumAgain();
    return { sums: before.sums, state: this.#state };
  }
}
