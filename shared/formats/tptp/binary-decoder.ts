import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { Carry } from '../../bytes/carry.ts';
import { formatQuantity } from '../../text/format-value.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import { type BinaryHeader, HEADER_BYTES, readHeader } from './binary-header.ts';
import { FRAME_BYTES, framesEndAt, sizesCountFrame } from './frame-size.ts';
import { ENCODING_ID, FREQUENCY_ID, LAST_ID, type Message, messageOfId } from '../../tptp/messages.ts';
import { MessageReader } from './message-reader.ts';
import { countUnknown } from './count-unknown.ts';
import { TextDecoding } from './text-decoding.ts';
import { TraceEvent } from './trace-event.ts';
import { TraceReader } from './trace-reader.ts';

/** Longer messages are skipped: no writer produces such names, and a message is buffered until it is complete. */
const MOST_MESSAGE_BYTES = 16 << 20;
/** The longest name of an encoding. */
const MOST_ENCODING_BYTES = 64;
/** What may stand between the header and the offset to the data. */
const MOST_LEAD_IN_BYTES = 1 << 20;

/**
 * The binary form, .trcbin (specs: tptp, section 1): a header, then messages.
 *
 *   30 54 42 46  01 00 01 01  0c 00 00 00      0TBF, version 1.0, 64 bits, little-endian, data at 12
 *   02 00  0e 00 00 00  00 ca 9a 3b 00 …       message 2, 14 bytes, 10⁹ ticks per second
 *   f7 03  54 00 00 00  …                      message 1015, a call begins
 *
 * Only a message that a chunk cuts is copied.
 */
export class BinaryTraceDecoder implements ProfileDecoder {
  damage: Damage | undefined;
  records = 0;

  readonly #trace: TraceReader;
  readonly #texts = new TextDecoding();
  readonly #event = new TraceEvent(this.#texts);
  readonly #reader = new MessageReader();
  readonly #carry = new Carry();
  readonly #unknown = new Map<string, number>();
  #header: BinaryHeader | undefined;
  /** The messages have begun. */
  #isInMessages = false;
  #countsFrame: boolean | undefined;
  /** Bytes of a message that is passed over: those that have come, and those that have not. */
  #passed = 0;
  #toPass = 0;
  #accepted = 0;
  #length = 0;
  #tooLong = 0;
  #lateFrequency = false;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#trace = new TraceReader(sink, chosen);
  }

  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#trace.goOn();
    this.#length += bytes.length;
    this.#read(bytes, false);
    this.#trace.handOn();
  }

  settle(ended: boolean): void {
    if (!ended) return;
    // What was not decided for want of bytes is decided by those that are there.
    if (this.damage === undefined && (!this.#isInMessages || this.#countsFrame === undefined)) {
      this.#trace.goOn();
      this.#read(new Uint8Array(0), true);
    }
    this.#trace.end();
  }

  get bytes(): ByteAccount {
    const { damage } = this;
    const pending = damage === undefined ? this.#carry.length + this.#passed : 0;
    return { accepted: this.#accepted, skipped: this.#length - this.#accepted - pending, pending };
  }

  facts(): FormatFacts {
    return this.#trace.facts(this.#notes(), this.#properties(), this.#unknown);
  }

  #read(chunk: Uint8Array, ended: boolean): void {
    if (this.damage !== undefined) return;
    let bytes = chunk;
    if (this.#toPass > 0) {
      const passed = this.#pass(bytes.length);
      if (this.#toPass > 0) return;
      bytes = bytes.subarray(passed);
    }
    const joined = this.#carry.join(bytes);
    const view = new DataView(joined.buffer, joined.byteOffset, joined.byteLength);
    let at = 0;
    if (!this.#isInMessages) {
      const start = this.#readHeader(joined, view, ended);
      if (start === undefined) {
        this.#carry.keep(joined, this.#accepted);
        return;
      }
      at = start;
    }
    at = this.#readMessages(joined, view, at, ended);
    this.#carry.keep(joined, at);
  }

  /** Where the messages begin; undefined while that is not known, or never. */
  #readHeader(bytes: Uint8Array, view: DataView, ended: boolean): number | undefined {
    if (bytes.length < HEADER_BYTES) return undefined;
    const header = readHeader(bytes, view);
    if (header === undefined) {
      this.#stop(0, 'header', 'no magic', '0TBF');
      return undefined;
    }
    const { littleEndian, isNarrow, dataOffset } = header;
    this.#reader.littleEndian = littleEndian;
    this.#reader.isNarrow = isNarrow;
    this.#header = header;
    let start = HEADER_BYTES;
    if (dataOffset > HEADER_BYTES && dataOffset <= MOST_LEAD_IN_BYTES) {
      if (bytes.length < dataOffset && !ended) return undefined;
      // System messages may come before the data; anything else is passed over.
      const isMessages = [true, false].some((countsFrame) =>
        framesEndAt(view, HEADER_BYTES, Math.min(dataOffset, bytes.length), littleEndian, countsFrame),
      );
      if (bytes.length >= dataOffset && !isMessages) start = dataOffset;
    }
    this.#isInMessages = true;
    this.#accepted = HEADER_BYTES;
    return start;
  }

  /** Returns where the first message begins that is not whole. */
  #readMessages(bytes: Uint8Array, view: DataView, from: number, ended: boolean): number {
    const little = this.#reader.littleEndian;
    let at = from;
    this.#countsFrame ??= sizesCountFrame(this.#reader, this.#event, { bytes, view, from, ended });
    const countsFrame = this.#countsFrame;
    if (countsFrame === undefined) return at;
    while (at + FRAME_BYTES <= bytes.length) {
      const id = view.getUint16(at, little);
      const stated = view.getUint32(at + 2, little);
      const size = countsFrame ? stated : stated + FRAME_BYTES;
      const offset = this.#length - (bytes.length - at);
      if (id > LAST_ID) {
        this.#stop(offset, 'message id', String(id), `0 to ${LAST_ID}`);
        return bytes.length;
      }
      if (size < FRAME_BYTES) {
        this.#stop(offset, 'message size', String(stated), `${FRAME_BYTES} or more`);
        return bytes.length;
      }
      const message = messageOfId(id);
      const isSystem = id === ENCODING_ID || id === FREQUENCY_ID;
      const isTooLong = size > MOST_MESSAGE_BYTES;
      if ((message === undefined && !isSystem) || isTooLong) {
        if (isTooLong && (isSystem || message !== undefined)) this.#tooLong++;
        else countUnknown(this.#unknown, String(id));
        this.#toPass = size;
        at += this.#pass(bytes.length - at);
        continue;
      }
      if (at + size > bytes.length) break;
      const end = at + size;
      if (message === undefined) this.#readSystem(id, bytes, view, at + FRAME_BYTES, end);
      else this.#readEvent(message, bytes, view, at + FRAME_BYTES, end);
      this.records++;
      this.#accepted += size;
      at = end;
    }
    return at;
  }

  #readEvent(message: Message, bytes: Uint8Array, view: DataView, from: number, to: number): void {
    this.#reader.read(this.#event, message, bytes, view, from, to);
    this.#trace.take(this.#event);
  }

  #readSystem(id: number, bytes: Uint8Array, view: DataView, from: number, to: number): void {
    const little = this.#reader.littleEndian;
    if (id === ENCODING_ID) {
      const name = bytes.subarray(from, Math.min(to, from + MOST_ENCODING_BYTES));
      const end = name.indexOf(0);
      this.#texts.use(String.fromCharCode(...name.subarray(0, end < 0 ? name.length : end)));
    } else if (to - from >= 8) {
      const frequency = Number(view.getBigInt64(from, little));
      if (frequency > 0)
        this.#lateFrequency = this.#trace.clock.setFrequency(frequency) || this.#lateFrequency;
    }
  }

  /** Passes over what has come of a message; returns how much that is. */
  #pass(available: number): number {
    const passed = Math.min(this.#toPass, available);
    this.#toPass -= passed;
    this.#passed += passed;
    if (this.#toPass === 0) {
      this.#passed = 0;
      this.records++;
    }
    return passed;
  }

  #stop(byteOffset: number, what: string, found: string, expected: string): void {
    this.damage = { what, byteOffset, record: this.records, found, expected };
  }

  #properties(): (readonly [string, string])[] {
    if (this.#header === undefined) return [];
    const { major, minor, isNarrow, littleEndian } = this.#header;
    return [
      [
        'binary form',
        `${major}.${minor}, ${littleEndian ? 'little' : 'big'}-endian, ${isNarrow ? 32 : 64} bits`,
      ],
      ['encoding', this.#texts.name],
      ['ticks per second', String(this.#trace.clock.frequency)],
    ];
  }

  #notes(): string[] {
    const notes: string[] = [];
    const { found } = this.#reader;
    if (this.#header !== undefined && this.#header.major !== 1)
      notes.push(`Version ${this.#header.major} of the format, read as version 1.`);
    if (this.#unknown.size > 0) {
      const count = [...this.#unknown.values()].reduce((sum, each) => sum + each, 0);
      const ids = [...this.#unknown.keys()].slice(0, 8).join(', ');
      notes.push(`${formatQuantity(count, 'message')} of unknown kinds passed over: ${ids}.`);
    }
    if (this.#tooLong > 0)
      notes.push(`${formatQuantity(this.#tooLong, 'message')} of more than 16 MB passed over.`);
    if (this.#texts.problem !== undefined) notes.push(this.#texts.problem);
    if (found !== undefined)
      notes.push(
        found === 'narrow'
          ? 'Ids have 4 bytes, which the tables of the format do not say.'
          : 'Ids have 4 bytes and times are Doubles, as in the example of the format and not in its tables.',
      );
    if (this.#lateFrequency)
      notes.push(
        'The clock frequency comes after the first times: those before it were read as nanoseconds.',
      );
    const pending = this.damage === undefined ? this.#carry.length + this.#passed : 0;
    if (pending > 0) notes.push(`The last message is cut after ${formatQuantity(pending, 'byte')}.`);
    return notes;
  }
}
