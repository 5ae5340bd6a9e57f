import type { Message } from './messages.ts';
import type { TraceEvent } from './trace-event.ts';

const SPACE = 0x20;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const ZERO = 0x30;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;

const encoder = new TextEncoder();
/** Message -> its attributes' names as bytes. */
const names = new Map<Message, readonly Uint8Array[]>();

function namesOf(message: Message): readonly Uint8Array[] {
  let known = names.get(message);
  if (known === undefined)
    names.set(message, (known = message.fields.map(({ name }) => encoder.encode(name))));
  return known;
}

/** The end of the tag's name, which begins at `from`. */
export function endOfName(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] > SPACE) at++;
  return at;
}

/** Reads the attributes in bytes[from … to), in any order. Unknown attributes and invalid values are ignored. */
export function readAttributes(
  event: TraceEvent,
  message: Message,
  bytes: Uint8Array,
  from: number,
  to: number,
): void {
  event.begin(message, bytes);
  event.clear();
  event.timesAreNs = true;
  const known = namesOf(message);
  let expected = 0;
  for (let at = from; ;) {
    while (at < to && bytes[at] <= SPACE) at++;
    if (at >= to) return;
    const name = at;
    while (at < to && bytes[at] > SPACE && bytes[at] !== EQUALS) at++;
    const nameEnd = at;
    while (at < to && bytes[at] <= SPACE) at++;
    if (bytes[at] !== EQUALS || at >= to) continue;
    at++;
    while (at < to && bytes[at] <= SPACE) at++;
    const quote = bytes[at];
    if (at >= to || (quote !== QUOTE && quote !== APOSTROPHE)) continue;
    const value = at + 1;
    const end = bytes.indexOf(quote, value);
    if (end < 0 || end >= to) return;
    at = end + 1;
    // Most writers use the order of the table, so the first comparison usually succeeds.
    for (let tried = 0; tried < known.length; tried++) {
      const attribute = expected;
      expected = expected + 1 === known.length ? 0 : expected + 1;
      if (!equals(known[attribute], bytes, name, nameEnd)) continue;
      if (readValue(event, attribute, value, end)) event.present |= 1 << attribute;
      break;
    }
  }
}

/** False if it is invalid, or if XML has no such attribute. */
function readValue(event: TraceEvent, at: number, from: number, to: number): boolean {
  switch (event.message.fields[at].type) {
    case 'text':
      event.from[at] = from;
      event.to[at] = to;
      return true;
    case 'texts':
    case 'longs':
      return false;
    case 'time':
      return readDecimal(event, at, from, to, 9);
    case 'byte':
      if (to - from !== 4 || event.bytes[from] !== 0x74) return readDecimal(event, at, from, to, 0);
      event.lo[at] = 1;
      return true;
    default:
      return readDecimal(event, at, from, to, 0);
  }
}

function equals(name: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[from + at]) return false;
  return true;
}

const WORD = 0x1_0000_0000;
/** Another digit may follow a number up to it, which is then still exact. */
const MOST_LOW = 9e14;

/**
 * Reads a decimal number with so many digits behind the point, exactly, as the integer without the point: seconds with 9
 * are nanoseconds. Further digits are ignored. False if it is not a number, or too large.
 */
function readDecimal(event: TraceEvent, at: number, from: number, to: number, decimals: number): boolean {
  const { bytes } = event;
  const isNegative = bytes[from] === MINUS;
  const first = isNegative || bytes[from] === PLUS ? from + 1 : from;
  if (first === to) return false;
  let high = 0;
  let low = 0;
  /** Digits behind the point that are still missing; below 0 before the point. */
  let left = -1;
  for (let offset = first; offset < to || left !== 0; offset++) {
    if (left < 0 && (offset >= to || bytes[offset] === POINT)) {
      left = decimals;
      continue;
    }
    const digit = offset < to ? bytes[offset] - ZERO : 0;
    if (!(digit >= 0 && digit <= 9)) return decimals > 0 && readDouble(event, at, from, to);
    if (left === 0) continue;
    if (left > 0) left--;
    if (low > MOST_LOW) {
      high += Math.floor(low / WORD);
      low %= WORD;
    }
    high *= 10;
    low = low * 10 + digit;
  }
  high += Math.floor(low / WORD);
  low %= WORD;
  if (high >= (decimals > 0 ? WORD / 2 : WORD)) return false;
  event.hi[at] = isNegative ? -high - (low > 0 ? 1 : 0) : high;
  event.lo[at] = isNegative ? -low : low;
  return true;
}

/** Reads seconds such as `1.5e-3`, as programs print doubles. */
function readDouble(event: TraceEvent, at: number, from: number, to: number): boolean {
  if (to - from > 40) return false;
  const value = Number(String.fromCharCode(...event.bytes.subarray(from, to)));
  if (!Number.isFinite(value)) return false;
  event.setSeconds(at, value);
  return true;
}
