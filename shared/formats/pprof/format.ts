import { type ProfileFormat, isNot, isPossible, is, type Recognition } from '../profile-format.ts';
import { MessageCursor, Wire } from '../../read/protobuf.ts';
import { PprofDecoder } from './decoder.ts';

/** Unpacked profiles of Go, async-profiler's converter and many agents (specs: pprof). */
export const PPROF: ProfileFormat = {
  id: 'pprof',
  name: 'pprof profile',
  listed: { group: 'Exchange formats', entry: 'pprof' },
  extensions: ['.pprof', '.pb', '.prof', '.pb.gz'],
  follows: false,
  joinsEntries: 'files',
  notRecorded: ['threads, unless samples have a label for them', 'when a sample was taken', 'thread states'],
  recognise: recognisePprof,
  createDecoder: (sink, chosen) => new PprofDecoder(sink, chosen),
};

/** Field of a profile -> its valid wire types (profile.proto). */
const WIRES: readonly (readonly number[])[] = [
  [],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.bytes],
  [Wire.varint],
  [Wire.varint],
  [Wire.varint],
  [Wire.varint],
  [Wire.bytes],
  [Wire.varint],
  [Wire.varint, Wire.bytes],
  [Wire.varint],
  [Wire.varint],
];
/** The same for the fields of its messages: 1 sample type, 2 sample, 4 location, 5 function. */
const INNER: Readonly<Record<number, readonly (readonly number[])[] | undefined>> = {
  1: [[], [Wire.varint], [Wire.varint]],
  2: [[], [Wire.varint, Wire.bytes], [Wire.varint, Wire.bytes], [Wire.bytes]],
  4: [[], [Wire.varint], [Wire.varint], [Wire.varint], [Wire.bytes], [Wire.varint]],
  5: [[], [Wire.varint], [Wire.varint], [Wire.varint], [Wire.varint], [Wire.varint]],
};

/**
 * The format has no magic number. It is recognised if the head consists of valid fields of a profile, with at least one
 * valid message.
 */
function recognisePprof(head: Uint8Array): Recognition {
  const cursor = new MessageCursor(head);
  let messages = 0;
  let at = 0;
  while (cursor.next()) {
    const { field, wire, from, to } = cursor;
    if (!(WIRES[field] ?? []).includes(wire)) return mismatch(messages, field);
    if (wire === Wire.bytes && field in INNER) {
      if (!isMessage(head, from, to, INNER[field] ?? [])) return mismatch(messages, field);
      messages++;
    }
    at = cursor.at;
  }
  const isIncomplete = cursor.isBroken && mayBeField(head, at);
  if (cursor.isBroken && !isIncomplete) return mismatch(messages, 0);
  if (messages > 0) return is('it is made of the fields of a pprof profile');
  return isIncomplete || head.length === 0
    ? isPossible(0.2, 'it ends within its first field')
    : isNot(0.2, 'it has no sample type and no sample');
}

function mismatch(messages: number, field: number): Recognition {
  const what = field === 0 ? 'what follows is no field' : `field ${field} is not written as it is there`;
  return isNot(messages > 0 ? 0.4 : 0, messages > 0 ? what : 'its first field is none of a profile');
}

function isMessage(
  head: Uint8Array,
  from: number,
  to: number,
  wires: readonly (readonly number[])[],
): boolean {
  const cursor = new MessageCursor(head, from, to);
  while (cursor.next()) if (!(wires[cursor.field] ?? []).includes(cursor.wire)) return false;
  return !cursor.isBroken && to > from;
}

/** Whether the incomplete field at `at` can be a field of a profile. */
function mayBeField(head: Uint8Array, at: number): boolean {
  const cursor = new MessageCursor(head, at);
  if (!cursor.varint()) return true;
  const wire = cursor.lo & 7;
  if (!(WIRES[cursor.index >> 3] ?? []).includes(wire)) return false;
  return wire === Wire.varint || !cursor.varint() || cursor.index >= 0;
}
