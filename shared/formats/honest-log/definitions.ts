import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { MethodNames } from '../../profile/method-table.ts';
import { decodeModifiedUtf8 } from '../../text/modified-utf8.ts';
import type { HonestLogCounts } from './log-counts.ts';
import { FIXED_SIZES, MAX_STRING_BYTES, RecordType, STRINGS_OFFSET, stringsOf } from './records.ts';
import type { Damage } from '../../facts/damage.ts';

/** `found`: a length that no string can have; `at`: its offset in the view. */
export interface ImpossibleLength {
  readonly found: number;
  readonly at: number;
}

/** The offset after `count` consecutive strings, of which the first begins at `at`. */
export function stringsEnd(
  view: DataView,
  at: number,
  count: number,
): number | 'incomplete' | ImpossibleLength {
  let next = at;
  for (let index = 0; index < count; index++) {
    if (view.byteLength - next < 4) return 'incomplete';
    const length = view.getInt32(next);
    if (length < 0 || length > MAX_STRING_BYTES) return { found: length, at: next };
    next += 4 + length;
  }
  return next <= view.byteLength ? next : 'incomplete';
}

/** The offset after the record at the beginning of `input`, of any type but 0. */
export function recordEnd(input: Uint8Array): number | 'incomplete' | ImpossibleLength {
  const size = FIXED_SIZES.get(input[0]);
  if (size !== undefined) return size <= input.length ? size : 'incomplete';
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  return stringsEnd(view, STRINGS_OFFSET, stringsOf(input[0]));
}

/** Passes the method or thread of a record to the sink, and counts the record. Returns the offset after it. */
export function readDefinition(
  input: Uint8Array,
  view: DataView,
  at: number,
  sink: SampleSink,
  counts: HonestLogCounts,
): number | 'incomplete' | ImpossibleLength {
  const type = input[at];
  const end = stringsEnd(view, at + STRINGS_OFFSET, stringsOf(type));
  if (typeof end !== 'number') return end;
  const idHi = view.getInt32(at + 1);
  const idLo = view.getInt32(at + 5);
  if (type === RecordType.threadMeta) {
    sink.nameThread(sink.thread(idHi, idLo), stringAt(input, view, at + STRINGS_OFFSET).text);
    counts.threadRecords++;
    return end;
  }
  const isSigned = type === RecordType.methodWithSignature;
  sink.defineMethod(sink.method(idHi, idLo), methodNamesAt(input, view, at + STRINGS_OFFSET, isSigned));
  counts.methodRecords++;
  if (isSigned) counts.signedMethods++;
  return end;
}

/** `at`: of the record's strings; `isSigned`: the record is of type 31, which has six strings instead of three. */
function methodNamesAt(input: Uint8Array, view: DataView, at: number, isSigned: boolean): MethodNames {
  const file = stringAt(input, view, at);
  const signature = stringAt(input, view, file.next);
  const methodName = stringAt(input, view, isSigned ? stringEnd(view, signature.next) : signature.next);
  return { file: file.text, className: classNameOf(signature.text), methodName: methodName.text };
}

function stringEnd(view: DataView, at: number): number {
  return at + 4 + view.getInt32(at);
}

function stringAt(
  input: Uint8Array,
  view: DataView,
  at: number,
): { readonly text: string; readonly next: number } {
  const next = stringEnd(view, at);
  return { text: decodeModifiedUtf8(input, at + 4, next), next };
}

/** `Ljava/lang/String;` -> `java.lang.String` (specs: Honest Profiler Method.formatClassName). */
function classNameOf(signature: string): string {
  return signature.slice(1, -1).replaceAll('/', '.');
}

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
