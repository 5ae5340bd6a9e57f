import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { Carry } from '../../read/carry.ts';
import { formatQuantity } from '../../text/format-value.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import {
  type BinaryHeader,
  CLASS_DEF,
  ENCODING_ID,
  FREQUENCY_ID,
  HEADER_BYTES,
  MAX_MESSAGE_ID,
  type Message,
  messageOfId,
  METHOD_DEF,
  readHeader,
  THREAD_START,
} from './messages.ts';
import {
  Layout,
  MESSAGE_HEADER_BYTES,
  MessageReader,
  messagesEndAt,
  sizesIncludeHeader,
} from './message-reader.ts';
import { countUnknown } from './trace-facts.ts';
import { TextDecoding, TraceEvent } from './trace-event.ts';
import { TraceReader } from './trace-reader.ts';

/** Longer messages are skipped: no writer makes such long texts, and a message is buffered until it is complete. */
const MAX_MESSAGE_BYTES = 16 << 20;
/** Names of encodings are shorter. */
const MAX_ENCODING_BYTES = 64;
/** A trace has one. Each other one that follows needs all times to be converted. */
const MOST_FREQUENCIES = 16;
/** A larger offset to the data is ignored: messages are then read from the end of the header on. */
const MAX_DATA_OFFSET = 1 << 20;

/** Message that defines something -> index of its id. */
const DEFINED_ID: ReadonlyMap<Message, number> = new Map<Message, number>([
  [CLASS_DEF, CLASS_DEF.at.classId],
  [METHOD_DEF, METHOD_DEF.at.methodId],
  [THREAD_START, THREAD_START.at.threadId],
]);

const LAYOUT_TEXTS: readonly (readonly [bit: number, text: string])[] = [
  [Layout.narrowIds, 'ids of 4 bytes'],
  [Layout.narrowLongs, 'longs of 4 bytes'],
  [Layout.doubles, 'times as doubles'],
  [Layout.intCollation, 'collation values as integers'],
  [Layout.exampleOrder, 'names of threads before those of their groups'],
];

/** `ids of 4 bytes, times as doubles` */
function layoutText(layout: number): string {
  return LAYOUT_TEXTS.flatMap(([bit, text]) => ((layout & bit) === 0 ? [] : [text])).join(', ');
}

/**
 * The binary form, .trcbin (specs: tptp, section 1): a header, then messages.
 *
 *   30 54 42 46  01 00 01 01  0c 00 00 00      0TBF, version 1.0, 64 bits, little-endian, data at 12
 *   02 00  0e 00 00 00  00 ca 9a 3b 00 …       message 2, 14 bytes, 10⁹ ticks per second
 *   f7 03  54 00 00 00  …                      message 1015, a call begins
 *
 * Only a message that spans chunks is copied.
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
  /** The header has been read. */
  #isInMessages = false;
  #sizesIncludeHeader: boolean | undefined;
  /** Bytes of a message that is ignored: those received, and those still to come. */
  #skippedOfMessage = 0;
  #toSkip = 0;
  #accepted = 0;
  #length = 0;
  /** Messages ignored because of their size. */
  #tooLong = 0;
  /** Name of a message -> such messages that no layout fits exactly. */
  readonly #unfit = new Map<string, number>();
  /** Messages of a later version with more attributes than are known. */
  #longer = 0;
  /** Frequencies of the clock that came after the first times. */
  #lateFrequencies = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#trace = new TraceReader(sink, chosen);
  }

  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    this.#read(bytes);
    this.#trace.emit();
  }

  emitOpen(ended: boolean): void {
    if (ended) this.#trace.end();
    else this.#trace.pause();
  }

  get bytes(): ByteAccount {
    const { damage } = this;
    const pending = damage === undefined ? this.#carry.length + this.#skippedOfMessage : 0;
    return { accepted: this.#accepted, skipped: this.#length - this.#accepted - pending, pending };
  }

  facts(): FormatFacts {
    const facts = this.#trace.facts(this.#notes(), this.#properties(), this.#unknown);
    return this.#unfit.size === 0 ? facts : { ...facts, skips: [...facts.skips, this.#unfitText()] };
  }

  #read(chunk: Uint8Array): void {
    if (this.damage !== undefined) return;
    let bytes = chunk;
    if (this.#toSkip > 0) {
      const skipped = this.#skip(bytes.length);
      if (this.#toSkip > 0) return;
      bytes = bytes.subarray(skipped);
    }
    const joined = this.#carry.join(bytes);
    const view = new DataView(joined.buffer, joined.byteOffset, joined.byteLength);
    let at = 0;
    if (!this.#isInMessages) {
      const start = this.#readHeader(joined, view);
      if (start === undefined) {
        this.#carry.keep(joined, this.#accepted);
        return;
      }
      at = start;
    }
    at = this.#readMessages(joined, view, at);
    this.#carry.keep(joined, at);
  }

  /** The offset of the first message; undefined if more bytes are needed, or after damage. */
  #readHeader(bytes: Uint8Array, view: DataView): number | undefined {
    if (bytes.length < HEADER_BYTES) return undefined;
    const header = readHeader(bytes, view);
    if (header === undefined) {
      this.#stop(0, 'header', 'no magic', '0TBF');
      return undefined;
    }
    const { littleEndian, dataOffset } = header;
    this.#reader.littleEndian = littleEndian;
    this.#header = header;
    let start = HEADER_BYTES;
    if (dataOffset > HEADER_BYTES && dataOffset <= MAX_DATA_OFFSET) {
      if (bytes.length < dataOffset) return undefined;
      // System messages may come before the data; other bytes are skipped.
      const isMessages = [true, false].some((includesHeader) =>
        messagesEndAt(view, HEADER_BYTES, dataOffset, littleEndian, includesHeader),
      );
      if (!isMessages) start = dataOffset;
    }
    this.#isInMessages = true;
    this.#accepted = HEADER_BYTES;
    return start;
  }

  /** Reads the complete messages from `from` on; returns the offset after them. */
  #readMessages(bytes: Uint8Array, view: DataView, from: number): number {
    const little = this.#reader.littleEndian;
    let at = from;
    this.#sizesIncludeHeader ??= sizesIncludeHeader(this.#reader, this.#event, { bytes, view, from });
    const includesHeader = this.#sizesIncludeHeader;
    if (includesHeader === undefined) return at;
    while (at + MESSAGE_HEADER_BYTES <= bytes.length) {
      const id = view.getUint16(at, little);
      const stated = view.getUint32(at + 2, little);
      const size = includesHeader ? stated : stated + MESSAGE_HEADER_BYTES;
      const offset = this.#length - (bytes.length - at);
      if (id > MAX_MESSAGE_ID) {
        this.#stop(offset, 'message id', String(id), `0 to ${MAX_MESSAGE_ID}`);
        return bytes.length;
      }
      if (size < MESSAGE_HEADER_BYTES) {
        this.#stop(offset, 'message size', String(stated), `${MESSAGE_HEADER_BYTES} or more`);
        return bytes.length;
      }
      const message = messageOfId(id);
      const isSystem = id === ENCODING_ID || id === FREQUENCY_ID;
      const isTooLong = size > MAX_MESSAGE_BYTES;
      if ((message === undefined && !isSystem) || isTooLong) {
        if (isTooLong && (isSystem || message !== undefined)) this.#tooLong++;
        else countUnknown(this.#unknown, String(id));
        this.#toSkip = size;
        at += this.#skip(bytes.length - at);
        continue;
      }
      if (at + size > bytes.length) break;
      const end = at + size;
      if (message === undefined) this.#readSystem(id, bytes, view, at + MESSAGE_HEADER_BYTES, end);
      else this.#readEvent(message, bytes, view, at + MESSAGE_HEADER_BYTES, end);
      this.records++;
      this.#accepted += size;
      at = end;
    }
    return at;
  }

  #readEvent(message: Message, bytes: Uint8Array, view: DataView, from: number, to: number): void {
    const fit = this.#reader.read(this.#event, message, bytes, view, from, to);
    // A later minor version may have further attributes at the end.
    if (fit === 'longer' && (this.#header?.minor ?? 0) > 0) this.#longer++;
    else if (fit !== 'exact') countUnknown(this.#unfit, message.name);
    // A definition without the id that it is for defines nothing.
    const id = DEFINED_ID.get(message);
    if (fit !== 'shorter' || id === undefined || this.#event.has(id)) this.#trace.take(this.#event);
  }

  #readSystem(id: number, bytes: Uint8Array, view: DataView, from: number, to: number): void {
    const little = this.#reader.littleEndian;
    if (id === ENCODING_ID) {
      const name = bytes.subarray(from, Math.min(to, from + MAX_ENCODING_BYTES));
      const end = name.indexOf(0);
      this.#texts.use(String.fromCharCode(...name.subarray(0, end < 0 ? name.length : end)));
    } else if (to - from >= 8 && this.#lateFrequencies < MOST_FREQUENCIES) {
      const frequency = Number(view.getBigInt64(from, little));
      if (frequency > 0 && this.#trace.setFrequency(frequency)) this.#lateFrequencies++;
    }
  }

  /** Skips as much of an ignored message as is available; returns the number of bytes. */
  #skip(available: number): number {
    const skipped = Math.min(this.#toSkip, available);
    this.#toSkip -= skipped;
    this.#skippedOfMessage += skipped;
    if (this.#toSkip === 0) {
      this.#skippedOfMessage = 0;
      this.records++;
    }
    return skipped;
  }

  #stop(byteOffset: number, what: string, found: string, expected: string): void {
    this.damage = { what, byteOffset, record: this.records, found, expected };
  }

  #properties(): (readonly [string, string])[] {
    if (this.#header === undefined) return [];
    const { major, minor, is32Bit, littleEndian } = this.#header;
    return [
      [
        'binary form',
        `${major}.${minor}, ${littleEndian ? 'little' : 'big'}-endian, ${is32Bit ? 32 : 64} bits`,
      ],
      ['encoding', this.#texts.name],
      ['ticks per second', String(this.#trace.clock.frequency)],
    ];
  }

  #notes(): string[] {
    const notes: string[] = [];
    const { used } = this.#reader;
    if (this.#header !== undefined && this.#header.major !== 1)
      notes.push(`Version ${this.#header.major} of the format, read as version 1.`);
    if (this.#unknown.size > 0) {
      const count = [...this.#unknown.values()].reduce((sum, each) => sum + each, 0);
      const ids = [...this.#unknown.keys()].slice(0, 8).join(', ');
      notes.push(`${formatQuantity(count, 'message')} of unknown types ignored: ${ids}.`);
    }
    if (this.#tooLong > 0)
      notes.push(`${formatQuantity(this.#tooLong, 'message')} of more than 16 MB ignored.`);
    if (this.#texts.problem !== undefined) notes.push(this.#texts.problem);
    if (this.#longer > 0)
      notes.push(`${formatQuantity(this.#longer, 'message')} with further attributes, which are not read.`);
    if (used !== 0) notes.push(`Not read as in the tables of the format's document: ${layoutText(used)}.`);
    if (this.#lateFrequencies > 0)
      notes.push('The clock frequency comes after the first times, and counts for them, too.');
    const pending = this.damage === undefined ? this.#carry.length + this.#skippedOfMessage : 0;
    if (pending > 0) notes.push(this.#pendingNote(pending));
    return notes;
  }

  #unfitText(): string {
    const count = [...this.#unfit.values()].reduce((sum, each) => sum + each, 0);
    const kinds = [...this.#unfit].map(([name, number]) => `${number} ${name}`).join(', ');
    return `${formatQuantity(count, 'message')} read in part, because no layout of the format fits: ${kinds}.`;
  }

  /** `pending`: bytes that are not read yet. */
  #pendingNote(pending: number): string {
    const header = this.#header;
    if (header !== undefined && !this.#isInMessages)
      return `The file ends before its messages, which begin at byte ${header.dataOffset}.`;
    if (header !== undefined && this.#sizesIncludeHeader === undefined)
      return `Too few messages to tell whether their sizes include their headers: ${formatQuantity(pending, 'byte')} not read.`;
    return `The last message is incomplete: the file ends after ${formatQuantity(pending, 'byte')} of it.`;
  }
}
