import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';
import { MAX_MAGIC_BYTES, magicAt } from './records.ts';
import { HprofBinaryDecoder } from './binary-decoder.ts';
import { HprofTextDecoder } from './text-decoder.ts';

const NOT_RECORDED = [
  'the sampling period: samples have no time until it is given',
  'when a sample was taken',
  'the state of a thread',
  'whether a stack that is as deep as the depth limit was truncated',
];
const MAGIC = 'JAVA PROFILE ';

/** Binary files of Android's SamplingProfiler and of the JDK's hprof agent (specs: hprof, section 2). */
export const HPROF: ProfileFormat = {
  id: 'hprof',
  name: 'hprof profile',
  listed: { group: 'JVM profilers', entry: 'hprof' },
  extensions: ['.hprof'],
  follows: false,
  notRecorded: NOT_RECORDED,
  recognise: recogniseBinary,
  createDecoder: (sink, chosen) => new HprofBinaryDecoder(sink, chosen),
};

/** Text files of both (specs: hprof, section 3). */
export const HPROF_TEXT: ProfileFormat = {
  id: 'hprof-text',
  name: 'hprof text',
  listed: { group: 'JVM profilers', entry: 'hprof' },
  extensions: ['.hprof.txt', '.txt'],
  follows: false,
  notRecorded: ['parents of thread groups', ...NOT_RECORDED],
  recognise: recogniseText,
  createDecoder: (sink, chosen) => new HprofTextDecoder(sink, chosen),
};

function recogniseBinary(head: Uint8Array): Recognition {
  const start = magicAt(head);
  if (start < 0) {
    const text = latin(head, MAGIC.length);
    if (MAGIC.startsWith(text)) return isPossible(0.5, `it ends within ${MAGIC.trim()}`);
    return isNot(0, `it does not begin with ${MAGIC.trim()}`);
  }
  const magic = head.subarray(start, start + MAX_MAGIC_BYTES);
  const nul = magic.indexOf(0);
  const version = latin(magic, nul < 0 ? magic.length : nul);
  if (!isPlain(version) || !isPlain(latin(head, start).replaceAll(/[\r\n\t]/g, '')))
    return isNot(0.8, 'it is the text form');
  if (nul >= 0) return is(`it begins with ${start === 0 ? '' : 'a text header and '}${version}`);
  if (magic.length < MAX_MAGIC_BYTES) return isPossible(0.9, `${MAGIC.trim()} has no NUL after it yet`);
  return isNot(0.8, `${MAGIC.trim()} does not end with a NUL`);
}

/** Beginnings of files of Android's writer; `#` is a decimal number. */
const BEGINNINGS = ['THREAD START (obj=', 'THREAD END (id =', 'TRACE #:', 'CPU SAMPLES BEGIN'];

function recogniseText(head: Uint8Array): Recognition {
  const lf = head.subarray(0, MAX_MAGIC_BYTES).indexOf(0x0a);
  const line = latin(head, lf < 0 ? Math.min(head.length, MAX_MAGIC_BYTES) : lf).replace(/\r$/, '');
  if (line.startsWith(MAGIC)) {
    if (line.includes('\0')) return isNot(0.8, 'it is the binary form');
    if (lf >= 0) return is(`it begins with the line ${line}`);
    if (line.length < MAX_MAGIC_BYTES) return isPossible(0.9, `its first line, ${line}, is incomplete`);
    return isNot(0.5, `its first line, ${MAGIC}…, does not end`);
  }
  const shape = line.replace(/^(TRACE )\d+/, '$1#');
  const beginning = BEGINNINGS.find((each) => shape.startsWith(each));
  if (beginning !== undefined) return is(`it begins with ${beginning.replace('#', 'and a number')}`);
  const isBegun = [MAGIC, ...BEGINNINGS].some((each) => each.startsWith(shape) || /^TRACE #?$/.test(shape));
  if (isBegun && lf < 0) return isPossible(0.5, `it is only ${head.length} bytes so far`);
  return isNot(0, 'it does not begin with a thread, trace or table of an hprof text');
}

function isPlain(text: string): boolean {
  return /^[^\0-\x1f\x7f]*$/.test(text);
}

/** The first bytes as Latin-1. */
function latin(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(...bytes.subarray(0, length));
}
