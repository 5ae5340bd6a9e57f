import { DecoderCode } from '../decoder-code.ts';
import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';
import { LONGEST_MAGIC, magicAt } from './binary-header.ts';
import { findTraces } from './find-traces.ts';

const binaryCode = new DecoderCode(() => import('./binary-decoder.ts'));
const textCode = new DecoderCode(() => import('./text-decoder.ts'));

const CANNOT_TELL = [
  'the sampling period, and so times: samples are counts until the period is given',
  'when a sample was taken',
  'the state of a thread',
  'whether a stack that is as deep as the depth limit was truncated',
];
const MAGIC = 'JAVA PROFILE ';

/** Android's SamplingProfiler and the JDK's hprof agent, binary (specs: hprof, section 2). */
export const HPROF: ProfileFormat = {
  id: 'hprof',
  name: 'hprof profile',
  extensions: ['.hprof'],
  follows: false,
  cannotTell: CANNOT_TELL,
  recognise: recogniseBinary,
  code: binaryCode,
  createDecoder: (sink, chosen) => new binaryCode.module.HprofBinaryDecoder(sink, chosen),
  byteRanges: {
    pace: 1,
    findStarts: findTraces,
    createDecoder: (_sink, _chosen, start) => new binaryCode.module.HprofRangeDecoder(start),
  },
};

/** The same as text (specs: hprof, section 3). */
export const HPROF_TEXT: ProfileFormat = {
  id: 'hprof-text',
  name: 'hprof text',
  extensions: ['.hprof.txt', '.txt'],
  follows: false,
  cannotTell: ['parents of thread groups', ...CANNOT_TELL],
  recognise: recogniseText,
  code: textCode,
  createDecoder: (sink, chosen) => new textCode.module.HprofTextDecoder(sink, chosen),
};

function recogniseBinary(head: Uint8Array): Recognition {
  const start = magicAt(head);
  if (start < 0) {
    const text = latin(head, 0, MAGIC.length);
    if (MAGIC.startsWith(text)) return isPossible(0.5, `it has only begun with ${MAGIC.trim()}`);
    return isNot(0, `it does not begin with ${MAGIC.trim()}`);
  }
  const magic = head.subarray(start, start + LONGEST_MAGIC);
  const nul = magic.indexOf(0);
  const version = latin(magic, 0, nul < 0 ? magic.length : nul);
  if (!isPlain(version) || !isPlain(latin(head, 0, start).replaceAll(/[\r\n\t]/g, '')))
    return isNot(0.8, `what begins with ${MAGIC.trim()} is text`);
  if (nul >= 0) return is(`${start === 0 ? 'it begins with' : 'a text header, and then'} ${version}`);
  if (magic.length < LONGEST_MAGIC) return isPossible(0.9, `${MAGIC.trim()} has not ended with a NUL yet`);
  return isNot(0.8, `${MAGIC.trim()} does not end with a NUL`);
}

/** What files of Android's writer begin with; `#` is a decimal number. */
const BEGINNINGS = ['THREAD START (obj=', 'THREAD END (id =', 'TRACE #:', 'CPU SAMPLES BEGIN'];

function recogniseText(head: Uint8Array): Recognition {
  const lf = head.subarray(0, LONGEST_MAGIC).indexOf(0x0a);
  const line = latin(head, 0, lf < 0 ? Math.min(head.length, LONGEST_MAGIC) : lf).replace(/\r$/, '');
  if (line.startsWith(MAGIC)) {
    if (line.includes('\0')) return isNot(0.8, 'it is the binary form');
    if (lf >= 0) return is(`it begins with the line ${line}`);
    if (line.length < LONGEST_MAGIC) return isPossible(0.9, `its first line, ${line}, has not ended yet`);
    return isNot(0.5, `its first line, ${MAGIC}…, does not end`);
  }
  const shape = line.replace(/^(TRACE )\d+/, '$1#');
  const beginning = BEGINNINGS.find((each) => shape.startsWith(each));
  if (beginning !== undefined) return is(`it begins with ${beginning.replace('#', 'and a number')}`);
  const isBegun = [MAGIC, ...BEGINNINGS].some((each) => each.startsWith(shape) || /^TRACE #?$/.test(shape));
  if (isBegun && lf < 0) return isPossible(0.5, `it is only ${head.length} bytes so far`);
  return isNot(0, `it begins with no thread, trace or table of an hprof text`);
}

function isPlain(text: string): boolean {
  return /^[^\0-\x1f\x7f]*$/.test(text);
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
