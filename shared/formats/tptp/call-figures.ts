import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';

/** Figures of one call, or of all calls that an aggregated event stands for. */
export interface CallSum {
  calls: number;
  /** ns, without callees. */
  self: number;
  /** ns, with callees. */
  total: number;
  /** CPU ns, without callees. */
  selfCpu: number;
  /** CPU ns, with callees. */
  cpu: number;
  /** ns of the shortest call. */
  shortest: number;
  /** ns of the longest call. */
  longest: number;
}

/**
 * Figures of calls, a row per call node or per method.
 *
 *   row           calls   self      total     self CPU   CPU      shortest   longest
 *   Cart.price    12      47846     671389    38269      537066   1095       7360
 */
export class CallFigures {
  length = 0;
  calls = new Float64Array(FIRST_ROWS);
  self = new Float64Array(FIRST_ROWS);
  total = new Float64Array(FIRST_ROWS);
  selfCpu = new Float64Array(FIRST_ROWS);
  cpu = new Float64Array(FIRST_ROWS);
  shortest = new Float64Array(FIRST_ROWS);
  longest = new Float64Array(FIRST_ROWS);

  /** Adds rows of zeros up to `row`, if there are fewer. */
  ensureRow(row: number): void {
    if (row < this.length) return;
    if (row >= this.calls.length) {
      const capacity = nextCapacity(this.calls.length, row + 1);
      this.calls = grown(this.calls, capacity);
      this.self = grown(this.self, capacity);
      this.total = grown(this.total, capacity);
      this.selfCpu = grown(this.selfCpu, capacity);
      this.cpu = grown(this.cpu, capacity);
      this.shortest = grown(this.shortest, capacity);
      this.longest = grown(this.longest, capacity);
    }
    this.length = row + 1;
  }

  /** Adds to an existing row. `addsTotal`: false for a recursive call, which the total of the outer call includes. */
  add(row: number, sum: CallSum, addsTotal: boolean): void {
    const isFirst = this.calls[row] === 0;
    if (sum.calls > 0) {
      if (isFirst || sum.shortest < this.shortest[row]) this.shortest[row] = sum.shortest;
      if (isFirst || sum.longest > this.longest[row]) this.longest[row] = sum.longest;
    }
    this.calls[row] += sum.calls;
    this.self[row] += sum.self;
    this.selfCpu[row] += sum.selfCpu;
    if (!addsTotal) return;
    this.total[row] += sum.total;
    this.cpu[row] += sum.cpu;
  }

  /** Converts all times. */
  convertTimes(convert: (ns: number) => number): void {
    for (const column of [this.self, this.total, this.selfCpu, this.cpu, this.shortest, this.longest])
      convertAll(column, this.length, convert);
  }

  /** A copy of a row, for `restore`. */
  row(row: number): CallSum {
    return {
      calls: this.calls[row],
      self: this.self[row],
      total: this.total[row],
      selfCpu: this.selfCpu[row],
      cpu: this.cpu[row],
      shortest: this.shortest[row],
      longest: this.longest[row],
    };
  }

  restore(row: number, sum: CallSum): void {
    this.calls[row] = sum.calls;
    this.self[row] = sum.self;
    this.total[row] = sum.total;
    this.selfCpu[row] = sum.selfCpu;
    this.cpu[row] = sum.cpu;
    this.shortest[row] = sum.shortest;
    this.longest[row] = sum.longest;
  }
}

/** Converts the first `length` values. */
export function convertAll(values: Float64Array, length: number, convert: (value: number) => number): void {
  for (let row = 0; row < length; row++) values[row] = convert(values[row]);
}
