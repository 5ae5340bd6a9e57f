import { Carry } from '../../read/carry.ts';
import { formatQuantity } from '../../text/format-value.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount } from '../decoder.ts';
import {
  type BinaryHeader,
  CLASS_DEF,
  ENCODING,
  FREQUENCY,
  HEADER_BYTES,
  MAX_MESSAGE_ID,
  type Message,
  messageOfId,
  METHOD_DEF,
  readHeader,
  THREAD_START,
} from './messages.ts';
import { Layout, MESSAGE_HEADER_BYTES, MessageReader } from './message-reader.ts';
import { countUnknown } from './trace-facts.ts';
import { type EventSource, TextDecoding, type TimedEventReceiver, TraceEvent } from './trace-event.ts';

/** Longer messages are skipped: no writer makes such long texts, and a message is buffered until it is complete. */
const MAX_MESSAGE_BYTES = 16 << 20;
/** Names of encodings are shorter. */
const MAX_ENCODING_LENGTH = 64;
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
export class BinaryEvents implements EventSource {
  damage: Damage | undefined;
  records = 0;
  readonly unknown = new Map<string, number>();

  readonly #receiver: TimedEventReceiver;
  readonly #texts = new TextDecoding();
  readonly #event = new TraceEvent(this.#texts);
  readonly #reader = new MessageReader(this.#event);
  readonly #carry = new Carry();
  #header: BinaryHeader | undefined;
  /** The header has been read. */
  #isInMessages = false;
  #sizesIncludeHeader: boolean | undefined;
  #frequency = 1_000_000_000;
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

  constructor(receiver: TimedEventReceiver) {
    this.#receiver = receiver;
  }

  append(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.damage !== undefined) return;
    const bytes = chunk.subarray(this.#skip(chunk.length));
    if (this.#toSkip > 0) return;
    const joined = this.#carry.join(bytes);
    this.#reader.take(joined);
    const start = this.#isInMessages ? 0 : this.#readHeader(joined);
    this.#carry.keep(joined, start === undefined ? this.#accepted : this.#readMessages(joined, start));
  }

  get bytes(): ByteAccount {
    const pending = this.#pending;
    return { accepted: this.#accepted, skipped: this.#length - this.#accepted - pending, pending };
  }

  get #pending(): number {
    return this.damage === undefined ? this.#carry.length + this.#skippedOfMessage : 0;
  }

  /** The offset of the first message; undefined if more bytes are needed, or after damage. */
  #readHeader(bytes: Uint8Array): number | undefined {
    if (bytes.length < HEADER_BYTES) return undefined;
    const reader = this.#reader;
    const header = readHeader(bytes, reader.view);
    if (header === undefined) {
      this.#stop(0, 'header', 'no magic', '0TBF');
      return undefined;
    }
    const { littleEndian, dataOffset } = header;
    reader.littleEndian = littleEndian;
    this.#header = header;
    let start = HEADER_BYTES;
    if (dataOffset > HEADER_BYTES && dataOffset <= MAX_DATA_OFFSET) {
      if (bytes.length < dataOffset) return undefined;
      // System messages may come before the data; other bytes are skipped.
      const isMessages = [true, false].some((includes) =>
        reader.messagesEndAt(HEADER_BYTES, dataOffset, includes),
      );
      if (!isMessages) start = dataOffset;
    }
    this.#isInMessages = true;
    this.#accepted = HEADER_BYTES;
    return start;
  }

  /** Reads the complete messages from `from` on; returns the offset after them. */
  #readMessages(bytes: Uint8Array, from: number): number {
    const { view, littleEndian: little } = this.#reader;
    let at = from;
    this.#sizesIncludeHeader ??= this.#reader.sizesIncludeHeader(from);
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
      if (message === undefined || size > MAX_MESSAGE_BYTES) {
        if (message === undefined) countUnknown(this.unknown, String(id));
        else this.#tooLong++;
        this.#toSkip = size;
        at += this.#skip(bytes.length - at);
        continue;
      }
      if (at + size > bytes.length) break;
      this.#readMessage(message, at + MESSAGE_HEADER_BYTES, at + size);
      this.records++;
      this.#accepted += size;
      at += size;
    }
    return at;
  }

  #readMessage(message: Message, from: number, to: number): void {
    const event = this.#event;
    const fit = this.#reader.read(message, from, to);
    // A later minor version may have further attributes at the end.
    if (fit === 'longer' && (this.#header?.minor ?? 0) > 0) this.#longer++;
    else if (fit !== 'exact') countUnknown(this.#unfit, message.name);
    if (message === ENCODING) {
      this.#texts.use(event.text(ENCODING.at.name).slice(0, MAX_ENCODING_LENGTH));
    } else if (message === FREQUENCY) {
      const frequency = event.number(FREQUENCY.at.frequency);
      if (frequency <= 0 || this.#lateFrequencies === MOST_FREQUENCIES) return;
      this.#frequency = frequency;
      if (this.#receiver.setFrequency(frequency)) this.#lateFrequencies++;
    } else {
      // A definition without the id that it is for defines nothing.
      const id = DEFINED_ID.get(message);
      if (fit !== 'shorter' || id === undefined || event.has(id)) this.#receiver.take(event);
    }
  }

  /** Skips as much of an ignored message as is available; returns the number of bytes. */
  #skip(available: number): number {
    if (this.#toSkip === 0) return 0;
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

  get properties(): readonly (readonly [string, string])[] {
    if (this.#header === undefined) return [];
    const { major, minor, is32Bit, littleEndian } = this.#header;
    const version = `${major}.${minor}, ${littleEndian ? 'little' : 'big'}-endian, ${is32Bit ? 32 : 64} bits`;
    return [
      ['binary form', version],
      ['encoding', this.#texts.name],
      ['ticks per second', String(this.#frequency)],
    ];
  }

  get skips(): readonly string[] {
    if (this.#unfit.size === 0) return [];
    const kinds = [...this.#unfit].map(([name, number]) => `${number} ${name}`).join(', ');
    return [
      `${formatQuantity(sum(this.#unfit), 'message')} read in part, because no layout of the format fits: ${kinds}.`,
    ];
  }

  get notes(): readonly string[] {
    const notes: string[] = [];
    const { used } = this.#reader;
    if (this.#header !== undefined && this.#header.major !== 1)
      notes.push(`Version ${this.#header.major} of the format, read as version 1.`);
    if (this.unknown.size > 0) {
      const ids = [...this.unknown.keys()].slice(0, 8).join(', ');
      notes.push(`${formatQuantity(sum(this.unknown), 'message')} of unknown types ignored: ${ids}.`);
    }
    if (this.#tooLong > 0)
      notes.push(`${formatQuantity(this.#tooLong, 'message')} of more than 16 MB ignored.`);
    if (this.#texts.problem !== undefined) notes.push(this.#texts.problem);
    if (this.#longer > 0)
      notes.push(`${formatQuantity(this.#longer, 'message')} with further attributes, which are not read.`);
    if (used !== 0) notes.push(`Not read as in the tables of the format's document: ${layoutText(used)}.`);
    if (this.#lateFrequencies > 0)
      notes.push('The clock frequency comes after the first times, and counts for them, too.');
    if (this.#pending > 0) notes.push(this.#pendingNote(this.#pending));
    return notes;
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

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, each) => total + each, 0);
}
