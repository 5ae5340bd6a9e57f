import type { ProfileDecoder } from '../decoder.ts';
import { type Message, MESSAGES, MAX_ATTRIBUTES } from './messages.ts';

/** Decodes texts of an event, which are kept as bytes until they are needed. */
export interface TextSource {
  text(bytes: Uint8Array, from: number, to: number): string;
}

/**
 * An event of either form. One object is filled again for each event, and borrowed for a call. Attributes are numbered
 * as in the table of messages; numbers are two 32-bit halves, texts are ranges of bytes.
 *
 *   methodExit    0     1    2 time              3 ticket   …
 *     hi, lo      0,0   0,1  274877907,-1237…    0,4
 *     present     yes   yes  yes                 yes
 */
export class TraceEvent {
  message: Message = MESSAGES[0];
  readonly hi = new Int32Array(MAX_ATTRIBUTES);
  readonly lo = new Int32Array(MAX_ATTRIBUTES);
  readonly from = new Int32Array(MAX_ATTRIBUTES);
  readonly to = new Int32Array(MAX_ATTRIBUTES);
  /** A bit for each attribute that the event has. */
  present = 0;
  /** Times are in nanoseconds, not in ticks. */
  timesAreNs = false;
  bytes: Uint8Array = new Uint8Array(0);
  readonly #source: TextSource;

  constructor(source: TextSource) {
    this.#source = source;
  }

  /** Starts another event. The reader then sets its attributes and clears those that it does not have. */
  begin(message: Message, bytes: Uint8Array): void {
    this.message = message;
    this.bytes = bytes;
    this.present = 0;
    this.timesAreNs = false;
  }

  /** Sets all attributes to 0 or empty. */
  clear(): void {
    for (let at = 0; at < this.message.fields.length; at++) this.clearAt(at);
  }

  clearAt(at: number): void {
    this.hi[at] = 0;
    this.lo[at] = 0;
    this.from[at] = 0;
    this.to[at] = 0;
  }

  set(at: number, value: bigint): void {
    this.hi[at] = Number(BigInt.asIntN(32, value >> 32n));
    this.lo[at] = Number(BigInt.asIntN(32, value));
  }

  /** Sets whole nanoseconds; 0 if they do not fit 64 bits, as after 2262. */
  setSeconds(at: number, seconds: number): void {
    const whole = Math.floor(seconds);
    const ns = BigInt(whole) * 1_000_000_000n + BigInt(Math.round((seconds - whole) * 1e9));
    this.set(at, ns === BigInt.asIntN(64, ns) ? ns : 0n);
  }

  has(at: number): boolean {
    return (this.present & (1 << at)) !== 0;
  }

  /** Whether it is not 0: an id of 0 refers to nothing. */
  isSet(at: number): boolean {
    return (this.hi[at] | this.lo[at]) !== 0;
  }

  /** The nearest double. */
  number(at: number): number {
    return this.hi[at] * 0x1_0000_0000 + (this.lo[at] >>> 0);
  }

  text(at: number): string {
    return this.#source.text(this.bytes, this.from[at], this.to[at]);
  }

  /** The first of several texts; '' if there is none. */
  firstText(at: number): string {
    const end = this.bytes.indexOf(0, this.from[at]);
    return end < 0 || end > this.to[at] ? '' : this.#source.text(this.bytes, this.from[at], end);
  }
}

export interface EventReceiver {
  /** Borrowed for the call. */
  take(event: TraceEvent): void;
}

/** Receives the events of the binary form, and the ticks per second of their times. */
export interface TimedEventReceiver extends EventReceiver {
  /** True if times before it were converted again. */
  setFrequency(frequency: number): boolean;
}

/** Reads the events of one form, and what only that form has. Nothing is read after damage. */
export interface EventSource extends Pick<ProfileDecoder, 'append' | 'bytes' | 'damage' | 'records'> {
  /** Types of messages that are not read -> how many. */
  readonly unknown: ReadonlyMap<string, number>;
  /** See `FormatFacts`. */
  readonly notes: readonly string[];
  readonly skips: readonly string[];
  /** Names and values. */
  readonly properties: readonly (readonly [string, string])[];
}

/** All encodings except UTF-16 and UTF-32: most of their letters contain a NUL byte, and a NUL byte ends a text. */
const ASCII_BASED = /^(?!utf-?(16|32)|ucs|iso-10646|unicode)/i;

/** Decodes texts in the encoding that the trace names. */
export class TextDecoding implements TextSource {
  name = 'UTF8';
  /** A sentence, if the named encoding is not supported. */
  problem: string | undefined;
  #decoder = utf8;

  use(name: string): void {
    this.name = name;
    this.problem = undefined;
    // Java's names: UTF8, ISO8859_1, Cp1252.
    const label = name
      .trim()
      .replace(/^iso8859_/i, 'iso-8859-')
      .replace(/^cp(125\d)$/i, 'windows-$1');
    const decoder = ASCII_BASED.test(label) ? decoderOf(label) : undefined;
    if (decoder === undefined) {
      this.name = `${name} (read as UTF-8)`;
      this.problem = `The encoding ${name === '' ? 'without a name' : name} is not supported: texts are read as UTF-8.`;
    }
    this.#decoder = decoder ?? utf8;
  }

  text(bytes: Uint8Array, from: number, to: number): string {
    return from === to ? '' : this.#decoder.decode(bytes.subarray(from, to));
  }
}

function decoderOf(label: string): TextDecoder | undefined {
  if (/^utf-?8$/i.test(label)) return utf8;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder();
