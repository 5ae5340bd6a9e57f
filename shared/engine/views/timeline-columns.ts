import type { SampleTable } from '../../profile/sample-table.ts';
import { BLOCK_ROWS, SampleBlocks } from '../values/sample-blocks.ts';
import { COMBINATIONS, IS_OUTSIDE, TimelineCounts } from './timeline-counts.ts';

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

/** Undefined for a table without samples. `counts`: what is remembered of this table. */
export function timelineColumns(
  table: SampleTable,
  { zoom, buckets }: TimelineView,
  marks: TimelineMarks,
  counts = new TimelineCounts(),
): TimelineColumns | undefined {
  counts.blocks.update(table);
  const span = counts.blocks.span(table);
  if (span === undefined) return undefined;
  const last = Number(span.last - span.first);
  const from = zoom?.from ?? 0;
  const to = zoom?.to ?? last + 1;
  const bucketNs = Math.max(1, Math.ceil((to - from) / buckets));
  const start = Number(span.first - (table.origin ?? 0n)) + from;
  const counted = counts.count(table, combined(marks), { start, bucketNs, buckets });
  return {
    ...{ first: span.first.toString(), last, from, bucketNs, samples: columnOf(counted, 0) },
    ...{
      errors: columnOf(counted, IS_ERROR),
      matches: columnOf(counted, IS_MATCH),
      selected: columnOf(counted, IS_SELECTED),
    },
  };
}

/**
 * Row -> its bucket of these columns, -1 for one outside of all. `blocks`: what is remembered of this table. Release it after
 * use: a timeline may be counted several times a second.
 */
export function placesInTime(
  table: SampleTable,
  { first, from, bucketNs, samples }: Pick<TimelineColumns, 'first' | 'from' | 'bucketNs' | 'samples'>,
  blocks = new SampleBlocks(),
): Int32Array<ArrayBuffer> {
  blocks.update(table);
  const start = Number(BigInt(first) - (table.origin ?? 0n)) + from;
  const { ns } = table.at;
  const { least, most } = blocks;
  const place = new Int32Array(table.length);
  for (let block = 0; block < blocks.length; block++) {
    const row = block * BLOCK_ROWS;
    const bucket = Math.floor((least[block] - start) / bucketNs);
    const lastBucket = Math.floor((most[block] - start) / bucketNs);
    if (lastBucket < 0 || bucket >= samples.length) place.fill(-1, row, row + BLOCK_ROWS);
    else if (bucket === lastBucket) place.fill(bucket, row, row + BLOCK_ROWS);
    else placeRows(row, row + BLOCK_ROWS, ns, start, bucketNs, samples.length, place);
  }
  placeRows(blocks.length * BLOCK_ROWS, table.length, ns, start, bucketNs, samples.length, place);
  return place;
}

/** A separate function with arrays only, so that V8 compiles the loop early. */
function placeRows(
  from: number,
  to: number,
  ns: Float64Array,
  start: number,
  bucketNs: number,
  buckets: number,
  place: Int32Array,
): void {
  for (let row = from; row < to; row++) {
    const bucket = Math.floor((ns[row] - start) / bucketNs);
    place[row] = bucket >= 0 && bucket < buckets ? bucket : -1;
  }
}

const IS_ERROR = 1;
const IS_MATCH = 2;
const IS_SELECTED = 4;

/** Row of the SelfTable -> its marks, or IS_OUTSIDE. */
function combined({ isOutside, isError, isMatch, isSelected }: TimelineMarks): Uint8Array<ArrayBuffer> {
  const rows = [isOutside, isError, isMatch, isSelected].map((mark) => mark?.length ?? 0);
  const marks = new Uint8Array(Math.max(...rows));
  const add = (mark: Uint8Array | undefined, bits: number): void => {
    if (mark === undefined) return;
    for (let row = 0; row < mark.length; row++) if (mark[row] === 1) marks[row] |= bits;
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
