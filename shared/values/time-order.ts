import { grown } from '../profile/columns.ts';
import type { SampleTable } from '../profile/sample-table.ts';

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
    const added = sortedByTime(
      Int32Array.from({ length: length - from }, (_, at) => from + at),
      ns,
    );
    mergeInto(order, from, added, ns);
    this.length = length;
  }
}

/** Merges rows in the order of time with the first `length` entries, from the end on. */
function mergeInto(order: Int32Array, length: number, added: Int32Array, ns: Float64Array): void {
  let before = length - 1;
  let place = length + added.length - 1;
  for (let at = added.length - 1; at >= 0; place--) {
    if (before >= 0 && ns[order[before]] > ns[added[at]]) order[place] = order[before--];
    else order[place] = added[at--];
  }
}

/**
 * Sorts rows by their times, stably: merges neighbouring runs that are in order until there is one. Files are made of few
 * long runs, such as those of a thread; any other order costs O(n log n).
 */
function sortedByTime(rows: Int32Array<ArrayBuffer>, ns: Float64Array): Int32Array {
  let runs = [0];
  for (let at = 1; at < rows.length; at++) if (ns[rows[at]] < ns[rows[at - 1]]) runs.push(at);
  let from = rows;
  let to = new Int32Array(runs.length > 1 ? rows.length : 0);
  while (runs.length > 1) {
    const merged: number[] = [];
    for (let run = 0; run < runs.length; run += 2) {
      const middle = runs[run + 1] ?? rows.length;
      mergeRuns(from, to, runs[run], middle, runs[run + 2] ?? rows.length, ns);
      merged.push(runs[run]);
    }
    runs = merged;
    [from, to] = [to, from];
  }
  return from;
}

/** Merges [left, middle) and [middle, end). */
function mergeRuns(
  from: Int32Array,
  to: Int32Array,
  left: number,
  middle: number,
  end: number,
  ns: Float64Array,
): void {
  let a = left;
  let b = middle;
  for (let place = left; place < end; place++) {
    if (b === end || (a < middle && ns[from[a]] <= ns[from[b]])) to[place] = from[a++];
    else to[place] = from[b++];
  }
}
