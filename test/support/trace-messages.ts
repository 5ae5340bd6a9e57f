import { readFileSync } from 'node:fs';

interface Field {
  readonly attribute: string;
  readonly type: string;
  readonly xml: string;
}
interface Table {
  readonly id: number;
  readonly event: string;
  readonly fields: readonly Field[];
}

const TABLES = new Map(
  (
    JSON.parse(readFileSync('test/golden/tptp/tptp-events.json', 'utf8')) as { messages: Table[] }
  ).messages.map((table) => [table.id, table]),
);

export function readTraceTables(): readonly Table[] {
  return [...TABLES.values()];
}

/** Numbers are bigints. Texts are strings, and arrays are arrays of either. */
export type TraceValue = bigint | string | readonly bigint[] | readonly string[];
export interface TraceMessage {
  readonly id: number;
  /** Attribute's name in the tables -> value. */
  readonly values: Readonly<Record<string, TraceValue>>;
}

export interface TraceLayout {
  readonly littleEndian?: boolean;
  readonly sizeCountsFrame?: boolean;
  /** As the format's example: ids of 4 bytes, times as Doubles of seconds, its order in threadStart. */
  readonly asExample?: boolean;
  /** Ids of 4 bytes and times as Doubles, everything else as the tables say. */
  readonly doubleTimes?: boolean;
  /** Ids of 4 bytes, and a platform of 32 bits. */
  readonly narrowIds?: boolean;
  /** What else differs from the tables, each by itself. */
  readonly widths?: {
    readonly id?: 4;
    readonly long?: 4;
    readonly time?: 'double';
    readonly collation?: 'int';
  };
  /** Ticks per second; times are given in ns. */
  readonly frequency?: bigint;
  readonly dataOffset?: number;
  /** Between the header and the data. */
  readonly leadIn?: Uint8Array;
}

/** A little-endian file whose sizes count the frame, by the tables alone. System messages are left out. */
export function readTraceMessages(bytes: Uint8Array): TraceMessage[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: TraceMessage[] = [];
  for (let at = 12; at < bytes.length;) {
    const id = view.getUint16(at, true);
    const size = view.getUint32(at + 2, true);
    const table = TABLES.get(id);
    let offset = at + 6;
    let count = 0;
    const text = (): string => {
      const end = bytes.indexOf(0, offset);
      const value = new TextDecoder().decode(bytes.subarray(offset, end));
      offset = end + 1;
      return value;
    };
    const long = (): bigint => {
      offset += 8;
      return view.getBigInt64(offset - 8, true);
    };
    if (table !== undefined) {
      const values: Record<string, TraceValue> = {};
      for (const { attribute, type } of table.fields) {
        if (type === 'String') values[attribute] = text();
        else if (type === 'Long') values[attribute] = long();
        else if (type === 'Byte') values[attribute] = BigInt(bytes[offset++]);
        else if (type === 'Integer') {
          count = view.getInt32(offset, true);
          offset += 4;
          values[attribute] = BigInt(count);
        } else if (type === 'String[]') values[attribute] = Array.from({ length: count }, text);
        else values[attribute] = Array.from({ length: count }, long);
      }
      messages.push({ id, values });
    }
    at += size;
  }
  return messages;
}

const isTime = (attribute: string): boolean =>
  /time(?!r)/i.test(attribute) && !/zone|timeout/i.test(attribute);
const isId = (attribute: string): boolean => /\bID$/.test(attribute);
const EXAMPLE_ORDER = ['Thread name', 'Group name', 'Parent group name', 'Collation value'];

/** A whole file with its header and system messages. Attributes that a message lacks have their defaults. */
export function writeTrace(messages: readonly TraceMessage[], layout: TraceLayout = {}): Uint8Array {
  const { littleEndian = true, sizeCountsFrame = true, frequency = 1_000_000_000n, leadIn } = layout;
  const out: number[] = [];
  const { widths = {} } = layout;
  const isExample = layout.asExample === true || layout.doubleTimes === true;
  const hasDoubles = isExample || widths.time === 'double';
  const hasNarrowIds = isExample || layout.narrowIds === true || widths.id === 4;
  const hasIntCollation = layout.asExample === true || widths.collation === 'int';
  const number = (value: bigint, bytes: number): void => {
    const cells = Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
    out.push(...(littleEndian ? cells : cells.reverse()));
  };
  const text = (value: string): void => void out.push(...new TextEncoder().encode(value), 0);
  const double = (value: number): void => {
    const cells = new DataView(new ArrayBuffer(8));
    cells.setFloat64(0, value, littleEndian);
    out.push(...new Uint8Array(cells.buffer));
  };
  const framed = (id: number, body: () => void): void => {
    const before = out.length;
    body();
    const written = out.splice(before);
    number(BigInt(id), 2);
    number(BigInt(written.length + (sizeCountsFrame ? 6 : 0)), 4);
    for (const byte of written) out.push(byte);
  };
  const field = ({ attribute, type }: Field, value: TraceValue | undefined): void => {
    if (type === 'String' && !(hasIntCollation && attribute === 'Collation value')) {
      text(String(value ?? ''));
    } else if (type === 'String[]') {
      for (const each of (value ?? []) as readonly string[]) text(each);
    } else if (type === 'Long[]') {
      for (const each of (value ?? []) as readonly bigint[]) number(each, widths.long ?? 8);
    } else {
      const plain = typeof value === 'bigint' ? value : 0n;
      const inTicks = isTime(attribute) ? (plain * frequency + 500_000_000n) / 1_000_000_000n : plain;
      if (hasDoubles && isTime(attribute))
        double(Number(plain / 1_000_000_000n) + Number(plain % 1_000_000_000n) / 1e9);
      else if (type === 'Byte') number(plain, 1);
      else if (type === 'Long' && isTime(attribute)) number(inTicks, 8);
      else if (type === 'Long' && !(isId(attribute) ? hasNarrowIds : widths.long === 4)) number(plain, 8);
      else number(plain, 4);
    }
  };

  out.push(0x30, 0x54, 0x42, 0x46, 1, 0, layout.narrowIds === true ? 0 : 1, littleEndian ? 1 : 0);
  number(BigInt(layout.dataOffset ?? 12 + (leadIn?.length ?? 0)), 4);
  if (leadIn !== undefined) out.push(...leadIn);
  framed(1, () => text('UTF8'));
  framed(2, () => number(frequency, 8));
  for (const { id, values } of messages) {
    const fields = TABLES.get(id)?.fields ?? [];
    const ordered =
      id === 1009 && layout.asExample === true
        ? [
            ...fields.filter(({ type }) => type === 'Long'),
            ...EXAMPLE_ORDER.flatMap((name) => fields.filter(({ attribute }) => attribute === name)),
          ]
        : fields;
    framed(id, () => ordered.forEach((each) => field(each, values[each.attribute])));
  }
  return Uint8Array.from(out);
}

/** One message by its event's name. */
export function traceMessage(event: string, values: TraceMessage['values'] = {}): TraceMessage {
  const table = [...TABLES.values()].find((each) => each.event === event);
  if (table === undefined) throw new Error(`no event ${event}`);
  for (const name of Object.keys(values))
    if (!table.fields.some(({ attribute }) => attribute === name)) throw new Error(`${event} has no ${name}`);
  return { id: table.id, values };
}
