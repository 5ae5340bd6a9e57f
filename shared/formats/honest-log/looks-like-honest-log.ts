import { stringsEnd } from './definitions.ts';
import {
  FRAME_BCI_ONLY_SIZE,
  FRAME_FULL_SIZE,
  isPlausibleDepth,
  RecordType,
  STRINGS_OFFSET,
  stringsOf,
  TRACE_START_SIZE,
  TRACE_START_WITH_TIME_SIZE,
} from './records.ts';

const NAMES: ReadonlyMap<number, string> = new Map([
  [RecordType.traceStart, 'a trace start'],
  [RecordType.traceStartWithTime, 'a trace start with its time'],
  [RecordType.frameBciOnly, 'a frame'],
  [RecordType.frameFull, 'a frame with its line'],
  [RecordType.method, 'a method'],
  [RecordType.methodWithSignature, 'a method with its signature'],
  [RecordType.threadMeta, 'a thread'],
]);

/**
 * What the first record is, when the input can begin an Honest Profiler log, else undefined. The format has no magic:
 * the first byte after a zero fill must be a record type, and the record must be believable by its own fields or be
 * followed by another record type. A record that `head` cuts is believed as far as it can be seen.
 */
export function looksLikeHonestLog(head: Uint8Array): string | undefined {
  let at = 0;
  while (at < head.length && head[at] === RecordType.notWritten) at++;
  if (at === head.length) return at === 0 ? undefined : 'zeros, which are not written yet';
  const name = NAMES.get(head[at]);
  if (name === undefined) return undefined;
  const record = head.subarray(at);
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const size = sizeOf(record, view);
  if (size === 'impossible') return undefined;
  if (size === 'cut') return name;
  const next = record[size];
  return hasPlausibleFields(record, view) || next === RecordType.notWritten || NAMES.has(next)
    ? name
    : undefined;
}

function sizeOf(record: Uint8Array, view: DataView): number | 'cut' | 'impossible' {
  const fixed = fixedSizes.get(record[0]);
  if (fixed !== undefined) return fixed < record.length ? fixed : 'cut';
  const end = stringsEnd(view, STRINGS_OFFSET, stringsOf(record[0]));
  if (typeof end === 'object') return 'impossible';
  return end === record.length ? 'cut' : end;
}

const fixedSizes: ReadonlyMap<number, number> = new Map([
  [RecordType.traceStart, TRACE_START_SIZE],
  [RecordType.traceStartWithTime, TRACE_START_WITH_TIME_SIZE],
  [RecordType.frameBciOnly, FRAME_BCI_ONLY_SIZE],
  [RecordType.frameFull, FRAME_FULL_SIZE],
]);

function hasPlausibleFields(record: Uint8Array, view: DataView): boolean {
  switch (record[0]) {
    case RecordType.traceStart:
    case RecordType.traceStartWithTime:
      return isPlausibleDepth(view.getInt32(1));
    case RecordType.frameBciOnly:
    case RecordType.frameFull: {
      // Type 2 held the line in its early days; neither exceeds what a class file can say.
      const bciOrLine = view.getInt32(1);
      return bciOrLine >= -200 && bciOrLine <= 65_535;
    }
    default:
      return true;
  }
}
