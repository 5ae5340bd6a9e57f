import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { Carry } from '../../bytes/carry.ts';
import type { Chosen } from '../choice.ts';
import type { ByteAccount, Damage, ProfileDecoder } from '../decoder.ts';
import { factTable, type FormatFacts } from '../format-facts.ts';
import { BinaryRecords, isRead, isSized, LONGEST_BODY, mayBeCut, TAG_NAMES } from './binary-records.ts';
import { type BinaryHeader, readBinaryHeader } from './binary-header.ts';
import { HprofContents } from './hprof-contents.ts';
import { hprofOptions } from './hprof-options.ts';

/** Tag, time and length of a record. */
const RECORD_HEAD = 9;

/**
 * Binary files of Android's BinaryHprofWriter, of the JDK's agent and of whatever writes heap dumps (specs: hprof,
 * section 2); also behind a text header, as Android's snapshots are. What is not needed is passed over without being
 * kept, however long.
 */
export class HprofBinaryDecoder implements ProfileDecoder {
  damage: Damage | undefined;
  records = 0;

  readonly #sink: SampleSink;
  readonly #contents: HprofContents;
  readonly #carry = new Carry();
  #header: BinaryHeader | undefined;
  #reader: BinaryRecords | undefined;
  /** Bytes of a record that are still to be passed over. */
  #passLeft = 0;
  #appended = 0;
  #accepted = 0;
  #isEnded = false;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#contents = new HprofContents(hprofOptions(chosen));
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

  settle(ended: boolean): void {
    if (!ended || this.#isEnded) return;
    this.#isEnded = true;
    if (this.damage === undefined) this.#noteCut();
    this.#reader?.finish();
    if (this.#contents.dialect === undefined && this.#reader !== undefined)
      this.#contents.dialect = this.#reader.isAndroid ? 'android' : 'agent';
    this.#contents.handOver(this.#sink);
  }

  get bytes(): ByteAccount {
    const rest = this.#appended - this.#accepted;
    const isDone = this.#isEnded || this.damage !== undefined;
    return { accepted: this.#accepted, skipped: isDone ? rest : 0, pending: isDone ? 0 : rest };
  }

  facts(): FormatFacts {
    const facts = this.#contents.facts();
    if (this.#header === undefined) return facts;
    const { magic, idSize, startMillis, preamble } = this.#header;
    const limit = this.#contents.depthLimit;
    const settings = factTable(
      'File',
      [
        { name: 'What', kind: 'text' },
        { name: 'Value', kind: 'text' },
      ],
      [
        ...preamble.map((line) => ['Snapshot header', line]),
        ['Version', magic],
        ['Identifiers', `${idSize} bytes`],
        ['Sampling or file begun', startText(startMillis)],
        ['Depth limit', limit === undefined ? undefined : String(limit)],
      ],
    );
    return { ...facts, tables: [...facts.tables, settings] };
  }

  /** Neither damaged nor passing over a record. */
  get #isReading(): boolean {
    return this.damage === undefined && this.#passLeft === 0;
  }

  /** Reads what is whole; returns what comes after it. */
  #read(bytes: Uint8Array): number {
    let at = 0;
    if (this.#header === undefined) {
      const read = readBinaryHeader(bytes);
      if (read === undefined) return 0;
      if ('problem' in read) {
        this.damage = { what: 'header', byteOffset: 0, record: 0, ...read.problem };
        return 0;
      }
      this.#header = read;
      this.#reader = new BinaryRecords(this.#contents, read);
      at = read.length;
      this.#accepted += at;
    }
    const reader = this.#reader;
    if (reader === undefined) return at;
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

  /** What a cut table of samples has still counts when there is no whole one. */
  #noteCut(): void {
    const kept = this.#carry.bytes;
    const rest = this.#appended - this.#accepted;
    if (rest === 0 && this.#header !== undefined) return;
    const found = `the end of the file after ${rest} ${rest === 1 ? 'byte' : 'bytes'} of it`;
    const place = { byteOffset: this.#accepted, record: this.records, found };
    if (this.#header === undefined) {
      this.damage = { ...place, what: 'header', expected: 'JAVA PROFILE, a size of identifiers and a time' };
      return;
    }
    if (this.#passLeft > 0) {
      this.damage = {
        ...place,
        record: this.records - 1,
        what: 'record',
        expected: `${rest + this.#passLeft} bytes`,
      };
      return;
    }
    if (kept.length < RECORD_HEAD) {
      this.damage = { ...place, what: 'record', expected: `at least ${RECORD_HEAD} bytes` };
      return;
    }
    const length = u4(kept, 5);
    this.damage = { ...place, what: nameOf(kept[0]), expected: `${RECORD_HEAD + length} bytes` };
    if (mayBeCut(kept[0])) this.#reader?.readCut(kept, RECORD_HEAD, kept.length);
  }
}

function nameOf(tag: number): string {
  return TAG_NAMES[tag] ?? `record 0x${tag.toString(16).padStart(2, '0')}`;
}

function u4(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
}

/** The latest time that a Date can tell is 8.64e15 ms. */
function startText(millis: number): string | undefined {
  return millis > 0 && millis <= 8.64e15 ? new Date(millis).toISOString() : undefined;
}
