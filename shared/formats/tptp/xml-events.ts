import { formatQuantity } from '../../text/format-value.ts';
import type { Damage } from '../../facts/damage.ts';
import type { ByteAccount } from '../decoder.ts';
import { countUnknown } from './trace-facts.ts';
import { CUSTOM, type Message, messageOfName } from './messages.ts';
import {
  type EventReceiver,
  type EventSource,
  TextDecoding,
  type TextSource,
  TraceEvent,
} from './trace-event.ts';
import { MAX_TAG_BYTES, XmlTags } from '../../read/xml-tags.ts';

const BODY = CUSTOM.at.body;
/**
 * Elements of the DTD that have nothing to do with times of calls. An element with a name that is neither here nor among
 * the messages is damaged, and what it said is lost.
 */
const OTHER_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'objDef methodCall value methodReturn line throw catch objMove classUnload processSuspend processResume ' +
    'methodCount methodBody method tag code'
  ).split(' '),
);
/** Names of messages are shorter. */
const MAX_NAME_BYTES = 32;

const NAMED: Readonly<Record<string, string | undefined>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** Replaces character references of XML: `&lt;init&gt;` is `<init>`. Invalid ones stay as they are. */
function unescapeXml(text: string): string {
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

/** Decodes texts and replaces character references, except in a custom event that contains elements. */
class XmlTexts implements TextSource {
  readonly encoded = new TextDecoding();

  text(bytes: Uint8Array, from: number, to: number): string {
    const text = this.encoded.text(bytes, from, to);
    return text.includes('<') ? text : unescapeXml(text);
  }
}

/**
 * The XML form, .trcxml (specs: tptp, section 3): an element per event. The root element may be missing, and the file
 * may end anywhere. Nothing is kept of an event after the receiver has taken it.
 *
 *   <methodEntry threadIdRef="1" time="1185890426.000008802" methodIdRef="20" ticket="3" stackDepth="2"/>
 *   <methodExit threadIdRef="1" time="1185890426.000015384" ticket="3" threadCpuTime="0.000005265"/>
 */
export class XmlEvents implements EventSource {
  damage: Damage | undefined;
  records = 0;
  /** Names of elements that are no events -> how many. */
  readonly unknown = new Map<string, number>();

  readonly #receiver: EventReceiver;
  readonly #texts = new XmlTexts();
  readonly #event = new TraceEvent(this.#texts);
  readonly #tags = new XmlTags();
  /** Bytes of elements with a name that no element of a trace has. */
  #misnamedBytes = 0;
  /** The text of a `custom` element has begun and not ended. */
  #isInCustom = false;
  #length = 0;

  constructor(receiver: EventReceiver) {
    this.#receiver = receiver;
  }

  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    if (this.damage !== undefined) return;
    this.#read(bytes);
  }

  get bytes(): ByteAccount {
    const lost = this.#tags.brokenBytes + this.#misnamedBytes;
    if (this.damage !== undefined) {
      const skipped = lost + this.#length - this.damage.byteOffset;
      return { accepted: this.#length - skipped, skipped, pending: 0 };
    }
    const { pending } = this.#tags;
    return { accepted: this.#length - lost - pending, skipped: lost, pending };
  }

  /** A sentence for each kind of element that was skipped. */
  get skips(): readonly string[] {
    const { brokenTags, brokenBytes } = this.#tags;
    const skips: string[] = [];
    if (brokenTags > 0)
      skips.push(
        `${formatQuantity(brokenTags, 'element')} without an end skipped, ${formatQuantity(brokenBytes, 'byte')}.`,
      );
    const misnamed = [...this.unknown].filter(([name]) => !OTHER_ELEMENTS.has(name));
    if (misnamed.length > 0)
      skips.push(`${countedElements(misnamed)} skipped, ${formatQuantity(this.#misnamedBytes, 'byte')}.`);
    return skips;
  }

  get notes(): readonly string[] {
    const { pending } = this.#tags;
    const notes: string[] = [];
    const { problem } = this.#texts.encoded;
    const others = [...this.unknown].filter(([name]) => OTHER_ELEMENTS.has(name));
    if (others.length > 0) notes.push(`${countedElements(others)} ignored.`);
    if (problem !== undefined) notes.push(problem);
    if (pending > 0 && this.damage === undefined)
      notes.push(
        `The last element is incomplete: the file ends after ${formatQuantity(pending, 'byte')} of it.`,
      );
    return notes;
  }

  get properties(): readonly (readonly [string, string])[] {
    return [['XML form', this.#texts.encoded.name]];
  }

  #read(chunk: Uint8Array): void {
    const tags = this.#tags;
    tags.take(chunk);
    while (this.#isInCustom ? tags.content(CUSTOM.name) : tags.next())
      if (this.#isInCustom) this.#endCustom();
      else this.#readTag();
    tags.keep();
    if (!tags.isTooLong) return;
    this.damage = {
      what: 'element',
      byteOffset: this.#length - tags.pending,
      record: this.records,
      found: `more than ${MAX_TAG_BYTES} bytes without an end`,
      expected: 'the attributes of one event',
    };
  }

  #readTag(): void {
    const { bytes, from, to, kind } = this.#tags;
    if (kind === 'close') return;
    if (kind === 'other') {
      this.#readDeclaration(bytes, from, to);
      return;
    }
    const nameEnd = endOfName(bytes, from, to);
    const message = this.#messageOf(bytes, from, nameEnd);
    if (message === undefined) return;
    if (message === CUSTOM && kind === 'open') {
      this.#isInCustom = true;
      return;
    }
    readAttributes(this.#event, message, bytes, nameEnd, to);
    this.#take();
  }

  #endCustom(): void {
    const { bytes, from, to } = this.#tags;
    this.#isInCustom = false;
    this.#event.begin(CUSTOM, bytes);
    this.#event.timesAreNs = true;
    this.#event.from[BODY] = from;
    this.#event.to[BODY] = to;
    this.#event.present = 1 << BODY;
    this.#take();
  }

  #take(): void {
    this.#receiver.take(this.#event);
    this.records++;
  }

  #messageOf(bytes: Uint8Array, from: number, to: number): Message | undefined {
    let name = '';
    for (let at = from; at < Math.min(to, from + MAX_NAME_BYTES); at++)
      name += String.fromCharCode(bytes[at]);
    if (to - from > MAX_NAME_BYTES) name += '…';
    const message = messageOfName(name);
    if (message !== undefined || name === 'TRACE') return message;
    countUnknown(this.unknown, name);
    if (!OTHER_ELEMENTS.has(name)) this.#misnamedBytes += this.#tags.at - from + 1;
    return undefined;
  }

  /** `<?xml version="1.0" encoding="ISO-8859-1"?>`. */
  #readDeclaration(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > 200 || !(bytes[from + 1] === 0x78 && bytes[from + 2] === 0x6d)) return;
    const text = String.fromCharCode(...bytes.subarray(from, to));
    const encoding = /\sencoding\s*=\s*["']([^"']+)["']/.exec(text)?.[1];
    if (encoding !== undefined) this.#texts.encoded.use(encoding);
  }
}

/** `3 elements of unknown types (tag, code)`. */
function countedElements(kinds: readonly (readonly [name: string, count: number])[]): string {
  const count = kinds.reduce((sum, [, each]) => sum + each, 0);
  const names = kinds.slice(0, 8).map(([name]) => name);
  return `${formatQuantity(count, 'element')} of unknown types (${names.join(', ')}${kinds.length > 8 ? ', …' : ''})`;
}

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
function endOfName(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] > SPACE) at++;
  return at;
}

/** Reads the attributes in bytes[from … to), in any order. Unknown attributes and invalid values are ignored. */
function readAttributes(
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
