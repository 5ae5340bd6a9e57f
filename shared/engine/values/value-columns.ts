import { zeroed, NONE } from '../../profile/columns.ts';
import { sweepUp } from '../../profile/lean-profile.ts';
import { TimeColumn } from '../../profile/time-column.ts';
import type { Chains } from '../trees/chains.ts';
import type { SummableRows, RowTree } from '../trees/row-tree.ts';
import type { SelfValues } from './self-values.ts';

/** Self and total values of rows: numbers of samples, and their time in ns or the profile's other unit. */
export class ValueColumns {
  selfCount: Float64Array<ArrayBuffer>;
  totalCount: Float64Array<ArrayBuffer>;
  readonly selfTime: TimeColumn;
  readonly totalTime: TimeColumn;
  /** Every sum of times is exact as a double, so further sums may add `ns` directly. */
  sumsAreExact = true;

  /** Zeros. */
  constructor(length = 0) {
    this.selfCount = new Float64Array(length);
    this.totalCount = new Float64Array(length);
    this.selfTime = new TimeColumn(length);
    this.totalTime = new TimeColumn(length);
  }

  /** Sums self values over rows, in one pass over the values and one over the rows, from the last to the first. */
  sum(rows: SummableRows, values: SelfValues): void {
    const { length } = rows;
    const rowOf = rows.rowsOfValues(values);
    this.sumsAreExact = values.time.sumsStayExact(values.length);
    const selfCount = (this.selfCount = zeroed(this.selfCount, length));
    this.selfTime.clear(length);
    if (this.sumsAreExact) addSelfValues(values, rowOf, selfCount, this.selfTime.ns);
    else {
      for (let self = 0; self < values.length; self++) {
        selfCount[rowOf[self]] += values.count[self];
        this.selfTime.addFrom(rowOf[self], values.time, self);
      }
    }
    const totalCount = (this.totalCount = zeroed(this.totalCount, length));
    totalCount.set(selfCount);
    this.totalTime.clear(length);
    this.totalTime.copyFrom(this.selfTime);
    sweepUp(rows.parent, length, totalCount, this.totalTime, this.sumsAreExact);
  }
}

/** A separate function with arrays only: V8 compiles a running loop sooner in a small function. */
function addSelfValues(
  { length, count, time: { ns } }: SelfValues,
  rowOf: Int32Array,
  selfCount: Float64Array,
  selfNs: Float64Array,
): void {
  for (let self = 0; self < length; self++) {
    const row = rowOf[self];
    selfCount[row] += count[self];
    selfNs[row] += ns[self];
  }
}

/**
 * Self and total values of chains. A sample that passes through one node of a chain passes through all of them. If it
 * ends in the chain, it ends at its last node.
 */
export class ChainSums extends ValueColumns {
  readonly chains: Chains;

  constructor(chains: Chains) {
    super();
    this.chains = chains;
  }

  /** Sums everything again, because each update of the chains renumbers them. Update the chains first. */
  update(values: SelfValues): void {
    this.sum(this.chains, values);
  }
}

/** The four numbers of rows, of a tree or of a flat profile. */
interface ValuesOfRows extends TotalsOfRows {
  readonly selfCount: ArrayLike<number>;
  readonly selfTime: TimeColumn;
}

interface TotalsOfRows {
  readonly totalCount: ArrayLike<number>;
  readonly totalTime: TimeColumn;
}

/** Totals of the rows of a tree; `revision` is the number of updates. */
interface TotalsOfTree extends TotalsOfRows {
  readonly tree: RowTree;
  readonly revision: number;
}

/**
 * Whether a row has a number that is not 0: samples, or only time, as time between two snapshots may belong to a stack
 * where no sample ended (see SampleTable).
 */
export function hasNumbers(
  { selfCount, totalCount, selfTime, totalTime }: ValuesOfRows,
  row: number,
): boolean {
  return totalCount[row] !== 0 || totalTime.ns[row] !== 0 || selfCount[row] !== 0 || selfTime.ns[row] !== 0;
}

/**
 * The rows of a tree that have a value, or are above one that has. A row without samples whose times add up to 0 is among
 * them, because its parts are shown below it.
 *
 *   row           samples   time
 *   Shop.run      0         0       shown: its parts are
 *     Shop.read   0         500
 *     Shop.save   0         -500
 *   Shop.stop     0         0       not shown
 */
export class ValuedRows {
  readonly #values: TotalsOfTree;
  /** Row -> 1 if it has a value; undefined where no times of the revision cancel each other. */
  #isValued: Uint8Array | undefined;
  /** The revision of the values for which `#isValued` was computed. */
  #revision = -1;

  constructor(values: TotalsOfTree) {
    this.#values = values;
  }

  /** The first row without samples and time after an update costs a pass over all rows. */
  has(row: number): boolean {
    const { totalCount, totalTime, revision } = this.#values;
    if (totalCount[row] !== 0 || totalTime.ns[row] !== 0) return true;
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#isValued = this.#cancelEachOther() ? this.#valued() : undefined;
    }
    return this.#isValued?.[row] === 1;
  }

  /** Whether a row has time below one that has neither samples nor time. */
  #cancelEachOther(): boolean {
    const { tree, totalCount, totalTime } = this.#values;
    const { ns } = totalTime;
    const { length, parent } = tree;
    for (let row = 0; row < length; row++) {
      const up = parent[row];
      if (ns[row] !== 0 && up !== NONE && totalCount[up] === 0 && ns[up] === 0) return true;
    }
    return false;
  }

  #valued(): Uint8Array {
    const { tree, totalCount, totalTime } = this.#values;
    const isValued = new Uint8Array(tree.length);
    for (let row = tree.length - 1; row >= 0; row--) {
      if (totalCount[row] !== 0 || totalTime.ns[row] !== 0) isValued[row] = 1;
      if (isValued[row] === 1 && tree.parent[row] !== NONE) isValued[tree.parent[row]] = 1;
    }
    return isValued;
  }
}
