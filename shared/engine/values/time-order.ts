import { grown } from '../../profile/columns.ts';
import type { SampleTable } from '../../profile/sample-table.ts';

/** Places that are reserved for samples to come: few, because each update looks at all places anyway. */
const MOST_SPARE = 4096;

/**
 * The rows of a SampleTable in the order of time; of equal times the earlier row first. Most tables are nearly in this
 * order. A table that is exactly in it needs no memory here.
 *
 *   at      0 9 4 4 12
 *   order   0 2 3 1 4
 */
export class TimeOrder {
  /** Place -> row; the first `length` entries. Undefined: the rows are in the order of time. */
  order: Int32Array<ArrayBuffer> | undefined;
  length = 0;

  /** Rows that were final at the last update. */
  #final = 0;
  #revision = -1;

  /** Takes in what the table has gained. Rows that were there before are not sorted again. */
  update(table: SampleTable): void {
    if (table.revision === this.#revision) return;
    this.#revision = table.revision;
    this.#withdraw(Math.min(this.#final, table.finalLength));
    this.#add(table);
    this.#final = table.finalLength;
  }

  /** The row at a place. */
  rowAt(place: number): number {
    return this.order === undefined ? place : this.order[place];
  }

  /** Removes the rows from `end` on, which were provisional. */
  #withdraw(end: number): void {
    const { order } = this;
    if (order !== undefined) {
      let kept = 0;
      for (let place = 0; place < this.length; place++) if (order[place] < end) order[kept++] = order[place];
    }
    this.length = Math.min(this.length, end);
  }

  #add({ length, at: { ns } }: SampleTable): void {
    const from = this.length;
    if (length === from) return;
    if (this.order === undefined) {
      let row = Math.max(1, from);
      while (row < length && ns[row] >= ns[row - 1]) row++;
      if (row === length) {
        this.length = length;
        return;
      }
    }
    let order = this.order ?? Int32Array.from({ length: from }, (_, place) => place);
    if (length > order.length) {
      // A table that is read whole before its order is asked for gets no more rows, or few.
      const spare = from === 0 ? 0 : Math.min(length >>> 4, MOST_SPARE);
      order = grown(order, length + spare, from);
    }
    this.order = order;
    for (let row = from; row < length; row++) order[row] = row;
    sortByTime(order.subarray(from, length), ns);
    if (from > 0) mergeRuns(order, 0, from, length, ns);
    this.length = length;
  }
}

/** Runs of a file whose rows are only roughly in order have few rows each: so many are put in order one by one. */
const SHORT_RUN = 16;

/**
 * Sorts rows by their times, stably: merges neighbouring runs that are in order until there is one. Files are made of few
 * long runs, such as those of a thread, or of rows that are a little out of place: then two runs have little to merge, see
 * `mergeRuns`. Any other order costs O(n log n).
 */
function sortByTime(rows: Int32Array, ns: Float64Array): void {
  let starts = runsOf(rows, ns);
  while (starts.length > 1) {
    for (let run = 0; run + 1 < starts.length; run += 2)
      mergeRuns(rows, starts[run], starts[run + 1], starts[run + 2] ?? rows.length, ns);
    starts = starts.filter((_, run) => run % 2 === 0);
  }
}

/** Where runs begin that are in order. Those that would be shorter than SHORT_RUN are put in order first. */
function runsOf(rows: Int32Array, ns: Float64Array): number[] {
  const starts: number[] = [];
  for (let start = 0, end = 0; start < rows.length; start = end) {
    starts.push(start);
    for (end = start + 1; end < rows.length; end++) {
      const row = rows[end];
      if (ns[row] >= ns[rows[end - 1]]) continue;
      if (end - start >= SHORT_RUN) break;
      let place = end;
      for (; place > start && ns[rows[place - 1]] > ns[row]; place--) rows[place] = rows[place - 1];
      rows[place] = row;
    }
  }
  return starts;
}

/**
 * Merges [left, middle) and [middle, end). Rows at the beginning and at the end that are in their place already are left
 * there, which is nearly all where the rows are roughly in order.
 */
function mergeRuns(rows: Int32Array, left: number, middle: number, end: number, ns: Float64Array): void {
  const leastAbove = ns[rows[middle]];
  if (ns[rows[middle - 1]] <= leastAbove) return;
  const from = firstLater(rows, left, middle, ns, leastAbove);
  const moved = rows.slice(from, middle);
  let b = middle;
  // When all of the first run are placed, what is left of the second is where it belongs.
  for (let a = 0, place = from; a < moved.length; place++)
    rows[place] = b < end && ns[rows[b]] < ns[moved[a]] ? rows[b++] : moved[a++];
}

/** The first place in [from, to), whose rows are in order, with a later time. */
function firstLater(rows: Int32Array, from: number, to: number, ns: Float64Array, time: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const between = (low + high) >>> 1;
    if (ns[rows[between]] > time) high = between;
    else low = between + 1;
  }
  return low;
}
