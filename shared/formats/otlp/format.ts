import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { Carry } from '../../read/carry.ts';
import type { Chosen } from '../../facts/choice.ts';
import type { Damage } from '../../facts/damage.ts';
import type { FormatFacts } from '../../facts/format-facts.ts';
import type { ByteAccount, ProfileDecoder } from '../decoder.ts';
import { type DecodedInput, WholeInputDecoder } from '../whole-input.ts';
import { OtlpReader } from './reader.ts';
import { MessageCursor, Wire } from '../../read/protobuf.ts';

const NOT_RECORDED = [
  'when a sample was taken, unless samples have time stamps',
  'threads, unless samples have the attribute thread.name',
  'whether a stack was truncated',
];

/** Profiles of OpenTelemetry (opentelemetry-proto, profiles/v1development), as async-profiler writes them. */
export const OTLP: ProfileFormat = {
  id: 'otlp',
  name: 'OpenTelemetry profile',
  listed: { group: 'Exchange formats', entry: 'OpenTelemetry' },
  extensions: ['.otlp', '.pb'],
  follows: false,
  joinsEntries: 'files',
  notRecorded: NOT_RECORDED,
  recognise: recogniseOtlp,
  createDecoder: (sink, chosen) => new OtlpDecoder(sink, chosen),
};

/** Messages after each other, each behind its length, as collectors write them into a file, and `leanscope serve` collects them. */
export const OTLP_SERIES: ProfileFormat = {
  id: 'otlp-series',
  name: 'OpenTelemetry series',
  listed: OTLP.listed,
  extensions: ['.otlp', '.binpb'],
  follows: true,
  notRecorded: NOT_RECORDED,
  recognise: recogniseOtlpSeries,
  createDecoder: (sink, chosen) => new OtlpSeriesDecoder(sink, chosen),
};

/** Decodes a message of OpenTelemetry. Those of an archive are one profile. */
class OtlpDecoder extends WholeInputDecoder {
  readonly #chosen: Chosen;
  #reader: OtlpReader;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#chosen = chosen;
    this.#reader = new OtlpReader(sink, chosen, false);
  }

  facts(): FormatFacts {
    return this.#reader.facts();
  }

  protected override decodeInput(input: Uint8Array): DecodedInput {
    const files = this.filesOf(input);
    if (files.length > 1) this.#reader = new OtlpReader(this.sink, this.#chosen, true);
    let end: DecodedInput = { accepted: 0 };
    for (const { from, to } of files) {
      if (end.damage !== undefined || this.sink.isFull) break;
      const { accepted, damage } = this.#reader.read(input.subarray(from, to));
      end = {
        accepted: from + accepted,
        damage: damage && { ...damage, byteOffset: from + damage.byteOffset },
      };
      this.records = this.#reader.records;
    }
    return end;
  }
}

/**
 * Decodes messages that follow each other, each after its length in four bytes, as collectors write them into a file that
 * grows. Each is read as soon as all of it is there.
 *
 *   00 00 04 d2 ▐message of 1234 bytes▐ 00 00 01 00 ▐message of 256▐ …
 */
class OtlpSeriesDecoder implements ProfileDecoder {
  damage: Damage | undefined;
  readonly #sink: SampleSink;
  readonly #reader: OtlpReader;
  readonly #carry = new Carry();
  #accepted = 0;
  #skipped = 0;

  constructor(sink: SampleSink, chosen: Chosen) {
    this.#sink = sink;
    this.#reader = new OtlpReader(sink, chosen, true);
  }

  get records(): number {
    return this.#reader.records;
  }

  facts(): FormatFacts {
    return this.#reader.facts();
  }

  get bytes(): ByteAccount {
    return { accepted: this.#accepted, skipped: this.#skipped, pending: this.#carry.length };
  }

  /** Nothing more is read. */
  #isOver(): boolean {
    return this.damage !== undefined || this.#sink.isFull;
  }

  append(bytes: Uint8Array): void {
    if (this.#isOver()) {
      this.#skipped += bytes.length;
      return;
    }
    const input = this.#carry.join(bytes);
    let at = 0;
    while (at + LENGTH_BYTES <= input.length && !this.#isOver()) {
      const length = lengthAt(input, at);
      const from = at + LENGTH_BYTES;
      if (length > MOST_MESSAGE_BYTES) this.damage = this.#tooLong(length);
      if (length > MOST_MESSAGE_BYTES || from + length > input.length) break;
      const { accepted, damage } = this.#reader.read(input.subarray(from, from + length));
      if (damage !== undefined)
        this.damage = { ...damage, byteOffset: this.#accepted + LENGTH_BYTES + damage.byteOffset };
      const used = LENGTH_BYTES + (damage === undefined ? length : accepted);
      this.#accepted += used;
      at += used;
    }
    if (!this.#isOver()) {
      this.#carry.keep(input, at);
      return;
    }
    this.#skipped += input.length - at;
    this.#carry.clear();
  }

  emitOpen(): void {
    // A message counts as soon as all of it is there, and the rest of one may still come.
  }

  #tooLong(length: number): Damage {
    return {
      what: 'message',
      byteOffset: this.#accepted,
      record: this.records,
      found: `a length of ${length} bytes`,
      expected: `at most ${MOST_MESSAGE_BYTES}`,
    };
  }
}

function lengthAt(input: Uint8Array, at: number): number {
  return new DataView(input.buffer, input.byteOffset + at, LENGTH_BYTES).getUint32(0);
}

/** Fields of a message: number -> wire types, and the message that the field contains; undefined for other values. */
type Message = ReadonlyMap<number, Field>;
type Field = readonly [wires: readonly number[], inner?: Message];

const { varint, fixed64, bytes } = Wire;
const INDEX = [varint] as const;
const TEXT = [bytes] as const;
function fields(of: Readonly<Record<number, Field>>): Message {
  return new Map(Object.entries(of).map(([field, each]) => [Number(field), each]));
}

const VALUE_TYPE = fields({ 1: [INDEX], 2: [INDEX], 3: [INDEX] });
/** A field that the versions use differently: those before 1.7, which the decoder refuses, have the tables here. */
const ANY = [[varint, fixed64, bytes]] as const;
const PROFILE = fields({
  1: [[bytes], VALUE_TYPE],
  2: [TEXT],
  ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at + 3, ANY])),
});
const SCOPE_PROFILES = fields({ 1: [TEXT], 2: [[bytes], PROFILE], 3: [TEXT] });
const RESOURCE_PROFILES = fields({ 1: [TEXT], 2: [[bytes], SCOPE_PROFILES], 3: [TEXT], 1000: [TEXT] });
const LINE = fields({ 1: [INDEX], 2: [INDEX], 3: [INDEX] });
const FUNCTION = fields({ 1: [INDEX], 2: [INDEX], 3: [INDEX], 4: [INDEX] });
const LOCATION = fields({
  1: [INDEX],
  2: [INDEX],
  3: [[bytes], LINE],
  4: [[varint, bytes]],
  5: [[bytes, varint]],
});
const DICTIONARY = fields({
  1: [TEXT],
  2: [[bytes], LOCATION],
  3: [[bytes], FUNCTION],
  4: [TEXT],
  5: [TEXT],
  6: [TEXT],
  7: [TEXT],
});
const DATA = fields({ 1: [[bytes], RESOURCE_PROFILES], 2: [[bytes], DICTIONARY] });

/** Messages that no other format nests in this way. */
const DECISIVE: readonly Message[] = [VALUE_TYPE, LOCATION];

/** The format has no magic number. It is recognised by the nesting of its messages, as far as they are seen. */
function recogniseOtlp(head: Uint8Array): Recognition {
  const seen = new Set<Message>();
  if (head.length === 0 || !matches(head, 0, head.length, DATA, seen))
    return isNot(0, 'it is not made of the fields of an OpenTelemetry profile');
  if (DECISIVE.some((message) => seen.has(message)))
    return is('it is made of the fields of an OpenTelemetry profile');
  return isPossible(0.1, 'it has no type of samples and no location');
}

/** Whether input[from … to) is a message, or its beginning where the input ends. `seen`: messages with a field. */
function matches(input: Uint8Array, from: number, to: number, message: Message, seen: Set<Message>): boolean {
  const cursor = new MessageCursor(input, from, to);
  let at = from;
  while (cursor.next()) {
    const [wires, inner] = message.get(cursor.field) ?? [[]];
    if (!wires.includes(cursor.wire)) return false;
    seen.add(message);
    if (inner !== undefined && !matches(input, cursor.from, cursor.to, inner, seen)) return false;
    at = cursor.at;
  }
  if (!cursor.isBroken) return true;
  // The last field may go on behind the input.
  const tag = new MessageCursor(input, at, to);
  if (!tag.varint()) return to === input.length;
  const [wires, inner] = message.get(tag.index >> 3) ?? [[]];
  if (to !== input.length || !wires.includes(tag.lo & 7)) return false;
  if (inner === undefined || !tag.varint()) return true;
  return tag.index >= 0 && matches(input, tag.at, to, inner, seen);
}

/** Bytes of the length before each message of a series, the highest first. */
export const LENGTH_BYTES = 4;
/** Longer messages are not read. */
export const MOST_MESSAGE_BYTES = 64 << 20;

/** A series begins with the length of its first message, and this message. */
function recogniseOtlpSeries(head: Uint8Array): Recognition {
  if (head.length < LENGTH_BYTES) return isPossible(0.1, 'it is shorter than the length of a message');
  const length = new DataView(head.buffer, head.byteOffset, LENGTH_BYTES).getUint32(0);
  if (length === 0 || length > MOST_MESSAGE_BYTES)
    return isNot(0, 'it does not begin with the length of an OpenTelemetry profile');
  const found = recogniseOtlp(head.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
  if (found.verdict === 'is')
    return is('it begins with the length of an OpenTelemetry profile, and this profile');
  // The first message may have no profile.
  return found.verdict === 'possible' && head.length < LENGTH_BYTES + length
    ? found
    : { ...found, verdict: 'no' };
}
