import type { Damage } from '../../facts/damage.ts';
import { MAX_STRING_BYTES } from './records.ts';

/** What is at fault with the record at `byteOffset`, the `record`th of the log. */
export function unknownType(type: number, byteOffset: number, record: number): Damage {
  return {
    what: 'record type',
    byteOffset,
    record,
    found: `type ${type} (0x${type.toString(16).padStart(2, '0')})`,
    expected: '1, 2, 3, 4, 11, 21 or 31',
  };
}

export function frameOutsideTrace(type: number, byteOffset: number, record: number): Damage {
  return {
    what: 'frame',
    byteOffset,
    record,
    found: `a frame (record type ${type}) before the first trace start`,
    expected: 'a trace start, a method or a thread',
  };
}

/** `at`: the offset of the length. */
export function impossibleLength(
  what: 'thread' | 'method definition',
  byteOffset: number,
  record: number,
  length: number,
  at: number,
): Damage {
  return {
    what,
    byteOffset,
    record,
    found: `string length ${length} at byte ${at}`,
    expected: `0 … ${MAX_STRING_BYTES}`,
  };
}
