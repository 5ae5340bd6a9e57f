import type { ContextTable } from '../../profile/context-table.ts';
import { NONE } from '../../profile/columns.ts';
import { sampleSpan, type SampleTable } from '../../profile/sample-table.ts';
import type { HeatmapView } from './heatmap-columns.ts';
import { shownTime } from './timeline-columns.ts';

/** Durations with which the rows of a decade begin: two an octave, and round. */
const STEPS = [1, 1.5, 2, 3, 5, 7];
export const ROWS_OF_DECADE = STEPS.length;

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

/**
 * Contexts by when they began and how long they took, in cells. A column is a part of the time, beginning with the earliest
 * sample; a row a span of durations, the shortest at the bottom.
 *
 *   30 ms to 50 ms   │ 0 │ 1 │      rows 2, columnNs 1 s
 *   20 ms to 30 ms   │ 5 │ 2 │      counts 5 0 2 1
 *                    0 s   1 s
 */
export interface DurationColumns {
  /** Time of the earliest sample, ns, decimal, and of the latest one after it: see `SampleTable.timeOf`. */
  readonly first: string;
  readonly last: number;
  readonly columnNs: number;
  /** Rows of a column, and the lowest one: see `leastOfRow`. None while no context took any time. */
  readonly rows: number;
  readonly lowest: number;
  /** The first cell that was counted: the lowest one of a column. */
  readonly from: number;
  /** Cell - from -> contexts that meet the conditions and are of selected threads. */
  readonly counts: Uint32Array;
  /** Cell - from -> those that are marked; undefined: none is looked for. */
  readonly marked: Uint32Array | undefined;
  /** The condition that they meet; undefined: they are those in scope. */
  readonly marks: string | undefined;
  /** Cell - from -> the operations of the contexts, and the name of one of them: its place in `names`. */
  readonly operations: Uint32Array;
  readonly name: Int32Array;
  readonly names: readonly string[];
  /** The largest number in one cell on screen. */
  readonly most: number;
  readonly mostMarked: number;
  /** Contexts at whatever time; those of them that took no time; those that began before the first column, or after the last one. */
  readonly all: number;
  readonly without: number;
  readonly beyond: number;
}

/** Context -> 1 if it is counted, and if it is marked; undefined: none is looked for. */
export interface CountedContexts {
  readonly isMeant: Uint8Array;
  readonly isMarked: Uint8Array | undefined;
  /** The condition that marked ones meet besides those of the scope. */
  readonly marks: string | undefined;
  /** Thread -> 1 if it is left out. */
  readonly isLeftOut: Uint8Array;
}

/** The cells of the shortest columns that fit; undefined without samples. O(samples + contexts + cells on screen). */
export function durationColumns(
  samples: SampleTable,
  { origin = 0n, length, thread, name, from: began, texts }: ContextTable,
  { row: rowOf, lowest, end }: DurationRows,
  { isMeant, isMarked, marks, isLeftOut }: CountedContexts,
  { zoom, fit }: HeatmapView,
): DurationColumns | undefined {
  const span = sampleSpan(samples);
  if (span === undefined) return undefined;
  const last = Number(span.last - span.first);
  const shown = shownTime(last, zoom);
  const earliest = Number(span.first - origin);
  const columnsOf = (columnNs: number): readonly [first: number, end: number] => [
    Math.floor(shown.from / columnNs),
    Math.floor(Math.min(shown.to - 1, last) / columnNs) + 1,
  ];
  const fits = (columnNs: number): boolean => columnsOf(columnNs)[1] - columnsOf(columnNs)[0] <= fit;
  const days = Math.ceil((shown.to - shown.from) / DAY / Math.max(1, fit - 1));
  const columnNs = COLUMN_LENGTHS.find(fits) ?? DAY * Math.max(1, days);
  const [first, endColumn] = columnsOf(columnNs);
  const columns = endColumn - first;
  const columnOf = (context: number): number => Math.floor((began[context] - earliest) / columnNs);
  const rows = end - lowest;
  const cells = columns * rows;
  const counts = new Uint32Array(cells);
  const marked = isMarked && new Uint32Array(cells);
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
    const column = columnOf(context);
    if (column < 0 || column * columnNs > last) beyond++;
    if (column < first || column >= endColumn) continue;
    next[context] = ofName[name[context]];
    ofName[name[context]] = context;
  }
  for (const [text, newest] of ofName.entries()) {
    for (let context = newest; context !== NONE; context = next[context]) {
      const cell = (columnOf(context) - first) * rows + rowOf[context] - lowest;
      counts[cell]++;
      if (marked !== undefined && isMarked?.[context] === 1) marked[cell]++;
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
    columnNs,
    rows,
    lowest,
    from: first * rows,
    counts,
    marked,
    marks,
    operations,
    name: lastName.map((text) => placeOf.get(text) ?? NONE),
    names: names.map((text) => texts[text]),
    most: largest(counts),
    mostMarked: marked === undefined ? 0 : largest(marked),
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
