import { sampleSpan, type SampleTable } from '../profile/sample-table.ts';

/** Which part of the time is looked at, and in how many parts it is divided. */
export interface TimelineView {
  /** ns after the earliest sample, [from, to); undefined: all. */
  readonly zoom: { readonly from: number; readonly to: number } | undefined;
  readonly buckets: number;
}

/** Row of the SelfTable -> 1 where it applies; undefined: nowhere. Rows after the end of an array are not looked at. */
export interface TimelineMarks {
  readonly isOutside: Uint8Array | undefined;
  readonly isError: Uint8Array | undefined;
  readonly isMatch: Uint8Array | undefined;
  readonly isSelected: Uint8Array | undefined;
}

export const NO_MARKS: TimelineMarks = {
  isOutside: undefined,
  isError: undefined,
  isMatch: undefined,
  isSelected: undefined,
};

/**
 * Samples by the time at which they were taken, in equal buckets.
 *
 *   from 0   bucketNs 10   samples 2 0 5   errors 0 0 1      5 samples from 20 to 29 ns, one of them an error
 */
export interface TimelineColumns {
  /** Time of the earliest sample, ns, decimal: see `SampleTable.timeOf`. All other times are relative to it. */
  readonly first: string;
  /** Of the latest sample. */
  readonly last: number;
  /** Start of the first bucket. */
  readonly from: number;
  /** Width of a bucket, whole ns. */
  readonly bucketNs: number;
  /** Bucket -> samples in scope. */
  readonly samples: Float64Array;
  /** Of these the ones with an error on their stack, with a match of the search, and with the selected method. */
  readonly errors: Float64Array;
  readonly matches: Float64Array;
  readonly selected: Float64Array;
}

/** Undefined for a table without samples. O(samples): one pass for their span, and one that counts. */
export function timelineColumns(
  table: SampleTable,
  { zoom, buckets }: TimelineView,
  marks: TimelineMarks,
): TimelineColumns | undefined {
  const span = sampleSpan(table);
  if (span === undefined) return undefined;
  const last = Number(span.last - span.first);
  const from = zoom?.from ?? 0;
  const to = zoom?.to ?? last + 1;
  const bucketNs = Math.max(1, Math.ceil((to - from) / buckets));
  const start = Number(span.first - (table.origin ?? 0n)) + from;
  const counts = countedByMarks(table, { start, bucketNs, buckets }, marks);
  return {
    ...{ first: span.first.toString(), last, from, bucketNs, samples: columnOf(counts, 0) },
    ...{
      errors: columnOf(counts, IS_ERROR),
      matches: columnOf(counts, IS_MATCH),
      selected: columnOf(counts, IS_SELECTED),
    },
  };
}

/**
 * Row -> its bucket of these columns, -1 for one outside of all. Release it after use: a timeline may be counted several
 * times a second.
 */
export function placesInTime(
  table: SampleTable,
  { first, from, bucketNs, samples }: Pick<TimelineColumns, 'first' | 'from' | 'bucketNs' | 'samples'>,
): Int32Array<ArrayBuffer> {
  const start = Number(BigInt(first) - (table.origin ?? 0n)) + from;
  const { length, at } = table;
  const { ns } = at;
  const buckets = samples.length;
  const place = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const bucket = Math.floor((ns[row] - start) / bucketNs);
    place[row] = bucket >= 0 && bucket < buckets ? bucket : -1;
  }
  return place;
}

const IS_ERROR = 1;
const IS_MATCH = 2;
const IS_SELECTED = 4;
/** Combinations of these marks. */
const COMBINATIONS = 8;
/** Instead of them: the sample is not counted. */
const IS_OUTSIDE = 255;

interface Buckets {
  /** ns after the origin of the table. */
  readonly start: number;
  readonly bucketNs: number;
  readonly buckets: number;
}

/**
 * bucket * COMBINATIONS + marks -> samples with exactly these marks: each sample is looked at once for all columns. Most are
 * in the bucket of the one before, which saves the division.
 */
function countedByMarks(
  { length, at: { ns }, self }: SampleTable,
  { start, bucketNs, buckets }: Buckets,
  marks: TimelineMarks,
): Uint32Array {
  const counts = new Uint32Array(buckets * COMBINATIONS);
  const marksOf = combined(marks);
  let bucketStart = 0;
  let bucketEnd = 0;
  let cell = 0;
  for (let row = 0; row < length; row++) {
    const offset = ns[row] - start;
    if (offset < bucketStart || offset >= bucketEnd) {
      const bucket = Math.floor(offset / bucketNs);
      if (bucket < 0 || bucket >= buckets) continue;
      bucketStart = bucket * bucketNs;
      bucketEnd = bucketStart + bucketNs;
      cell = bucket * COMBINATIONS;
    }
    const of = self[row];
    const found = of < marksOf.length ? marksOf[of] : 0;
    if (found !== IS_OUTSIDE) counts[cell + found]++;
  }
  return counts;
}

/** Row of the SelfTable -> its marks, or IS_OUTSIDE. */
function combined({ isOutside, isError, isMatch, isSelected }: TimelineMarks): Uint8Array {
  const rows = [isOutside, isError, isMatch, isSelected].map((mark) => mark?.length ?? 0);
  const marks = new Uint8Array(Math.max(...rows));
  const add = (mark: Uint8Array | undefined, bits: number): void => {
    for (let row = 0; row < (mark?.length ?? 0); row++) if (mark?.[row] === 1) marks[row] |= bits;
  };
  add(isError, IS_ERROR);
  add(isMatch, IS_MATCH);
  add(isSelected, IS_SELECTED);
  add(isOutside, IS_OUTSIDE);
  return marks;
}

/** Bucket -> samples that have all of `marks`. */
function columnOf(counts: Uint32Array, marks: number): Float64Array {
  const column = new Float64Array(counts.length / COMBINATIONS);
  for (let cell = 0; cell < counts.length; cell++)
    if ((cell & marks) === marks) column[Math.floor(cell / COMBINATIONS)] += counts[cell];
  return column;
}
