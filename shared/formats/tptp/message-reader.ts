import { assert } from '../../assert.ts';
import {
  type AttributeType,
  attributeIndex,
  type Message,
  MESSAGES,
  THREAD_START,
} from '../../tptp/messages.ts';
import type { TraceEvent } from './trace-event.ts';
import { nanosecondsOf } from './read-int64.ts';

/**
 * Layouts of message bodies. There are several because the format's document contradicts itself (specs: tptp, section
 * 6).
 *
 *   table     as in its tables
 *   example   as in its example: ids of 4 bytes, times as doubles, collationValue as an int, and in threadStart the
 *             thread's name before the names of its groups
 *   doubles   as in its tables, but ids of 4 bytes and times as doubles
 *   ids32     as in its tables, but ids of 4 bytes, for a 32-bit platform
 */
export type Layout = 'table' | 'example' | 'doubles' | 'ids32';

const TABLE: readonly Layout[] = ['table'];
const OTHERS: readonly Layout[] = ['example', 'doubles'];
const OTHERS_32_BIT: readonly Layout[] = ['example', 'doubles', 'ids32'];

/** A double in this range, or 0, is a time. The bytes of a long are hardly ever such a double. */
const MIN_SECONDS = 1e-10;
const MAX_TICKS = 9.2e18;
/** Larger times are ticks: as seconds, they would be more than 30 000 years. */
const MIN_TICKS = 1e12;

/** How an attribute is stored in a layout; numbers, because one is compared per attribute of each message. */
const I8 = 0;
const I4 = 1;
const U1 = 2;
const DOUBLE = 3;
const TEXT = 4;
const TEXTS = 5;
const LONGS = 6;

/** A message's body in one of the layouts: the attributes in the order in which they are stored. */
interface BodyLayout {
  /** Index among the message's attributes. */
  readonly attribute: Uint8Array;
  readonly encoding: Uint8Array;
  /** Some attributes of the message are not in the body. */
  readonly isPartial: boolean;
}

const TABLE_ENCODINGS: Readonly<Record<AttributeType, number>> = {
  id: I8,
  time: I8,
  long: I8,
  int: I4,
  byte: U1,
  text: TEXT,
  texts: TEXTS,
  longs: LONGS,
};

const EXAMPLE_ORDER = [
  'transientThreadId',
  'threadId',
  'time',
  'transientObjIdRef',
  'objIdRef',
  'threadName',
  'groupName',
  'parentName',
  'collationValue',
];

function bodyLayout(message: Message, layout: Layout): BodyLayout {
  const { attributes } = message;
  const order =
    message === THREAD_START && layout === 'example'
      ? EXAMPLE_ORDER.map((name) => attributeIndex(message, name))
      : attributes.map((_, at) => at);
  const encodings = order.map((at) => {
    const { name, type } = attributes[at];
    if (type === 'id' && layout !== 'table') return I4;
    if (type === 'time' && (layout === 'example' || layout === 'doubles')) return DOUBLE;
    return name === 'collationValue' && layout === 'example' ? I4 : TABLE_ENCODINGS[type];
  });
  return {
    attribute: Uint8Array.from(order),
    encoding: Uint8Array.from(encodings),
    isPartial: order.length < attributes.length,
  };
}

function bodyLayouts(layout: Layout): ReadonlyMap<Message, BodyLayout> {
  return new Map(MESSAGES.map((message) => [message, bodyLayout(message, layout)]));
}

const LAYOUTS: Readonly<Record<Layout, ReadonlyMap<Message, BodyLayout>>> = {
  table: bodyLayouts('table'),
  example: bodyLayouts('example'),
  doubles: bodyLayouts('doubles'),
  ids32: bodyLayouts('ids32'),
};

/** Reads bodies of messages into an event. */
export class MessageReader {
  littleEndian = true;
  /** The platform has 32 bits: ids may have 4 bytes. */
  is32Bit = false;
  /** The latest layout other than 'table' that fitted a body exactly; it is then tried first. */
  found: Layout | undefined;

  /**
   * Reads the body bytes[from … to). If it ends early, the remaining attributes are 0 or empty; bytes after the last
   * attribute are ignored.
   */
  read(
    event: TraceEvent,
    message: Message,
    bytes: Uint8Array,
    view: DataView,
    from: number,
    to: number,
  ): void {
    const { found } = this;
    if (found !== undefined && this.#readAs(found, event, message, bytes, view, from, to) === to) return;
    if (this.#readAs('table', event, message, bytes, view, from, to) === to) return;
    for (const layout of this.is32Bit ? OTHERS_32_BIT : OTHERS) {
      if (this.#readAs(layout, event, message, bytes, view, from, to) !== to) continue;
      this.found = layout;
      return;
    }
    this.#readAs(found ?? 'table', event, message, bytes, view, from, to);
  }

  /** The length of the body at `from` in each layout in which it ends before or at `to`. */
  exactLengths(
    event: TraceEvent,
    message: Message,
    bytes: Uint8Array,
    view: DataView,
    from: number,
    to: number,
  ): readonly number[] {
    return [...TABLE, ...(this.is32Bit ? OTHERS_32_BIT : OTHERS)]
      .map((layout) => this.#readAs(layout, event, message, bytes, view, from, to) - from)
      .filter((length) => length >= 0);
  }

  /** Returns the offset after the last attribute; -1 if the body ends before it or does not fit the layout. */
  #readAs(
    layout: Layout,
    event: TraceEvent,
    message: Message,
    bytes: Uint8Array,
    view: DataView,
    from: number,
    to: number,
  ): number {
    const body = LAYOUTS[layout].get(message);
    assert(body !== undefined, 'every layout has every message');
    const { attribute: order, encoding } = body;
    const { hi, lo } = event;
    const little = this.littleEndian;
    // Attributes that are not read because the body ends early are cleared below.
    event.begin(message, bytes);
    if (body.isPartial) event.clear(0);
    let present = 0;
    let offset = from;
    let length = 0;
    let index = 0;
    reading: for (; index < order.length; index++) {
      const at = order[index];
      switch (encoding[index]) {
        case I8:
          if (offset + 8 > to) break reading;
          hi[at] = view.getInt32(little ? offset + 4 : offset, little);
          lo[at] = view.getInt32(little ? offset : offset + 4, little);
          offset += 8;
          break;
        case I4:
          if (offset + 4 > to) break reading;
          length = view.getInt32(offset, little);
          lo[at] = length;
          hi[at] = length >> 31;
          offset += 4;
          break;
        case U1:
          if (offset + 1 > to) break reading;
          lo[at] = bytes[offset++];
          hi[at] = 0;
          break;
        case DOUBLE:
          if (offset + 8 > to) break reading;
          if (!this.#readDouble(event, at, view.getFloat64(offset, little))) break reading;
          offset += 8;
          break;
        case TEXT: {
          const end = endOfText(bytes, offset, to);
          if (end < 0) break reading;
          event.from[at] = offset;
          event.to[at] = end;
          offset = end + 1;
          break;
        }
        case TEXTS: {
          event.from[at] = offset;
          // A wrong count ends with the body, because each text has at least one byte.
          for (let left = length; left > 0; left--) {
            const end = endOfText(bytes, offset, to);
            if (end < 0) break reading;
            offset = end + 1;
          }
          event.to[at] = offset;
          break;
        }
        case LONGS:
          if (length > 0 && length > (to - offset) / 8) break reading;
          event.from[at] = offset;
          offset += 8 * Math.max(0, length);
          event.to[at] = offset;
          break;
      }
      present |= 1 << at;
    }
    event.present = present;
    if (index === order.length) return offset;
    for (; index < order.length; index++) event.clearAt(order[index]);
    return -1;
  }

  /** Reads seconds, as in XML; values too large for seconds are ticks. False if the bytes are not a time. */
  #readDouble(event: TraceEvent, at: number, value: number): boolean {
    const magnitude = Math.abs(value);
    if (!(magnitude <= MAX_TICKS) || (magnitude < MIN_SECONDS && value !== 0)) return false;
    if (magnitude < MIN_TICKS) {
      event.timesAreNs = true;
      const whole = Math.floor(value);
      nanosecondsOf(whole, Math.round((value - whole) * 1e9), event.hi, event.lo, at);
    } else {
      const ticks = BigInt(Math.round(value));
      event.hi[at] = Number(ticks >> 32n);
      event.lo[at] = Number(BigInt.asIntN(32, ticks));
    }
    return true;
  }
}

function endOfText(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) if (bytes[at] === 0) return at;
  return -1;
}
