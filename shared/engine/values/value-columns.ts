import { zeroed } from '../../profile/columns.ts';
import { sweepUp } from '../../profile/lean-profile.ts';
import { TimeColumn } from '../../profile/time-column.ts';
import type { Chains } from '../trees/chains.ts';
import type { SummableRows } from '../trees/row-tree.ts';
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
