import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { MessageCursor, Wire } from '../pprof/message-cursor.ts';
import { type Range, Ranges } from '../pprof/ranges.ts';
import { type Dictionary, eachVarint, firstNumber } from './dictionary.ts';
import type { SampleLayout } from './sample-layouts.ts';

/** Bytes of a profile with its first rows, and of a sample type with its option. */
const PROFILE_BYTES = 2_000;
const TYPE_BYTES = 400;
/** Bytes of an index of a location, while the column is copied to grow. */
const INDEX_BYTES = 8;

/** A profile of the file: samples of one type, or in the older form of several. */
export interface OtlpProfile {
  /** Indexes of texts. */
  readonly types: readonly { readonly type: number; readonly unit: number }[];
  readonly samples: Ranges;
  /** Indexes of locations to which samples refer in the older form. */
  readonly locations: Int32Array;
  /** The bytes of the message. */
  readonly range: Range;
}

/** Undefined if the memory budget allows no more profiles; one that is too large has the first of its samples. */
export function readOtlpProfile(
  input: Uint8Array,
  { from, to }: Range,
  sink: Pick<SampleSink, 'isFull' | 'keeps' | 'holds'>,
): OtlpProfile | undefined {
  if (!sink.keeps(PROFILE_BYTES)) return undefined;
  const types: { type: number; unit: number }[] = [];
  const samples = new Ranges(sink);
  let hasLocations = false;
  const cursor = new MessageCursor(input, from, to);
  while (!sink.isFull && cursor.next()) {
    const { field, wire } = cursor;
    const range = { from: cursor.from, to: cursor.to };
    if (field === 1 && wire === Wire.bytes) {
      if (sink.keeps(TYPE_BYTES))
        types.push({ type: firstNumber(input, range, 1), unit: firstNumber(input, range, 2) });
    } else if (field === 2 && wire === Wire.bytes) samples.push(range);
    else if (field === 3 && wire !== Wire.fixed64) hasLocations = true;
  }
  // A profile that does not say what its samples are has samples all the same.
  if (types.length === 0 && samples.length > 0) types.push({ type: 0, unit: 0 });
  const locations = hasLocations ? indexesOf(input, { from, to }, sink) : new Int32Array(0);
  return { types, samples, locations, range: { from, to } };
}

/** First and last time of a profile, ns since 1970; undefined if it has none. */
export function timesOf(
  input: Uint8Array,
  { range }: OtlpProfile,
  { isRange }: SampleLayout,
): readonly [first: bigint, last: bigint] | undefined {
  let [first, duration] = [0n, 0n];
  const cursor = new MessageCursor(input, range.from, range.to);
  while (cursor.next()) {
    const { field, wire } = cursor;
    if (!isRange && field === 3 && wire === Wire.fixed64) first = fixed64(input, cursor.from);
    else if (wire !== Wire.varint) continue;
    else if (isRange && field === 4) first = BigInt(cursor.integer);
    else if (field === (isRange ? 5 : 4)) duration = BigInt(cursor.integer);
  }
  return first > 0n ? [first, first + duration] : undefined;
}

/** The indexes of locations in a profile of the older form. */
function indexesOf(input: Uint8Array, profile: Range, sink: Pick<SampleSink, 'holds'>): Int32Array {
  let indexes = new Int32Array(FIRST_ROWS);
  let length = 0;
  eachVarint(input, profile, 3, ({ index }) => {
    if (length === indexes.length) {
      const capacity = nextCapacity(length, length + 1);
      if (!sink.holds((capacity - length) * INDEX_BYTES)) return false;
      indexes = grown(indexes, capacity);
    }
    indexes[length++] = index;
    return true;
  });
  return indexes.subarray(0, length);
}

/** Calls `take` with the index of each location of a sample, leaf first, until it returns false. */
export function eachLocation(
  input: Uint8Array,
  sample: Range,
  { locations }: OtlpProfile,
  { layout: { isRange }, dictionary: { stacks } }: { layout: SampleLayout; dictionary: Dictionary },
  take: (location: number) => boolean,
): void {
  const first = Math.max(0, firstNumber(input, sample, 1));
  if (!isRange) {
    if (first < stacks.length) eachVarint(input, stacks.at(first), 1, ({ number }) => take(number));
    return;
  }
  const end = Math.min(locations.length, first + Math.max(0, firstNumber(input, sample, 2)));
  for (let row = first; row < end; row++) if (!take(locations[row])) return;
}

function fixed64(input: Uint8Array, at: number): bigint {
  return new DataView(input.buffer, input.byteOffset, input.length).getBigUint64(at, true);
}
