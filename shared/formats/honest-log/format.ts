import { is, isNot, type ProfileFormat } from '../profile-format.ts';
import { recordEnd, isPlausibleDepth, RecordType, STRINGS_OFFSET, stringsOf } from './records.ts';
import { HonestLogDecoder } from './decoder.ts';

/** Logs of all Honest Profiler versions since 2014 (specs: Honest Profiler LogParser). */
export const HONEST_LOG: ProfileFormat = {
  id: 'honest-log',
  name: 'Honest Profiler log',
  listed: { group: 'JVM profilers', entry: 'Honest Profiler' },
  extensions: ['.hpl'],
  follows: true,
  notRecorded: [
    'wall-clock time of a sample',
    'methods of unloaded classes',
    'frames next to the root, in stacks deeper than the limit of the agent (maxFrames, 128 by default)',
    'lines, in logs from before September 2015',
  ],
  recognise: (head) => {
    const evidence = looksLikeHonestLog(head);
    if (evidence !== undefined) return is(`it begins with ${evidence}`);
    if (head.length === 0) return isNot(0, 'it is empty');
    const first = `${head[0]} (0x${head[0].toString(16).padStart(2, '0')})`;
    return isNot(0, `its first byte, ${first}, does not begin a log record`);
  },
  createDecoder: (sink, chosen) => new HonestLogDecoder(sink, chosen),
};

const NAMES: ReadonlyMap<number, string> = new Map([
  [RecordType.traceStart, 'a trace start'],
  [RecordType.traceStartWithTime, 'a trace start with its time'],
  [RecordType.frameBciOnly, 'a frame'],
  [RecordType.frameFull, 'a frame with its line'],
  [RecordType.method, 'a method'],
  [RecordType.methodWithSignature, 'a method with its signature'],
  [RecordType.threadMeta, 'a thread'],
]);

/** Before a byte that begins no record, so many records with plausible fields are taken for a damaged log. */
const ENOUGH_RECORDS = 3;
/** A trace start counts as so many of them if it has a time, because few other bytes are one. */
const TIMED_START = 2;
/** Offsets in a trace start with its time. */
const SECONDS = 13;
const NANOSECONDS = 21;
const NANOSECONDS_OF_SECOND = 1_000_000_000n;
/** Some centuries. */
const MOST_SECONDS = 1n << 34n;

/**
 * Describes the first record if the input can be an Honest Profiler log; otherwise undefined. The format has no magic
 * number, and many binary files begin with a few bytes that could be a record. So all records of `head` are checked. A
 * method or thread with a name is enough, or several other records with plausible fields. If nothing in `head` is
 * invalid, a single record or its beginning is enough: a log may have only begun.
 */
function looksLikeHonestLog(head: Uint8Array): string | undefined {
  let first: string | undefined;
  /** Records with plausible fields one after the other: since the latest zeros, and at most. */
  let run = 0;
  let plausible = 0;
  let hasImplausible = false;
  for (let at = 0; ;) {
    if (head[at] === RecordType.notWritten) run = 0;
    while (at < head.length && head[at] === RecordType.notWritten) at++;
    if (at === head.length) break;
    const name = NAMES.get(head[at]);
    const record = head.subarray(at);
    const end = name === undefined ? undefined : recordEnd(record);
    // The log is damaged here, or the input is no log.
    if (name === undefined || typeof end === 'object' || end === undefined)
      return plausible >= ENOUGH_RECORDS ? first : undefined;
    first ??= name;
    if (!hasPlausibleFields(record)) hasImplausible = true;
    else if (end !== 'incomplete' && hasName(record)) return first;
    else if (end === 'incomplete') run++;
    else if (hasId(record)) run += hasTime(record) ? TIMED_START : 1;
    plausible = Math.max(plausible, run);
    if (end === 'incomplete') break;
    at += end;
  }
  if (first === undefined) return head.length === 0 ? undefined : 'zeros, as in a preallocated log';
  return plausible >= (hasImplausible ? ENOUGH_RECORDS : 1) ? first : undefined;
}

/** Checks the fields that `record` has; it may be incomplete. */
function hasPlausibleFields(record: Uint8Array): boolean {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  switch (record[0]) {
    case RecordType.traceStart:
    case RecordType.traceStartWithTime:
      return isPlausibleStart(view, record[0] === RecordType.traceStartWithTime);
    case RecordType.frameBciOnly:
    case RecordType.frameFull: {
      if (record.length < 5) return isSmall(record);
      // In old logs, type 2 has the line instead of the BCI. A class file stores both in 16 bits.
      const bciOrLine = view.getInt32(1);
      return bciOrLine >= -200 && bciOrLine <= 65_535;
    }
    default:
      return !hasNul(record, view);
  }
}

function isPlausibleStart(view: DataView, hasTime: boolean): boolean {
  if (view.byteLength < 5) return isSmall(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  if (!isPlausibleDepth(view.getInt32(1))) return false;
  if (!hasTime || view.byteLength < NANOSECONDS + 8) return true;
  const seconds = view.getBigInt64(SECONDS);
  const nanoseconds = view.getBigInt64(NANOSECONDS);
  if (seconds < 0n || seconds > MOST_SECONDS || nanoseconds < 0n) return false;
  return nanoseconds < NANOSECONDS_OF_SECOND;
}

function hasTime(record: Uint8Array): boolean {
  return (
    record[0] === RecordType.traceStartWithTime && record.subarray(SECONDS, NANOSECONDS + 8).some(Boolean)
  );
}

/** Whether the bytes after the type can begin a number of 32 bits that is small or negative. */
function isSmall(record: Uint8Array): boolean {
  return record.length < 2 || record[1] === 0 || record[1] === 0xff;
}

/** Whether a string of a method or thread has a NUL, which modified UTF-8 has not. The record may be incomplete. */
function hasNul(record: Uint8Array, view: DataView): boolean {
  let at = STRINGS_OFFSET;
  for (let index = 0; index < stringsOf(record[0]) && at + 4 <= record.length; index++) {
    const end = at + 4 + view.getInt32(at);
    if (record.subarray(at + 4, end).includes(0)) return true;
    at = end;
  }
  return false;
}

/** Whether the id of the thread or method, which is an address, is not 0. */
function hasId(record: Uint8Array): boolean {
  const type = record[0];
  const from = type === RecordType.frameFull ? 9 : stringsOf(type) > 0 ? 1 : 5;
  return record.subarray(from, from + 8).some(Boolean);
}

/** Whether a complete record is a thread with a name, or a method with the signature of its class. */
function hasName(record: Uint8Array): boolean {
  const strings = stringsOf(record[0]);
  if (strings === 0 || !hasId(record)) return false;
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  for (let at = STRINGS_OFFSET, index = 0; index < strings; index++) {
    const length = view.getInt32(at);
    const text = record.subarray(at + 4, at + 4 + length);
    if (text.some((byte) => byte < 0x20)) return false;
    if (strings === 1) return length > 0;
    // The second string of a method is the signature of its class: `LShop;`.
    if (index === 1 && (text[0] !== 0x4c || text[length - 1] !== 0x3b)) return false;
    at += 4 + length;
  }
  return true;
}
