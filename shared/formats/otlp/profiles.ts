import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { FIRST_ROWS, grown, nextCapacity } from '../../profile/columns.ts';
import { MessageCursor, Wire } from '../pprof/message-cursor.ts';
import { type Range, Ranges } from '../pprof/ranges.ts';
import { type Dictionary, eachVarint, firstNumber } from './dictionary.ts';

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
  readonly fields: SampleFields;
  /** Indexes of locations to which samples refer in the older form. */
  readonly locations: Int32Array;
  /** ns since 1970; 0 if unknown. */
  readonly timeNs: bigint;
  readonly durationNs: bigint;
}

/**
 * Numbers of a sample's fields, which differ between versions of the development. All begin with the stack:
 *
 *   range      1 first location, 2 number of locations, 3 values, 4 attributes, 6 time stamps
 *   values     1 stack, 2 values, 3 attributes, 4 link, 5 time stamps
 *   links      1 stack, 2 attributes, 3 link, 4 values, 5 time stamps
 */
export interface SampleFields {
  readonly isRange: boolean;
  readonly values: number;
  readonly attributes: number;
  readonly times: number;
}

const RANGE: SampleFields = { isRange: true, values: 3, attributes: 4, times: 6 };
const VALUES: SampleFields = { isRange: false, values: 2, attributes: 3, times: 5 };
const LINKS: SampleFields = { isRange: false, values: 4, attributes: 2, times: 5 };

/** Undefined if the memory budget allows no more profiles; one that is too large has the first of its samples. */
export function readOtlpProfile(
  input: Uint8Array,
  { from, to }: Range,
  sink: Pick<SampleSink, 'isFull' | 'keeps' | 'holds'>,
): OtlpProfile | undefined {
  if (sink.keeps?.(PROFILE_BYTES) === false) return undefined;
  const types: { type: number; unit: number }[] = [];
  const samples = new Ranges(sink);
  let isRange = false;
  let [timeNs, durationNs] = [0n, 0n];
  const cursor = new MessageCursor(input, from, to);
  while (!sink.isFull && cursor.next()) {
    const { field, wire } = cursor;
    const range = { from: cursor.from, to: cursor.to };
    if (field === 1 && wire === Wire.bytes) {
      if (sink.keeps?.(TYPE_BYTES) !== false)
        types.push({ type: firstNumber(input, range, 1), unit: firstNumber(input, range, 2) });
    } else if (field === 2 && wire === Wire.bytes) samples.push(range);
    else if (field === 3 && wire === Wire.fixed64) timeNs = fixed64(input, range.from);
    else if (field === 3) isRange = true;
    else if (field === 4 && wire === Wire.varint && !isRange) durationNs = BigInt(cursor.integer);
    else if (field === 4 && wire === Wire.varint) timeNs = BigInt(cursor.integer);
    else if (field === 5 && wire === Wire.varint && isRange) durationNs = BigInt(cursor.integer);
  }
  return {
    types,
    samples,
    fields: isRange ? RANGE : fieldsOf(input, samples),
    locations: isRange ? indexesOf(input, { from, to }, sink) : new Int32Array(0),
    timeNs,
    durationNs,
  };
}

/** The indexes of locations in a profile of the older form. */
function indexesOf(input: Uint8Array, profile: Range, sink: Pick<SampleSink, 'holds'>): Int32Array {
  let indexes = new Int32Array(FIRST_ROWS);
  let length = 0;
  eachVarint(input, profile, 3, ({ index }) => {
    if (length === indexes.length) {
      const capacity = nextCapacity(length, length + 1);
      if (sink.holds?.((capacity - length) * INDEX_BYTES) === false) return false;
      indexes = grown(indexes, capacity);
    }
    indexes[length++] = index;
    return true;
  });
  return indexes.subarray(0, length);
}

/** Which of the two versions with stacks it is: only one has values in field 4, which in the other is a number. */
function fieldsOf(input: Uint8Array, samples: Ranges): SampleFields {
  for (let row = 0; row < samples.length; row++) {
    const cursor = new MessageCursor(input, samples.from[row], samples.to[row]);
    while (cursor.next()) {
      if (cursor.field === 4) return cursor.wire === Wire.bytes ? LINKS : VALUES;
      if (cursor.field === 3) return cursor.wire === Wire.bytes ? VALUES : LINKS;
    }
  }
  return VALUES;
}

/** Calls `take` with the index of each location of a sample, leaf first, until it returns false. */
export function eachLocation(
  input: Uint8Array,
  sample: Range,
  { fields, locations }: OtlpProfile,
  { stacks }: Dictionary,
  take: (location: number) => boolean,
): void {
  const first = Math.max(0, firstNumber(input, sample, 1));
  if (!fields.isRange) {
    if (first < stacks.length) eachVarint(input, stacks.at(first), 1, ({ number }) => take(number));
    return;
  }
  const end = Math.min(locations.length, first + Math.max(0, firstNumber(input, sample, 2)));
  for (let row = first; row < end; row++) if (!take(locations[row])) return;
}

function fixed64(input: Uint8Array, at: number): bigint {
  return new DataView(input.buffer, input.byteOffset, input.length).getBigUint64(at, true);
}
