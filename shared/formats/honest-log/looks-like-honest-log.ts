import { recordEnd } from './definitions.ts';
import { isPlausibleDepth, RecordType } from './records.ts';

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
 * Describes the first record if the input can be an Honest Profiler log; otherwise undefined. The format has no magic
 * number: the first byte after zeros must be a record type, and the record must have plausible fields or be followed
 * by another record type. If `head` ends with the record or within it, only the string lengths are checked.
 */
export function looksLikeHonestLog(head: Uint8Array): string | undefined {
  let at = 0;
  while (at < head.length && head[at] === RecordType.notWritten) at++;
  if (at === head.length) return at === 0 ? undefined : 'zeros, as in a preallocated log';
  const name = NAMES.get(head[at]);
  if (name === undefined) return undefined;
  const record = head.subarray(at);
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const end = recordEnd(record);
  if (end === 'incomplete' || end === record.length) return name;
  if (typeof end === 'object') return undefined;
  const next = record[end];
  return hasPlausibleFields(record, view) || next === RecordType.notWritten || NAMES.has(next)
    ? name
    : undefined;
}

function hasPlausibleFields(record: Uint8Array, view: DataView): boolean {
  switch (record[0]) {
    case RecordType.traceStart:
    case RecordType.traceStartWithTime:
      return isPlausibleDepth(view.getInt32(1));
    case RecordType.frameBciOnly:
    case RecordType.frameFull: {
      // In old logs, type 2 has the line instead of the BCI. A class file stores both in 16 bits.
      const bciOrLine = view.getInt32(1);
      return bciOrLine >= -200 && bciOrLine <= 65_535;
    }
    default:
      return true;
  }
}
