import { assert } from '../../assert.ts';
import {
  type AttributeType,
  attributeAt,
  type Message,
  MESSAGES,
  THREAD_START,
} from '../../tptp/messages.ts';
import type { TraceEvent } from './trace-event.ts';
import { nanosecondsOf } from './read-int64.ts';

/**
 * The ways to read a message's body (specs: tptp, section 6: the format's document contradicts itself).
 *
 *   table     as its tables say
 *   example   as its example says: ids of 4 bytes, times as Doubles, the collation value an Integer, and a thread's
 *             start with its name before its groups
 *   doubles   the tables' order and texts with the example's ids and times
 *   narrow    the tables with ids of 4 bytes, for a 32-bit platform
 */
export type Layout = 'table' | 'example' | 'doubles' | 'narrow';

const TABLE: readonly Layout[] = ['table'];
const OTHERS: readonly Layout[] = ['example', 'doubles'];
const NARROW_OTHERS: readonly Layout[] = ['example', 'doubles', 'narrow'];

/** A Double between is a time: the bytes of Longs are as good as never one. */
const LEAST_SECONDS = 1e-10;
const MOST_TICKS = 9.2e18;
/** As seconds 30 000 years. */
const LEAST_TICKS = 1e12;

/** What is at one place of a body; numbers, because they are looked at for each attribute of each message. */
const I8 = 0;
const I4 = 1;
const U1 = 2;
const DOUBLE = 3;
const TEXT = 4;
const TEXTS = 5;
const LONGS = 6;

/** A message's body by one of the layouts: place among the message's attributes, and what is stored. */
interface Steps {
  readonly at: Uint8Array;
  readonly store: Uint8Array;
  /** Some attributes have no place. */
  readonly isPartial: boolean;
}

const TABLE_STORES: Readonly<Record<AttributeType, number>> = {
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

function steps(message: Message, layout: Layout): Steps {
  const { attributes } = message;
  const order =
    message === THREAD_START && layout === 'example'
      ? EXAMPLE_ORDER.map((name) => attributeAt(message, name))
      : attributes.map((_, at) => at);
  const stores = order.map((at) => {
    const { name, type } = attributes[at];
    if (type === 'id' && layout !== 'table') return I4;
    if (type === 'time' && (layout === 'example' || layout === 'doubles')) return DOUBLE;
    return name === 'collationValue' && layout === 'example' ? I4 : TABLE_STORES[type];
  });
  return {
    at: Uint8Array.from(order),
    store: Uint8Array.from(stores),
    isPartial: order.length < attributes.length,
  };
}

function stepsOf(layout: Layout): ReadonlyMap<Message, Steps> {
  return new Map(MESSAGES.map((message) => [message, steps(message, layout)]));
}

const LAYOUTS: Readonly<Record<Layout, ReadonlyMap<Message, Steps>>> = {
  table: stepsOf('table'),
  example: stepsOf('example'),
  doubles: stepsOf('doubles'),
  narrow: stepsOf('narrow'),
};

/** Reads bodies of messages into an event. */
export class MessageReader {
  littleEndian = true;
  /** The platform has 32 bits: ids may be narrow. */
  isNarrow = false;
  /** The latest way to read that fitted exactly and was not the table's. */
  found: Layout | undefined;

  /** The body bytes[from … to). What does not reach so far has its default; what is left over is passed over. */
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
    for (const layout of this.isNarrow ? NARROW_OTHERS : OTHERS) {
      if (this.#readAs(layout, event, message, bytes, view, from, to) !== to) continue;
      this.found = layout;
      return;
    }
    this.#readAs(found ?? 'table', event, message, bytes, view, from, to);
  }

  /** The lengths of body that the message would have at `from`, by each way to read it; none where it is cut by `to`. */
  exactLengths(
    event: TraceEvent,
    message: Message,
    bytes: Uint8Array,
    view: DataView,
    from: number,
    to: number,
  ): readonly number[] {
    return [...TABLE, ...(this.isNarrow ? NARROW_OTHERS : OTHERS)]
      .map((layout) => this.#readAs(layout, event, message, bytes, view, from, to) - from)
      .filter((length) => length >= 0);
  }

  /** Returns where the attributes end, or -1 when the body ended before. */
  #readAs(
    layout: Layout,
    event: TraceEvent,
    message: Message,
    bytes: Uint8Array,
    view: DataView,
    from: number,
    to: number,
  ): number {
    const all = LAYOUTS[layout].get(message);
    assert(all !== undefined, 'every layout has every message');
    const { at: places, store: stores } = all;
    const { hi, lo } = event;
    const little = this.littleEndian;
    // What is read is set anew; what is not, because the body ends before, is cleared below.
    event.begin(message, bytes);
    if (all.isPartial) event.clear(0);
    let present = 0;
    let offset = from;
    let length = 0;
    let index = 0;
    reading: for (; index < places.length; index++) {
      const at = places[index];
      switch (stores[index]) {
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
          // Each takes a byte at least: a count that lies ends with the body.
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
    if (index === places.length) return offset;
    for (; index < places.length; index++) event.clearAt(places[index]);
    return -1;
  }

  /** Seconds, as in XML; what is too large for seconds can only be ticks. False for what can only be a Long. */
  #readDouble(event: TraceEvent, at: number, value: number): boolean {
    const magnitude = Math.abs(value);
    if (!(magnitude <= MOST_TICKS) || (magnitude < LEAST_SECONDS && value !== 0)) return false;
    if (magnitude < LEAST_TICKS) {
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
