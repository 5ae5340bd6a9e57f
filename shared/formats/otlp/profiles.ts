import { MessageCursor, Wire } from '../pprof/message-cursor.ts';
import type { Dictionary, Range } from './dictionary.ts';
import { numbersOf } from './dictionary.ts';

/** A profile of the file: samples of one type, or in the older form of several. */
export interface OtlpProfile {
  /** Indexes of texts. */
  readonly types: readonly { readonly type: number; readonly unit: number }[];
  readonly samples: readonly Range[];
  readonly fields: SampleFields;
  /** Indexes of locations to which samples refer in the older form. */
  readonly locations: readonly number[];
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

export function readOtlpProfile(input: Uint8Array, { from, to }: Range): OtlpProfile {
  const types: { type: number; unit: number }[] = [];
  const samples: Range[] = [];
  let isRange = false;
  let [timeNs, durationNs] = [0n, 0n];
  const cursor = new MessageCursor(input, from, to);
  while (cursor.next()) {
    const { field, wire } = cursor;
    const range = { from: cursor.from, to: cursor.to };
    if (field === 1 && wire === Wire.bytes)
      types.push({ type: numbersOf(input, range, 1)[0] ?? 0, unit: numbersOf(input, range, 2)[0] ?? 0 });
    else if (field === 2 && wire === Wire.bytes) samples.push(range);
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
    locations: isRange ? numbersOf(input, { from, to }, 3) : [],
    timeNs,
    durationNs,
  };
}

/** Which of the two versions with stacks it is: only one has values in field 4, which in the other is a number. */
function fieldsOf(input: Uint8Array, samples: readonly Range[]): SampleFields {
  for (const { from, to } of samples) {
    const cursor = new MessageCursor(input, from, to);
    while (cursor.next()) {
      if (cursor.field === 4) return cursor.wire === Wire.bytes ? LINKS : VALUES;
      if (cursor.field === 3) return cursor.wire === Wire.bytes ? VALUES : LINKS;
    }
  }
  return VALUES;
}

/** Indexes of the locations of a sample, leaf first. */
export function locationsOf(
  input: Uint8Array,
  sample: Range,
  profile: OtlpProfile,
  dictionary: Dictionary,
): readonly number[] {
  const first = numbersOf(input, sample, 1)[0] ?? 0;
  if (!profile.fields.isRange) return dictionary.stacks[first] ?? [];
  const length = numbersOf(input, sample, 2)[0] ?? 0;
  return profile.locations.slice(Math.max(0, first), Math.max(0, first) + Math.max(0, length));
}

function fixed64(input: Uint8Array, at: number): bigint {
  return new DataView(input.buffer, input.byteOffset, input.length).getBigUint64(at, true);
}
