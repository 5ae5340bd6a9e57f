import { type Message, MESSAGES, MOST_ATTRIBUTES } from '../../tptp/messages.ts';

/** The texts of an event are bytes until somebody needs them. */
export interface TextSource {
  text(bytes: Uint8Array, from: number, to: number): string;
}

/**
 * One event, whichever form it was read from; filled anew for each, borrowed for a call. Attributes are numbered as in
 * the table of messages; numbers are two 32-bit halves, texts are ranges of bytes.
 *
 *   methodExit    0     1    2 time              3 ticket   …
 *     hi, lo      0,0   0,1  274877907,-1237…    0,4
 *     present     yes   yes  yes                 yes
 */
export class TraceEvent {
  message: Message = MESSAGES[0];
  readonly hi = new Int32Array(MOST_ATTRIBUTES);
  readonly lo = new Int32Array(MOST_ATTRIBUTES);
  readonly from = new Int32Array(MOST_ATTRIBUTES);
  readonly to = new Int32Array(MOST_ATTRIBUTES);
  /** A bit for each attribute that the event has. */
  present = 0;
  /** Times are nanoseconds, not ticks. */
  timesAreNs = false;
  bytes: Uint8Array = new Uint8Array(0);
  readonly #source: TextSource;

  constructor(source: TextSource) {
    this.#source = source;
  }

  /** Another event; what it has is set next, and what it has not is cleared. */
  begin(message: Message, bytes: Uint8Array): void {
    this.message = message;
    this.bytes = bytes;
    this.present = 0;
    this.timesAreNs = false;
  }

  /** The attributes from one on have their defaults. */
  clear(from: number): void {
    for (let at = from; at < this.message.attributes.length; at++) this.clearAt(at);
  }

  clearAt(at: number): void {
    this.hi[at] = 0;
    this.lo[at] = 0;
    this.from[at] = 0;
    this.to[at] = 0;
  }

  has(at: number): boolean {
    return (this.present & (1 << at)) !== 0;
  }

  /** Has it, and it is not 0: ids that are 0 name nothing. */
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

  /** The first of several texts; '' for none. */
  firstText(at: number): string {
    const end = this.bytes.indexOf(0, this.from[at]);
    return end < 0 || end > this.to[at] ? '' : this.#source.text(this.bytes, this.from[at], end);
  }
}

/** What is done with events. */
export interface EventTaker {
  /** Borrowed for the call. */
  take(event: TraceEvent): void;
}
