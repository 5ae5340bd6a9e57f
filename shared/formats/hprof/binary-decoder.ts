import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { assert } from '../../assert.ts';
import { Carry } from '../../read/carry.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import { factTable, type FormatFacts } from '../../facts/format-facts.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { BinaryRecords } from './binary-records.ts';
import { HprofContents } from './contents.ts';
import {
  type BinaryHeader,
  CPU_SAMPLES,
  fixedBytes,
  isHeap,
  MAX_BODY_BYTES,
  readBinaryHeader,
  RECORD_HEADER_BYTES,
  recordOfTag,
} from './records.ts';

/** While the buffer grows, a record is in memory twice. */
const GROWING_COPIES = 2;

const TWO_32 = 4_294_967_296;
/** Microseconds. A record whose time is further back belongs to the next 71 minutes. */
const MOST_BACKWARDS = 60e6;

/**
 * Decodes binary files of Android's BinaryHprofWriter, of the JDK's agent and of writers of heap dumps (specs: hprof,
 * section 2), up to the first invalid record. They may begin with a text, as Android's snapshots do. Records that are
 * not read are skipped without buffering them, however long they are.
 */
export class HprofBinaryDecoder implements ProfileDecoder {
  damage: Damage | undefined;
  records = 0;

  readonly #sink: SampleSink;
  readonly #contents: HprofContents;
  readonly #carry = new Carry();
  #header: BinaryHeader | undefined;
  #reader: BinaryRecords | undefined;
  /** Bytes of a record that are still to be skipped. */
  #toSkip = 0;
  /** Number of bytes appended. */
  #appended = 0;
  /** Offset after the last record. */
  #accepted = 0;
  #isEnded = false;
  /** Time of the last record since that in the header, microseconds. */
  #micros = 0;
  /** Bytes of the longest record so far: memory for them is reserved. */
  #longest = 0;
  /** The memory budget does not allow a longer one: the rest of the file is not read. */
  #isFull = false;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#contents = new HprofContents(chosen, sink.memory);
  }

  append(bytes: Uint8Array): void {
    this.#appended += bytes.length;
    if (this.#isDone()) return;
    if (this.#toSkip > bytes.length) {
      this.#toSkip -= bytes.length;
      return;
    }
    const rest = bytes.subarray(this.#toSkip);
    if (this.#toSkip > 0) this.#accepted = this.#appended - rest.length;
    this.#toSkip = 0;
    const joined = this.#carry.join(rest);
    const at = this.#read(joined);
    // After damage, and while a record is skipped, nothing is buffered.
    this.#carry.keep(joined, this.#isDone() || this.#toSkip > 0 ? joined.length : at);
  }

  emitOpen(ended: boolean): void {
    if (!ended || this.#isEnded) return;
    if (!this.#isDone()) this.#noteIncomplete();
    this.#isEnded = true;
    const reader = this.#reader;
    reader?.finish();
    this.#contents.emitSamples(this.#sink, (number) => {
      assert(reader !== undefined, 'a stack has been read');
      return reader.frame(number);
    });
  }

  get bytes(): ByteAccount {
    const rest = this.#appended - this.#accepted;
    const isDone = this.#isDone();
    return { accepted: this.#accepted, skipped: isDone ? rest : 0, pending: isDone ? 0 : rest };
  }

  get refusal(): string | undefined {
    return this.#contents.refusal;
  }

  get instead(): string | undefined {
    return this.#contents.instead;
  }

  facts(): FormatFacts {
    const facts = this.#contents.facts();
    if (this.#header === undefined) return facts;
    const { magic, idSize, startMillis, preamble } = this.#header;
    const limit = this.#contents.depthLimit;
    const settings = factTable('File', 'What | Value', [
      ...preamble.map((line) => ['Snapshot header', line]),
      ['Version', magic],
      ['Identifiers', `${idSize} bytes`],
      ['Sampling or file begun', startText(startMillis)],
      ['Depth limit', limit === undefined ? undefined : String(limit)],
    ]);
    return { ...facts, tables: [...facts.tables, settings] };
  }

  /** No further bytes are read. */
  #isDone(): boolean {
    return this.#isEnded || this.#isFull || this.damage !== undefined;
  }

  /** Reads the complete records; returns the offset after them. */
  #read(bytes: Uint8Array): number {
    let at = 0;
    if (this.#reader === undefined) {
      const header = readBinaryHeader(bytes);
      if (header === undefined) return 0;
      if ('found' in header) {
        this.#stop('header', header.found, header.expected);
        return 0;
      }
      this.#header = header;
      this.#reader = new BinaryRecords(this.#contents, header, this.#sink.memory);
      at = header.length;
      this.#accepted += at;
    }
    const reader = this.#reader;
    while (at + RECORD_HEADER_BYTES <= bytes.length) {
      const tag = bytes[at];
      const type = recordOfTag(tag);
      this.#micros = continued(this.#micros, u4(bytes, at + 1));
      const length = u4(bytes, at + 5);
      const end = at + RECORD_HEADER_BYTES + length;
      if (type === undefined) {
        if (isHeap(tag)) this.#contents.hasHeapDump = true;
      } else {
        const fixed = fixedBytes(type, reader.idSize);
        if (length > MAX_BODY_BYTES || (type.isOpen ? length < fixed : length !== fixed)) {
          const most = length > MAX_BODY_BYTES ? `at most ${MAX_BODY_BYTES}` : undefined;
          this.#stop(type.name, `a length of ${length} bytes`, most ?? 'a length that this record can have');
          return at;
        }
        if (!this.#reserve(Math.min(end, bytes.length) - at) || end > bytes.length) return at;
        const problem = reader.read(type, bytes, at + RECORD_HEADER_BYTES, end, this.#micros);
        if (problem !== undefined) {
          this.#stop(type.name, problem.found, problem.expected);
          return at;
        }
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
    this.#isFull = !this.#sink.memory.hold((length - this.#longest) * GROWING_COPIES);
    this.#longest = length;
    return !this.#isFull;
  }

  /** Sets the damage of a file that ends within its header or within a record. */
  #noteIncomplete(): void {
    const rest = this.#appended - this.#accepted;
    const found = `the end of the file after ${rest} ${rest === 1 ? 'byte' : 'bytes'}`;
    const kept = this.#carry.bytes;
    if (this.#reader === undefined) {
      this.#stop('header', found, 'JAVA PROFILE, a size of identifiers and a time');
    } else if (this.#toSkip > 0) {
      this.#stop('record', found, `${rest + this.#toSkip} bytes`, this.records - 1);
    } else if (rest > 0 && kept.length < RECORD_HEADER_BYTES) {
      this.#stop('record', found, `at least ${RECORD_HEADER_BYTES} bytes`);
    } else if (rest > 0) {
      const type = recordOfTag(kept[0]);
      this.#stop(type?.name ?? 'record', found, `${RECORD_HEADER_BYTES + u4(kept, 5)} bytes`);
      // An incomplete table of samples counts if there is no complete one.
      if (type === CPU_SAMPLES) this.#reader.readIncompleteTable(kept, RECORD_HEADER_BYTES);
    }
  }

  #stop(what: string, found: string, expected: string, record = this.records): void {
    this.damage = { what, byteOffset: this.#accepted, record, found, expected };
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

/** Undefined if unknown, or beyond 8.64e15 ms, the latest time of a Date. */
function startText(millis: number): string | undefined {
  return millis > 0 && millis <= 8.64e15 ? new Date(millis).toISOString() : undefined;
}

/** Reads an unsigned integer of 4 bytes. */
function u4(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
}
