import { type FieldName, type Fields, fieldsOf } from '../../read/fields.ts';
import { decodeModifiedUtf8 } from '../../text/modified-utf8.ts';

/** The storage of a field in the body of a record, big-endian (specs: hprof, section 2). */
type FieldType =
  /** 4 bytes. */
  | 'u4'
  /** 2 bytes. */
  | 'u2'
  /** As many bytes as the header says, 4 or 8. */
  | 'id'
  /** The rest of the body. */
  | 'bytes'
  /** As many ids as the `u4` before it says. */
  | 'ids'
  /** As many pairs of `u4` as the `u4` before it says. */
  | 'pairs';

/** A kind of record: a row of the table by which binary files are read and written. */
export interface RecordType<Name extends string = string> extends Fields<Name, FieldType> {
  readonly tag: number;
  readonly name: string;
  /** The last field is as long as the body leaves. */
  readonly isOpen: boolean;
}

function record<Layout extends string>(
  tag: number,
  name: string,
  layout: Layout,
): RecordType<FieldName<Layout>> {
  return { tag, name, ...fieldsOf<FieldType, Layout>(layout), isOpen: /:(?:bytes|ids|pairs)$/.test(layout) };
}

export const STRING = record(0x01, 'string', 'id:id text:bytes');
export const CLASS = record(0x02, 'class', 'serial:u4 object:id trace:u4 name:id');
export const FRAME = record(0x04, 'frame', 'id:id method:id signature:id file:id class:u4 line:u4');
export const TRACE = record(0x05, 'stack trace', 'serial:u4 thread:u4 depth:u4 frames:ids');
export const THREAD_START = record(
  0x0a,
  'thread start',
  'serial:u4 object:id trace:u4 name:id group:id parentGroup:id',
);
export const THREAD_END = record(0x0b, 'thread end', 'serial:u4');
export const CPU_SAMPLES = record(0x0d, 'table of CPU samples', 'total:u4 length:u4 rows:pairs');
export const SETTINGS = record(0x0e, 'settings', 'flags:u4 depth:u2');

const READ: readonly RecordType[] = [
  STRING,
  CLASS,
  FRAME,
  TRACE,
  THREAD_START,
  THREAD_END,
  CPU_SAMPLES,
  SETTINGS,
];
const BY_TAG: readonly (RecordType | undefined)[] = Array.from({ length: 256 }, (_, tag) =>
  READ.find((type) => type.tag === tag),
);
const MAX_FIELDS = Math.max(...READ.map(({ fields }) => fields.length));
const HEAP_TAGS: readonly number[] = [0x0c, 0x1c];

/** A flag in SETTINGS. An agent that times methods does not set it. */
export const CPU_SAMPLING = 2;
/** Lines of FRAME: unknown, and that of a native method in the files of each writer. */
export const UNKNOWN_LINE = -1;
export const NATIVE_LINES = { android: -2, agent: -3 } as const;

/** Tag, time and length of a record. */
export const RECORD_HEADER_BYTES = 9;
/** Longer than any stack or name. Only records that are skipped may be longer. */
export const MAX_BODY_BYTES = 256 << 20;

/** The kind of a record that is read; the others are skipped. */
export function recordOfTag(tag: number): RecordType | undefined {
  return BY_TAG[tag];
}

/** Whether a record is a heap dump or a segment of one. */
export function isHeap(tag: number): boolean {
  return HEAP_TAGS.includes(tag);
}

/** Bytes of a body without its open field. */
export function fixedBytes({ fields }: RecordType, idSize: number): number {
  let bytes = 0;
  for (const { type } of fields) bytes += type === 'u4' ? 4 : type === 'u2' ? 2 : type === 'id' ? idSize : 0;
  return bytes;
}

export interface RecordProblem {
  readonly found: string;
  readonly expected: string;
}

/** The fields of a record's body by their index. One object is filled again for each record. */
export class RecordBody {
  /** Halves of numbers and ids. */
  readonly hi = new Int32Array(MAX_FIELDS);
  readonly lo = new Int32Array(MAX_FIELDS);
  bytes: Uint8Array = new Uint8Array(0);
  /** A view of `bytes`; made once for all records of a chunk. */
  view = new DataView(this.bytes.buffer);
  /** The open field is bytes[from … to). */
  from = 0;
  to = 0;
  readonly idSize: 4 | 8;

  constructor(idSize: 4 | 8) {
    this.idSize = idSize;
  }

  /**
   * Reads the body bytes[from … to), which has at least the fixed bytes. A problem if the open field has another length
   * than the number before it says; it can be read nevertheless.
   */
  read({ fields }: RecordType, bytes: Uint8Array, from: number, to: number): RecordProblem | undefined {
    if (bytes !== this.bytes) this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.bytes = bytes;
    const { hi, lo, idSize, view } = this;
    let at = from;
    for (let index = 0; index < fields.length; index++) {
      switch (fields[index].type) {
        case 'u4':
          hi[index] = 0;
          lo[index] = view.getInt32(at);
          at += 4;
          break;
        case 'u2':
          hi[index] = 0;
          lo[index] = view.getUint16(at);
          at += 2;
          break;
        case 'id':
          hi[index] = idSize === 4 ? 0 : view.getInt32(at);
          lo[index] = view.getInt32(at + idSize - 4);
          at += idSize;
          break;
        case 'bytes':
          this.from = at;
          this.to = to;
          break;
        default: {
          this.from = at;
          this.to = to;
          const bytesOfEach = fields[index].type === 'ids' ? idSize : 8;
          const count = lo[index - 1] >>> 0;
          if (to - at === count * bytesOfEach) break;
          const items = fields[index].name;
          return {
            found: `${count} ${items} in ${to - from} bytes`,
            expected: `${(to - at) / bytesOfEach} ${items}`,
          };
        }
      }
    }
    return undefined;
  }

  u4(index: number): number {
    return this.lo[index] >>> 0;
  }
}

/** The header of a binary file. */
export interface BinaryHeader {
  /** `JAVA PROFILE 1.0.2`. */
  readonly magic: string;
  readonly idSize: 4 | 8;
  /** Milliseconds since 1970. */
  readonly startMillis: number;
  /** Lines of the text before the magic number, in a snapshot of Android. */
  readonly preamble: readonly string[];
  /** Number of bytes before the first record. */
  readonly length: number;
}

/** The version that Android writes. */
export const ANDROID_MAGIC = 'JAVA PROFILE 1.0.2';
const MAGIC = Uint8Array.from('JAVA PROFILE ', (letter) => letter.charCodeAt(0));
/** The magic number must end with a NUL within this length (AOSP BinaryHprof.readMagic). */
export const MAX_MAGIC_BYTES = 512;
/** The longest text before the magic number. */
const MAX_PREAMBLE_BYTES = 1 << 16;
const LF = 0x0a;

/** Undefined if more bytes are needed. */
export function readBinaryHeader(bytes: Uint8Array): BinaryHeader | RecordProblem | undefined {
  const start = magicAt(bytes);
  if (start < 0) {
    if (bytes.length < MAX_PREAMBLE_BYTES) return undefined;
    return { found: 'only text', expected: `JAVA PROFILE within ${MAX_PREAMBLE_BYTES} bytes` };
  }
  const nul = bytes.subarray(start, start + MAX_MAGIC_BYTES).indexOf(0);
  if (nul < 0) {
    if (bytes.length < start + MAX_MAGIC_BYTES) return undefined;
    return {
      found: `no NUL in ${MAX_MAGIC_BYTES} bytes`,
      expected: 'a NUL after JAVA PROFILE and a version',
    };
  }
  const at = start + nul + 1;
  if (bytes.length < at + 12) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 12);
  const idSize = view.getUint32(0);
  if (idSize !== 4 && idSize !== 8) return { found: `identifiers of ${idSize} bytes`, expected: '4 or 8' };
  return {
    magic: decodeText(bytes.subarray(start, start + nul)),
    idSize,
    startMillis: view.getUint32(4) * 2 ** 32 + view.getUint32(8),
    preamble: start === 0 ? [] : decodeText(bytes.subarray(0, start)).trimEnd().split(/\r?\n/),
    length: at + 12,
  };
}

/**
 * The offset of `JAVA PROFILE `: 0, or, in Android's snapshots, after a text that ends with an empty line. -1 if it is
 * not found.
 */
export function magicAt(bytes: Uint8Array): number {
  if (isMagic(bytes, 0)) return 0;
  for (let at = bytes.indexOf(LF); at >= 0 && at < MAX_PREAMBLE_BYTES; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF && isMagic(bytes, at + 2)) return at + 2;
  }
  return -1;
}

function isMagic(bytes: Uint8Array, at: number): boolean {
  return at + MAGIC.length <= bytes.length && MAGIC.every((byte, index) => bytes[at + index] === byte);
}

/**
 * Decodes text in the charset of the writer's platform, which the file does not name: UTF-8, modified or not, or else
 * Latin-1 (specs: hprof, section 3).
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decodeModifiedUtf8(bytes, 0, bytes.length);
  if (!text.includes('\ufffd')) return text;
  let latin = '';
  for (const byte of bytes) latin += String.fromCharCode(byte);
  return latin;
}
