import { Carry } from '../../bytes/carry.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount } from '../decoder.ts';
import { u4 } from './big-endian.ts';
import type { HeaderProblem } from './binary-header.ts';
import { isRead, isSized, LONGEST_BODY, RECORD_HEAD, TAG_NAMES } from './record-tags.ts';

export interface RecordProblem {
  readonly found: string;
  readonly expected: string;
}

/** What gets the bodies of records, one at a time. */
export interface RecordReader {
  readonly idSize: 4 | 8;
  /** A record has a time: it was not written by Android's profiler. */
  hasTimes: boolean;
  /** bytes[from … to) is the body, of a length that `isSized` accepts; borrowed for the call. */
  read(tag: number, bytes: Uint8Array, from: number, to: number): RecordProblem | undefined;
  /** A record that is not read. */
  passOver(tag: number): void;
}

/** A record that the end of the file cut: bytes[from …) is what there is of its body. */
export interface CutRecord {
  readonly tag: number;
  readonly bytes: Uint8Array;
  readonly from: number;
}

/** Reads what comes in front of the records; undefined while there is too little of it. */
export type ReadHead = (
  bytes: Uint8Array,
) => { readonly reader: RecordReader; readonly length: number } | HeaderProblem | undefined;

/** Position of a stream, structured-cloneable. */
export interface StreamState {
  /** Offset of the first byte that was appended. */
  readonly start: number;
  /** Offset behind the last one. */
  readonly appended: number;
  readonly accepted: number;
  readonly passLeft: number;
  /** The record that has begun. */
  readonly cut: Uint8Array<ArrayBuffer>;
  readonly records: number;
  /** Its record is counted from the stream's first. */
  readonly damage: Damage | undefined;
}

/**
 * Bytes in, bodies of records out, up to the first that makes no sense. What is not needed is passed over without being
 * kept, however long.
 */
export class RecordStream {
  damage: Damage | undefined;
  records = 0;

  readonly #readHead: ReadHead;
  readonly #carry = new Carry();
  #reader: RecordReader | undefined;
  /** Bytes of a record that are still to be passed over. */
  #passLeft = 0;
  readonly #start: number;
  /** Offsets in the file: behind the last byte, and behind the last record. */
  #appended: number;
  #accepted: number;
  #isEnded = false;

  /** `start`: the offset of the first byte that is appended. */
  constructor(readHead: ReadHead, start: number) {
    this.#readHead = readHead;
    this.#start = start;
    this.#appended = start;
    this.#accepted = start;
  }

  append(bytes: Uint8Array): void {
    this.#appended += bytes.length;
    if (this.#isEnded || this.damage !== undefined) return;
    if (this.#passLeft > bytes.length) {
      this.#passLeft -= bytes.length;
      return;
    }
    const rest = this.#passLeft === 0 ? bytes : bytes.subarray(this.#passLeft);
    if (this.#passLeft > 0) this.#accepted = this.#appended - rest.length;
    this.#passLeft = 0;
    const joined = this.#carry.join(rest);
    const at = this.#read(joined);
    // After a damage, and while a record is passed over, nothing is kept.
    this.#carry.keep(joined, this.#isReading ? at : joined.length);
  }

  /** Nothing more is read. Returns the record that the end cut, as a damage is noted for it. */
  end(): CutRecord | undefined {
    this.#isEnded = true;
    return this.damage === undefined ? this.#noteCut() : undefined;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get bytes(): ByteAccount {
    const rest = this.#appended - this.#accepted;
    const isDone = this.#isEnded || this.damage !== undefined;
    return {
      accepted: this.#accepted - this.#start,
      skipped: isDone ? rest : 0,
      pending: isDone ? 0 : rest,
    };
  }

  get state(): StreamState {
    return {
      start: this.#start,
      appended: this.#appended,
      accepted: this.#accepted,
      passLeft: this.#passLeft,
      cut: this.#carry.bytes.slice(),
      records: this.records,
      damage: this.damage,
    };
  }

  /** Whether a stream that began at `start` would go on exactly here. */
  standsAt(start: number): boolean {
    const isBetween = this.#accepted === this.#appended && this.#passLeft === 0;
    return isBetween && this.#accepted === start && !this.#isEnded && this.damage === undefined;
  }

  /** Goes on where another stream stopped, that began where this one stands. */
  appendRange({ appended, accepted, passLeft, cut, records, damage }: StreamState): void {
    this.#appended = appended;
    this.#accepted = accepted;
    this.#passLeft = passLeft;
    this.#carry.keep(cut, 0);
    if (damage !== undefined) this.damage = { ...damage, record: this.records + damage.record };
    this.records += records;
  }

  /** Neither damaged nor passing over a record. */
  get #isReading(): boolean {
    return this.damage === undefined && this.#passLeft === 0;
  }

  /** Reads what is whole; returns what comes after it. */
  #read(bytes: Uint8Array): number {
    let at = 0;
    if (this.#reader === undefined) {
      const read = this.#readHead(bytes);
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
    while (at + RECORD_HEAD <= bytes.length) {
      const tag = bytes[at];
      const length = u4(bytes, at + 5);
      const end = at + RECORD_HEAD + length;
      if (isRead(tag)) {
        if (!isSized(tag, length, reader.idSize) || length > LONGEST_BODY) {
          this.damage = this.#lengthDamage(tag, length);
          return at;
        }
        if (end > bytes.length) return at;
        const problem = reader.read(tag, bytes, at + RECORD_HEAD, end);
        if (problem !== undefined) {
          this.damage = { what: nameOf(tag), byteOffset: this.#accepted, record: this.records, ...problem };
          return at;
        }
      } else {
        reader.passOver(tag);
      }
      if (u4(bytes, at + 1) !== 0) reader.hasTimes = true;
      this.records++;
      if (end > bytes.length) {
        this.#passLeft = end - bytes.length;
        return bytes.length;
      }
      this.#accepted += end - at;
      at = end;
    }
    return at;
  }

  #lengthDamage(tag: number, length: number): Damage {
    return {
      what: nameOf(tag),
      byteOffset: this.#accepted,
      record: this.records,
      found: `a length of ${length} bytes`,
      expected: length > LONGEST_BODY ? `at most ${LONGEST_BODY}` : 'a length that such a record can have',
    };
  }

  #noteCut(): CutRecord | undefined {
    const kept = this.#carry.bytes;
    const rest = this.#appended - this.#accepted;
    if (rest === 0 && this.#reader !== undefined) return undefined;
    const found = `the end of the file after ${rest} ${rest === 1 ? 'byte' : 'bytes'} of it`;
    const place = { byteOffset: this.#accepted, record: this.records, found };
    if (this.#reader === undefined) {
      this.damage = { ...place, what: 'header', expected: 'JAVA PROFILE, a size of identifiers and a time' };
      return undefined;
    }
    if (this.#passLeft > 0) {
      this.damage = {
        ...place,
        record: this.records - 1,
        what: 'record',
        expected: `${rest + this.#passLeft} bytes`,
      };
      return undefined;
    }
    if (kept.length < RECORD_HEAD) {
      this.damage = { ...place, what: 'record', expected: `at least ${RECORD_HEAD} bytes` };
      return undefined;
    }
    const length = u4(kept, 5);
    this.damage = { ...place, what: nameOf(kept[0]), expected: `${RECORD_HEAD + length} bytes` };
    return { tag: kept[0], bytes: kept, from: RECORD_HEAD };
  }
}

function nameOf(tag: number): string {
  return TAG_NAMES[tag] ?? `record 0x${tag.toString(16).padStart(2, '0')}`;
}
