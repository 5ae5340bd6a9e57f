import { sampleSpan, type SampleTable } from '../../profile/sample-table.ts';
import { BLOCK_ROWS, SampleBlocks, COMBINATIONS, IS_OUTSIDE, TimelineCounts } from './timeline-counts.ts';
import type { TimeOrder } from '../values/time-order.ts';

/** [from, to), ns after the earliest sample. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The part of the time that is looked at, and the most parts in which it is divided. */
export interface TimelineView {
  /** undefined: all. */
  readonly zoom: Interval | undefined;
  readonly buckets: number;
}

/** The part of the time that is on screen: all while no sample is that late, as of a link while its log is still read. */
export function shownTime(last: number, zoom: Interval | undefined): Interval {
  return zoom !== undefined && zoom.from <= last ? zoom : { from: 0, to: last + 1 };
}

/** Row of the SelfTable -> 1 where it applies; undefined: nowhere. Rows after the end of an array are not looked at. */
export interface TimelineMarks {
  readonly isOutside: Uint8Array | undefined;
  readonly isError: Uint8Array | undefined;
  readonly isMatch: Uint8Array | undefined;
  readonly isSelected: Uint8Array | undefined;
}

/**
 * Samples by the time at which they were taken, in equal buckets. A bucket is 1, 2 or 5 times a power of ten of ns, and
 * begins at a multiple of that: it has the same samples while the log grows or the shown part moves.
 *
 *   from 0   bucketNs 10   samples 2 0 5   errors 0 0 1      5 samples from 20 to 29 ns, one of them an error
 */
export interface TimelineColumns {
  /** Time of the earliest sample, ns, decimal: see `SampleTable.timeOf`. All other times are relative to it. */
  readonly first: string;
  /** The time of the latest sample. */
  readonly last: number;
  /** The part of the time that was asked for, which the buckets cover. */
  readonly shown: Interval;
  /** Start of the first bucket. */
  readonly from: number;
  /** Width of a bucket. */
  readonly bucketNs: number;
  /** Bucket -> samples in scope. */
  readonly samples: Float64Array;
  /** Bucket -> the samples with an error on their stack, with a match of the search, and with the selected method. */
  readonly errors: Float64Array;
  readonly matches: Float64Array;
  readonly selected: Float64Array;
}

/**
 * Undefined for a table without samples. `counts`: what is remembered of this table. `whole`: the table with the time of all,
 * where this one has some of its samples.
 */
export function timelineColumns(
  table: SampleTable,
  { zoom, buckets }: TimelineView,
  marks: TimelineMarks,
  counts = new TimelineCounts(),
  whole = table,
): TimelineColumns | undefined {
  counts.blocks.update(table);
  const span = whole === table ? counts.blocks.span(table) : sampleSpan(whole);
  if (span === undefined) return undefined;
  const last = Number(span.last - span.first);
  const shown = shownTime(last, zoom);
  const bits = combined(marks);
  const first = Number(span.first - (table.origin ?? 0n));
  for (let bucketNs = roundWidth((shown.to - shown.from) / buckets); ; bucketNs = roundWidth(bucketNs + 1)) {
    const from = Math.floor(shown.from / bucketNs) * bucketNs;
    const length = Math.ceil((shown.to - from) / bucketNs);
    const counted = counts.count(table, bits, { start: first + from, bucketNs, buckets: length });
    const samples = columnOf(counted, 0);
    if (length > LEAST_BUCKETS && othersInBucket(samples) < ENOUGH) continue;
    return {
      first: span.first.toString(),
      last,
      shown,
      from,
      bucketNs,
      samples,
      errors: columnOf(counted, IS_ERROR),
      matches: columnOf(counted, IS_MATCH),
      selected: columnOf(counted, IS_SELECTED),
    };
  }
}

/** Buckets hold so many samples where the program is busy: with fewer, even work looks like a comb. */
const ENOUGH = 5;
/** Buckets do not become wider than that, however few samples there are. */
const LEAST_BUCKETS = 48;

/** The least width that is 1, 2 or 5 times a power of ten, and not smaller. */
function roundWidth(ns: number): number {
  let power = 1;
  while (power * 5 < ns) power *= 10;
  return [1, 2, 5].map((each) => each * power).find((width) => width >= ns) ?? power;
}

/** The average number of others in the bucket of a sample; times without samples do not count. */
function othersInBucket(samples: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (const count of samples) {
    sum += count;
    squares += count * count;
  }
  return sum === 0 ? ENOUGH : squares / sum - 1;
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

/**
 * Bucket -> ns of it that are in a gap, which is a time of at least `leastNs` without a sample. `order`: the rows of the
 * table by time. O(samples + buckets of gaps).
 */
export function timeGaps(
  { at: { ns }, origin = 0n }: SampleTable,
  order: TimeOrder,
  {
    first,
    from,
    bucketNs,
    buckets,
  }: Pick<TimelineColumns, 'first' | 'from' | 'bucketNs'> & { readonly buckets: number },
  leastNs: number,
): Float64Array<ArrayBuffer> {
  const inGaps = new Float64Array(buckets);
  const start = Number(BigInt(first) - origin) + from;
  const end = start + bucketNs * buckets;
  for (let place = 1; place < order.length; place++) {
    const before = ns[order.rowAt(place - 1)];
    const after = ns[order.rowAt(place)];
    if (after - before < leastNs || after <= start || before >= end) continue;
    let bucket = Math.max(0, Math.floor((before - start) / bucketNs));
    for (; bucket < inGaps.length; bucket++) {
      const left = start + bucket * bucketNs;
      if (left >= after) break;
      inGaps[bucket] += Math.min(after, left + bucketNs) - Math.max(before, left);
    }
  }
  return inGaps;
}
