import {
  AGGREGATED_ENTRY,
  AGGREGATED_EXIT,
  type AttributeType,
  CLASS_DEF,
  ENCODING,
  FREQUENCY,
  MAX_ATTRIBUTES,
  type Message,
  METHOD_DEF,
  THREAD_START,
} from '../formats/tptp/messages.ts';
import { NONE } from '../profile/columns.ts';
import { type LeanProfile, nodesWithValues, threadsWithoutFrames } from '../profile/lean-profile.ts';
import { int64 } from '../profile/int64.ts';
import { ByteWriter } from './binary-writer.ts';
import { type ByteSink, type ExportWriter, roundedCounts } from './export-input.ts';
import { formatQuantity } from '../text/format-value.ts';

export const writeTrcbin: ExportWriter = ({ profile, units }, sink, addNote) => {
  addNote(exportTrcbin(profile, sink), roundedCounts);
  addNote(
    threadsWithoutFrames(profile),
    (count) => `samples without a frame of ${formatQuantity(count, 'thread')} left out`,
  );
  addNote(units.value?.unit === 'bytes' ? 1 : 0, () => 'bytes written where a trace has nanoseconds');
};

/**
 * The complete profile as a binary TPTP trace with an aggregated event per call node (specs: tptp). Counts are written as
 * numbers of calls, values as nanoseconds. The format has no lines and BCIs, so frames of one method with the same caller
 * are merged when the file is read. Counts that are not integers are rounded. Returns their number.
 *
 *   classDef 1 Shop   methodDef 7 main   threadStart 1 main
 *   agMethodEntry 7, base time 20, 2 calls
 *     agMethodEntry 8, base time 0, 0 calls    …
 *     agMethodExit 8
 *   agMethodExit 7
 */
export function exportTrcbin(profile: LeanProfile, sink: ByteSink): number {
  const { threads, frames, nodes, selfValues } = profile;
  const { firstChild, nextSibling } = childLists(profile);
  let rounded = 0;
  const writer = new TraceWriter(sink);
  const threadIds = uniqueThreadIds(profile);
  writeNames(profile, threadIds, writer);

  const enter = (node: number, threadId: bigint): void => {
    const self = selfValues.find(node);
    const count = self < 0 ? 0 : selfValues.count[self];
    const numCalls = Math.round(count);
    if (numCalls !== count) rounded++;
    const baseTime = self < 0 ? 0n : BigInt.asIntN(64, selfValues.time.exact(self));
    // The times of single calls are known only if there is one call.
    const ofOne = numCalls === 1 ? baseTime : 0n;
    writer.message(AGGREGATED_ENTRY, {
      threadIdRef: threadId,
      methodIdRef: frames.method[nodes.frame[node]] + 1,
      baseTime,
      minTime: ofOne,
      maxTime: ofOne,
      numCalls,
    });
    writer.bytes.share += 1 / nodes.length;
  };
  for (let thread = 0; thread < threads.length; thread++) {
    const root = threads.root[thread];
    if (root === NONE) continue;
    const threadId = threadIds[thread];
    let node = firstChild[root];
    while (node !== NONE) {
      enter(node, threadId);
      if (firstChild[node] !== NONE) {
        node = firstChild[node];
        continue;
      }
      // Ends calls until one has a next sibling.
      while (node !== root) {
        writer.message(AGGREGATED_EXIT, {
          threadIdRef: threadId,
          methodIdRef: frames.method[nodes.frame[node]] + 1,
        });
        if (nextSibling[node] !== NONE) break;
        node = nodes.parent[node];
      }
      node = node === root ? NONE : nextSibling[node];
    }
  }
  writer.bytes.flush();
  return rounded;
}

/** Writes threads, classes and methods. A method's id is its row plus one, because 0 means none. */
function writeNames(
  { threads, methods }: LeanProfile,
  threadIds: readonly bigint[],
  writer: TraceWriter,
): void {
  for (let thread = 0; thread < threads.length; thread++) {
    const threadName = threads.name[thread];
    if (threadName === undefined) continue;
    writer.message(THREAD_START, {
      threadId: threadIds[thread],
      threadName,
    });
  }
  const classes = new Map<string, number>();
  for (let method = 0; method < methods.length; method++) {
    const { className, file, methodName } = methods.namesOf(method);
    const key = `${className}\0${file}`;
    let classId = className === '' ? 0 : classes.get(key);
    if (classId === undefined) {
      classId = classes.size + 1;
      classes.set(key, classId);
      writer.message(CLASS_DEF, { classId, name: className, sourceName: file });
    }
    writer.message(METHOD_DEF, { methodId: method + 1, classIdRef: classId, name: methodName });
  }
}

/** Lists of siblings in the order of their rows, without nodes that have no values. */
function childLists(profile: LeanProfile): {
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
} {
  const { nodes } = profile;
  const isWritten = nodesWithValues(profile);
  const firstChild = new Int32Array(nodes.length).fill(NONE);
  const nextSibling = new Int32Array(nodes.length).fill(NONE);
  for (let node = nodes.length - 1; node >= 0; node--) {
    const parent = nodes.parent[node];
    if (parent === NONE || isWritten[node] === 0) continue;
    nextSibling[node] = firstChild[parent];
    firstChild[parent] = node;
  }
  return { firstChild, nextSibling };
}

/**
 * thread -> its id, for formats in which an id means one thread. Logs that were merged may have used the same id: the first
 * thread keeps it, and the others get unused ones.
 */
function uniqueThreadIds({ threads }: LeanProfile): readonly bigint[] {
  const ids = Array.from({ length: threads.length }, (_, row) => int64(threads.idHi[row], threads.idLo[row]));
  const used = new Set(ids);
  if (used.size === ids.length) return ids;
  const given = new Set<bigint>();
  let next = 1n;
  return ids.map((id) => {
    if (!given.has(id)) {
      given.add(id);
      return id;
    }
    while (used.has(next)) next++;
    return next++;
  });
}

/** A message that was read: index of an attribute -> halves of its number, or its text. */
export interface MessageEvent {
  readonly message: Message;
  readonly hi: Int32Array;
  readonly lo: Int32Array;
  text(attribute: number): string;
}

/** 0TBF, version 1.0, 64 bits, little-endian, messages after these 12 bytes. */
const HEADER = Uint8Array.of(0x30, 0x54, 0x42, 0x46, 1, 0, 1, 1, 12, 0, 0, 0);
const MESSAGE_HEADER_BYTES = 6;
/** Bytes of an attribute; of a text, those of its NUL. Stacks are left empty, because XML cannot represent them. */
const WIDTHS: Readonly<Record<AttributeType, number>> = {
  id: 8,
  time: 8,
  long: 8,
  int: 4,
  byte: 1,
  text: 1,
  texts: 0,
  longs: 0,
};
const NO_BYTES = new Uint8Array(0);

/**
 * Writes the binary form of a TPTP trace (specs: tptp, section 1): little-endian, texts in UTF-8, times in nanoseconds,
 * sizes that include the header of their message.
 */
export class TraceWriter {
  readonly bytes: ByteWriter;
  readonly #hi = new Int32Array(MAX_ATTRIBUTES);
  readonly #lo = new Int32Array(MAX_ATTRIBUTES);
  readonly #encoder = new TextEncoder();

  constructor(sink: ByteSink) {
    this.bytes = new ByteWriter(sink, true);
    this.bytes.bytes(HEADER);
    this.message(ENCODING, { name: 'UTF8' });
    this.message(FREQUENCY, { frequency: 1_000_000_000 });
  }

  /** Attributes without a value are written as 0 or empty. */
  message<Name extends string>(
    message: Message<Name>,
    values: Readonly<Partial<Record<Name, number | bigint | string>>>,
  ): void {
    const texts: string[] = [];
    for (const [at, { name }] of message.fields.entries()) {
      const value: number | bigint | string = values[name] ?? 0;
      texts.push(typeof value === 'string' ? value : '');
      if (typeof value === 'string') continue;
      this.#lo[at] = Number(BigInt.asIntN(32, BigInt(value)));
      this.#hi[at] = Number(BigInt.asIntN(32, BigInt(value) >> 32n));
    }
    this.event({ message, hi: this.#hi, lo: this.#lo, text: (at) => texts[at] });
  }

  /** Writes an event; times are in ns. */
  event(event: MessageEvent): void {
    const { message, hi, lo } = event;
    const { bytes } = this;
    const { fields } = message;
    const texts: Uint8Array[] = [];
    let size = MESSAGE_HEADER_BYTES;
    for (let at = 0; at < fields.length; at++) {
      size += WIDTHS[fields[at].type];
      if (fields[at].type !== 'text') continue;
      texts[at] = this.#encoded(event.text(at));
      size += texts[at].length;
    }
    bytes.number(message.id, 2);
    bytes.number(size, 4);
    for (let at = 0; at < fields.length; at++) {
      const { name, type } = fields[at];
      const width = WIDTHS[type];
      if (type === 'text') {
        bytes.bytes(texts[at]);
        bytes.number(0, 1);
      } else if (width === 8) {
        bytes.number(lo[at], 4);
        bytes.number(hi[at], 4);
      } else if (width > 0) bytes.number(name === 'depth' ? 0 : lo[at], width === 4 ? 4 : 1);
    }
  }

  /** Replaces NUL characters, which would end the text. */
  #encoded(text: string): Uint8Array {
    return text === '' ? NO_BYTES : this.#encoder.encode(text.replaceAll('\0', '\ufffd'));
  }
}
