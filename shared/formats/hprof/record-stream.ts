import { Carry } from '../../bytes/carry.ts';
import type { KeepBytes } from '../../bytes/keep-bytes.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount } from '../decoder.ts';
import { u4 } from './big-endian.ts';
import type { HeaderProblem } from './binary-header.ts';
import { isRead, isValidLength, MAX_BODY_BYTES, RECORD_HEADER_BYTES, TAG_NAMES } from './record-tags.ts';

export interface RecordProblem {
  readonly found: string;
  readonly expected: string;
}

/** Receives the bodies of records. */
export interface RecordReader {
  readonly idSize: 4 | 8;
  /** Set if a record has a time: then the file was not written by Android's profiler. */
  hasTimes: boolean;
  /**
   * bytes[from … to) is the body, of a length that `isValidLength` accepts; borrowed for the call. `micros`: the time of the
   * record since that in the header; 0 in all records of a file without times.
   */
  read(tag: number, bytes: Uint8Array, from: number, to: number, micros: number): RecordProblem | undefined;
  /** Called for each record whose tag is not read. */
  skip(tag: number): void;
}

/** A record that is truncated by the end of the file: bytes[from …) is the start of its body. */
export interface IncompleteRecord {
  readonly tag: number;
  readonly bytes: Uint8Array;
  readonly from: number;
}

/** While the buffer grows, a record is in memory twice. */
const GROWING_COPIES = 2;

const TWO_32 = 4_294_967_296;
/** Microseconds. A record whose time is further back belongs to the next 71 minutes. */
const MOST_BACKWARDS = 60e6;

/** Reads the bytes before the first record; undefined if more are needed. */
export type ReadHeader = (
  bytes: Uint8Array,
) => { readonly reader: RecordReader; readonly length: number } | HeaderProblem | undefined;

/**
 * Splits bytes into records and passes their bodies to a reader, up to the first invalid record. Records that are not
 * read are skipped without buffering them, however long they are.
 */
export class RecordStream {
  damage: Damage | undefined;
  records = 0;

  readonly #readHeader: ReadHeader;
  readonly #carry = new Carry();
  #reader: RecordReader | undefined;
  /** Bytes of a record that are still to be skipped. */
  #toSkip = 0;
  /** Number of bytes appended. */
  #appended = 0;
  /** Offset after the last record. */
  #accepted = 0;
  #isEnded = false;
  /** Time of the last record since that in the header, microseconds. */
  #micros = 0;

  readonly #holds: KeepBytes | undefined;
  /** Bytes of the longest record so far: memory for them is reserved. */
  #longest = 0;
  /** The memory budget does not allow a longer one: the rest of the file is not read. */
  #isFull = false;

  constructor(readHeader: ReadHeader, holds?: KeepBytes) {
    this.#readHeader = readHeader;
    this.#holds = holds;
  }

  append(bytes: Uint8Array): void {
    this.#appended += bytes.length;
    if (this.#isEnded || this.#isFull || this.damage !== undefined) return;
    if (this.#toSkip > bytes.length) {
      this.#toSkip -= bytes.length;
      return;
    }
    const rest = this.#toSkip === 0 ? bytes : bytes.subarray(this.#toSkip);
    if (this.#toSkip > 0) this.#accepted = this.#appended - rest.length;
    this.#toSkip = 0;
    const joined = this.#carry.join(rest);
    const at = this.#read(joined);
    // After damage, and while a record is skipped, nothing is buffered.
    this.#carry.keep(joined, this.#isReading ? at : joined.length);
  }

  /** The file has ended. If its last record is incomplete, sets the damage and returns that record. */
  end(): IncompleteRecord | undefined {
    this.#isEnded = true;
    return this.damage === undefined && !this.#isFull ? this.#noteIncomplete() : undefined;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get bytes(): ByteAccount {
    const rest = this.#appended - this.#accepted;
    const isDone = this.#isEnded || this.#isFull || this.damage !== undefined;
    return {
      accepted: this.#accepted,
      skipped: isDone ? rest : 0,
      pending: isDone ? 0 : rest,
    };
  }

  /** There is no damage, records fit in memory, and none is being skipped. */
  get #isReading(): boolean {
    return this.damage === undefined && this.#toSkip === 0 && !this.#isFull;
  }

  /** Reads the complete records; returns the offset after them. */
  #read(bytes: Uint8Array): number {
    let at = 0;
    if (this.#reader === undefined) {
      const read = this.#readHeader(bytes);
      if (read === undefined) return 0;
      if ('problem' in read) {
        this.damage = { what: 'header', byteOffset: 0, record: 0, ...read.problem };
        return 0;
      }
      this.#reader = read.reader;
      at = read.length;
      this.#accepted += at;
    }
    const reader = this.#reader;
    while (at + RECORD_HEADER_BYTES <= bytes.length) {
      const tag = bytes[at];
      this.#micros = continued(this.#micros, u4(bytes, at + 1));
      const length = u4(bytes, at + 5);
      const end = at + RECORD_HEADER_BYTES + length;
      if (isRead(tag)) {
        if (!isValidLength(tag, length, reader.idSize) || length > MAX_BODY_BYTES) {
          this.damage = this.#lengthDamage(tag, length);
          return at;
        }
        if (!this.#reserve(Math.min(end, bytes.length) - at) || end > bytes.length) return at;
        const problem = reader.read(tag, bytes, at + RECORD_HEADER_BYTES, end, this.#micros);
        if (problem !== undefined) {
          this.damage = { what: nameOf(tag), byteOffset: this.#accepted, record: this.records, ...problem };
          return at;
        }
      } else {
        reader.skip(tag);
      }
      if (this.#micros > 0) reader.hasTimes = true;
      this.records++;
      if (end > bytes.length) {
        this.#toSkip = end - bytes.length;
        return bytes.length;
      }
      this.#accepted += end - at;
      at = end;
    }
    return at;
  }

  /** Reserves memory for a record of so many bytes, or for what is there of it. */
  #reserve(length: number): boolean {
    if (length <= this.#longest) return true;
    this.#isFull = this.#holds?.((length - this.#longest) * GROWING_COPIES) === false;
    this.#longest = length;
    return !this.#isFull;
  }

  #lengthDamage(tag: number, length: number): Damage {
    return {
      what: nameOf(tag),
      byteOffset: this.#accepted,
      record: this.records,
      found: `a length of ${length} bytes`,
      expected: length > MAX_BODY_BYTES ? `at most ${MAX_BODY_BYTES}` : 'a length that this record can have',
    };
  }

  #noteIncomplete(): IncompleteRecord | undefined {
    const kept = this.#carry.bytes;
    const rest = this.#appended - this.#accepted;
    if (rest === 0 && this.#reader !== undefined) return undefined;
    const found = `the end of the file after ${rest} ${rest === 1 ? 'byte' : 'bytes'}`;
    const place = { byteOffset: this.#accepted, record: this.records, found };
    if (this.#reader === undefined) {
      this.damage = { ...place, what: 'header', expected: 'JAVA PROFILE, a size of identifiers and a time' };
      return undefined;
    }
    if (this.#toSkip > 0) {
      this.damage = {
        ...place,
        record: this.records - 1,
        what: 'record',
        expected: `${rest + this.#toSkip} bytes`,
      };
      return undefined;
    }
    if (kept.length < RECORD_HEADER_BYTES) {
      this.damage = { ...place, what: 'record', expected: `at least ${RECORD_HEADER_BYTES} bytes` };
      return undefined;
    }
    const length = u4(kept, 5);
    this.damage = { ...place, what: nameOf(kept[0]), expected: `${RECORD_HEADER_BYTES + length} bytes` };
    return { tag: kept[0], bytes: kept, from: RECORD_HEADER_BYTES };
  }
}

/**
 * The time of a record by its low 32 bits, which begin anew every 71 minutes: after that of the record before, or a little
 * before it, because threads write their records out of order. 71 minutes without any record are not noticed.
 */
function continued(before: number, low: number): number {
  const step = (low - before) >>> 0;
  return step < TWO_32 - MOST_BACKWARDS ? before + step : Math.max(0, before + step - TWO_32);
}

function nameOf(tag: number): string {
  return TAG_NAMES[tag] ?? `record 0x${tag.toString(16).padStart(2, '0')}`;
}
