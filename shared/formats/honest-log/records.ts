import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { MethodNames } from '../../profile/method-table.ts';
import { decodeModifiedUtf8 } from '../../text/modified-utf8.ts';
import type { HonestLogCounts } from './log-counts.ts';
import type { Damage } from '../../facts/damage.ts';
/**
 * Honest Profiler log (`.hpl`): records without header, length, checksum or sync marks; big-endian; strings are an
 * i32 byte length and modified UTF-8 (specs: Honest Profiler log_writer.cpp, LogParser).
 *
 *   type  0  not written     zero fill of a preallocated file
 *   type  1  trace start     i32 numFrames · i64 threadId                                       13 bytes
 *   type 11  trace start     … · i64 seconds · i64 nanoseconds                                  29 bytes
 *   type  2  frame           i32 bci · i64 methodId                                             13 bytes
 *   type 21  frame           i32 bci · i32 line · i64 methodId                                  17 bytes
 *   type  3  method          i64 methodId · str file · str class · str method                   21 + n
 *   type 31  method          i64 methodId · str file · str class · str genericClass
 *                            · str method · str signature · str genericSignature                33 + n
 *   type  4  thread          i64 threadId · str name                                            13 + n
 *
 * A trace is its start and all frames up to the next start, leaf first, even if numFrames differs; numFrames <= 0 is an
 * AsyncGetCallTrace error. A method's definition follows the first frame that uses it, between the frames of a trace.
 */
export const RecordType = {
  notWritten: 0,
  traceStart: 1,
  frameBciOnly: 2,
  method: 3,
  threadMeta: 4,
  traceStartWithTime: 11,
  frameFull: 21,
  methodWithSignature: 31,
} as const;

export const TRACE_START_SIZE = 13;
export const TRACE_START_WITH_TIME_SIZE = 29;
export const FRAME_BCI_ONLY_SIZE = 13;
export const FRAME_FULL_SIZE = 17;

const FIXED_SIZES: ReadonlyMap<number, number> = new Map([
  [RecordType.traceStart, TRACE_START_SIZE],
  [RecordType.traceStartWithTime, TRACE_START_WITH_TIME_SIZE],
  [RecordType.frameBciOnly, FRAME_BCI_ONLY_SIZE],
  [RecordType.frameFull, FRAME_FULL_SIZE],
]);

/** Type byte and 64-bit id, before the strings of types 3, 31 and 4. */
export const STRINGS_OFFSET = 9;

/**
 * The longest valid string. Names in class files have at most 65 535 bytes; signatures add two, hidden classes an
 * address; thread names have no limit. A length above 1 MiB is treated as damage.
 */
const MAX_STRING_BYTES = 1 << 20;

/** Number of strings in a record of this type; 0 for a type without strings and for an unknown type. */
export function stringsOf(type: number): number {
  if (type === RecordType.methodWithSignature) return 6;
  if (type === RecordType.method) return 3;
  return type === RecordType.threadMeta ? 1 : 0;
}

/** The bounds are twice the agent's limit of 2047 frames, and beyond all of its error codes. */
export function isPlausibleDepth(numFrames: number): boolean {
  return numFrames >= -200 && numFrames <= 4096;
}

/** `found`: a length that no string can have; `at`: its offset in the view. */
interface ImpossibleLength {
  readonly found: number;
  readonly at: number;
}

/** The offset after `count` consecutive strings, of which the first begins at `at`. */
function stringsEnd(view: DataView, at: number, count: number): number | 'incomplete' | ImpossibleLength {
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
