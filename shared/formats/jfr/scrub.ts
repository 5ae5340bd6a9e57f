import { CHUNK_HEADER_BYTES, readChunkHeader } from './chunk/chunk-header.ts';
import { Cursor, Text } from './chunk/cursor.ts';
import { CONSTANT_POOLS, METADATA } from './events/event-types.ts';
import { FieldPlanner } from './chunk/field-plan.ts';
import { readMetadata, type RecordedType } from './chunk/metadata.ts';

/**
 * The events that tell of the machine and not of the program: its environment, system properties, command lines (specs:
 * JEP 536, share), other processes, and objects of the heap with the text of their fields.
 */
export const SCRUBBED_EVENTS: readonly string[] = [
  'jdk.InitialEnvironmentVariable',
  'jdk.InitialSystemProperty',
  'jdk.JVMInformation',
  'jdk.OldObjectSample',
  'jdk.ProcessStart',
  'jdk.SystemProcess',
];

/** Why a recording cannot be scrubbed. Nothing of it may be written: what was not understood may hold anything. */
export interface ScrubObstacle {
  /** Offset in the recording. */
  readonly byteOffset: number;
  readonly found: string;
  readonly expected: string;
}

interface ScrubbedChunk {
  /** The chunk without the events, as pieces of one copy. */
  readonly pieces: readonly Uint8Array[];
  /** Name of an event type -> how many were removed. */
  readonly removed: ReadonlyMap<string, number>;
  /** Number of texts of the chunk's constants that were overwritten, because removed events refer to them. */
  readonly blanked: number;
}

/** The size of the chunk at the beginning of `bytes`, which are at least CHUNK_HEADER_BYTES. */
export function chunkSize(bytes: Uint8Array, byteOffset: number): number | ScrubObstacle {
  const header = readChunkHeader(bytes);
  if ('found' in header) return { byteOffset, ...header };
  if (header.size > 0 && !header.isOpen) return header.size;
  const expected = 'a finished recording (jcmd JFR.dump, JFR.stop)';
  return { byteOffset, found: 'a chunk that the JVM still writes', expected };
}

/**
 * Removes events from one chunk. All other events stay byte for byte but for the places that point to other events: in
 * the header, and in each event of constant pools the distance to the one before. A text of the constant pools that a
 * removed event refers to becomes asterisks. `byteOffset`: of the chunk in the recording.
 */
export function scrubChunk(chunk: Uint8Array, byteOffset: number): ScrubbedChunk | ScrubObstacle {
  const bytes = chunk.slice();
  const cursor = new Cursor(bytes);
  const obstacle = (at: number, found: string, expected: string): ScrubObstacle => ({
    byteOffset: byteOffset + at,
    found,
    expected,
  });

  const types = new Map<number, RecordedType>();
  const pools: number[] = [];
  for (let at = CHUNK_HEADER_BYTES; at < bytes.length; at = cursor.end) {
    const type = enter(cursor, at);
    if (type === undefined)
      return obstacle(at, 'an event without a valid size', 'events up to the end of the chunk');
    if (type === CONSTANT_POOLS) pools.push(at);
    // A chunk may describe its types several times, each time more of them.
    if (type === METADATA) {
      const described = readMetadata(cursor);
      if (described === undefined)
        return obstacle(at, 'an invalid metadata event', 'a description of all events');
      for (const each of described.values()) types.set(each.id, each);
    }
  }
  const planner = new FieldPlanner(types);

  // The place of each removed event, and the texts that they refer to.
  const removedAt: number[] = [];
  const sizes: number[] = [];
  const removed = new Map<string, number>();
  const texts = new Set<number>();
  for (let at = CHUNK_HEADER_BYTES; at < bytes.length; at = cursor.end) {
    const type = enter(cursor, at) ?? -1;
    const name = types.get(type)?.name ?? '';
    if (!SCRUBBED_EVENTS.includes(name)) continue;
    const next = cursor.end;
    if (!collectTexts(cursor, planner, type, texts))
      return obstacle(at, `an event ${name} that does not match its description`, 'its fields');
    removedAt.push(at);
    sizes.push(next - at);
    removed.set(name, (removed.get(name) ?? 0) + 1);
    cursor.end = next;
  }

  let blanked = 0;
  for (const at of pools) {
    enter(cursor, at);
    const count = blankTexts(cursor, planner, texts);
    if (count === undefined) return obstacle(at, 'invalid constant pools', 'constants of described types');
    blanked += count;
  }

  /** Where a byte at `at` is after the removal. */
  const moved = (at: number): number =>
    at - sizes.reduce((sum, size, index) => (removedAt[index] < at ? sum + size : sum), 0);
  for (const at of pools) moveDistance(cursor, at, moved);
  const view = new DataView(bytes.buffer);
  for (const field of [8, 16, 24]) {
    const at = Number(view.getBigInt64(field));
    if (at > 0) view.setBigInt64(field, BigInt(moved(at)));
  }

  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const [index, at] of removedAt.entries()) {
    if (at > from) pieces.push(bytes.subarray(from, at));
    from = at + sizes[index];
  }
  pieces.push(bytes.subarray(from));
  return { pieces, removed, blanked };
}

/** Moves to the fields of the event at `at`, and returns its type; undefined if there is none that ends in the chunk. */
function enter(cursor: Cursor, at: number): number | undefined {
  const { length } = cursor.bytes;
  cursor.moveTo(at, length);
  const size = cursor.number();
  const type = cursor.number();
  if (cursor.hasFailed() || size < cursor.at - at || at + size > length) return undefined;
  cursor.end = at + size;
  return type;
}

/** Adds the keys of the pooled texts of an event. False if its fields do not end where it ends. */
function collectTexts(cursor: Cursor, planner: FieldPlanner, type: number, texts: Set<number>): boolean {
  const { end } = cursor;
  const fields = planner.types.get(type)?.fields ?? [];
  for (const field of fields) {
    const isText = planner.types.get(field.type)?.name === 'java.lang.String' && !field.isArray;
    if (isText && !field.isPooled && cursor.bytes[cursor.at] === Text.pooled) {
      cursor.skip(1);
      texts.add(cursor.number());
    } else if (field.isPooled && !field.isArray) {
      const key = cursor.number();
      if (isText) texts.add(key);
    } else {
      const plan = planner.skipping(field.type);
      if (plan === undefined) return false;
      if (field.isArray) plan.skipArray(cursor, 0);
      else plan.skip(cursor, 0);
    }
  }
  return !cursor.hasFailed() && cursor.at === end;
}

/** Overwrites texts in an event of constant pools; returns how many, undefined if the event is invalid. */
function blankTexts(cursor: Cursor, planner: FieldPlanner, texts: ReadonlySet<number>): number | undefined {
  let blanked = 0;
  cursor.skipIntegers(3);
  cursor.skip(1);
  for (let left = cursor.count(); left > 0 && !cursor.hasFailed(); left--) {
    const type = cursor.number();
    const plan = planner.skipping(type);
    if (plan === undefined) return undefined;
    const isText = planner.types.get(type)?.name === 'java.lang.String';
    for (let constants = cursor.count(); constants > 0 && !cursor.hasFailed(); constants--) {
      const key = cursor.number();
      const from = cursor.at;
      plan.skip(cursor, 0);
      if (!isText || !texts.has(key) || cursor.hasFailed()) continue;
      blank(cursor.bytes, from, cursor.at);
      blanked++;
    }
  }
  return cursor.hasFailed() ? undefined : blanked;
}

const ASTERISK = 0x2a;

/** Overwrites the characters of a text; its encoding and its length stay. */
function blank(bytes: Uint8Array, from: number, to: number): void {
  const encoding = bytes[from];
  if (encoding === Text.null || encoding === Text.empty) return;
  let at = from + 1;
  while (bytes[at++] >= 0x80);
  // A character that is an integer may have several bytes: they stay one integer.
  for (let isFirst = true; at < to; at++) {
    const continues = encoding === Text.chars && bytes[at] >= 0x80;
    bytes[at] = (continues ? 0x80 : 0) | (isFirst ? ASTERISK : 0);
    isFirst = encoding !== Text.chars || !continues;
  }
}

/**
 * Writes the new distance from the constant pools at `at` to those before, in as many bytes as the old one had. It always
 * fits: events are only removed, so it has become shorter.
 */
function moveDistance(cursor: Cursor, at: number, moved: (at: number) => number): void {
  enter(cursor, at);
  cursor.skipIntegers(2);
  const from = cursor.at;
  const distance = cursor.number();
  if (distance === 0) return;
  let rest = BigInt.asUintN(64, BigInt(moved(at + distance) - moved(at)));
  const { bytes } = cursor;
  for (let place = from; place < cursor.at; place++) {
    const isLast = place === cursor.at - 1;
    // The ninth byte has eight bits.
    bytes[place] = Number(rest & (isLast ? 0xffn : 0x7fn)) | (isLast ? 0 : 0x80);
    rest >>= 7n;
  }
}
