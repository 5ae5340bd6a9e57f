import { type AttributeType, MAX_MESSAGE_ID, type Message, messageOfId, THREAD_START } from './messages.ts';
import type { TraceEvent } from './trace-event.ts';

/**
 * Differences between bodies of messages and the tables, because the format's document contradicts itself (specs: tptp,
 * section 6). A layout is any sum of these; 0 is that of the tables.
 *
 *   narrowIds        ids of 4 bytes
 *   narrowLongs      longs of 4 bytes: lines, sizes, depths
 *   doubles          times as doubles
 *   intCollation     collationValue as an int
 *   exampleOrder     in threadStart the thread's name before the names of its groups, and no traceIdRef
 */
export const Layout = {
  narrowIds: 1,
  narrowLongs: 2,
  doubles: 4,
  intCollation: 8,
  exampleOrder: 16,
} as const;
const LAYOUT_BITS = Object.values(Layout);

/** The end of a message's body: where its size says, after further bytes, or before its last attribute. */
export type Fit = 'exact' | 'longer' | 'shorter';

/** A double in this range, or 0, is a time. The bytes of a long are hardly ever such a double. */
const MIN_SECONDS = 1e-10;
const MAX_TICKS = 9.2e18;
/** Larger times are ticks: as seconds, they would be more than 30 000 years. */
const MIN_TICKS = 1e12;

/** Upper halves of the smallest and largest double that is a time. A long of that size is a time after the year 2100. */
const [MIN_DOUBLE_HI, MAX_DOUBLE_HI] = [MIN_SECONDS, MAX_TICKS].map((value) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getInt32(0);
});

/** The storage of an attribute in a layout; numbers, because one is compared per attribute of each message. */
const I8 = 0;
const I4 = 1;
const U1 = 2;
const DOUBLE = 3;
const TEXT = 4;
const TEXTS = 5;
const LONGS = 6;
const INTS = 7;
const TIME = 8;

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
  time: TIME,
  long: I8,
  int: I4,
  byte: U1,
  text: TEXT,
  texts: TEXTS,
  longs: LONGS,
};

const COLLATION = 'collationValue';
const EXAMPLE_ORDER = [
  'transientThreadId',
  'threadId',
  'time',
  'transientObjIdRef',
  'objIdRef',
  'threadName',
  'groupName',
  'parentName',
  COLLATION,
] as const;

function bodyLayout(message: Message, layout: number): BodyLayout {
  const { fields } = message;
  const has = (bit: number): boolean => (layout & bit) !== 0;
  const order =
    message === THREAD_START && has(Layout.exampleOrder)
      ? EXAMPLE_ORDER.map((name) => THREAD_START.at[name])
      : fields.map((_, at) => at);
  const encodings = order.map((at) => {
    const { name, type } = fields[at];
    if (type === 'id' && has(Layout.narrowIds)) return I4;
    if (type === 'long' && has(Layout.narrowLongs)) return I4;
    if (type === 'longs' && has(Layout.narrowLongs)) return INTS;
    if (type === 'time' && has(Layout.doubles)) return DOUBLE;
    return name === COLLATION && has(Layout.intCollation) ? I4 : TABLE_ENCODINGS[type];
  });
  return {
    attribute: Uint8Array.from(order),
    encoding: Uint8Array.from(encodings),
    isPartial: order.length < fields.length,
  };
}

/** The layouts of one message. */
interface BodyLayouts {
  /** The bits of a layout that make a difference to the message. */
  readonly mask: number;
  /** Layout within the mask -> body. */
  readonly bodies: readonly BodyLayout[];
}

function bodyLayouts(message: Message): BodyLayouts {
  const { fields } = message;
  let mask = message === THREAD_START ? Layout.exampleOrder : 0;
  for (const { name, type } of fields)
    if (type === 'id') mask |= Layout.narrowIds;
    else if (type === 'long' || type === 'longs') mask |= Layout.narrowLongs;
    else if (type === 'time') mask |= Layout.doubles;
    else if (name === COLLATION) mask |= Layout.intCollation;
  return { mask, bodies: Array.from({ length: mask + 1 }, (_, layout) => bodyLayout(message, layout)) };
}

const LAYOUTS = new Map<Message, BodyLayouts>();

function layoutsOf(message: Message): BodyLayouts {
  let layouts = LAYOUTS.get(message);
  if (layouts === undefined) LAYOUTS.set(message, (layouts = bodyLayouts(message)));
  return layouts;
}

const bitCount = (layout: number): number => LAYOUT_BITS.filter((bit) => (layout & bit) !== 0).length;

/** The layouts within a mask, those first that differ least from `from`. */
function nearestFirst(mask: number, from: number): readonly number[] {
  const all = Array.from({ length: mask + 1 }, (_, layout) => layout);
  return all
    .filter((layout) => (layout & ~mask) === 0)
    .sort((a, b) => bitCount(a ^ from) - bitCount(b ^ from) || bitCount(a) - bitCount(b));
}

/** (mask, layout) -> layouts within the mask; they are sorted only once. */
const NEAREST = new Map<number, readonly number[]>();

function layoutsNear(mask: number, from: number): readonly number[] {
  const key = mask * 2 * Layout.exampleOrder + from;
  let layouts = NEAREST.get(key);
  if (layouts === undefined) NEAREST.set(key, (layouts = nearestFirst(mask, from)));
  return layouts;
}

/** Reads the bodies of messages in `bytes` into an event. */
export class MessageReader {
  littleEndian = true;
  readonly event: TraceEvent;
  bytes: Uint8Array = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  /** The bits of all layouts other than that of the tables in which bodies were read. */
  used = 0;
  /** The layout that fitted the latest bodies exactly, as far as they tell: it is tried first. */
  #found = 0;
  /** A time that is no double was read. */
  #hasLongTimes = false;

  constructor(event: TraceEvent) {
    this.event = event;
  }

  take(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /**
   * Reads the body bytes[from … to). If it ends early, the remaining attributes are 0 or empty; bytes after the last
   * attribute are ignored.
   */
  read(message: Message, from: number, to: number): Fit {
    const { mask, bodies } = layoutsOf(message);
    const found = this.#found & mask;
    const readAs = (layout: number, isStrict: boolean): number =>
      this.#readAs(bodies[layout], isStrict, message, from, to);
    if (readAs(found, true) === to) return 'exact';
    // A clock may be so wrong that its times look like doubles.
    if (this.#hasLongTimes && readAs(found, false) === to) return 'exact';
    if (found !== 0 && readAs(0, true) === to) return 'exact';
    for (const layout of layoutsNear(mask, found)) {
      if (layout === found || layout === 0 || readAs(layout, true) !== to) continue;
      this.#found = (this.#found & ~mask) | layout;
      this.used |= layout;
      return 'exact';
    }
    let end = readAs(found, false);
    if (end < 0 && found !== 0) end = readAs(0, false);
    return end < 0 ? 'shorter' : end < to ? 'longer' : 'exact';
  }

  /**
   * Whether the sizes of messages include their header of six bytes; the format's document says both (specs: tptp,
   * section 6). The first message decides, if it is known and its body has the size in one of the two meanings.
   * Otherwise the meaning with more known messages is taken. Undefined while there are not enough bytes, also at the end
   * of the file: the answer follows from the first bytes alone, so that a trace that pauses there and goes on is read as
   * if it had not.
   */
  sizesIncludeHeader(from: number): boolean | undefined {
    const { bytes, view } = this;
    const little = this.littleEndian;
    const body = from + MESSAGE_HEADER_BYTES;
    if (bytes.length < body) return undefined;
    const message = messageOfId(view.getUint16(from, little));
    const size = view.getUint32(from + 2, little);
    if (message !== undefined && bytes.length >= from + size) {
      const { mask, bodies } = layoutsOf(message);
      const most = Math.min(bytes.length, body + size);
      for (const layout of layoutsNear(mask, 0)) {
        const end = this.#readAs(bodies[layout], layout !== 0, message, body, most);
        if (end === from + size || end === body + size) return end === from + size;
      }
    }
    return meaningWithMoreKnown(view, from, little);
  }

  /** Whether consecutive messages from `from` on end exactly at `to`. */
  messagesEndAt(from: number, to: number, includesHeader: boolean): boolean {
    const { view, littleEndian: little } = this;
    let at = from;
    while (at + MESSAGE_HEADER_BYTES <= to) {
      const size = view.getUint32(at + 2, little) + (includesHeader ? 0 : MESSAGE_HEADER_BYTES);
      if (view.getUint16(at, little) > MAX_MESSAGE_ID || size < MESSAGE_HEADER_BYTES) return false;
      at += size;
    }
    return at === to;
  }

  /**
   * Returns the offset after the last attribute; -1 if the body ends before it or does not fit the layout. `isStrict`:
   * neither if it has a long as a time that is more likely a double, or a text with control characters.
   */
  #readAs(body: BodyLayout, isStrict: boolean, message: Message, from: number, to: number): number {
    const { attribute: order, encoding } = body;
    const { event, bytes, view } = this;
    const { hi, lo } = event;
    const little = this.littleEndian;
    // Attributes that are not read because the body ends early are cleared below.
    event.begin(message, bytes);
    if (body.isPartial) event.clear();
    let present = 0;
    let offset = from;
    let length = 0;
    let hasLongTime = false;
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
        case TIME:
          if (offset + 8 > to) break reading;
          hi[at] = view.getInt32(little ? offset + 4 : offset, little);
          lo[at] = view.getInt32(little ? offset : offset + 4, little);
          offset += 8;
          if (!isDouble(hi[at])) hasLongTime ||= (hi[at] | lo[at]) !== 0;
          else if (isStrict) break reading;
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
          if (!setTime(event, at, view.getFloat64(offset, little))) break reading;
          offset += 8;
          break;
        case TEXT: {
          const end = endOfText(bytes, offset, to, isStrict);
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
            const end = endOfText(bytes, offset, to, isStrict);
            if (end < 0) break reading;
            offset = end + 1;
          }
          event.to[at] = offset;
          break;
        }
        case LONGS:
        case INTS: {
          const bytesOfEach = encoding[index] === INTS ? 4 : 8;
          if (length > 0 && length > (to - offset) / bytesOfEach) break reading;
          event.from[at] = offset;
          offset += bytesOfEach * Math.max(0, length);
          event.to[at] = offset;
          break;
        }
      }
      present |= 1 << at;
    }
    event.present = present;
    if (index === order.length) {
      if (offset === to) this.#hasLongTimes ||= hasLongTime;
      return offset;
    }
    for (; index < order.length; index++) event.clearAt(order[index]);
    return -1;
  }
}

/** Sets seconds, as in XML; values too large for seconds are ticks. False if the value is not a time. */
function setTime(event: TraceEvent, at: number, value: number): boolean {
  const magnitude = Math.abs(value);
  if (!(magnitude <= MAX_TICKS) || (magnitude < MIN_SECONDS && value !== 0)) return false;
  if (magnitude < MIN_TICKS) {
    event.timesAreNs = true;
    event.setSeconds(at, value);
  } else event.set(at, BigInt(Math.round(value)));
  return true;
}

/** Whether a long with this upper half is, as a double, a time. */
function isDouble(hi: number): boolean {
  const magnitude = hi & 0x7fff_ffff;
  return magnitude >= MIN_DOUBLE_HI && magnitude <= MAX_DOUBLE_HI;
}

/** Offset of the NUL that ends a text; -1 if there is none, or if a strict text has control characters before it. */
function endOfText(bytes: Uint8Array, from: number, to: number, isStrict: boolean): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte >= 0x20) continue;
    if (byte === 0) return at;
    if (isStrict && byte !== 9 && byte !== 10 && byte !== 13) return -1;
  }
  return -1;
}

/** Id and size of a message, before its body. */
export const MESSAGE_HEADER_BYTES = 6;
/** Number of bytes in which known messages are counted if the size of the first one does not decide. */
const EXAMINED_BYTES = 1 << 14;
/** So many more known messages decide earlier. One may be by chance. */
const DECIDING_LEAD = 2;

/** Reads the messages in both meanings at once, always the one that begins first. */
function meaningWithMoreKnown(view: DataView, from: number, little: boolean): boolean | undefined {
  const limit = from + EXAMINED_BYTES;
  const including = { at: from, known: 0 };
  const excluding = { at: from, known: 0 };
  for (;;) {
    const lead = including.known - excluding.known;
    const walk = including.at < excluding.at ? including : excluding;
    const { at } = walk;
    if (Math.abs(lead) >= DECIDING_LEAD || at + MESSAGE_HEADER_BYTES > limit) return lead >= 0;
    if (at + MESSAGE_HEADER_BYTES > view.byteLength) return undefined;
    const id = view.getUint16(at, little);
    const size = view.getUint32(at + 2, little) + (walk === including ? 0 : MESSAGE_HEADER_BYTES);
    const isPossible = id <= MAX_MESSAGE_ID && size >= MESSAGE_HEADER_BYTES;
    if (isPossible && messageOfId(id) !== undefined) walk.known++;
    walk.at = isPossible ? at + size : limit;
  }
}
