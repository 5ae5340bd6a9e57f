import type { Damage } from '../../facts/damage.ts';
import type { ImpossibleLength } from './definitions.ts';
import { MAX_STRING_BYTES, RecordType } from './records.ts';

/** `byteOffset`: of the damaged record in the log; `record`: the number of records before it. */
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

/** `length.at` is an offset in the log, like `byteOffset`. */
export function impossibleLength(
  type: number,
  byteOffset: number,
  record: number,
  length: ImpossibleLength,
): Damage {
  return {
    what: type === RecordType.threadMeta ? 'thread' : 'method definition',
    byteOffset,
    record,
    found: `string length ${length.found} at byte ${length.at}`,
    expected: `0 … ${MAX_STRING_BYTES}`,
  };
}
