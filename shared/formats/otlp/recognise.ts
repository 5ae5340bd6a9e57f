import { MessageCursor, Wire } from '../../read/protobuf.ts';
import { is, isNot, isPossible, type Recognition } from '../profile-format.ts';

/** What messages a field may contain: field -> message, undefined for other values with these wire types. */
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
export function recogniseOtlp(head: Uint8Array): Recognition {
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
export function recogniseOtlpSeries(head: Uint8Array): Recognition {
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
