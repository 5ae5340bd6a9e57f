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

export const FIXED_SIZES: ReadonlyMap<number, number> = new Map([
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
export const MAX_STRING_BYTES = 1 << 20;

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
