import type { Message } from './messages.ts';
import type { TraceEvent } from './trace-event.ts';
import { readSeconds, readInteger } from './read-int64.ts';

const SPACE = 0x20;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

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
  event.clear(0);
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
      readValue(event, attribute, value, end);
      break;
    }
  }
}

function readValue(event: TraceEvent, at: number, from: number, to: number): void {
  const { bytes, hi, lo } = event;
  switch (event.message.fields[at].type) {
    case 'text':
      event.from[at] = from;
      event.to[at] = to;
      break;
    case 'time':
      if (!readSeconds(bytes, from, to, hi, lo, at)) return;
      break;
    case 'byte':
      if (to - from === 4 && bytes[from] === 0x74) lo[at] = 1;
      else if (!readInteger(bytes, from, to, hi, lo, at)) return;
      break;
    case 'texts':
    case 'longs':
      return;
    default:
      if (!readInteger(bytes, from, to, hi, lo, at)) return;
  }
  event.present |= 1 << at;
}

function equals(name: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[from + at]) return false;
  return true;
}

const NAMED: Readonly<Record<string, string | undefined>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** Replaces character references of XML: `&lt;init&gt;` is `<init>`. Invalid ones stay as they are. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,5}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
