import { type AttributeType, type Message, MESSAGES, THREAD_START } from './messages.ts';
import type { TraceEvent } from './trace-event.ts';
import { nanosecondsOf } from './wide-number.ts';

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

/** What is at one place of a body. */
type Store = 'i8' | 'i4' | 'u1' | 'double' | (AttributeType & ('text' | 'texts' | 'longs'));

interface Step {
  /** Place among the message's attributes. */
  readonly at: number;
  readonly store: Store;
}

const TABLE_STORES: Readonly<Record<AttributeType, Store>> = {
  id: 'i8',
  time: 'i8',
  long: 'i8',
  int: 'i4',
  byte: 'u1',
  text: 'text',
  texts: 'texts',
  longs: 'longs',
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

function steps(message: Message, layout: Layout): readonly Step[] {
  const inOrder = message.attributes.map(({ name, type }, at): Step & { readonly name: string } => {
    let store = TABLE_STORES[type];
    if (type === 'id' && layout !== 'table') store = 'i4';
    if (type === 'time' && (layout === 'example' || layout === 'doubles')) store = 'double';
    if (name === 'collationValue' && layout === 'example') store = 'i4';
    return { name, at, store };
  });
  if (message !== THREAD_START || layout !== 'example') return inOrder;
  return EXAMPLE_ORDER.flatMap((name) => inOrder.filter((step) => step.name === name));
}

const LAYOUTS = new Map<Layout, ReadonlyMap<Message, readonly Step[]>>(
  (['table', 'example', 'doubles', 'narrow'] as const).map((layout) => [
    layout,
    new Map(MESSAGES.map((message) => [message, steps(message, layout)])),
  ]),
);
const TABLE_STEPS = LAYOUTS.get('table');

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
    const all = (layout === 'table' ? TABLE_STEPS : LAYOUTS.get(layout))?.get(message) ?? [];
    const { hi, lo } = event;
    const little = this.littleEndian;
    event.clear(message);
    event.bytes = bytes;
    event.timesAreNs = false;
    let offset = from;
    let length = 0;
    for (let index = 0; index < all.length; index++) {
      const { at, store } = all[index];
      switch (store) {
        case 'i8':
          if (offset + 8 > to) return -1;
          hi[at] = view.getInt32(little ? offset + 4 : offset, little);
          lo[at] = view.getInt32(little ? offset : offset + 4, little);
          offset += 8;
          break;
        case 'i4':
          if (offset + 4 > to) return -1;
          length = view.getInt32(offset, little);
          lo[at] = length;
          hi[at] = length >> 31;
          offset += 4;
          break;
        case 'u1':
          if (offset + 1 > to) return -1;
          lo[at] = bytes[offset++];
          break;
        case 'double':
          if (offset + 8 > to) return -1;
          if (!this.#readDouble(event, at, view.getFloat64(offset, little))) return -1;
          offset += 8;
          break;
        case 'text': {
          const end = endOfText(bytes, offset, to);
          if (end < 0) return -1;
          event.from[at] = offset;
          event.to[at] = end;
          offset = end + 1;
          break;
        }
        case 'texts': {
          event.from[at] = offset;
          // Each takes a byte at least: a count that lies ends with the body.
          for (let left = length; left > 0; left--) {
            const end = endOfText(bytes, offset, to);
            if (end < 0) return -1;
            offset = end + 1;
          }
          event.to[at] = offset;
          break;
        }
        case 'longs':
          if (length > 0 && length > (to - offset) / 8) return -1;
          event.from[at] = offset;
          offset += 8 * Math.max(0, length);
          event.to[at] = offset;
          break;
      }
      event.present |= 1 << at;
    }
    return offset;
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
