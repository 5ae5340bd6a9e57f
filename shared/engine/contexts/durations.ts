import type { ContextTable } from '../../profile/context-table.ts';
import { NONE } from '../../profile/columns.ts';
import { partsFrom } from './operations.ts';

/** Durations with which the rows of a decade begin: two an octave, and round. */
const STEPS = [1, 1.5, 2, 3, 5, 7];
const ROWS_OF_DECADE = STEPS.length;

/** The shortest duration of a row, ns. Rows count from 1 ns on; the next one is the end of this one. */
export function leastOfRow(row: number): number {
  return Math.ceil(STEPS[row % ROWS_OF_DECADE] * 10 ** Math.floor(row / ROWS_OF_DECADE));
}

/** The row of a duration, ns, at least 1. */
export function rowOfDuration(ns: number): number {
  let row = ROWS_OF_DECADE * Math.floor(Math.log10(ns));
  // A logarithm is not exact.
  while (leastOfRow(row) > ns) row--;
  while (leastOfRow(row + 1) <= ns) row++;
  return row;
}

/** No row: it took no time. */
const NO_DURATION = 255;

/** Context -> the row of its duration. One byte each. */
export class DurationRows {
  row = new Uint8Array(0);
  length = 0;
  /** The first rows of the decades of the shortest and after the longest one; 0 and 0 without any. They only move apart. */
  lowest = 0;
  end = 0;
  #table: ContextTable | undefined;

  /** Takes in what the table has gained. O(new contexts). */
  update(table: ContextTable): void {
    const { length, from, to } = table;
    // Calls have another table whenever there are more.
    if (table !== this.#table) this.length = 0;
    this.#table = table;
    if (this.row.length < length) {
      const grown = new Uint8Array(from.length);
      grown.set(this.row);
      this.row = grown;
    }
    for (let each = this.length; each < length; each++) {
      const row = to[each] > from[each] ? rowOfDuration(to[each] - from[each]) : NO_DURATION;
      this.row[each] = row;
      if (row === NO_DURATION) continue;
      const decade = row - (row % ROWS_OF_DECADE);
      this.lowest = this.end === 0 ? decade : Math.min(this.lowest, decade);
      this.end = Math.max(this.end, decade + ROWS_OF_DECADE);
    }
    this.length = length;
  }
}

const MS = 1e6;
const SECOND = 1_000 * MS;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;

/** Lengths of columns, ns: parts of the time as a user would choose them. */
const COLUMN_LENGTHS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((each) => each * MS),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * SECOND),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 240, 720].map((each) => each * MINUTE),
];

/** The time of all samples, ns since their origin, and the part of it that is looked at, ns after the earliest. */
export interface DurationView {
  readonly first: bigint;
  readonly last: bigint;
  readonly shown: { readonly from: number; readonly to: number };
  /** Most columns on screen: the shortest length is chosen that has no more. */
  readonly fit: number;
}

/**
 * Contexts by when they began and how long they took, in cells. A column is a part of the time as `operationsOf` makes them,
 * a row a span of durations, the shortest at the bottom. All times are relative to the earliest sample.
 *
 *   30 ms … 50 ms   │ 0 │ 1 │      rows 2, columnNs 1 s, start -0.2 s
 *   20 ms … 30 ms   │ 5 │ 2 │      counts 5 0 2 1
 *   -0.2 s          0.8 s
 */
export interface DurationColumns {
  /** Time of the earliest sample, ns, decimal, and of the latest one after it: see `SampleTable.timeOf`. */
  readonly first: string;
  readonly last: number;
  /** Time at which column 0 begins, at most 0. */
  readonly start: number;
  readonly columnNs: number;
  /** Rows of a column, and the lowest one: see `leastOfRow`. None while no context took any time. */
  readonly rows: number;
  readonly lowest: number;
  /** The first cell that was counted: the lowest one of a column. */
  readonly from: number;
  /** Cell - from -> contexts that meet the conditions and are of selected threads. */
  readonly counts: Uint32Array;
  /** Cell - from -> those in scope; undefined: all are. */
  readonly inScope: Uint32Array | undefined;
  /** Cell - from -> the operations of the contexts, and the name of one of them: its place in `names`. */
  readonly operations: Uint32Array;
  readonly name: Int32Array;
  readonly names: readonly string[];
  /** The largest number in one cell on screen. */
  readonly most: number;
  readonly mostInScope: number;
  /** Contexts at whatever time; those of them that took no time; those that began before column 0, or after the column of the latest sample. */
  readonly all: number;
  readonly without: number;
  readonly beyond: number;
}

/** Which contexts are counted: 1 for each that meets the conditions, and that is in scope, undefined: they all are. */
export interface CountedContexts {
  readonly isMeant: Uint8Array;
  readonly isInScope: Uint8Array | undefined;
  /** Thread -> 1 if it is left out. */
  readonly isLeftOut: Uint8Array;
}

/** The cells of the shortest columns that fit. O(contexts + cells on screen). */
export function durationColumns(
  contexts: ContextTable,
  { row: rowOf, lowest, end }: DurationRows,
  { isMeant, isInScope, isLeftOut }: CountedContexts,
  { shown, fit, ...span }: DurationView,
): DurationColumns {
  const last = Number(span.last - span.first);
  const { origin = 0n, length, thread, name, from: began, texts } = contexts;
  const earliest = Number(span.first - origin);
  const columnsOf = (columnNs: number) => {
    const { partOf, start } = partsFrom(contexts, earliest, BigInt(columnNs), earliest);
    const first = partOf(earliest + shown.from);
    const columns = partOf(earliest + Math.min(shown.to - 1, last)) + 1 - first;
    return { partOf, start, columnNs, first, columns };
  };
  const days = Math.ceil((shown.to - shown.from) / DAY / Math.max(1, fit - 1));
  const scale = COLUMN_LENGTHS.find((each) => columnsOf(each).columns <= fit) ?? DAY * Math.max(1, days);
  const { partOf, start, columnNs, first, columns } = columnsOf(scale);
  const lastColumn = partOf(earliest + last);
  const rows = end - lowest;
  const cells = columns * rows;
  const counts = new Uint32Array(cells);
  const inScope = isInScope && new Uint32Array(cells);
  const operations = new Uint32Array(cells);
  const lastName = new Int32Array(cells).fill(NONE);
  let [all, without, beyond] = [0, 0, 0];
  // Contexts of one name are counted together, so that a cell meets each of them once.
  const ofName = new Int32Array(texts.length).fill(NONE);
  const next = new Int32Array(length);
  for (let context = 0; context < length; context++) {
    if (isMeant[context] !== 1 || isLeftOut[thread[context]] === 1) continue;
    all++;
    if (rowOf[context] === NO_DURATION) {
      without++;
      continue;
    }
    const column = partOf(began[context]);
    if (column < 0 || column > lastColumn) beyond++;
    if (column < first || column >= first + columns) continue;
    next[context] = ofName[name[context]];
    ofName[name[context]] = context;
  }
  for (const [text, newest] of ofName.entries()) {
    for (let context = newest; context !== NONE; context = next[context]) {
      const cell = (partOf(began[context]) - first) * rows + rowOf[context] - lowest;
      counts[cell]++;
      if (inScope !== undefined && isInScope?.[context] === 1) inScope[cell]++;
      if (lastName[cell] === text) continue;
      lastName[cell] = text;
      operations[cell]++;
    }
  }
  const names = [...new Set(lastName)].filter((text) => text !== NONE);
  const placeOf = new Map(names.map((text, place) => [text, place]));
  return {
    first: span.first.toString(),
    last,
    start,
    columnNs,
    rows,
    lowest,
    from: first * rows,
    counts,
    inScope,
    operations,
    name: lastName.map((text) => placeOf.get(text) ?? NONE),
    names: names.map((text) => texts[text]),
    most: largest(counts),
    mostInScope: inScope === undefined ? 0 : largest(inScope),
    all,
    without,
    beyond,
  };
}

function largest(counts: Uint32Array): number {
  let most = 0;
  for (const count of counts) if (count > most) most = count;
  return most;
}
