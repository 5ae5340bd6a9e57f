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

/** Cells of a row. */
export const Figure = { calls: 0, self: 1, total: 2, selfCpu: 3, cpu: 4, shortest: 5, longest: 6 } as const;
export type Figure = (typeof Figure)[keyof CallSum];
const WIDTH = 7;

/**
 * Figures of calls, a row per call node or per method.
 *
 *   row           calls   self      total     self CPU   CPU      shortest   longest
 *   Cart.price    12      47846     671389    38269      537066   1095       7360
 */
export class CallFigures {
  length = 0;
  #cells = new Float64Array(FIRST_ROWS * WIDTH);

  /** Adds rows of zeros up to `row`, if there are fewer. */
  ensureRow(row: number): void {
    if (row < this.length) return;
    this.length = row + 1;
    const needed = this.length * WIDTH;
    if (needed > this.#cells.length)
      this.#cells = grown(this.#cells, nextCapacity(this.#cells.length, needed));
  }

  get(row: number, figure: Figure): number {
    return this.#cells[row * WIDTH + figure];
  }

  /** Adds to an existing row. `addsTotal`: false for a recursive call, which the total of the outer call includes. */
  add(row: number, sum: CallSum, addsTotal: boolean): void {
    const cells = this.#cells;
    const at = row * WIDTH;
    if (sum.calls > 0) {
      const isFirst = cells[at + Figure.calls] === 0;
      if (isFirst || sum.shortest < cells[at + Figure.shortest]) cells[at + Figure.shortest] = sum.shortest;
      if (isFirst || sum.longest > cells[at + Figure.longest]) cells[at + Figure.longest] = sum.longest;
    }
    cells[at + Figure.calls] += sum.calls;
    cells[at + Figure.self] += sum.self;
    cells[at + Figure.selfCpu] += sum.selfCpu;
    if (addsTotal) this.addTotal(row, sum.total, sum.cpu);
  }

  addTotal(row: number, total: number, cpu: number): void {
    this.#cells[row * WIDTH + Figure.total] += total;
    this.#cells[row * WIDTH + Figure.cpu] += cpu;
  }

  /** Converts all times. */
  convertTimes(convert: (ns: number) => number): void {
    const cells = this.#cells;
    for (let at = 0; at < this.length * WIDTH; at++)
      if (at % WIDTH !== Figure.calls) cells[at] = convert(cells[at]);
  }

  /** A copy of a row, for `restore`. */
  row(row: number): Float64Array {
    return this.#cells.slice(row * WIDTH, (row + 1) * WIDTH);
  }

  restore(row: number, cells: Float64Array): void {
    this.#cells.set(cells, row * WIDTH);
  }
}

/** Numbers of calls and exits that did not fit together. */
export interface Guesses {
  /** Calls without an exit that had ended according to a later event. */
  inferred: number;
  /** Calls that were open when their thread or the trace ended. */
  unfinished: number;
  /** Exits of calls that were not open. */
  unknownExits: number;
  /** Calls that ended before they began, because a clock ran backwards. */
  negative: number;
}
