import { release } from '../profile/columns.ts';
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

/** Undefined for a table without samples. O(samples). */
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
  const samples = new Float64Array(buckets);
  const place = placedIn(table, start, bucketNs, buckets);
  const { isOutside } = marks;
  countIn(samples, table, place, undefined, isOutside);
  const counted = (mark: Uint8Array | undefined): Float64Array => {
    const columns = new Float64Array(buckets);
    if (mark !== undefined) countIn(columns, table, place, mark, isOutside);
    return columns;
  };
  const columns = {
    ...{ first: span.first.toString(), last, from, bucketNs, samples },
    ...{
      errors: counted(marks.isError),
      matches: counted(marks.isMatch),
      selected: counted(marks.isSelected),
    },
  };
  release(place);
  return columns;
}

/** Row -> its bucket of these columns, -1 for one outside of all. Release it after use. */
export function placesInTime(
  table: SampleTable,
  { first, from, bucketNs, samples }: Pick<TimelineColumns, 'first' | 'from' | 'bucketNs' | 'samples'>,
): Int32Array<ArrayBuffer> {
  const start = Number(BigInt(first) - (table.origin ?? 0n)) + from;
  return placedIn(table, start, bucketNs, samples.length);
}

/** Release it after use: a timeline may be counted several times a second. */
function placedIn(
  { length, at: { ns } }: SampleTable,
  start: number,
  bucketNs: number,
  buckets: number,
): Int32Array<ArrayBuffer> {
  const place = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const bucket = Math.floor((ns[row] - start) / bucketNs);
    place[row] = bucket >= 0 && bucket < buckets ? bucket : -1;
  }
  return place;
}

function countIn(
  into: Float64Array,
  { length, self }: SampleTable,
  place: Int32Array,
  mark: Uint8Array | undefined,
  isOutside: Uint8Array | undefined,
): void {
  for (let row = 0; row < length; row++) {
    const bucket = place[row];
    if (bucket < 0 || (mark !== undefined && mark[self[row]] !== 1)) continue;
    if (isOutside?.[self[row]] === 1) continue;
    into[bucket]++;
  }
}
