import { ENCODING_ID, FREQUENCY_ID, type Message } from './messages.ts';

/** Attribute name -> value. Attributes without a value are written as 0 or empty. */
export type MessageValues = Readonly<Record<string, number | bigint | string | undefined>>;

/** A message that was read: index of an attribute -> halves of its number, or its text. */
export interface MessageEvent {
  readonly message: Message;
  readonly hi: Int32Array;
  readonly lo: Int32Array;
  text(attribute: number): string;
}

const NS_PER_SECOND = 1_000_000_000n;
const MESSAGE_HEADER_BYTES = 6;
const PIECE_BYTES = 1 << 16;

const encoder = new TextEncoder();

/**
 * Writes the binary form (specs: tptp, section 1): version 1.0, little-endian, texts in UTF-8, times in nanoseconds,
 * sizes that include the header of their message. Pieces of about 64 KiB are passed to `sink`, which may keep them.
 */
export class BinaryTraceWriter {
  /** Number of bytes so far. */
  written = 0;
  readonly #sink: (bytes: Uint8Array) => void;
  #bytes = new Uint8Array(PIECE_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  constructor(sink: (bytes: Uint8Array) => void) {
    this.#sink = sink;
    this.#reserve(12);
    this.#bytes.set([0x30, 0x54, 0x42, 0x46, 1, 0, 1, 1, 12, 0, 0, 0]);
    this.#advance(12);
    const encoding = this.#begin(ENCODING_ID);
    this.#text('UTF8');
    this.#end(encoding);
    const frequency = this.#begin(FREQUENCY_ID);
    this.#long(NS_PER_SECOND);
    this.#end(frequency);
  }

  message(message: Message, values: MessageValues): void {
    const start = this.#begin(message.id);
    for (const { name, type } of message.fields) {
      const value = values[name];
      if (type === 'text') this.#text(typeof value === 'string' ? value : '');
      else if (type === 'texts' || type === 'longs') continue;
      else if (type === 'int') this.#int(typeof value === 'number' ? value : 0);
      else if (type === 'byte') this.#byte(typeof value === 'number' ? value : 0);
      else this.#long(typeof value === 'string' || value === undefined ? 0n : BigInt(value));
    }
    this.#end(start);
  }

  /** Writes an event; times are in ns. Stacks, which XML cannot represent, are left empty. */
  event(event: MessageEvent): void {
    const { message, hi, lo } = event;
    const start = this.#begin(message.id);
    for (let at = 0; at < message.fields.length; at++) {
      switch (message.fields[at].type) {
        case 'text':
          this.#text(event.text(at));
          break;
        case 'texts':
        case 'longs':
          break;
        case 'int':
          this.#int(message.fields[at].name === 'depth' ? 0 : lo[at]);
          break;
        case 'byte':
          this.#byte(lo[at]);
          break;
        default:
          this.#reserve(8);
          this.#view.setInt32(this.#length, lo[at], true);
          this.#view.setInt32(this.#length + 4, hi[at], true);
          this.#advance(8);
      }
    }
    this.#end(start);
  }

  /** Emits the remaining bytes. */
  flush(): void {
    if (this.#length === 0) return;
    this.#sink(this.#bytes.subarray(0, this.#length));
    this.#bytes = new Uint8Array(PIECE_BYTES);
    this.#view = new DataView(this.#bytes.buffer);
    this.#length = 0;
  }

  /** Begins a message. Returns its offset in the piece; a message is never split between pieces. */
  #begin(id: number): number {
    if (this.#length >= PIECE_BYTES) this.flush();
    this.#reserve(MESSAGE_HEADER_BYTES);
    this.#view.setUint16(this.#length, id, true);
    this.#advance(MESSAGE_HEADER_BYTES);
    return this.#length - MESSAGE_HEADER_BYTES;
  }

  #end(start: number): void {
    this.#view.setUint32(start + 2, this.#length - start, true);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = value;
    this.#advance(1);
  }

  #int(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.#length, value, true);
    this.#advance(4);
  }

  #long(value: bigint): void {
    this.#reserve(8);
    this.#view.setBigInt64(this.#length, value, true);
    this.#advance(8);
  }

  /** Replaces NUL characters, which would end the text. */
  #text(text: string): void {
    const bytes = text === '' ? undefined : encoder.encode(text.replaceAll('\0', '\ufffd'));
    const length = bytes?.length ?? 0;
    this.#reserve(length + 1);
    if (bytes !== undefined) this.#bytes.set(bytes, this.#length);
    this.#bytes[this.#length + length] = 0;
    this.#advance(length + 1);
  }

  #advance(bytes: number): void {
    this.#length += bytes;
    this.written += bytes;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + bytes, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
